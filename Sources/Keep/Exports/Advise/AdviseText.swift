package import Analysis
import Beacons
import CaptureReader
import Regions

/// `advise` for people: for each region what each exit period makes of the recording, which one would do, and
/// its beacons. 80 columns.
package struct AdviseText {
  private let style: Style
  private let showsAll: Bool
  private static let mostPlaces = 12
  private static let mostBeacons = 12

  package init(style: Style, showsAll: Bool) {
    self.style = style
    self.showsAll = showsAll
  }

  package func lines(_ advice: ExitAdvice, _ result: AnalysisResult) -> [String] {
    guard let timeline = result.timeline else { return [] }
    let head = "profile \(advice.profile.name)"
    guard !advice.places.isEmpty else {
      let hasTimes = result.captures.contains { $0.span.earliest.isKnown }
      let why = hasTimes ? "no region was heard" : "no record has a time"
      return [style.bold("EXIT PERIODS") + "   \(head): \(why), so nothing can be said"]
    }
    var lines = [style.bold("EXIT PERIODS") + "   \(head)"]
    let labels = ObserverLabels(timeline, 24)
    if !advice.filtering.isEmpty {
      let names = advice.filtering.map { labels[timeline.observers[$0].name] }
      lines += TextLayout.wrap("! " + AdviseFigures.filtered(names), indent: 2, hanging: 2)
        .map { style.warning($0) }
    }
    let shown = showsAll ? advice.places[...] : advice.places.prefix(Self.mostPlaces)
    for place in shown {
      lines.append("")
      lines += self.lines(place, advice, timeline, labels)
      lines += beacons(place, advice, result) { labels[timeline.observers[$0].name] }
    }
    if shown.count < advice.places.count {
      lines += [
        "", "…\(TextColumns.grouped(advice.places.count - shown.count)) more regions (--all)",
      ]
    }
    return lines + [""] + legend(advice)
  }

  private func lines(
    _ place: ExitAdvice.Place, _ advice: ExitAdvice, _ timeline: Timeline, _ labels: ObserverLabels
  ) -> [String] {
    let name = TextFit.name(timeline.regions[place.region].identifier, 40)
    let observer = labels[timeline.observers[place.observer].name]
    let where_ = timeline.observers.count > 1 ? " at \(observer)" : ""
    var lines = [style.bold(name) + where_]
    lines += TextLayout.wrap(
      "inside for \(AdviseFigures.listening(place)), "
        + "\(TextColumns.counted(place.sightings, "sighting")); exit after "
        + "\(AdviseFigures.seconds(place.present)) now", indent: 2)
    lines.append(
      "  "
        + style.dim(
          Self.row(["exit after", "exits", "look false", "a day", "deaf", "stay away", "not known"])
        ))
    for row in place.rows {
      let figures =
        [AdviseFigures.seconds(row.period), TextColumns.grouped(row.exits)]
        + [TextColumns.grouped(row.looksFalse), AdviseFigures.perDay(row, place)]
        + [row.deaf, row.stayedAway, row.notKnown].map { TextColumns.grouped($0) }
      lines.append("  " + Self.row(figures) + (row.period == place.present ? "  now" : ""))
    }
    let isFiltered = advice.filtering.contains(place.observer)
    for sentence in isFiltered
      ? ["Duplicates were filtered here: these exits do not tell which period suits."]
      : AdviseFigures.sentences(place)
    {
      lines += TextLayout.wrap(sentence, indent: 2, hanging: 2)
    }
    return lines
  }

  private static func row(_ cells: [String]) -> String {
    TextColumns.row("", cells, [10, 9, 12, 11, 9, 11, 11])
  }

  // MARK: beacons

  private func beacons(
    _ place: ExitAdvice.Place, _ advice: ExitAdvice, _ result: AnalysisResult,
    _ observers: (Int) -> String
  ) -> [String] {
    guard !place.beacons.isEmpty else { return [] }
    var lines = [
      "  " + style.dim(Self.beacon("beacon", ["seen", "interval", "loss", "", "silent for"]))
    ]
    let shown = showsAll ? place.beacons[...] : place.beacons.prefix(Self.mostBeacons)
    let names = place.beacons.map { AdviseFigures.name($0, result.statistics) }
    var all: [String: (count: Int, latest: Int64)] = [:]
    for (beacon, name) in zip(place.beacons, names) {
      let known = all[name] ?? (0, .min)
      all[name] = (known.count + 1, max(known.latest, beacon.last.nanoseconds))
    }
    for (beacon, name) in zip(shown, names) {
      lines.append("  " + Self.row(beacon, name))
      // Several devices send it.
      let (count, latest) = all[name] ?? (1, .min)
      let isShared = count > 1
      let sender = isShared ? AdviseFigures.address(beacon, result.statistics) + ": " : ""
      lines += TextLayout.wrap(
        sender + AdviseFigures.expected(beacon, place, advice, observers), indent: 6, hanging: 2
      ).map { style.dim($0) }
      // Not where it was heard later from another address.
      if latest <= beacon.last.nanoseconds, let end = AdviseFigures.unheard(beacon, place, advice) {
        lines += TextLayout.wrap("! " + end, indent: 6, hanging: 2).map { style.warning($0) }
      }
    }
    if shown.count < place.beacons.count {
      lines.append("    …\(TextColumns.grouped(place.beacons.count - shown.count)) more (--all)")
    }
    if let verdict = AdviseFigures.verdict(place, advice) {
      lines += TextLayout.wrap(verdict, indent: 2, hanging: 2)
    }
    return lines
  }

  private static func row(_ beacon: ExitAdvice.Beacon, _ name: String) -> String {
    let pace = beacon.pace
    return Self.beacon(
      name,
      [
        TextColumns.grouped(beacon.sightings),
        pace.map { TextColumns.interval($0.interval) } ?? "–",
        pace.map { Figures.percent($0.loss) } ?? "–",
        pace.map { $0.source == .counter ? "counted" : "by gaps" } ?? "",
        beacon.longest > 0 ? TextColumns.interval(Double(beacon.longest)) : "–",
      ])
  }

  private static func beacon(_ name: String, _ cells: [String]) -> String {
    TextColumns.row(TextColumns.left(TextFit.cut(name, 27), 27), cells, [10, 10, 7, 9, 12])
  }

  /// `, and up to 1.1 s later, at the end of a cycle`
  private func later(_ places: [ExitAdvice.Place]) -> String {
    let most = places.flatMap(\.rows).map { $0.toldAfter.since($0.period) }.max() ?? 0
    guard most > 0 else { return "" }
    let end = places.contains { $0.windows != nil } ? "window of its scan" : "cycle"
    return ", and up to \(AdviseFigures.seconds(most)) later, at the end of a \(end)"
  }

  private func legend(_ advice: ExitAdvice) -> [String] {
    let soon = AdviseFigures.seconds(advice.returned)
    let places = advice.places
    let rest =
      places.contains { $0.windows != nil }
      ? ", and of the time for which the profile does not scan then" : ""
    let columns = """
      look false: entered again within \(soon) of the exit\(rest), at which the radio could hear; a day: of \
      being inside. stay away: not entered again so soon. not known: the recording ended too early to say. deaf: the radio \
      could not hear, which is no period's fault.
      """
    let lateness = """
      A true exit is told that late: the exit period behind the last sighting\(later(places)). A region with \
      several beacons is left when all of them are silent.
      """
    return [columns, lateness].flatMap { (text: String) -> [String] in
      TextLayout.wrap(text, indent: 2, hanging: 2).map { style.dim($0) }
    }
  }
}
