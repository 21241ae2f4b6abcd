import CaptureReader
import Regions

/// When all of a region that is there is heard so seldom that lost packets look like exits.
///
/// Not by its slowest beacon: a region is left when nobody of it is heard any more. Of those that an observer
/// heard at one time, from the first sighting of each to its last, the sightings add up.
struct SeldomHeard {
  private struct Change {
    let time: Int64
    /// Sightings in a nanosecond; negative where one ends.
    let rate: Double
  }

  /// By the run's observers.
  private var changes: [Int: [Change]] = [:]
  private var sightings: [Int: Double] = [:]

  /// - Parameters:
  ///   - from: its first sighting, `to`: its last; nanoseconds.
  ///   - gap: usual, between two of its sightings; nanoseconds, above 0.
  mutating func add(observer: Int, from: Int64, to: Int64, gap: Double) {
    guard to > from, gap > 0 else { return }
    changes[observer, default: []] += [
      Change(time: from, rate: 1 / gap), Change(time: to, rate: -1 / gap),
    ]
    sightings[observer, default: 0] += Double(to.since(from)) / gap
  }

  /// Who heard the region most. Others are too far away, or not there for it: what they lose says little.
  var bestObserver: Int? {
    sightings.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  /// For how long an observer heard it seldom, and how often then; nanoseconds.
  /// - Parameters:
  ///   - exitAfter: the exit period, of which three gaps or more are passed by chance.
  ///   - unrecorded: when the observer did not record; ascending, disjoint.
  /// - Returns: nil where such times are not as long as one exit period.
  func times(
    of observer: Int, exitAfter: Int64, unrecorded: [Timeline.Span]
  ) -> (length: Double, gap: Double)? {
    var (length, sightings) = (0.0, 0.0)
    var (rate, present, before) = (0.0, 0, Int64.min)
    // Who begins comes before who ends at the same moment.
    let inOrder = (changes[observer] ?? []).sorted { ($0.time, -$0.rate) < ($1.time, -$1.rate) }
    for change in inOrder {
      if present > 0, rate * Double(exitAfter) < 3 {
        let missing = unrecorded.reduce(Int64(0)) { sum, span in
          let (from, to) = (
            max(span.from.nanoseconds, before), min(span.to.nanoseconds, change.time)
          )
          return to > from ? sum + to.since(from) : sum
        }
        let span = Double(change.time.since(before) - missing)
        length += span
        sightings += span * rate
      }
      present += change.rate > 0 ? 1 : -1
      // What rounding leaves of those that have ended is nobody's.
      rate = present == 0 ? 0 : rate + change.rate
      before = change.time
    }
    guard length >= Double(exitAfter), sightings > 0 else { return nil }
    return (length, length / sightings)
  }
}
