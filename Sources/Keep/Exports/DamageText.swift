import CaptureReader

/// When what is missing was recorded.
enum DamageText {
  /// `recorded 2026-05-19 10:00:12–10:00:15 UTC`; nil where no time is known.
  static func times(_ gap: ContainerLog.Gap) -> String? {
    switch (gap.from.isKnown, gap.to.isKnown) {
    case (true, true): "recorded \(TextColumns.spanAndZone(gap.from, gap.to))"
    case (true, false): "recorded after \(moment(gap.from))"
    case (false, true): "recorded before \(moment(gap.to))"
    case (false, false): nil
    }
  }

  private static func moment(_ time: Timestamp) -> String {
    "\(TextColumns.date(time)) \(TextColumns.clock(time)) \(ClockZone.shown.label(time))"
  }

  /// With a comma before it.
  static func behindComma(_ gap: ContainerLog.Gap) -> String {
    times(gap).map { ", " + $0 } ?? ""
  }
}
