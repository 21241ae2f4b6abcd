import Analysis
import Regions

/// What stands below the visits: what a distance is worth, and who tells why.
struct VisitLegend {
  let style: Style
  let width: Int

  /// None where there is no visit.
  func lines(_ history: PresenceHistory) -> [String] {
    let stays = history.outcome.stays
    guard !stays.isEmpty else { return [] }
    var sentences: [String] = []
    let regions = history.timeline.regions
    if stays.contains(where: {
      $0.visit.wasInsideAlready && !regions[Int($0.visit.region)].isCircle
    }) {
      sentences.append(
        "already inside: heard within an exit period of the beginning; nobody was seen to come")
    }
    sentences += grades(stays)
    if stays.contains(where: { $0.nearest != nil }) {
      sentences.append(
        "nearest: by the signal, as in free sight, and by its scatter alone; walls and bodies make "
          + "it seem farther")
    }
    sentences += clocks(history)
    if history.timeline.hasOwnIds {
      sentences.append(
        "why: 'beacontrace events' and 'beacontrace explain' tell it of each capture by itself, from its "
          + "beginning on; ids of this run may be others")
    } else if StayEvents.areTold(history.timeline) {
      sentences.append(
        "entry, exit: ids for 'beacontrace explain ID FILE…' (with this run's options for regions, "
          + "profiles, rules, observers and clocks), which tells why and shows the frames")
    }
    return sentences.flatMap { sentence in
      TextFit.wrap(sentence, indent: 2, hanging: 2, width: width).map { style.dim($0) }
    }
  }

  /// What the exits are worth, of the grades that there are.
  private func grades(_ stays: [Timeline.Stay]) -> [String] {
    let found = Set(stays.compactMap { $0.visit.silence?.grade })
    var words: [String] = []
    if found.contains(.gone) {
      words.append(
        "gone: others were heard, and one who stays is silent for so long at one sighting in twenty at most: no proof by "
          + "itself")
    }
    if found.contains(.thin) { words.append("thin: the silence may be chance") }
    if found.contains(.deaf) { words.append("deaf: it says nothing, the radio may not have heard") }
    return words.isEmpty ? [] : [words.joined(separator: "; ")]
  }

  /// Times of visits are not what was stamped then.
  private func clocks(_ history: PresenceHistory) -> [String] {
    let clocks = history.timeline.clocksSetBack
    guard let first = clocks.first else { return [] }
    let others =
      clocks.count == 1 ? "" : " and \(TextColumns.counted(clocks.count - 1, "more", "more"))"
    return [
      "clock: times of \(TextColumns.printable(first.capture))\(others) step back, by up to "
        + "\(TextColumns.duration(first.step)) (it was set, records are not in the order of time, or times were "
        + "changed); until they had caught up, all stands at the time before the "
        + "step: visits may be shorter than they were, several be one, and who left stand as still inside"
    ]
  }
}
