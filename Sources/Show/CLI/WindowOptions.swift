import Analysis
import ArgumentParser
import Beacons
import CaptureReader
import Exports
import Regions
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
  func window(_ zone: ClockZone) throws -> TimeWindow? {
    guard from != nil || to != nil else { return nil }
    let first = try from.map { try Self.moment($0, "--from", zone) }
    let end = try to.map { try Self.moment($0, "--to", zone) }
    if let first, let end, end <= first {
      throw ValidationError("--to is not after --from: nothing can be in between.")
    }
    return TimeWindow(from: first, to: end)
  }

  private static func moment(_ text: String, _ option: String, _ zone: ClockZone) throws -> Int64 {
    let form = /(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?([Zz]|[+-]\d\d:\d\d)?)?/
    if let parts = text.wholeMatch(of: form) {
      let whole = "\(parts.1)T\(parts.2 ?? "00:00")\(parts.3 ?? ":00")\(parts.4 ?? "")"
      if let reading = UTCTime.read(whole.utf8) {
        if reading.hasZone { return reading.time.nanoseconds }
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

/// Which moments are told of, and how many were.
final class TimeWindow {
  private let from: Int64
  private let to: Int64
  private var inside = 0
  private var withoutTime = 0
  private var others: ClosedRange<Int64>?

  init(from: Int64?, to: Int64?) {
    self.from = from ?? .min
    self.to = to ?? .max
  }

  /// What has no time is never inside.
  func takes(_ time: Timestamp) -> Bool {
    guard time.isKnown else {
      withoutTime += 1
      return false
    }
    let moment = time.nanoseconds
    guard moment >= from, moment < to else {
      others = min(others?.lowerBound ?? moment, moment)...max(others?.upperBound ?? moment, moment)
      return false
    }
    inside += 1
    return true
  }

  /// Tells what was left out for want of a time, and where there was something, but all of it at other
  /// times: mostly a mistaken day or zone.
  /// - Parameter what: one of it: `event`.
  func conclude(_ what: String) {
    if withoutTime > 0 {
      Terminal.tell(
        "beacontrace: \(TextColumns.counted(withoutTime, what)) without a time, left out.")
    }
    guard inside == 0, let others else { return }
    let span = TextColumns.spanAndZone(
      Timestamp(nanoseconds: others.lowerBound), Timestamp(nanoseconds: others.upperBound))
    Terminal.tell("beacontrace: no \(what) in that time; there are some \(span).")
  }
}

/// Hands on what is inside a window.
struct WindowSink<Sink: FindingSink>: FindingSink {
  private(set) var sink: Sink
  private let window: TimeWindow
  private var kept: [Sighting] = []

  init(_ window: TimeWindow, into sink: Sink) {
    self.window = window
    self.sink = sink
  }

  mutating func take(_ sightings: Span<Sighting>, of capture: CaptureContext) throws {
    kept.removeAll(keepingCapacity: true)
    for place in sightings.indices where window.takes(sightings[place].time) {
      kept.append(sightings[place])
    }
    guard !kept.isEmpty else { return }
    let taken = kept
    try sink.take(taken.span, of: capture)
  }

  mutating func pause() throws { try sink.pause() }
}
