import Foundation

/// The records of a btsnoop file, each with its header, for copies that are to differ.
enum BtsnoopRecords {
  static func of(_ name: String, _ scratch: Scratch) throws -> [[UInt8]] {
    let bytes = [UInt8](try Data(contentsOf: scratch.folder.appending(path: name)))
    var (at, records) = (16, [[UInt8]]())
    while at < bytes.count {
      let length = number(bytes[(at + 4)..<(at + 8)])
      records.append(Array(bytes[at..<(at + 24 + Int(length))]))
      at += 24 + Int(length)
    }
    return records
  }

  static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }

  static func later(_ record: [UInt8], by seconds: Int64) -> [UInt8] {
    var record = record
    let time = number(record[16..<24]) &+ UInt64(bitPattern: seconds * 1_000_000)
    for place in 0..<8 { record[16 + place] = UInt8(truncatingIfNeeded: time >> (56 - 8 * place)) }
    return record
  }

  /// - Parameter seconds: since the first one.
  static func part(_ records: [[UInt8]], _ seconds: Range<Int>) -> [[UInt8]] {
    let start = number(records[0][16..<24])
    return records.filter { seconds.contains(Int(number($0[16..<24]) - start) / 1_000_000) }
  }
}
