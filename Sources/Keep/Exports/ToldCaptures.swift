import Analysis
import CaptureReader
import FrameDecoder

/// Where a part of the time is told of: the captures that have something in it, and what is to be
/// said of the others.
struct ToldCaptures {
  let captures: [CaptureFacts]
  private let result: AnalysisResult

  init(_ result: AnalysisResult) {
    self.result = result
    captures = result.captures.filter { facts in
      result.limits?.touches(facts.span.earliest, facts.span.latest) ?? true
    }
  }

  /// Which part it is; none where it is all of the time.
  func lines(_ style: Style) -> [String] {
    guard let limits = result.limits else { return [] }
    var sentences = [Self.words(limits) + "; the counts of captures are of all of them."]
    let others = result.captures.count - captures.count
    if others > 0 {
      let count = TextColumns.counted(others, captures.isEmpty ? "capture" : "more capture")
      sentences.append("\(count) \(others == 1 ? "has" : "have") nothing then\(elsewhere).")
    }
    if result.sightingsWithoutTime > 0 {
      let count = TextColumns.counted(result.sightingsWithoutTime, "sighting")
      sentences.append(
        "\(count) without a time \(result.sightingsWithoutTime == 1 ? "is" : "are") left out.")
    }
    if result.sightingsFollowedLater > 0 {
      let later = result.sightingsFollowedLater
      sentences.append(
        "\(TextColumns.counted(later, "sighting")) \(later == 1 ? "is" : "are") stamped then by a clock "
          + "that was set back: followed at later times, with REGIONS, VISITS and alerts.")
    }
    var lines = TextLayout.wrap(
      "ONLY      " + sentences.joined(separator: " "), indent: 0, hanging: 10)
    lines[0] = style.bold("ONLY") + lines[0].dropFirst(4)
    return lines + [""]
  }

  /// Mostly a mistaken day or zone.
  private var elsewhere: String {
    guard captures.isEmpty else { return "" }
    let spans = result.captures.map(\.span).filter { $0.earliest.isKnown }
    guard let first = spans.map(\.earliest).min(by: { $0.nanoseconds < $1.nanoseconds }),
      let last = spans.map(\.latest).max(by: { $0.nanoseconds < $1.nanoseconds })
    else { return ", nor a time at all" }
    return "; what was recorded is of \(TextColumns.spanAndZone(first, last))"
  }

  /// Sightings count up to the last moment before the second limit.
  private static func words(_ limits: TimeLimits) -> String {
    let from = Timestamp(nanoseconds: limits.from)
    let to = Timestamp(nanoseconds: limits.to)
    switch (limits.hasStart, limits.hasEnd) {
    case (true, true): return TextColumns.spanAndZone(from, to)
    case (true, false): return "from \(moment(from)) on"
    default: return "before \(moment(to))"
    }
  }

  private static func moment(_ time: Timestamp) -> String {
    "\(TextColumns.date(time)) \(TextColumns.clock(time)) \(ClockZone.shown.label(time))"
  }
}
