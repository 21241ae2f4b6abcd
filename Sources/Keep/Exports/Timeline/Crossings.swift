import Analysis
import CaptureReader
import Regions

/// When circles were crossed: a visit begins and ends later, where it was decided.
struct Crossings {
  private struct Key: Hashable {
    let observer: Int
    let region: Int
    /// When the event was decided, nanoseconds.
    let decided: Int64
  }

  private var times: [Key: Timestamp] = [:]
  private let history: PresenceHistory

  init(_ history: PresenceHistory) {
    let timeline = history.timeline
    self.history = history
    guard timeline.regions.contains(where: \.isCircle) else { return }
    for event in timeline.events where event.type == .enter || event.type == .exit {
      guard let region = event.region, timeline.regions[region].isCircle, event.crossedAt.isKnown,
        timeline.outcomes[event.profile].profile.name == history.outcome.profile.name
      else { continue }
      let key = Key(
        observer: event.observer, region: region, decided: event.time.nanoseconds)
      times[key] = event.crossedAt
    }
  }

  /// `crossed inwards 10:02:30`, `outwards 10:04:10`, and from when on nobody knows.
  func words(_ visit: Visit) -> [String] {
    var parts: [String] = []
    if let entry = time(visit, visit.since) {
      parts.append("crossed inwards \(TextColumns.clock(entry, besides: visit.since))")
    }
    if visit.isOpen {
      if let end = history.positionsEnd(visit) {
        parts.append("no position from \(TextColumns.clock(end, besides: visit.since)) on")
      }
    } else if let exit = time(visit, visit.until) {
      parts.append(
        "\(parts.isEmpty ? "crossed " : "")outwards \(TextColumns.clock(exit, besides: visit.since))"
      )
    }
    return parts
  }

  private func time(_ visit: Visit, _ decided: Timestamp) -> Timestamp? {
    times[
      Key(
        observer: Int(visit.observer), region: Int(visit.region), decided: decided.nanoseconds)]
  }
}
