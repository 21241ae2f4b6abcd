/// The btsnooz section of an Android bug report (PROTOCOLS 1.3).
package enum BtsnoozWriter {
  package enum Layout: Sendable {
    /// Headers of 7, 9 and 13 bytes.
    case version1, version2, version2Wide
  }

  /// The records' tags are btsnooz types; their data have no type byte.
  package static func log(_ layout: Layout, _ records: [Record]) -> [UInt8] {
    var result: [UInt8] = []
    var before = records.first?.microseconds ?? 0
    for record in records {
      let delta = record.microseconds - before
      before = record.microseconds
      let length = UInt16(record.data.count + 1).le
      let original = UInt16(record.originalCount + 1).le
      switch layout {
      case .version1: result += join(length, UInt32(delta).le)
      case .version2: result += join(length, original, UInt32(delta).le)
      case .version2Wide: result += join(length, original, delta.le)
      }
      result += [UInt8(record.tag)] + record.data
    }
    return result
  }

  /// Version, time of the last record, zlib stream; as base64 in lines of 128 characters between
  /// the markers.
  package static func section(_ layout: Layout, _ records: [Record]) -> [UInt8] {
    section(
      version: layout == .version1 ? 1 : 2, last: records.last?.microseconds ?? 0,
      log: log(layout, records))
  }

  /// Any bytes as the log; `last` in microseconds since 1970.
  package static func section(version: UInt8, last: Int64 = 0, log: [UInt8]) -> [UInt8] {
    let text = Packing.base64(join([version], last.le, Packing.zlib(log)))
    var lines = ["--- BEGIN:BTSNOOP_LOG_SUMMARY (\(text.count) bytes in) ---"]
    var rest = Substring(text)
    while !rest.isEmpty {
      lines.append(String(rest.prefix(128)))
      rest = rest.dropFirst(128)
    }
    lines.append("--- END:BTSNOOP_LOG_SUMMARY ---")
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// A bug report around a section.
  package static func bugReport(_ layout: Layout, _ records: [Record]) -> [UInt8] {
    let before = """
      ========================================================
      == dumpstate: 2026-05-19 12:00:10
      ========================================================
      Build: museum
      DUMP OF SERVICE bluetooth_manager:
      Bluetooth Status
        enabled: true


      """
    let after = """

      --------- 0.041s was the duration of dumpsys bluetooth_manager

      """
    return join(Array(before.utf8), section(layout, records), Array(after.utf8))
  }
}
