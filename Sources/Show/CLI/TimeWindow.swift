import Analysis
import Beacons
import CaptureReader
import Exports

/// Which moments are told of, and how many were.
final class TimeWindow {
  private let limits: TimeLimits
  private var inside = 0
  private var withoutTime = 0
  private var others: ClosedRange<Int64>?

  init(_ limits: TimeLimits) { self.limits = limits }

  /// What has no time is never inside.
  func takes(_ time: Timestamp) -> Bool {
    guard time.isKnown else {
      withoutTime += 1
      return false
    }
    guard limits.contains(time) else {
      let moment = time.nanoseconds
      others = min(others?.lowerBound ?? moment, moment)...max(others?.upperBound ?? moment, moment)
      return false
    }
    inside += 1
    return true
  }

  /// Tells what was left out for want of a time, and where there was something, but all of it at other
  /// times: mostly a mistaken day or zone.
  /// - Parameters:
  ///   - what: one of it: `event`.
  ///   - advice: a sentence for who finds nothing.
  func conclude(_ what: String, advice: String = "") {
    if withoutTime > 0 {
      Terminal.tell(
        "beacontrace: \(TextColumns.counted(withoutTime, what)) without a time, left out.")
    }
    guard inside == 0, let others else { return }
    let advice = advice.isEmpty ? "" : " " + advice
    let span = TextColumns.spanAndZone(
      Timestamp(nanoseconds: others.lowerBound), Timestamp(nanoseconds: others.upperBound))
    Terminal.tell("beacontrace: no \(what) in that time; there are some \(span).\(advice)")
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
