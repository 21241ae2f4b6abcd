import CaptureReader

/// The lines above what happened on one day: `2026-05-19, UTC`, later days without the zone.
struct DayHeadings {
  /// The day that is headed now.
  private var date = ""
  private var zone = ""

  /// The heading that a moment needs, if any.
  mutating func next(_ time: Timestamp) -> String? {
    let last = (date, zone)
    guard time.isKnown else {
      date = "without a time"
      return date == last.0 ? nil : date
    }
    date = TextColumns.date(time)
    zone = ClockZone.shown.label(time)
    guard date != last.0 || zone != last.1 else { return nil }
    return zone == last.1 ? date : "\(date), \(zone)"
  }
}
