import Analysis
import CaptureReader
import Regions

/// VISITS: who came when, for how long, and how sure it is that they left.
struct VisitLines {
  let style: Style
  let showsAll: Bool
  let width: Int
  private static let indent = 10

  func lines(_ history: PresenceHistory, _ names: EventNames) -> [String] {
    guard history.span != nil else { return [] }
    let profile =
      history.timeline.outcomes.count > 1 ? ", profile \(history.outcome.profile.name)" : ""
    guard !history.outcome.stays.isEmpty else {
      return [style.bold("VISITS") + "    none\(profile)"]
    }
    let filtered = showsAll ? nil : FilteredVisits(history.outcome.stays)
    let stays = filtered?.listed ?? history.outcome.stays
    var days = DayHeadings()
    var lines: [String] = []
    let shown = showsAll ? stays[...] : stays.prefix(TimelineText.mostVisits)
    let regions = shown.map {
      TextFit.name(history.timeline.regions[Int($0.visit.region)].identifier, 18)
    }
    let column = regions.map(\.columns).max() ?? 0
    let crossings = Crossings(history)
    // Where a run has ids of its own 'explain' may not know them.
    let ids =
      history.timeline.hasOwnIds
      ? nil : StayEvents(history.timeline, in: Set(shown.map(\.visit.region)))
    for (stay, name) in zip(shown, regions) {
      if let day = days.next(stay.visit.since) {
        lines.append(lines.isEmpty ? style.bold("VISITS") + "    \(day)\(profile)" : day)
      }
      lines += self.lines(
        stay, TextColumns.left(name, column), history, names, crossings)
      if let ids { lines += self.lines(ids, of: stay.visit, history.profile) }
    }
    if shown.count < stays.count {
      lines.append("  …\(TextColumns.grouped(stays.count - shown.count)) more (--all)")
    }
    for (observer, visits) in filtered?.untold ?? [] {
      let name = history.labels[history.timeline.observers[observer].name]
      lines += TextFit.wrap(
        "…\(TextColumns.counted(visits, "visit")) at \(name) more (--all): its controller left out what is "
          + "repeated, so that who stayed seems to have left again and again",
        indent: 2, hanging: 2, width: width
      ).map { style.dim($0) }
    }
    return lines
  }

  private func lines(
    _ stay: Timeline.Stay, _ name: String, _ history: PresenceHistory,
    _ names: EventNames, _ crossings: Crossings
  ) -> [String] {
    let visit = stay.visit
    let entry = visit.wasInsideAlready ? "already inside" : "entered       "
    let head =
      "\(TextColumns.clock(visit.since))  \(name)  \(entry)  \(outcome(visit, history))"
    let end = history.timeline.observers[Int(visit.observer)].end
    let duration = TextColumns.duration(visit.duration(recordedUntil: end))
    var details = details(stay, history, names, crossings)
    var lines: [String] = []
    let left = head.columns + 2
    if left + duration.columns <= width {
      lines.append(
        head + "  " + TextColumns.right(duration, min(width, AnalysisText.width) - left))
    } else {
      lines += TextFit.wrap(head, indent: 0, hanging: Self.indent, width: width)
      details = duration + (details.isEmpty ? "" : ", " + details)
    }
    return lines
      + TextFit.wrap(details, indent: Self.indent, width: width).map { style.dim($0) }
  }

  /// On a line of their own, to be copied.
  private func lines(_ ids: StayEvents, of visit: Visit, _ profile: Int) -> [String] {
    let ends = [
      ("entry", ids.entry(of: visit, profile: profile)),
      ("exit", ids.exit(of: visit, profile: profile)),
    ]
    let words = ends.compactMap { name, id in id.map { "\(name) \(EventReference.text($0))" } }
    guard !words.isEmpty else { return [] }
    return TextFit.wrap(words.joined(separator: "  "), indent: Self.indent, width: width)
      .map { style.dim($0) }
  }

  /// `→ left 10:03:12, gone`.
  private func outcome(_ visit: Visit, _ history: PresenceHistory) -> String {
    guard !visit.isOpen else {
      return history.positionsEnd(visit) == nil ? "→ still inside" : "→ not known"
    }
    let date = TextColumns.date(visit.until)
    let day = TextColumns.date(visit.since)
    let moment =
      (date == day ? "" : date + " ") + TextColumns.clock(visit.until, besides: visit.since)
    return "→ left \(moment)" + (visit.silence.map { ", \($0.grade.rawValue)" } ?? "")
  }

  /// Nanoseconds. Who is inside at the end may have been silent for nearly as long as the exit period is: from here on
  /// it is told for how long.
  private static let toldSilence: Int64 = 10_000_000_000

  /// The end of a visit is its exit period behind the last of them; of one that is open the last one is the latest that
  /// is known of it.
  private func sightings(_ visit: Visit, end: Timestamp) -> String {
    let count = TextColumns.counted(visit.sightings, "sighting")
    guard visit.lastSeen.isKnown else { return count }
    let last =
      "\(count), last \(EntryDoubtText.moment(visit.lastSeen, besides: visit.isOpen ? visit.since : visit.until))"
    let silent = end.isKnown ? end.nanoseconds.since(visit.lastSeen.nanoseconds) : 0
    guard visit.isOpen, silent >= Self.toldSilence else { return last }
    return "\(last), \(TextColumns.duration(silent)) before the end"
  }

  private func details(
    _ stay: Timeline.Stay, _ history: PresenceHistory, _ names: EventNames,
    _ crossings: Crossings
  ) -> String {
    let timeline = history.timeline
    var parts: [String] = []
    if timeline.observers.count > 1 {
      parts.append("at \(history.labels[timeline.observers[Int(stay.visit.observer)].name])")
    }
    // Of a circle there are fixes, and no sightings.
    if timeline.regions[Int(stay.visit.region)].isCircle {
      parts += crossings.words(stay.visit)
    } else {
      parts.append(sightings(stay.visit, end: timeline.observers[Int(stay.visit.observer)].end))
    }
    if let stamps = StampText.words(stay.visit) { parts.append(stamps) }
    if let doubt = stay.doubt {
      parts.append(EntryDoubtText.words(doubt, besides: stay.visit.since))
    }
    if let nearest = stay.nearest {
      let distance = Figures.distance(nearest.distance)
      let beacon = names.sender(Int(nearest.transmitter))
        .name(in: timeline.regions[Int(stay.visit.region)])
        .map { $0 + (distance.hasPrefix("under") ? ", " : " at ") }
      parts.append("nearest \(beacon ?? "")\(distance)")
    }
    parts += SilenceText.remarks(stay)
    return parts.joined(separator: "; ")
  }
}
