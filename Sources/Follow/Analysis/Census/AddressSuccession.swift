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
  private static let soonest: Int64 = 5_000_000_000
  private static let latest: Int64 = 30_000_000_000
  /// Both may be on the air for a moment: packets are not in order to the millisecond.
  private static let overlap: Int64 = 500_000_000
  /// dB between the medians.
  private static let mostDifference = 10

  init(_ advertisers: [AdvertiserCensus.Advertiser], _ profiles: [AdvertiserProfile]) {
    let open = advertisers.indices.filter { advertisers[$0].address.lifetime != .long }
      .sorted { profiles[$0].first.nanoseconds < profiles[$1].first.nanoseconds }
    let firsts = open.map { profiles[$0].first.nanoseconds }
    var candidates: [Int: [Int]] = [:]
    var before: [Int: Int] = [:]
    for number in open {
      let profile = profiles[number]
      guard profile.reports >= Self.leastReports else { continue }
      let end = profile.last.nanoseconds
      let usual = Double(end.since(profile.first.nanoseconds)) / Double(profile.reports - 1)
      let room = max(Self.soonest, min(Self.latest, Int64(usual * Self.gaps)))
      var place = firsts.indices.bisected(by: { firsts[$0] >= end.addingWithin(-Self.overlap) })
      while place < firsts.count, firsts[place] <= end.later(by: room) {
        let other = open[place]
        place += 1
        guard other != number, profiles[other].last.nanoseconds > end,
          Self.areAlike(
            (advertisers[number], profile), (advertisers[other], profiles[other]))
        else { continue }
        candidates[number, default: []].append(other)
        before[other, default: 0] += 1
      }
    }
    for (number, found) in candidates where found.count == 1 && before[found[0]] == 1 {
      next[number] = found[0]
    }
  }

  private static func areAlike(
    _ one: (AdvertiserCensus.Advertiser, AdvertiserProfile),
    _ other: (AdvertiserCensus.Advertiser, AdvertiserProfile)
  ) -> Bool {
    let (first, second) = (one.0, other.0)
    guard first.address.lifetime == second.address.lifetime, first.isBeacon == second.isBeacon,
      first.labels.isEmpty == second.labels.isEmpty,
      first.labels.isEmpty || !first.labels.intersection(second.labels).isEmpty,
      Set(one.1.names) == Set(other.1.names), Set(one.1.beacons) == Set(other.1.beacons),
      Set(one.1.companies) == Set(other.1.companies),
      Set(one.1.services) == Set(other.1.services),
      // Who says nothing at all is like everybody.
      !one.1.companies.isEmpty || !one.1.services.isEmpty || !one.1.names.isEmpty,
      let signal = one.1.signals.range?.median, let otherSignal = other.1.signals.range?.median
    else { return false }
    return abs(signal - otherSignal) <= mostDifference
  }
}
