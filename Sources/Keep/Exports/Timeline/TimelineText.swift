import Analysis
import CaptureReader
import Regions

/// The timeline for people: a line of bars per region, the visits, what rules said, where profiles disagree, hints.
package struct TimelineText {
  let style: Style
  /// Every region, visit and difference, not the first ones only.
  let showsAll: Bool
  let width: Int
  static let mostRegions = 40
  static let mostVisits = 40
  static let mostDifferences = 20
  static let mostAlerts = 20
  static let mostOfOneKind = 3
  static let narrowest = 40

  /// - Parameter width: columns of the terminal, nil where the output is not one; less than 40 are
  ///   taken for 40.
  package init(style: Style, showsAll: Bool, width: Int?) {
    self.style = style
    self.showsAll = showsAll
    self.width = max(width ?? AnalysisText.width, Self.narrowest)
  }

  /// Sections with an empty line before each; none where no profile was followed.
  package func lines(_ names: EventNames) -> [String] {
    let timeline = names.timeline
    guard !timeline.outcomes.isEmpty else { return [] }
    let isWhole = showsAll || timeline.outcomes.count > 1
    let history = PresenceHistory(timeline, profile: 0, first: isWhole ? .max : Self.mostRegions)
    var sections = [RegionBars(style: style, showsAll: showsAll, width: width).lines(history)]
    sections.append(
      VisitLines(style: style, showsAll: showsAll, width: width).lines(history, names)
        + VisitLegend(style: style, width: width).lines(history))
    sections.append(AlertLines(style: style, showsAll: showsAll, width: width).lines(timeline))
    for other in timeline.outcomes.indices.dropFirst() {
      sections.append(differences(history, PresenceHistory(timeline, profile: other)))
    }
    sections.append(others(timeline))
    sections.append(remarks(timeline))
    return sections.filter { !$0.isEmpty }.flatMap { [""] + $0 }
  }

  /// What is no region's: `events` has each.
  private func others(_ timeline: Timeline) -> [String] {
    let kinds: [(TimelineEventType, String)] = [
      (.messageFound, "message found"), (.messageLost, "message lost"), (.position, "position"),
    ]
    let parts = kinds.compactMap { type, name -> String? in
      let count = timeline.events.count { $0.type == type && timeline.tells(of: $0) }
      return count == 0 ? nil : "\(name) \(TextColumns.grouped(count))"
    }
    guard !parts.isEmpty else { return [] }
    return [
      style.bold("ALSO TOLD") + "  one by one by events", "  " + parts.joined(separator: " · "),
    ]
  }

  private func remarks(_ timeline: Timeline) -> [String] {
    let sentences = timeline.warnings + forgotten(timeline) + hints(timeline)
    guard !sentences.isEmpty else { return [] }
    return [style.bold("ABOUT THE REGIONS")]
      + sentences.flatMap { sentence in
        TextFit.wrap(
          "! " + ProblemText.sentence(sentence), indent: 2, hanging: 2, width: width
        ).map { style.warning($0) }
      }
  }

  /// A handful of each kind, unless all are asked for.
  private func hints(_ timeline: Timeline) -> [String] {
    guard !showsAll else { return timeline.hints.map(\.text) }
    var counts: [String: Int] = [:]
    for hint in timeline.hints { counts[hint.code, default: 0] += 1 }
    var told: [String: Int] = [:]
    return timeline.hints.compactMap { hint in
      let (number, all) = (told[hint.code, default: 0] + 1, counts[hint.code] ?? 0)
      told[hint.code] = number
      // A line for one more would take as much room as that one.
      guard all > Self.mostOfOneKind + 1, number > Self.mostOfOneKind else { return hint.text }
      return number == Self.mostOfOneKind + 1
        ? "…\(TextColumns.grouped(all - Self.mostOfOneKind)) more like that (--all)." : nil
    }
  }

  private func forgotten(_ timeline: Timeline) -> [String] {
    let (events, stays) = timeline.forgotten
    guard events + stays > 0 else { return [] }
    return [
      "There was no room for \(TextColumns.counted(events, "event")) and "
        + "\(TextColumns.counted(stays, "visit")) that came earlier: they are not in this summary."
    ]
  }

  private func differences(_ main: PresenceHistory, _ other: PresenceHistory) -> [String] {
    let names = (main.outcome.profile.name, other.outcome.profile.name)
    let found = ProfileDifferences.between(main, other)
    let heading = "PROFILES   \(names.1) (\(other.outcome.profile.summary())) beside \(names.0)"
    var lines = TextFit.wrap(heading, indent: 0, hanging: 11, width: width)
    lines[0] = style.bold("PROFILES") + lines[0].dropFirst(8)
    guard !found.isEmpty else {
      return lines + ["  Their states agree all the time, in every region."]
    }
    let regions = showsAll ? found[...] : found.prefix(Self.mostRegions)
    for region in regions {
      let name = TextFit.name(main.timeline.regions[region.region].identifier, 24)
      let text =
        "\(name): differ for \(TextColumns.duration(region.total)) in "
        + TextColumns.counted(region.count, "span")
      lines += TextFit.wrap(text, indent: 2, hanging: 2, width: width)
    }
    lines += more(found.count - regions.count)
    let spans = found.flatMap(\.spans).sorted(by: ProfileDifferences.Difference.comesBefore)
    let shown = showsAll ? spans[...] : spans.prefix(Self.mostDifferences)
    for span in shown { lines += difference(span, main, names) }
    return lines + more(spans.count - shown.count)
  }

  private func difference(
    _ difference: ProfileDifferences.Difference, _ main: PresenceHistory,
    _ names: (String, String)
  ) -> [String] {
    let timeline = main.timeline
    let known = main.span.map { Timestamp(nanoseconds: $0.from) } ?? .none
    let span = TextColumns.span(
      Timestamp(nanoseconds: difference.span.from), Timestamp(nanoseconds: difference.span.to),
      within: known)
    let observer =
      timeline.observers.count > 1
      ? " at \(main.labels[timeline.observers[difference.observer].name])" : ""
    let region = TextFit.name(timeline.regions[difference.region].identifier, 24)
    let text =
      "\(span)  \(region)\(observer): \(names.0) \(difference.main.word), "
      + "\(names.1) \(difference.other.word)"
    return TextFit.wrap(text, indent: 4, hanging: 4, width: width)
  }

  private func more(_ count: Int) -> [String] {
    count > 0 ? ["  …\(TextColumns.grouped(count)) more (--all)"] : []
  }
}

extension StateLine.State {
  fileprivate var word: String {
    switch self {
    case .none: "not recording"
    case .unknown: "unknown"
    case .deaf: "deaf"
    case .outside: "outside"
    case .inside, .insideDeaf: "inside"
    }
  }
}
