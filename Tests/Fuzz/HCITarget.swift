import CaptureReader
import FrameEncoder

/// The bytes are HCI packets: u8 what (low half) and who (high half), u8 length, and what the packet
/// carries. Headers are written here, so that the rest is reached. They are read as a Linux monitor's,
/// of several adapters, and as H4 of several interfaces, all of them twice: then some are known.
enum HCITarget {
  static let target = FuzzTarget(name: "hci", seeds: { Seeds.packets() }) { bytes in
    let packets = split(bytes)
    return monitor(packets, isSplit: bytes.count % 2 == 0)
      + h4(packets + packets, isSplit: bytes.count % 2 == 0)
  }

  private struct Packet {
    let who: UInt8
    /// Of the monitor.
    let opcode: UInt16
    let bytes: [UInt8]
  }

  private static func split(_ bytes: [UInt8]) -> [Packet] {
    var packets: [Packet] = []
    var at = 0
    while at + 2 <= bytes.count {
      let count = min(Int(bytes[at + 1]), bytes.count - at - 2)
      let (opcode, packet) = packet(bytes[at] & 15, Array(bytes[(at + 2)..<(at + 2 + count)]))
      packets.append(Packet(who: bytes[at] >> 4, opcode: opcode, bytes: packet))
      at += 2 + count
    }
    return packets
  }

  private static func monitor(_ packets: [Packet], isSplit: Bool) -> [String] {
    var records: [CaptureRecord] = []
    var buffer: [UInt8] = []
    for packet in packets {
      records.append(
        record(
          records.count, buffer.count, packet.bytes.count, .btsnoopMonitor,
          tag: UInt32(packet.who) << 16 | UInt32(packet.opcode)))
      buffer += packet.bytes
    }
    return Feeding.faults(records, buffer, isSplit: isSplit)
  }

  private static func h4(_ packets: [Packet], isSplit: Bool) -> [String] {
    var records: [CaptureRecord] = []
    var buffer: [UInt8] = []
    for packet in packets {
      let type: UInt8 = packet.opcode == 3 ? 4 : packet.opcode == 2 ? 1 : 2
      records.append(
        record(
          records.count, buffer.count, packet.bytes.count + 1, .hciH4,
          interface: UInt16(packet.who & 3)))
      buffer += [type] + packet.bytes
    }
    return Feeding.faults(records, buffer, isSplit: isSplit)
  }

  /// - Parameter number: of records before it; they are a millisecond apart.
  private static func record(
    _ number: Int, _ start: Int, _ count: Int, _ link: LinkType, interface: UInt16 = 0,
    tag: UInt32 = 0
  ) -> CaptureRecord {
    CaptureRecord(
      time: Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(number) * 1_000_000),
      frame: number + 1, start: start, count: count, originalCount: UInt32(count), link: link,
      interface: interface, tag: tag)
  }

  /// Opcode of the monitor and packet: mostly LE Meta events, whose first byte is the subevent.
  private static func packet(_ what: UInt8, _ data: [UInt8]) -> (UInt16, [UInt8]) {
    switch what {
    case 0...8: (3, [0x3E, UInt8(data.count)] + data)
    case 9: (3, [0x3E] + data)
    case 10: (3, HCI.commandComplete(0x0C03).bytes)
    case 11: (3, HCI.commandComplete(0xFD56, Array(data.prefix(200))).bytes)
    case 12: (3, [0x0E, UInt8(data.count)] + data)
    case 13: (2, data)
    case 14: (3, data)
    default: (9, data)
    }
  }
}
