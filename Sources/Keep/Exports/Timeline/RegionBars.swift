import Analysis
import CaptureReader
import Regions

/// REGIONS: what held in each region over the recording, a line a region and observer.
struct RegionBars {
  let style: Style
  let showsAll: Bool
  let width: Int
  static let widestName = 18
  /// Shorter bars stand on lines of their own.
  private static let shortest = 16
  private static let mostWithoutVisit = 3
  private static let mostIdle = 6
  /// Of more observers than the first that saw something of a region, those that saw most of it have rows.
  private static let mostSeeing = (before: 12, rows: 6)

  /// What stands before a bar, and the bar.
  private struct Row {
    let name: String
    let summary: String
    let line: StateLine?
    let visible: [StateLine.Span]
    /// When it is still inside at the end: when that is.
    let open: Int64?
  }

  /// How wide the columns are.
  private struct Layout {
    let name: Int
    let summary: Int
    let cells: Int
    let isBeside: Bool

    /// Columns before the bar.
    var left: Int { isBeside ? name + summary + 4 : 2 }
  }

  /// Of a part of the time that no observer's clock went through there are records all the same where it
  /// was set back.
  private func nothing(_ timeline: Timeline) -> [String] {
    guard timeline.limits != nil, let run = timeline.recorded else {
      return ["  no record has a time"]
    }
    return TextFit.wrap(
      "nothing is followed in this part of the time: what is stamped with it came behind a clock that "
        + "was set back. What is followed goes from \(TextColumns.spanAndZone(run.from, run.to)).",
      indent: 2, hanging: 2, width: width)
  }

  func lines(_ history: PresenceHistory) -> [String] {
    let timeline = history.timeline
    let profile = history.outcome.profile
    let isOwn = timeline.regions.contains { region in
      region.overrides.contains { $0.name == "exit_after" }
    }
    let title = "REGIONS   profile \(profile.name), \(profile.summary(regionsDiffer: isOwn))"
    guard !timeline.regions.isEmpty else {
      if timeline.recorded == nil, !timeline.observers.isEmpty {
        return heading(title) + ["  none: no record has a time by which it could be followed"]
      }
      return heading(title)
        + TextFit.wrap(
          "none: \(FoundRegions.kinds.map { "no \($0)" }.joined(separator: " and ")) was seen. 'beacontrace "
            + "devices --each' lists who else advertised, and --device NAME=ADDRESS follows one.",
          indent: 2, hanging: 2, width: width)
    }
    guard let span = history.span else { return heading(title) + nothing(timeline) }
    let all = timeline.regions.indices
    let regions = showsAll ? all[...] : all.prefix(TimelineText.mostRegions)
    let rows = regions.flatMap { self.rows($0, history) }
    let layout = layout(rows)
    let scale = BarScale(history, span, cells: layout.cells)
    var axis = scale.axis[...]
    var lines: [String]
    if layout.isBeside && title.columns + 2 <= layout.left {
      let first = axis.popFirst() ?? ""
      lines = [style.bold("REGIONS") + TextColumns.left(title, layout.left).dropFirst(7) + first]
    } else {
      lines = heading(title)
    }
    lines += axis.map { String(repeating: " ", count: layout.left) + $0 }
    let bars = rows.map { bar($0, scale) }
    for (row, bar) in zip(rows, bars) { lines += text(row, bar, layout) }
    if regions.count < all.count {
      lines.append("  …\(TextColumns.grouped(all.count - regions.count)) more (--all)")
    }
    return lines + legend(rows, bars, scale) + idleObservers(history)
  }

  private func heading(_ title: String) -> [String] {
    var lines = TextFit.wrap(title, indent: 0, hanging: 10, width: width)
    lines[0] = style.bold("REGIONS") + lines[0].dropFirst(7)
    return lines
  }

  private func layout(_ rows: [Row]) -> Layout {
    let name = rows.map(\.name.columns).max() ?? 0
    let summary = rows.map(\.summary.columns).max() ?? 0
    let cells = width - name - summary - 4
    let isBeside = cells >= Self.shortest
    return Layout(
      name: name, summary: summary, cells: isBeside ? cells : width - 2, isBeside: isBeside)
  }

  // MARK: Rows

  private func rows(_ region: Int, _ history: PresenceHistory) -> [Row] {
    let timeline = history.timeline
    // A wide terminal has room for both.
    let widest = Self.widestName + max(0, width - 80) / 3
    let name = TextFit.name(timeline.regions[region].identifier, widest)
    let shown = shownObservers(history)
    if shown.count == 1 { return [row(name, region, at: shown[0], history)] }
    let occupied = history.occupied(region)
    let sum = StateLine.Span.sum(occupied)
    let site = Row(
      name: name,
      summary: occupied.isEmpty
        ? siteSummary(region, history) : "occupied \(TextColumns.duration(sum))",
      line: history.siteLine(region), visible: occupied, open: openEnd(region, nil, history))
    return [site] + observers(shown, region, history)
  }

  /// All radios, or those with a visit somewhere: what comes from a host itself was heard by none.
  private func shownObservers(_ history: PresenceHistory) -> [Int] {
    let all = Array(history.timeline.observers.indices)
    if all.count == 1 { return all }
    return all.filter {
      history.hasStays[$0] || showsAll && !history.timeline.observers[$0].isHost
    }
  }

  private func idleObservers(_ history: PresenceHistory) -> [String] {
    let shown = Set(shownObservers(history))
    // A host's own messages come with no radio.
    let idle = history.timeline.observers.indices.filter {
      !shown.contains($0) && !history.timeline.observers[$0].isHost
    }
    guard !idle.isEmpty else { return [] }
    let names = idle.prefix(Self.mostIdle).map {
      history.labels[history.timeline.observers[$0].name]
    }
    let rest = idle.count - names.count
    let text =
      "without any visit: " + names.joined(separator: ", ")
      + (rest > 0 ? " and \(TextColumns.grouped(rest)) more" : "") + " (--all)"
    return TextFit.wrap(text, indent: 2, hanging: 2, width: width)
  }

  /// Many observers that saw nothing of a region share one row, and so do those of many that saw little
  /// of it.
  private func observers(_ shown: [Int], _ region: Int, _ history: PresenceHistory) -> [Row] {
    let seeing = Set(history.stays(in: region).map { Int($0.visit.observer) })
    let isCrowded = !showsAll && shown.count - seeing.count > Self.mostWithoutVisit
    let most = mostSeeing(shown.filter(seeing.contains), region, history)
    let rows = shown.filter { most.contains($0) || (!isCrowded && !seeing.contains($0)) }.map {
      row("  " + history.barLabels[history.timeline.observers[$0].name], region, at: $0, history)
    }
    return rows + rest(seeing.subtracting(most), region, history)
      + (isCrowded ? [others(shown.count - seeing.count, "no visit")] : [])
  }

  /// Those with rows of their own.
  private func mostSeeing(_ seeing: [Int], _ region: Int, _ history: PresenceHistory) -> Set<Int> {
    guard !showsAll, seeing.count > Self.mostSeeing.before else { return Set(seeing) }
    let inside = seeing.map { (observer: $0, time: StateLine.Span.sum(spans(region, $0, history))) }
    let inOrder = inside.sorted { ($1.time, $0.observer) < ($0.time, $1.observer) }
    return Set(inOrder.prefix(Self.mostSeeing.rows).map(\.observer))
  }

  private func rest(_ observers: Set<Int>, _ region: Int, _ history: PresenceHistory) -> [Row] {
    guard !observers.isEmpty else { return [] }
    let spans = observers.sorted().flatMap { self.spans(region, $0, history) }
    let words =
      TextColumns.counted(spans.count, "visit") + ", "
      + TextColumns.duration(StateLine.Span.sum(spans))
    return [others(observers.count, words)]
  }

  private func others(_ count: Int, _ words: String) -> Row {
    Row(
      name: "  \(TextColumns.counted(count, "other"))", summary: words, line: nil, visible: [],
      open: nil)
  }

  private func spans(_ region: Int, _ observer: Int, _ history: PresenceHistory)
    -> [StateLine.Span]
  {
    history.stays(in: region, at: observer).map { history.span($0.visit) }
  }

  private func row(_ name: String, _ region: Int, at observer: Int, _ history: PresenceHistory)
    -> Row
  {
    let spans = spans(region, observer, history)
    return Row(
      name: name, summary: summary(spans, region, observer, history),
      line: history.line(region, at: observer, deafness: .everywhere), visible: spans,
      open: openEnd(region, observer, history))
  }

  private func summary(
    _ spans: [StateLine.Span], _ region: Int, _ observer: Int, _ history: PresenceHistory
  ) -> String {
    let total = StateLine.Span.sum(spans)
    if !spans.isEmpty {
      return TextColumns.counted(spans.count, "visit") + ", " + TextColumns.duration(total)
    }
    if let limit = history.outcome.profile.limit, region >= limit { return "not monitored" }
    // Of what lies between positions nobody can say that it never was.
    let isPartly =
      history.timeline.regions[region].isCircle
      && !history.timeline.observers[observer].unplacedInRecordings.isEmpty
    if !isPartly, let longest = history.passed(region, at: observer) {
      return passed(longest)
    }
    let isUnknown =
      history.presence(in: region, at: observer) == .unknown
      || history.isUnheard(region, at: observer)
    return isUnknown || isPartly ? "not known" : "never"
  }

  /// Of a region without a visit: of a circle what those say whose positions are known, if there are any.
  private func siteSummary(_ region: Int, _ history: PresenceHistory) -> String {
    guard history.timeline.regions[region].isCircle else { return "never" }
    if let limit = history.outcome.profile.limit, region >= limit { return "not monitored" }
    let placed = history.timeline.observers.indices.filter { history.isPlaced(region, at: $0) }
    if let longest = placed.compactMap({ history.passed(region, at: $0) }).max() {
      return passed(longest)
    }
    let isKnown = placed.allSatisfy { summary([], region, $0, history) == "never" }
    return isKnown && !placed.isEmpty ? "never" : "not known"
  }

  /// In whole seconds, as the hint about it says it.
  private func passed(_ nanoseconds: Int64) -> String {
    let seconds = (nanoseconds + 500_000_000) / 1_000_000_000
    return "passed, " + (seconds == 0 ? "< 1 s" : TextColumns.duration(seconds * 1_000_000_000))
  }

  private func openEnd(_ region: Int, _ observer: Int?, _ history: PresenceHistory) -> Int64? {
    let stays = observer.map { history.stays(in: region, at: $0) } ?? history.stays(in: region)
    let open = stays.filter {
      history.showsOpenEnd($0.visit) && history.positionsEnd($0.visit) == nil
    }
    return open.map { history.span($0.visit).to }.max()
  }

  // MARK: Text

  private func text(_ row: Row, _ bar: String, _ layout: Layout) -> [String] {
    let left = TextColumns.left(row.name, layout.name) + "  "
    guard layout.isBeside, !bar.isEmpty else {
      let head = TextFit.cut(left + row.summary, width)
      return bar.isEmpty ? [head] : [head, "  " + bar]
    }
    return [left + TextColumns.left(row.summary, layout.summary) + "  " + bar]
  }

  private func bar(_ row: Row, _ scale: BarScale) -> String {
    guard let line = row.line else { return "" }
    return scale.bar(
      line, visible: row.visible, open: row.open, openMark: Self.openMark, mark: Self.mark)
  }

  private static let openMark: Character = "▶"
  private static let insideDeaf: Character = "▓"

  private static func mark(_ state: StateLine.State) -> Character {
    switch state {
    case .none: " "
    case .unknown: "·"
    case .deaf: "▒"
    case .outside: "░"
    case .insideDeaf: insideDeaf
    case .inside: "█"
    }
  }

  /// A column is filled by any visit within it: whether a bar shows twice the time that was spent inside.
  private func isCoarse(_ rows: [Row], _ bars: [String], _ column: Int64) -> Bool {
    zip(rows, bars).contains { row, bar in
      let filled = bar.count {
        $0 == Self.mark(.inside) || $0 == Self.insideDeaf || $0 == Self.openMark
      }
      let inside = StateLine.Span.sum(row.visible)
      return row.visible.count > 1 && filled > 3
        && Int64(filled) > inside.later(by: inside) / column
    }
  }

  private func legend(_ rows: [Row], _ bars: [String], _ scale: BarScale) -> [String] {
    let isDeafInside = bars.contains { $0.contains(Self.insideDeaf) }
    let isCoarse = isCoarse(rows, bars, scale.column)
    var words = [
      "█ inside" + (isCoarse ? ", if only for a part of \(TextColumns.duration(scale.column))" : "")
    ]
    if isDeafInside { words.append("\(Self.insideDeaf) inside as last known, receiver deaf") }
    words += [
      "░ outside", "▒ receiver deaf", "· unknown", "▶ still inside at the end",
    ]
    let (pauses, time) = scale.leftOut
    if pauses > 0 {
      words.append(
        "\(BarScale.cut) \(TextColumns.counted(pauses, "pause")) left out: "
          + "nothing recorded for \(TextColumns.duration(time))")
    }
    // In the midst of a bar; before and behind it there is nothing to be told.
    if bars.contains(where: { $0.drop { $0 == " " }.contains(" ") }) {
      words.append("blank: not recorded")
    }
    var lines = [""]
    for word in words {
      let last = lines[lines.count - 1]
      if !last.isEmpty && last.columns + word.columns + 4 > width {
        lines.append(word)
      } else {
        lines[lines.count - 1] = last.isEmpty ? word : last + "  " + word
      }
    }
    return lines.flatMap { line in
      line.columns + 2 <= width
        ? ["  " + line] : TextFit.wrap(line, indent: 2, hanging: 4, width: width)
    }
  }
}
