import Analysis

/// A lane of the region timeline. States differ in height and pattern, not by colour alone: lines are
/// as wide, and dashes as long, at any range of time.
struct LaneChart {
  let lane: Lane
  let presence: Presence?
  let stays: LaneStays
  let alerts: [AlertMark]
  let scale: TimeScale
  /// When the records of its receiver end, where others go on for longer: behind that a lane is empty.
  var recordedUntil: Int64?

  /// - Parameter number: by which the script finds its marks.
  /// - Parameter spoken: region and receiver, for who hears it.
  func html(name: HTMLText, spoken: String, number: Int) -> HTMLText {
    let words = "\(spoken): \(self.words)"
    let marks = StayMarks(stays, scale)
    let style: HTMLText = alerts.isEmpty ? "field" : "field with-alerts"
    return """
      <div class="lane"><div class="lane-name">\(name)<small>\(summary)\(end)</small></div>
      <div class="\(style)" data-lane="\(number)"><svg class="timed" viewBox="0 0 1000000 34" preserveAspectRatio="none" \
      role="img" aria-label="\(words)">\(states)\(marks.paths)</svg>\
      \(scale.cuts)\(marks.counts)\(marks.letters)\(AlertMark.html(alerts, scale))</div></div>

      """
  }

  /// Being deaf lies over what else is known, so that who was still inside is seen, and that nobody heard it.
  private var states: HTMLText {
    let isDeaf = { (state: Lane.State) in state == .deaf || state == .insideDeaf }
    return path("unknown", 20) { $0 == .unknown } + path("outside", 30) { $0 == .outside }
      + path("inside", 20, \.isInside) + path("gaps", 20) { $0 == .insideDeaf }
      + path("deaf", 18, isDeaf) + edges
  }

  private func path(_ style: HTMLText, _ height: Int, _ takes: (Lane.State) -> Bool) -> HTMLText {
    var data = ""
    for span in lane.spans where takes(span.state) {
      let from = scale.place(span.from)
      data += "M\(from) \(height)h\(max(1, scale.place(span.to) - from))"
    }
    return data.isEmpty ? "" : "<path class=\"\(style)\" d=\"\(HTMLText(path: data))\"/>"
  }

  /// However short it is, a time of deafness is seen.
  private var edges: HTMLText {
    let spans = lane.spans.filter { $0.state == .deaf || $0.state == .insideDeaf }
    let data = spans.map { "M\(scale.place($0.from)) 4v28" }.joined()
    return data.isEmpty ? "" : "<path class=\"deaf-edge\" d=\"\(HTMLText(path: data))\"/>"
  }

  private var summary: String {
    guard let presence else { return "" }
    guard presence.visits > 0 else {
      guard presence.neverIsDoubtful else { return "never" }
      return lane.spans.contains { $0.state == .outside } ? "not as far as known" : "not known"
    }
    return Words.counted(presence.visits, "visit") + ", " + Words.duration(presence.inside)
  }

  private var end: String {
    recordedUntil.map { ", recorded until \(scale.clock($0).dropLast(4))" } ?? ""
  }

  private var words: String {
    let inside = lane.stays
    let deaf = length(.deaf)
    let deafInside = length(.insideDeaf)
    let unknown = lane.isCircle ? length(.unknown) : 0
    let never =
      presence?.neverIsDoubtful == true ? "not known to have been inside" : "never inside"
    var text = inside.isEmpty ? never : "inside "
    text += inside.prefix(6).map { "\(scale.clock($0.from)) to \(scale.clock($0.to))" }
      .joined(separator: ", ")
    if inside.count > 6 { text += " and \(Words.counted(inside.count - 6, "time")) more" }
    if deafInside > 0 {
      text += "; of that as last known, while the receiver was deaf, \(Words.duration(deafInside))"
    }
    if deaf > 0 { text += "; the receiver was deaf for \(Words.duration(deaf)) beside" }
    if unknown > 0 { text += "; the position was not known for \(Words.duration(unknown))" }
    if let recordedUntil { text += "; recorded until \(scale.clock(recordedUntil))" }
    if !alerts.isEmpty { text += "; \(Words.counted(alerts.count, "alert"))" }
    return text + "."
  }

  /// Nanoseconds.
  private func length(_ state: Lane.State) -> Int64 {
    lane.spans.filter { $0.state == state }.reduce(0) { sum, span in
      let (length, isLong) = span.to.subtractingReportingOverflow(span.from)
      let (next, isLonger) = sum.addingReportingOverflow(length)
      return isLong || isLonger ? .max : next
    }
  }
}
