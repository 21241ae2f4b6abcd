import Analysis
import CaptureReader

/// When what is missing was recorded, to the millisecond: most damage takes a few records.
enum DamageText {
  /// `recorded between 2026-05-19 10:00:12.412 and 10:00:12.598 UTC`; nil where no time is known. Where the
  /// frames go back in time (a clock that was set, or others by other clocks) nothing lies between.
  static func times(_ gap: ContainerLog.Gap) -> String? {
    switch (gap.from.isKnown, gap.to.isKnown) {
    case (true, true):
      gap.to.nanoseconds < gap.from.nanoseconds ? back(gap) : span(gap.from, gap.to)
    case (true, false): "recorded after \(moment(gap.from))"
    case (false, true): "recorded before \(moment(gap.to))"
    case (false, false): nil
    }
  }

  private static func moment(_ time: Timestamp) -> String {
    "\(TextColumns.date(time)) \(Figures.clock(time)) \(ClockZone.shown.label(time))"
  }

  private static func span(_ from: Timestamp, _ to: Timestamp) -> String {
    let start = moment(from)
    guard moment(to) != start else { return "recorded at \(start)" }
    let day = TextColumns.date(from)
    let end =
      TextColumns.date(to) == day
      ? "\(Figures.clock(to)) \(ClockZone.shown.label(to))" : moment(to)
    return "recorded between \(day) \(Figures.clock(from, besides: to)) and \(end)"
  }

  private static func back(_ gap: ContainerLog.Gap) -> String {
    "the record before it is of \(moment(gap.from)), that behind it of \(moment(gap.to))"
  }

  /// ` of what is unpacked`, where bytes are counted in that; empty where the file holds them so.
  static func unpacked(_ facts: CaptureFacts) -> String {
    facts.compression == nil && facts.format != "btsnooz" ? "" : " of what is unpacked"
  }

  /// ` (after frame 12)`; empty where none is known.
  static func after(_ frame: Int) -> String {
    frame > 0 ? " (after frame \(TextColumns.grouped(frame)))" : ""
  }

  /// With a comma before it.
  static func behindComma(_ gap: ContainerLog.Gap) -> String {
    times(gap).map { ", " + $0 } ?? ""
  }
}
