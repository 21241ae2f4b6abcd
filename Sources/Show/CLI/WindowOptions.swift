import Analysis
import ArgumentParser
import CaptureReader
import Exports
import TrackReader

/// From when to when: what is told of, not what is read. What holds then may have begun before.
struct WindowOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Only what was then or later: 2026-05-19, '2026-05-19 10:00', 2026-05-19T10:00:00.5Z. Without a "
        + "zone it is UTC, or with --local the time here.", valueName: "time"))
  var from: String?

  @Option(help: ArgumentHelp("Only what was before this moment.", valueName: "time"))
  var to: String?

  /// - Returns: nil without limits.
  func window(_ zone: ClockZone) throws -> TimeWindow? { try limits(zone).map { TimeWindow($0) } }

  /// - Returns: nil without limits.
  func limits(_ zone: ClockZone) throws -> TimeLimits? {
    guard from != nil || to != nil else { return nil }
    let first = try from.map { try Self.moment($0, "--from", zone) }
    let end = try to.map { try Self.moment($0, "--to", zone) }
    if let first, let end, end <= first {
      throw ValidationError("--to is not after --from: nothing can be in between.")
    }
    return TimeLimits(from: first, to: end)
  }

  private static func moment(_ text: String, _ option: String, _ zone: ClockZone) throws -> Int64 {
    let form =
      /(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?( ?(?:[Zz]|UTC|[+-]\d\d:?\d\d))?)?/
    if let parts = text.wholeMatch(of: form) {
      let whole = "\(parts.1)T\(parts.2 ?? "00:00")\(parts.3 ?? ":00")\(parts.4 ?? "")"
      if let reading = UTCTime.read(typed: whole) {
        if reading.hasZone { return reading.time.nanoseconds }
        // A day begins with its first moment, also where the clocks are set at midnight.
        if parts.2 == nil { return zone.wallClock.moment(reading.time.nanoseconds) }
        let times = zone.times(reading.time)
        if let time = times.first, times.count == 1 { return time.nanoseconds }
        let readings = times.map { "\(UTCTime.text($0)) (\(zone.label($0)))" }
        throw ValidationError(
          times.isEmpty
            ? "\(option) '\(text)' is in an hour that clocks here left out: give another one."
            : "\(option) '\(text)' was twice here: give the one that is meant with Z, of "
              + "\(readings.joined(separator: " and ")).")
      }
    }
    throw ValidationError(
      "\(option) '\(text)' is no time: write a day, as 2026-05-19, or a day and a time, as "
        + "'2026-05-19 10:00' or 2026-05-19T10:00:00Z.")
  }
}
