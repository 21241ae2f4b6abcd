package import CaptureReader
package import TrackReader

/// Something that happened beside the radio, such as `display_on` (SEMANTICS 2.6).
package struct Marker: Sendable, Equatable {
  package let time: Timestamp
  package let kind: String
  /// 1-based, in the file it was read from.
  package let line: Int

  package init(time: Timestamp, kind: String, line: Int) {
    self.time = time
    self.kind = kind
    self.line = line
  }
}

/// Markers as CSV (RFC 4180) with the header `time,kind`; times are RFC 3339 with `Z` or an offset.
package enum MarkerFile {
  private static let header = ["time", "kind"]

  /// - Returns: in the order of time, and of the file where times are equal.
  /// - Throws: what is wrong in which line and field, and what is allowed.
  package static func read(_ path: String) throws(TextProblem) -> [Marker] {
    try read(TextFile.read(path), name: path)
  }

  package static func read(_ bytes: [UInt8], name: String) throws(TextProblem) -> [Marker] {
    var markers: [Marker] = []
    var hasHeader = false
    try TextFile.eachLine(bytes) { line, number throws(TextProblem) in
      guard line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
      guard let fields = CSVLine.fields(line) else {
        throw TextProblem(
          .badSetting, file: name, line: number,
          "has a quoted field without its end, or with something behind it")
      }
      if hasHeader {
        markers.append(try marker(fields, name, number))
      } else if fields == header {
        hasHeader = true
      } else {
        throw TextProblem(
          .badSetting, file: name, line: number,
          "the first line has to be the header time,kind, not '\(text(line).prefix(60))'")
      }
    }
    guard hasHeader else {
      throw TextProblem(.badSetting, file: name, "is empty; it needs the header time,kind")
    }
    // `sort` keeps the order of equals, but does not promise it.
    return markers.sorted { ($0.time.nanoseconds, $0.line) < ($1.time.nanoseconds, $1.line) }
  }

  private static func marker(_ fields: [String], _ file: String, _ line: Int)
    throws(TextProblem) -> Marker
  {
    guard fields.count == header.count else {
      throw TextProblem(
        .badSetting, file: file, line: line,
        "has \(fields.count) field\(fields.count == 1 ? "" : "s"); two are needed: time,kind")
    }
    guard let reading = UTCTime.read(fields[0].utf8), reading.hasZone else {
      throw TextProblem(
        .badSetting, file: file, line: line, field: "time",
        "'\(fields[0].prefix(60))' is no time with a zone; write it as 2026-05-19T10:00:00Z or "
          + "2026-05-19T12:00:00+02:00")
    }
    guard !fields[1].isEmpty else {
      throw TextProblem(
        .badSetting, file: file, line: line, field: "kind",
        "is empty; write what happened, such as display_on")
    }
    return Marker(time: reading.time, kind: fields[1], line: line)
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }
}
