/// PacketLogger files (PROTOCOLS 1.6): big-endian in version 1, little-endian in version 2.
package enum PacketLoggerWriter {
  package static func file(_ order: ByteOrder, _ records: [Record]) -> [UInt8] {
    records.flatMap { record($0, order) }
  }

  /// The length counts from the seconds on.
  package static func record(_ record: Record, _ order: ByteOrder) -> [UInt8] {
    join(
      order.bytes(UInt32(record.data.count + 9)), order.bytes(UInt32(record.seconds)),
      order.bytes(UInt32(record.microseconds % 1_000_000)), [UInt8(record.tag)], record.data)
  }
}
