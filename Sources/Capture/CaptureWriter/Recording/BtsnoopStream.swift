/// A capture that is being made, as btsnoop: datalink 2001 of the Linux monitor, 1002 of HCI packets.
///
/// Its records count what was lost so far; pauses, comments and nanoseconds have no place in it.
package struct BtsnoopStream: Sendable {
  /// What stands before the packet in the interface's records.
  private enum Layout {
    /// Link type 254: u16 adapter, u16 opcode, big-endian.
    case monitor
    /// Link type 201: u32 direction, big-endian, before the H4 packet.
    case directedH4
    /// Link type 187: nothing.
    case plainH4

    var length: Int { self == .plainH4 ? 0 : 4 }
  }

  private let writer: BtsnoopWriter
  private let layout: Layout
  private var lost: UInt64 = 0

  /// Nil unless it is one interface, of the Linux monitor or of H4.
  package init?(_ interfaces: [PcapngWriter.Interface]) {
    guard interfaces.count == 1 else { return nil }
    switch interfaces[0].linkType {
    case 254: layout = .monitor
    case 201: layout = .directedH4
    case 187: layout = .plainH4
    default: return nil
    }
    writer = BtsnoopWriter(datalink: layout == .monitor ? 2001 : 1002)
  }

  /// Begins another file of the same capture; it counts losses from none.
  package mutating func begin() -> [UInt8] {
    lost = 0
    return writer.header
  }

  /// Packets that are not in the file; the next record says so.
  package mutating func appendLoss(_ count: UInt64) { lost &+= count }

  /// Puts an item's record behind `output`. Returns false where a packet is too short to say what it
  /// is, which btsnoop cannot hold.
  package mutating func append(_ item: CaptureItem, to output: inout [UInt8]) -> Bool {
    switch item {
    case .packet(let record, _, let direction):
      guard record.data.count >= max(layout.length, 1) else { return false }
      let original = Int(record.originalCount) - layout.length
      output.put(UInt32(clamping: original), .big)
      output.put(UInt32(record.data.count - layout.length), .big)
      output.put(flags(record.data, direction), .big)
      output.put(UInt32(clamping: lost), .big)
      output.put(UInt64(bitPattern: record.microseconds + BtsnoopWriter.epoch), .big)
      output.append(contentsOf: record.data[layout.length...])
    case .lost(let count, _, _, _): appendLoss(count)
    case .off, .on: break
    }
    return true
  }

  private func flags(_ data: [UInt8], _ direction: CaptureItem.Direction) -> UInt32 {
    switch layout {
    case .monitor:
      BtsnoopWriter.monitorFlags(
        adapter: UInt16(data[0]) << 8 | UInt16(data[1]),
        opcode: UInt16(data[2]) << 8 | UInt16(data[3]))
    case .directedH4:
      Self.flags(type: data.count > 4 ? data[4] : 0, isReceived: data[3] & 1 == 1)
    case .plainH4:
      Self.flags(type: data[0], isReceived: direction == .controllerToHost || data[0] == 4)
    }
  }

  /// Bit 0: from the controller; bit 1: a command or an event.
  private static func flags(type: UInt8, isReceived: Bool) -> UInt32 {
    (isReceived ? 1 : 0) | (type == 1 || type == 4 ? 2 : 0)
  }
}
