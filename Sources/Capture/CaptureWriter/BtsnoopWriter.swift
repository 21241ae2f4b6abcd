/// btsnoop files (PROTOCOLS 1.1): all numbers big-endian, times in microseconds.
package struct BtsnoopWriter: RecordWriter {
  /// Microseconds from btsnoop's epoch to 1970.
  package static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

  /// 1001 H1, 1002 H4, 2001 Linux monitor.
  package let datalink: UInt32

  package init(datalink: UInt32) { self.datalink = datalink }

  package var header: [UInt8] { join(Array("btsnoop\0".utf8), UInt32(1).be, datalink.be) }
  package var lengthOffset: Int? { 4 }

  package func append(_ record: Record, to output: inout [UInt8]) {
    output.put(record.originalCount, .big)
    output.put(UInt32(record.data.count), .big)
    output.put(record.tag, .big)
    output.put(record.drops, .big)
    output.put(UInt64(bitPattern: record.microseconds + Self.epoch), .big)
    output.append(contentsOf: record.data)
  }

  /// The flags word of the monitor: adapter above, opcode below.
  package static func monitorFlags(adapter: UInt16, opcode: UInt16) -> UInt32 {
    UInt32(adapter) << 16 | UInt32(opcode)
  }
}
