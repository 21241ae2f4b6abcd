/// The btsnooz section of an Android bug report (PROTOCOLS 1.3). Times count back from the last
/// record, so that the log is held until it ends.
package struct BtsnoozWriter: RecordWriter {
  package enum Layout: Sendable {
    /// Headers of 7, 9 and 13 bytes.
    case version1, version2, version2Wide
  }
  package let layout: Layout
  /// What a reader gets when it unpacks the section.
  package private(set) var log: [UInt8] = []
  private var last: Int64?

  package init(_ layout: Layout) { self.layout = layout }

  package var header: [UInt8] { Array(Self.before.utf8) }
  package var lengthOffset: Int? { nil }
  /// A record says in 32 bits how many microseconds it comes after the one before.
  package var longestGap: Int64 { layout == .version2Wide ? .max : Int64(UInt32.max) * 1000 }

  /// The records' tags are btsnooz types; their data have no type byte. Times may step back only
  /// in the wide layout.
  package mutating func append(_ record: Record, to output: inout [UInt8]) {
    let delta = record.microseconds - (last ?? record.microseconds)
    last = record.microseconds
    log.put(UInt16(record.data.count + 1), .little)
    if layout != .version1 { log.put(UInt16(record.originalCount + 1), .little) }
    switch layout {
    case .version1, .version2: log.put(UInt32(delta), .little)
    case .version2Wide: log.put(UInt64(bitPattern: delta), .little)
    }
    log.append(UInt8(record.tag))
    log.append(contentsOf: record.data)
  }

  package func finish(to output: inout [UInt8]) {
    output += section
    output += Array(Self.after.utf8)
  }

  private var section: [UInt8] {
    Self.section(version: layout == .version1 ? 1 : 2, last: last ?? 0, log: log)
  }

  /// Version, time of the last record, zlib stream; as base64 in lines of 128 characters between
  /// the markers. The log may be any bytes.
  /// - Parameter last: microseconds since 1970.
  package static func section(version: UInt8, last: Int64 = 0, log: [UInt8]) -> [UInt8] {
    let text = Array(Packing.base64(join([version], last.le, Packing.zlib(log))).utf8)
    var result = Array("--- BEGIN:BTSNOOP_LOG_SUMMARY (\(text.count) bytes in) ---\n".utf8)
    for start in stride(from: 0, to: text.count, by: 128) {
      result += text[start..<min(start + 128, text.count)]
      result.append(0x0A)
    }
    return result + Array("--- END:BTSNOOP_LOG_SUMMARY ---\n".utf8)
  }

  /// A bug report around the section.
  private static let before = """
    ========================================================
    == dumpstate: 2026-05-19 12:00:10
    ========================================================
    Build: museum
    DUMP OF SERVICE bluetooth_manager:
    Bluetooth Status
      enabled: true


    """
  private static let after = """

    --------- 0.041s was the duration of dumpsys bluetooth_manager

    """
}
