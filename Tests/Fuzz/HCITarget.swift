import CaptureReader
import TestSupport

/// The bytes are HCI packets of a Linux monitor's adapters: u8 what (low half) and adapter (high half),
/// u8 length, and what the packet carries. Headers are written here, so that the rest is reached.
enum HCITarget {
  static let target = FuzzTarget(name: "hci", seeds: { Seeds.packets() }) { bytes in
    var records: [CaptureRecord] = []
    var buffer: [UInt8] = []
    var at = 0
    while at + 2 <= bytes.count {
      let count = min(Int(bytes[at + 1]), bytes.count - at - 2)
      let (opcode, packet) = packet(bytes[at] & 15, Array(bytes[(at + 2)..<(at + 2 + count)]))
      records.append(
        CaptureRecord(
          time: Timestamp(
            nanoseconds: 1_700_000_000_000_000_000 + Int64(records.count) * 1_000_000),
          frame: records.count + 1, start: buffer.count, count: packet.count,
          originalCount: UInt32(packet.count), link: .btsnoopMonitor,
          tag: UInt32(bytes[at] >> 4) << 16 | UInt32(opcode)))
      buffer += packet
      at += 2 + count
    }
    return Feeding.faults(records, buffer, isSplit: bytes.count % 2 == 0)
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
