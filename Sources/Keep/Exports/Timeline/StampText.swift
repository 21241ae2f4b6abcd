import Analysis
package import CaptureReader
import Regions

/// What frames are stamped that were followed at another time, as their clock had been set back: when they were
/// heard nobody can tell by the time of an event or a visit then.
package enum StampText {
  /// `its frame is stamped 2026-10-28 22:55:00, behind a step back in time`
  static func words(_ event: TimelineEvent) -> String? {
    guard event.stamped.isKnown else { return nil }
    return "its frame is stamped \(moment(event.stamped)), behind a step back in time"
  }

  /// Of a visit.
  static func words(_ visit: Visit) -> String? {
    visit.stamps.map { words($0.first, $0.last) }
  }

  /// - Parameters:
  ///   - first: of the first sighting; none: not known.
  ///   - last: of the last one.
  package static func words(_ first: Timestamp, _ last: Timestamp) -> String {
    let known = [first, last].filter(\.isKnown)
    let isOne = known.count < 2 || first == last
    let times =
      isOne ? known.first.map(moment) ?? "" : "from \(moment(first)) to \(moment(last))"
    return
      "its frames are stamped \(times), behind a step back in time: they are followed at the time before it"
  }

  private static func moment(_ time: Timestamp) -> String {
    "\(TextColumns.date(time)) \(TextColumns.clockAndZone(time))"
  }
}
