import Analysis
import Regions

/// Visits that ended because a controller leaves out what is repeated. Where another receiver heard who was
/// there, dozens of them hide what it says: they are counted instead of listed.
struct FilteredVisits {
  /// Visits to be listed.
  let listed: [Timeline.Stay]
  /// How many are not, by observer.
  let untold: [(observer: Int, visits: Int)]

  /// So many of a region at one receiver do not hide anything.
  private static let most = 3

  private struct Place: Hashable {
    let observer: Int
    let region: Int

    init(_ stay: Timeline.Stay) {
      observer = Int(stay.visit.observer)
      region = Int(stay.visit.region)
    }
  }

  init(_ stays: [Timeline.Stay]) {
    var counts: [Place: Int] = [:]
    for stay in stays where Self.isFilters(stay) { counts[Place(stay), default: 0] += 1 }
    let filtering = Set(counts.keys.map(\.observer))
    // Regions of which another receiver knows more.
    let others = Set(
      stays.filter { !filtering.contains(Int($0.visit.observer)) }.map(\.visit.region))
    let isListed = { (stay: Timeline.Stay) in
      !Self.isFilters(stay) || counts[Place(stay), default: 0] <= Self.most
        || !others.contains(stay.visit.region)
    }
    listed = stays.filter(isListed)
    var visits: [Int: Int] = [:]
    for stay in stays where !isListed(stay) { visits[Int(stay.visit.observer), default: 0] += 1 }
    untold = visits.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
  }

  /// Whether its end says no more than that nobody was reported again. Where few are there a filter lets nobody
  /// pass for the whole exit period, which is graded as deaf.
  private static func isFilters(_ stay: Timeline.Stay) -> Bool {
    stay.visit.silence.map { $0.grade != .gone && $0.isOfFilter } ?? false
  }
}
