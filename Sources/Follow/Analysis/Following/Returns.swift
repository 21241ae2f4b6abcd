import CaptureReader
import Regions

/// Visits of one profile that follow another one within the exit period, where the radio could hear, and
/// that begin with the beacon that was heard last: who goes from one beacon of a region to the next comes
/// and goes.
struct Returns {
  /// Of one region.
  struct Found {
    /// How often at the observer where it was most often, and which that is.
    var count = 0
    var observer = 0
    /// How many observers more had it, each often enough.
    var others = 0
    /// Nanoseconds: the shortest exit period with which none of them has it any more.
    var enough: Int64 = 0
  }

  /// Fewer may well be somebody who comes and goes.
  private static let least = 3

  private var found: [Int: Found] = [:]
  /// Those with enough of them, most first.
  private(set) var regions: [Int] = []

  /// What one observer knows of one region.
  private struct Silences {
    let exitAfter: Int64
    /// Between the latest sighting of a visit and the first one of the next, nanoseconds.
    var all: [Int64] = []
    /// Which of them ended within the exit period behind the exit.
    var soon: [Int64] = []
  }

  /// - Parameter identity: of a transmitter.
  init(_ outcome: Timeline.Outcome, _ regions: [Region], identity: (UInt32) -> UInt32) {
    let silences = Self.silences(outcome, regions, identity: identity)
    for (key, own) in silences.sorted(by: { $0.key < $1.key }) where own.soon.count >= Self.least {
      let (observer, region) = key.quotientAndRemainder(dividingBy: max(1, regions.count))
      var sum = self[region]
      sum.others = sum.count == 0 ? 0 : sum.others + 1
      if own.soon.count > sum.count { (sum.count, sum.observer) = (own.soon.count, observer) }
      sum.enough = max(sum.enough, Self.enough(own))
      found[region] = sum
    }
    self.regions = found.keys.sorted { (self[$1].count, $0) < (self[$0].count, $1) }
  }

  subscript(region: Int) -> Found { found[region] ?? Found() }

  /// By observer, then region, as one number.
  private static func silences(
    _ outcome: Timeline.Outcome, _ regions: [Region], identity: (UInt32) -> UInt32
  ) -> [Int: Silences] {
    var found: [Int: Silences] = [:]
    var last: [Int: Visit] = [:]
    for visit in outcome.stays.lazy.map(\.visit) where !regions[Int(visit.region)].isCircle {
      let number = Int(visit.region)
      let key = Int(visit.observer) * max(1, regions.count) + number
      defer { last[key] = visit }
      guard let before = last[key], before.until.isKnown, couldHear(before.silence),
        regions[number].gate.isOpen, regions[number].ownRule == nil,
        !before.last.isNone, !visit.first.isNone,
        identity(before.last.transmitter) == identity(visit.first.transmitter)
      else { continue }
      let away = visit.since.nanoseconds.since(before.until.nanoseconds)
      guard away >= 0 else { continue }
      let profile = (try? outcome.profile.with(regions[number].overrides)) ?? outcome.profile
      let silence = visit.since.nanoseconds.since(before.lastSeen.nanoseconds)
      var own = found.removeValue(forKey: key) ?? Silences(exitAfter: profile.exitAfter)
      own.all.append(silence)
      if away <= own.exitAfter { own.soon.append(silence) }
      found[key] = own
    }
    return found
  }

  /// A controller that leaves duplicates out makes silences that no exit period of a phone mends.
  private static func couldHear(_ silence: Silence?) -> Bool {
    guard let silence else { return true }
    return silence.grade != .deaf && silence.filtered == 0
  }

  /// The shortest period that is longer than all that ended soon, and behind which no more end soon than may
  /// well be somebody who comes and goes: a longer period makes more silences look like chance.
  private static func enough(_ own: Silences) -> Int64 {
    let longest = own.soon.max() ?? own.exitAfter
    let longer = own.all.filter { $0 >= longest }.sorted()
    // Those up to the period, and those up to twice as long, end there.
    var (end, soonEnd) = (0, 0)
    for period in longer {
      while end < longer.count, longer[end] <= period { end += 1 }
      while soonEnd < longer.count, longer[soonEnd] <= period.later(by: period) { soonEnd += 1 }
      if soonEnd - end < least { return period }
    }
    return longest
  }
}
