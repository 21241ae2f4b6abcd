package import CaptureReader
import FrameDecoder
import Regions

/// A radio that from one moment on hears far less than before: it was carried off, covered, or lost its antenna.
///
/// Told by two things together. Its reports fall to less than half of what they were and stay there: nine
/// tenths of the bins behind the moment are below half of nine tenths of those before it. And of the beacons
/// that it heard until then a third at least, and three, are not heard any more in the last quarter of the
/// rest, while next to nobody new came. Somebody who walks meets new ones; people who leave take no beacons
/// along. Radios with one capture in the run alone, whose clock did not step back by a second, and which went on
/// listening as much as before: a scan that was ended, or given less of the time, explains it by itself.
package struct HearingLoss: Sendable {
  /// The run's number.
  package let observer: Int
  /// Where the bin with the first of the fewer reports begins.
  package let from: Timestamp
  /// Reports in a second of recorded time.
  package let before: Double
  package let now: Double
  /// Beacons that it heard often until then, and those that were not heard for so long before the end.
  package let beacons: Int
  package let lost: Int
  /// Nanoseconds.
  package let silence: Int64

  private static let fewestBins = 6
  private static let shortest: Int64 = 180_000_000_000
  private static let fewestReports = 200
  private static let often = 50
  private static let fewestBeacons = 5
  private static let fewestLost = 3

  /// In the order of the run's observers.
  package static func all(_ result: AnalysisResult, _ beacons: BeaconSummaries) -> [HearingLoss] {
    guard result.limits == nil else { return [] }
    var heard: [String: (facts: ObserverFacts, captures: Int)] = [:]
    for capture in result.captures where !capture.clockWasSetBack {
      for facts in capture.observers where facts.reports > 0 {
        heard[facts.name, default: (facts, 0)].captures += 1
      }
    }
    return result.observers.enumerated().compactMap { number, name in
      guard let (facts, captures) = heard[name], captures == 1,
        facts.firstReport.isKnown, facts.lastReport.isKnown,
        let fall = Fall(facts.pace, most: facts.reports)
      else { return nil }
      return HearingLoss(number, facts, fall, beacons)
    }
  }

  /// Whether a beacon fell silent when the radio did, or later; a beacon sends every ten seconds at least.
  package func explains(_ silent: SilentBeacon) -> Bool {
    silent.observer == observer
      && silent.last.nanoseconds >= from.nanoseconds.later(by: -Self.usualInterval)
  }
  private static let usualInterval: Int64 = 30_000_000_000

  private init?(_ number: Int, _ facts: ObserverFacts, _ fall: Fall, _ beacons: BeaconSummaries) {
    // It may hear nobody at all any more.
    let (from, end) = (
      fall.from.nanoseconds, max(facts.lastReport.nanoseconds, fall.until.nanoseconds)
    )
    let start = facts.firstReport.nanoseconds
    guard end > from, Self.listensOn(facts, from: start, fall: from, to: end) else { return nil }
    silence = end.since(from) / 4
    var (known, lost, new) = (0, 0, 0)
    for place in beacons.indices where SilentBeacons.isLasting(place, beacons) {
      let own = SilentBeacons.heard(place, by: number, beacons)
      if own.first >= from {
        new += own.sightings >= Self.often / 5 ? 1 : 0
      } else if own.sightings >= Self.often, own.last >= from.later(by: -(from.since(start) / 4)) {
        known += 1
        // One that was gone before is not of these.
        let isHeardUntilThen = own.last >= from.later(by: -max(Self.usualInterval, fall.width))
        if isHeardUntilThen, end.since(own.last) >= silence { lost += 1 }
      }
    }
    guard known >= Self.fewestBeacons, lost >= Self.fewestLost, lost * 3 >= known,
      new * 20 <= known
    else { return nil }
    observer = number
    self.from = fall.from
    (before, now) = (fall.before, fall.now)
    (self.beacons, self.lost) = (known, lost)
  }

  /// Whether it listened for about as much of the time behind a moment as before it, as far as that is known.
  private static func listensOn(
    _ facts: ObserverFacts, from start: Int64, fall: Int64, to end: Int64
  ) -> Bool {
    guard facts.quietEnd == nil else { return false }
    guard let before = facts.listened(within: TimeLimits(from: start, to: fall)),
      let now = facts.listened(within: TimeLimits(from: fall, to: end)), before > 0
    else { return true }
    let share = Double(before) / Double(fall.since(start))
    return Double(now) / Double(end.since(fall)) >= share * 0.8
  }

  /// Where reports became far fewer, for good.
  private struct Fall {
    let from: Timestamp
    /// Where the last bin begins.
    let until: Timestamp
    /// Of a bin, nanoseconds.
    let width: Int64
    let before: Double
    let now: Double

    init?(_ pace: ReportPace, most: Int) {
      // The last one is not full.
      let bins = pace.bins.dropLast().map(\.reports)
      guard most >= fewestReports, bins.count >= 2 * fewestBins,
        let place = Self.split(bins)
      else { return nil }
      let (first, second) = (bins[..<place].sorted(), bins[place...].sorted())
      let fewest = min(first.count, second.count)
      guard fewest >= fewestBins, Int64(fewest) * pace.width >= shortest,
        second[second.count * 9 / 10] * 2 < first[first.count / 10]
      else { return nil }
      from = pace.bins[place].start
      until = pace.bins[pace.bins.count - 1].start
      width = pace.width
      let seconds = Double(pace.width) / 1e9
      before = Double(first.reduce(0, +)) / Double(first.count) / seconds
      now = Double(second.reduce(0, +)) / Double(second.count) / seconds
    }

    /// The place that divides the bins into two parts that differ most from each other.
    private static func split(_ bins: [Int]) -> Int? {
      let total = bins.reduce(0, +)
      var (sum, best) = (0, (place: 0, weight: 0.0))
      for place in 1..<bins.count {
        sum += bins[place - 1]
        let rest = bins.count - place
        let fall = Double(sum) / Double(place) - Double(total - sum) / Double(rest)
        let weight = fall > 0 ? fall * fall * Double(place) * Double(rest) : 0
        if weight > best.weight { best = (place, weight) }
      }
      return best.weight > 0 ? best.place : nil
    }
  }
}
