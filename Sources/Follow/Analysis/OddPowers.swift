import Beacons
import FrameDecoder
import Regions

/// A beacon that states another power than nearly all others of its UUID or namespace.
package struct OddPower: Sendable {
  /// Among the summaries.
  package let place: Int
  /// dBm, as it is stated; the one of nearly all others.
  package let power: Int
  package let usual: Int
  /// Beacons of the UUID or namespace that state the usual one, and all of them but this.
  package let agreeing: Int
  package let others: Int
}

/// Powers that differ by ten dB or more from that of nine in ten of at least ten others: distances of such a
/// beacon are three times too long or too short, or more, unless it was set to send at another strength.
package struct OddPowers {
  /// The largest groups first, and in them the largest difference.
  package private(set) var all: [OddPower] = []

  private static let least = 10
  private static let difference = 10

  private struct Member {
    let place: Int
    let power: Int
  }

  package init(_ beacons: BeaconSummaries) {
    for (kind, places) in beacons.kinds {
      let length = BeaconFormats.format(kind).sharedBytes
      guard length > 0, Self.differ(places, beacons) else { continue }
      var counts: [IdentityPrefix: Int] = [:]
      for place in places {
        if let make = IdentityPrefix(of: beacons.identity(at: place), count: length) {
          counts[make, default: 0] += 1
        }
      }
      // Where each beacon has a UUID of its own there are no groups.
      counts = counts.filter { $0.value > Self.least }
      guard !counts.isEmpty else { continue }
      var groups: [IdentityPrefix: [Member]] = [:]
      for place in places {
        guard let make = IdentityPrefix(of: beacons.identity(at: place), count: length),
          counts[make] != nil, let power = beacons.onlyPower(at: place)
        else { continue }
        groups[make, default: []].append(Member(place: place, power: power))
      }
      let inOrder = groups.values.sorted { ($1.count, $0[0].place) < ($0.count, $1[0].place) }
      for group in inOrder { judge(group) }
    }
  }

  /// Whether any two do at all: of a million identities most often none.
  private static func differ(_ places: Range<Int>, _ beacons: BeaconSummaries) -> Bool {
    var (least, most) = (Int.max, Int.min)
    for place in places {
      guard let power = beacons.onlyPower(at: place) else { continue }
      (least, most) = (min(least, power), max(most, power))
    }
    return most >= least && most - least >= difference
  }

  private mutating func judge(_ group: [Member]) {
    guard group.count > Self.least else { return }
    var counts: [Int: Int] = [:]
    for member in group { counts[member.power, default: 0] += 1 }
    guard let usual = counts.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }) else { return }
    guard usual.value * 10 >= (group.count - 1) * 9 else { return }
    all += group.filter { abs($0.power - usual.key) >= Self.difference }
      .sorted {
        (abs($1.power - usual.key), $0.place) < (abs($0.power - usual.key), $1.place)
      }
      .map {
        OddPower(
          place: $0.place, power: $0.power, usual: usual.key, agreeing: usual.value,
          others: group.count - 1)
      }
  }
}

extension BeaconSummaries {
  /// What all transmitters of an identity state, where it is one power and plausible; dBm.
  fileprivate func onlyPower(at place: Int) -> Int? {
    var power: Int8?
    for member in members[Int(number(at: place))] {
      let rest = statistics.rests[Int(member)]
      guard rest.minPower == rest.maxPower, !rest.warnings.contains(.implausiblePower),
        power == nil || power == rest.minPower
      else { return nil }
      power = rest.minPower
    }
    return power.map { Int($0) }
  }
}
