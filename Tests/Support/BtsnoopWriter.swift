/// btsnoop files (PROTOCOLS 1.1): all numbers big-endian.
package enum BtsnoopWriter {
  /// Microseconds from btsnoop's epoch to 1970.
  package static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

  /// `datalink`: 1001 H1, 1002 H4, 2001 Linux monitor.
  package static func file(datalink: UInt32, _ records: [Record]) -> [UInt8] {
    header(datalink: datalink) + records.flatMap(record)
  }

  package static func header(datalink: UInt32, version: UInt32 = 1) -> [UInt8] {
    join(Array("btsnoop\0".utf8), version.be, datalink.be)
  }

  package static func record(_ record: Record) -> [UInt8] {
    join(
      record.originalCount.be, UInt32(record.data.count).be, record.tag.be, record.drops.be,
      (record.microseconds + epoch).be, record.data)
  }

  /// The flags word of the monitor: adapter above, opcode below.
  package static func monitorFlags(adapter: UInt16, opcode: UInt16) -> UInt32 {
    UInt32(adapter) << 16 | UInt32(opcode)
  }
}
