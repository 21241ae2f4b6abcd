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
        return (reading.hasZone ? reading.time : zone.time(reading.time)).nanoseconds
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
  private var others: ClosedRange<Int64>?

  init(from: Int64?, to: Int64?) {
    self.from = from ?? .min
    self.to = to ?? .max
  }

  /// What has no time is never inside.
  func takes(_ time: Timestamp) -> Bool {
    guard time.isKnown else { return false }
    let moment = time.nanoseconds
    guard moment >= from, moment < to else {
      others = min(others?.lowerBound ?? moment, moment)...max(others?.upperBound ?? moment, moment)
      return false
    }
    inside += 1
    return true
  }

  /// Tells where there was something, and all of it at other times: mostly a mistaken day or zone.
  func conclude(_ what: String) {
    guard inside == 0, let others else { return }
    let span = TextColumns.span(
      Timestamp(nanoseconds: others.lowerBound), Timestamp(nanoseconds: others.upperBound))
    let zone = ClockZone.shown.label(
      Timestamp(nanoseconds: others.lowerBound), Timestamp(nanoseconds: others.upperBound))
    Terminal.tell("beacontrace: no \(what) in that time; there are some \(span) \(zone).")
  }
}

/// Hands on what is inside a window.
struct WindowSink: FindingSink {
  private var sink: any FindingSink
  private let window: TimeWindow
  private var kept: [Sighting] = []

  init(_ window: TimeWindow, into sink: any FindingSink) {
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
