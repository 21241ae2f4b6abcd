import CaptureReader
import CaseStore
import Exports

/// What cites a frame, a line for each event: what the frame is in it, when it was, what it is worth.
struct FrameCitations {
  private var lines: [FrameFlows.Frame: [String]] = [:]

  init(_ file: CaseFile, _ names: CaseNames) throws {
    // The step without a text is where the evidence stands in an event's chain, and says what it is.
    let select = """
      SELECT evidence.capture_id, number, event, type, region_id, severity, alerts.title, events.time_ns,
          events.grade, events.state, places.label, frames.time_ns,
          evidence.part_of
        FROM evidence JOIN events ON events.id = evidence.event_id
          LEFT JOIN alerts ON alerts.event_id = events.id
          LEFT JOIN (SELECT event_id, min(label) AS label FROM steps WHERE text IS NULL
            GROUP BY event_id) AS places ON places.event_id = events.id
          LEFT JOIN frames ON frames.capture_id = evidence.capture_id
            AND frames.frame = evidence.number
        WHERE evidence.capture_id IS NOT NULL ORDER BY evidence.id
      """
    try file.forEach(select: select) { row in
      let frame = FrameFlows.Frame(capture: row[0].int ?? 0, number: Int(row[1].int ?? 0))
      var what = row[3].text ?? ""
      if let state = row[9].text, what == "state" { what += " (\(state))" }
      if let region = row[4].int.flatMap({ names.regions[$0] }) { what += " of \(region)" }
      if let severity = row[5].text { what += ", \(severity): \(row[6].text ?? "")" }
      var line =
        row[10].text.map { Self.role($0, of: row[3].text ?? "") + what } ?? "cited by " + what
      if let whole = row[12].int { line = "part of frame \(whole), \(line)" }
      line += Self.moment(row[7].int, besides: row[11].int)
      if let grade = row[8].text { line += ", \(grade)" }
      lines[frame, default: []].append(
        TextColumns.printable("\(line) (event \(row[2].text ?? ""))"))
    }
  }

  /// `last matching sighting before `, `first match: `.
  private static func role(_ label: String, of type: String) -> String {
    if label.hasPrefix("last"), type == "exit" || type == "message_lost" {
      return "\(label) before "
    }
    return label.hasPrefix("decided by") ? "decides " : "\(label): "
  }

  /// ` at 10:06:21.118 UTC`; with the date where that is not the frame's.
  private static func moment(_ time: Int64?, besides frame: Int64?) -> String {
    guard let time else { return " at a time that is not known" }
    let (at, other) = (Timestamp(nanoseconds: time), Timestamp(column: frame))
    let isSameDay = other.isKnown && TextColumns.date(at) == TextColumns.date(other)
    return " at " + (isSameDay ? "" : TextColumns.date(at) + " ") + Figures.clock(at) + " UTC"
  }

  subscript(frame: FrameRow) -> String {
    let key = FrameFlows.Frame(capture: frame.captureId, number: frame.frame)
    return lines[key]?.joined(separator: "\n") ?? "not cited"
  }
}
