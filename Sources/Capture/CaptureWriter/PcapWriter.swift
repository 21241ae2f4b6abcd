/// pcap files (PROTOCOLS 1.4) in all their orders and resolutions.
package struct PcapWriter: RecordWriter {
  package enum Magic: UInt32, Sendable, CaseIterable {
    case microseconds = 0xA1B2_C3D4
    case nanoseconds = 0xA1B2_3C4D
    /// With a longer record header.
    case modified = 0xA1B2_CD34
  }
  package var magic = Magic.microseconds
  package var order = ByteOrder.little
  package var linkType: UInt32

  package init(linkType: UInt32, magic: Magic = .microseconds, order: ByteOrder = .little) {
    self.linkType = linkType
    self.magic = magic
    self.order = order
  }

  package var header: [UInt8] {
    join(
      order.bytes(magic.rawValue), order.bytes(UInt16(2)), order.bytes(UInt16(4)),
      order.bytes(Int32(0)), order.bytes(UInt32(0)), order.bytes(UInt32(65535)),
      order.bytes(linkType))
  }

  package var lengthOffset: Int? { 8 }
  package var clockStep: Int64 { magic == .nanoseconds ? 1 : 1000 }

  package func append(_ record: Record, to output: inout [UInt8]) {
    let fraction = record.nanoseconds % 1_000_000_000
    output.put(UInt32(record.seconds), order)
    output.put(UInt32(magic == .nanoseconds ? fraction : fraction / 1000), order)
    output.put(UInt32(record.data.count), order)
    output.put(record.originalCount, order)
    // Interface, protocol, packet type, a pad byte.
    if magic == .modified { output.append(contentsOf: [0, 0, 0, 0, 0, 0, 0, 0]) }
    output.append(contentsOf: record.data)
  }
}
