import Analysis
package import CaptureReader
import Regions

/// What frames are stamped that were followed at another time, as their clock had been set back, or a scan delivered
/// what it had heard before in a batch: when they were heard nobody can tell by the time of an event or a visit then.
package enum StampText {
  /// `its frame is stamped 2026-10-28 22:55:00, earlier than what came before it (a clock set back, or a late batch)`
  static func words(_ event: TimelineEvent) -> String? {
    guard event.stamped.isKnown else { return nil }
    return
      "its frame is stamped \(moment(event.stamped)), earlier than what came before it (a clock set back, or a late batch)"
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
      "its frames are stamped \(times), earlier than what came before them (a clock set back, or a late batch): they are "
      + "followed at the time that had been reached"
  }

  private static func moment(_ time: Timestamp) -> String {
    "\(TextColumns.date(time)) \(TextColumns.clockAndZone(time))"
  }
}
