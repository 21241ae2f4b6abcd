/// PacketLogger files (PROTOCOLS 1.6): big-endian in version 1, little-endian in version 2. They
/// have no header.
package struct PacketLoggerWriter: RecordWriter {
  package let order: ByteOrder

  package init(_ order: ByteOrder) { self.order = order }

  package var header: [UInt8] { [] }
  package var lengthOffset: Int? { 0 }

  /// The length counts from the seconds on.
  package func append(_ record: Record, to output: inout [UInt8]) {
    output.put(UInt32(record.data.count + 9), order)
    output.put(UInt32(record.seconds), order)
    output.put(UInt32(record.microseconds % 1_000_000), order)
    output.append(UInt8(record.tag))
    output.append(contentsOf: record.data)
  }
}
