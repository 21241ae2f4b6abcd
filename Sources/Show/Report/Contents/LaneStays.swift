import GRDB

/// When stays of a lane begin and end.
struct LaneStays: Sendable {
  struct Stay: Sendable {
    let since: Int64
    let until: Int64?
  }

  private(set) var list: [Stay] = []
  /// Exits that are worth less than "gone".
  private(set) var doubts: [(until: Int64, grade: String)] = []
  /// Whether there are more than a lane shows.
  private(set) var isCut = false

  /// By region and observer, in order of time.
  static func all(_ database: Database, of lanes: [Lane], profile: Int64) throws
    -> [RangedMoments.Pair: LaneStays]
  {
    var stays = Dictionary(
      uniqueKeysWithValues: lanes.map {
        (RangedMoments.Pair(region: $0.region, observer: $0.observer), LaneStays())
      })
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT region_id, observer_id, since_ns, until_ns, grade FROM stays
        WHERE profile_id = ? AND since_ns IS NOT NULL ORDER BY since_ns, id
        """, arguments: [profile])
    while let row = try rows.next() {
      stays[RangedMoments.Pair(region: row[0], observer: row[1])]?.add(
        Stay(since: row[2], until: row[3]), grade: row[4])
    }
    return stays
  }

  private mutating func add(_ stay: Stay, grade: String?) {
    if list.count < Most.spansOfLane { list.append(stay) } else { isCut = true }
    guard let until = stay.until, let grade, grade != "gone" else { return }
    if doubts.count < Most.marks { doubts.append((until, grade)) } else { isCut = true }
  }
}
