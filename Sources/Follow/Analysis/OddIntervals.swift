import Beacons
import FrameDecoder
import Regions

/// A beacon that sends more often or less often than nearly all others of its UUID or namespace.
package struct OddInterval: Sendable {
  /// Among the summaries.
  package let place: Int
  /// Nanoseconds; the middle of all others'.
  package let interval: Double
  package let usual: Double
  /// Beacons of the UUID or namespace that send about as often as is usual, and all of them whose interval is
  /// known, but this.
  package let agreeing: Int
  package let others: Int
}

/// Intervals that are half as long again as those of nine in ten of at least ten others, or as much shorter: whoever
/// set the others up forgot one. Only of beacons whose gaps tell how often they send, and the others' likewise.
package struct OddIntervals {
  /// The largest groups first, and in them the largest difference.
  package private(set) var all: [OddInterval] = []

  private static let least = 10
  /// Histograms know an interval to a sixteenth, and a beacon adds up to 10 ms by chance.
  private static let difference = 1.5
  private static let alike = 1.25
  /// Fewer sightings do not tell an interval.
  private static let fewest = 20

  private struct Member {
    let place: Int
    let interval: Double
  }

  package init(_ beacons: BeaconSummaries) {
    var scratch = SummaryScratch()
    for (kind, places) in beacons.kinds {
      let length = BeaconFormats.format(kind).sharedBytes
      guard length > 0 else { continue }
      var groups: [IdentityPrefix: [Int]] = [:]
      // The most heard come first.
      for place in places {
        guard beacons.sightings(at: place) > Self.fewest else { break }
        guard let make = IdentityPrefix(of: beacons.identity(at: place), count: length) else {
          continue
        }
        groups[make, default: []].append(place)
      }
      // Where each beacon has a UUID of its own there are no groups.
      let inOrder = groups.values.filter { $0.count > Self.least }
        .sorted { ($1.count, $0[0]) < ($0.count, $1[0]) }
      for group in inOrder {
        judge(
          group.compactMap { place in
            beacons.ownInterval(at: place, &scratch).map { Member(place: place, interval: $0) }
          })
      }
    }
  }

  private mutating func judge(_ group: [Member]) {
    guard group.count > Self.least else { return }
    let usual = group.map(\.interval).sorted()[group.count / 2]
    let agreeing = group.count { Self.factor($0.interval, usual) < Self.alike }
    guard agreeing * 10 >= (group.count - 1) * 9 else { return }
    all += group.filter { Self.factor($0.interval, usual) >= Self.difference }
      .sorted {
        (Self.factor($1.interval, usual), $0.place) < (Self.factor($0.interval, usual), $1.place)
      }
      .map {
        OddInterval(
          place: $0.place, interval: $0.interval, usual: usual, agreeing: agreeing,
          others: group.count - 1)
      }
  }

  private static func factor(_ one: Double, _ other: Double) -> Double {
    max(one, other) / min(one, other)
  }
}
