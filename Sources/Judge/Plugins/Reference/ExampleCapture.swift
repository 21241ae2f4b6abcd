/// Small recordings for examples of what no list of sightings can show.
enum ExampleCapture {
  /// A btsnoop file of HCI H4 events, each at so many milliseconds after 2026-05-19T10:00:00Z.
  static func btsnoop(_ records: [(milliseconds: Int64, bytes: [UInt8])]) -> [UInt8] {
    var file = Array("btsnoop\0".utf8) + bigEndian(UInt32(1)) + bigEndian(UInt32(1002))
    for record in records {
      let length = bigEndian(UInt32(record.bytes.count))
      // Received, an event; no drops.
      file += length + length + bigEndian(UInt32(1)) + bigEndian(UInt32(0))
      file += bigEndian(firstTime + record.milliseconds * 1000) + record.bytes
    }
    return file
  }

  /// Microseconds since the year 0, as btsnoop counts.
  private static let firstTime: Int64 = 0x00DC_DDB3_0F2F_8000 + 1_779_184_800_000_000

  /// `https://example.com/` from c2:35:33:30:25:50 at -60 dBm.
  static let beacon: [UInt8] = {
    let data: [UInt8] =
      [2, 0x01, 0x06, 3, 0x03, 0xAA, 0xFE, 14, 0x16, 0xAA, 0xFE, 0x10, 0xEE, 0x03]
      + Array("example".utf8) + [0]
    let address: [UInt8] = [0x50, 0x25, 0x30, 0x33, 0x35, 0xC2]
    let report: [UInt8] = [0x02, 1, 0, 1] + address + [UInt8(data.count)] + data + [0xC4]
    return [0x04, 0x3E, UInt8(report.count)] + report
  }()

  /// An advertising event that says it has no reports.
  static let malformed: [UInt8] = [0x04, 0x3E, 2, 0x02, 0]

  private static func bigEndian(_ value: some FixedWidthInteger) -> [UInt8] {
    (0..<(value.bitWidth / 8)).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
