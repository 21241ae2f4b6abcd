import CaptureReader
import CaseStore
import GRDB
import Regions

/// What is marked on the map: ends of the main profile's visits, and when beacons were heard best.
struct MapMarks {
  enum Kind {
    case begin
    case end
    case best
  }

  struct Mark {
    let kind: Kind
    let latitude: Double
    let longitude: Double
    let title: String

    init(_ kind: Kind, _ position: Position, _ title: String) {
      self.kind = kind
      latitude = position.latitude
      longitude = position.longitude
      self.title = title
    }
  }

  /// Of as many visits as are marked.
  private(set) var visits: [Mark] = []
  private(set) var strongest: [Mark] = []
  /// Ends of these visits, and strongest signals, of which nobody knows where they were.
  private(set) var unplacedEnds = 0
  private(set) var unplacedSignals = 0
  /// What there was no room for.
  private(set) var otherVisits = 0
  private(set) var otherSignals = 0

  private let contents: Contents
  private let paths: ObserverPaths

  init(_ contents: Contents, _ database: Database) throws {
    self.contents = contents
    paths = try Self.paths(database)
    let main = contents.profiles.first?.id
    let listed = contents.visits.rows.filter { $0.profileId == main }.prefix(Most.marks)
    let count = try StayRow.filter(Column("profile_id") == main).fetchCount(database)
    otherVisits = count - listed.count
    for stay in listed { mark(stay) }
    let signals = try Row.fetchCursor(
      database,
      sql: """
        SELECT b.kind_name || ' ' || b.short_name, s.observer_id, s.time_ns, s.rssi
        FROM strongest s JOIN beacons b ON b.id = s.beacon_id ORDER BY s.id
        """)
    while let row = try signals.next() { mark(row[0], heardBy: row[1], at: row[2], rssi: row[3]) }
  }

  private static func paths(_ database: Database) throws -> ObserverPaths {
    var paths = ObserverPaths()
    let fixes = try Row.fetchCursor(
      database,
      sql: """
        SELECT latitude, longitude, time_ns, observer_id FROM fixes WHERE time_ns IS NOT NULL
        ORDER BY time_ns, id
        """)
    while let row = try fixes.next() {
      paths.append(
        latitude: row[0], longitude: row[1], at: Timestamp(nanoseconds: row[2]), of: row[3])
    }
    return paths
  }

  private func position(of observer: Int64?, at time: Int64?) -> Position? {
    time.flatMap { paths.position(of: observer, at: Timestamp(nanoseconds: $0)) }
  }

  private mutating func mark(_ stay: StayRow) {
    mark(
      stay, .begin, "visit begins", stay.sinceNs, at: contents.crossings.placedEntry(stay))
    if stay.untilNs != nil {
      mark(stay, .end, "visit ends", stay.untilNs, at: contents.crossings.placedExit(stay))
    }
  }

  private mutating func mark(
    _ stay: StayRow, _ kind: Kind, _ what: String, _ told: Int64?, at placed: Int64?
  ) {
    guard let position = position(of: stay.observerId, at: placed) else {
      unplacedEnds += 1
      return
    }
    var title =
      "\(contents.region(stay.regionId))\(contents.at(stay.observerId)): \(what) \(contents.time(told))"
    if let crossed = contents.crossings.time(stay, decided: told) {
      title += ", border crossed \(contents.time(crossed))"
    } else if placed != told {
      title += ", last heard \(contents.time(placed))"
    }
    visits.append(Mark(kind, position, title))
  }

  private mutating func mark(
    _ beacon: String, heardBy observer: Int64?, at time: Int64, rssi: Int
  ) {
    guard let position = position(of: observer, at: time) else {
      unplacedSignals += 1
      return
    }
    guard strongest.count < Most.marks else {
      otherSignals += 1
      return
    }
    let words = "\(beacon): heard best\(contents.at(observer)) \(contents.time(time))"
    strongest.append(
      Mark(.best, position, "\(words), \(Words.dBm(rssi))"))
  }

  /// What is not marked, a sentence each.
  var leftOut: [String] {
    let nowhere = ", as no position is known there"
    let unmarked = [
      (unplacedEnds, "end of a visit", "ends of visits", nowhere),
      (unplacedSignals, "strongest signal", "strongest signals", nowhere),
      (otherVisits, "more visit", "more visits", ""),
      (otherSignals, "more strongest signal", "more strongest signals", ""),
    ]
    return unmarked.filter { $0.0 > 0 }.map { count, one, many, why in
      "\(Words.counted(count, one, many)) \(count == 1 ? "is" : "are") not marked\(why)."
    }
  }
}
