import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// Which private address may be the one that a device went on with: an inference, and no proof.
///
/// A device that changes its address ends with the old one and begins with the new one at its next advertisement,
/// and goes on sending what it sent, about as strongly. Where exactly one address begins so when another ends, and
/// that is the only one which ended so, they are told as perhaps one. In a crowd of devices of one kind many change
/// at any time, and nothing is told.
struct AddressSuccession {
  /// By number of the advertiser: that of the next one.
  private(set) var next: [Int: Int] = [:]

  /// Fewer reports say little about how often it sends.
  private static let leastReports = 5
  /// Nanoseconds behind the last report in which the next one has to come: in usual gaps, at least and at most.
  private static let gaps = 10.0
  private static let soonest = 5e9
  private static let latest = 30e9
  /// Both may be on the air for a moment: packets are not in order to the millisecond.
  private static let overlap: Int64 = 500_000_000
  /// dB between the medians.
  private static let mostDifference = 10
  /// Where more begin at a time nobody can say who is whose, and to look at each would take its time.
  private static let crowd = 64

  /// What has to be the same.
  private struct Habit: Hashable {
    let isResolvable: Bool
    let isBeacon: Bool
    let isLabelled: Bool
    let names: Set<[UInt8]>
    let beacons: Set<AdvertiserProfile.Beacon>
    let companies: Set<UInt16>
    let services: Set<UInt16>

    /// Nil for who is kept for good, and for who says nothing at all: he is like everybody.
    init?(_ advertiser: AdvertiserCensus.Advertiser, _ profile: AdvertiserProfile) {
      guard advertiser.address.lifetime != .long,
        !profile.companies.isEmpty || !profile.services.isEmpty || !profile.names.isEmpty
      else { return nil }
      isResolvable = advertiser.address.lifetime == .resolvable
      isBeacon = advertiser.isBeacon
      isLabelled = !advertiser.labels.isEmpty
      names = Set(profile.names)
      beacons = Set(profile.beacons)
      companies = Set(profile.companies)
      services = Set(profile.services)
    }
  }

  init(_ advertisers: [AdvertiserCensus.Advertiser], _ profiles: [AdvertiserProfile]) {
    var alike: [Habit: [Int]] = [:]
    for number in advertisers.indices {
      guard let habit = Habit(advertisers[number], profiles[number]) else { continue }
      alike[habit, default: []].append(number)
    }
    // In whatever order: they have nothing to do with one another.
    for numbers in alike.values where numbers.count > 1 {
      add(numbers, advertisers, profiles)
    }
  }

  private mutating func add(
    _ numbers: [Int], _ advertisers: [AdvertiserCensus.Advertiser], _ profiles: [AdvertiserProfile]
  ) {
    let open = numbers.sorted { profiles[$0].first.nanoseconds < profiles[$1].first.nanoseconds }
    let firsts = open.map { profiles[$0].first.nanoseconds }
    var found: [Int: (next: Int, count: Int)] = [:]
    /// By place: how many ended so that this may be their next; of crowds where they begin and end.
    var before = [Int](repeating: 0, count: open.count)
    var crowds = [Int](repeating: 0, count: open.count + 1)
    for number in open {
      let end = profiles[number].last.nanoseconds
      let from = firsts.indices.bisected(by: { firsts[$0] >= end.addingWithin(-Self.overlap) })
      let limit = end.later(by: Self.room(profiles[number]))
      let to = firsts.indices.bisected(by: { firsts[$0] > limit })
      guard to - from <= Self.crowd else {
        crowds[from] += 2
        crowds[to] -= 2
        continue
      }
      for place in from..<max(from, to) where open[place] != number {
        let other = open[place]
        guard profiles[other].last.nanoseconds > end,
          Self.areNear(profiles[number], profiles[other]),
          advertisers[number].labels.isEmpty
            || !advertisers[number].labels.intersection(advertisers[other].labels).isEmpty
        else { continue }
        found[number] = (place, (found[number]?.count ?? 0) + 1)
        before[place] += 1
      }
    }
    var others = 0
    for place in before.indices {
      others += crowds[place]
      before[place] += others
    }
    for (number, candidate) in found
    where candidate.count == 1 && before[candidate.next] == 1
      && profiles[number].reports >= Self.leastReports
    {
      next[number] = open[candidate.next]
    }
  }

  /// How long behind its end the next one may begin, nanoseconds.
  private static func room(_ profile: AdvertiserProfile) -> Int64 {
    guard profile.reports >= leastReports else { return Int64(soonest) }
    let length = profile.last.nanoseconds.since(profile.first.nanoseconds)
    return Int64(min(latest, max(soonest, Double(length) / Double(profile.reports - 1) * gaps)))
  }

  private static func areNear(_ one: AdvertiserProfile, _ other: AdvertiserProfile) -> Bool {
    guard let signal = one.signals.range?.median, let second = other.signals.range?.median else {
      return false
    }
    return abs(signal - second) <= mostDifference
  }
}
