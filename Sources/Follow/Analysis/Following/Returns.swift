import CaptureReader
import Regions

/// Visits of one profile that follow another one within the exit period, where the radio could hear, and
/// that begin with the beacon that was heard last: who goes from one beacon of a region to the next comes
/// and goes.
struct Returns {
  /// How often, and the longest silence of these, nanoseconds.
  struct Found {
    var count = 0
    var longest: Int64 = 0
  }

  /// Fewer may well be somebody who comes and goes.
  private static let least = 3

  private var found: [Int: Found] = [:]
  /// Those with enough of them, most first.
  private(set) var regions: [Int] = []

  /// - Parameter identity: of a transmitter.
  init(_ outcome: Timeline.Outcome, _ regions: [Region], identity: (UInt32) -> UInt32) {
    var last: [Int: Visit] = [:]
    for visit in outcome.stays.lazy.map(\.visit) where !regions[Int(visit.region)].isCircle {
      let number = Int(visit.region)
      let key = Int(visit.observer) * max(1, regions.count) + number
      defer { last[key] = visit }
      guard let before = last[key], before.until.isKnown, before.silence?.grade != .deaf,
        regions[number].gate.isOpen, regions[number].ownRule == nil,
        !before.last.isNone, !visit.first.isNone,
        identity(before.last.transmitter) == identity(visit.first.transmitter)
      else { continue }
      let profile = (try? outcome.profile.with(regions[number].overrides)) ?? outcome.profile
      let away = visit.since.nanoseconds.since(before.until.nanoseconds)
      guard away >= 0, away <= profile.exitAfter else { continue }
      var sum = self[number]
      sum.count += 1
      sum.longest = max(sum.longest, visit.since.nanoseconds.since(before.lastSeen.nanoseconds))
      found[number] = sum
    }
    self.regions = found.filter { $0.value.count >= Self.least }
      .sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map(\.key)
  }

  subscript(region: Int) -> Found { found[region] ?? Found() }
}
