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
    if stays.contains(where: \.visit.wasInsideAlready) {
      sentences.append(
        "already inside: heard within an exit period of the beginning; nobody was seen to come")
    }
    if stays.contains(where: { $0.nearest != nil }) {
      sentences.append(
        "nearest: by the signal, as in free sight, and by its scatter alone; walls and bodies make "
          + "it seem farther")
    }
    sentences.append("why: 'beacontrace events' has the ids, 'beacontrace explain' the frames")
    return sentences.flatMap { sentence in
      TextFit.wrap(sentence, indent: 2, hanging: 2, width: width).map { style.dim($0) }
    }
  }
}
