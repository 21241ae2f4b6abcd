import CaseStore
import GRDB

/// Which beacon was the nearest one of a visit, where its region may have several.
struct NearestBeacons {
  private struct Beacon {
    let kind: String
    let identity: String
    let shortName: String
  }

  private var beacons: [Int64: Beacon] = [:]

  /// - Parameter stays: the visits that are shown.
  init(_ database: Database, _ stays: [StayRow]) throws {
    let wanted = Set(stays.compactMap(\.nearestTransmitterId)).sorted()
    guard !wanted.isEmpty else { return }
    let ids = wanted.map { String($0) }.joined(separator: ",")
    let rows = try Row.fetchAll(
      database,
      sql: """
        SELECT t.id, b.kind_name, b.identity, b.short_name FROM transmitters t
        JOIN beacons b ON b.id = t.beacon_id WHERE t.id IN (\(ids))
        """)
    for row in rows {
      beacons[row[0]] = Beacon(kind: row[1], identity: row[2], shortName: row[3])
    }
  }

  /// Nil where nobody was ranged, or where the region has but one.
  ///
  /// - Parameter condition: of the stay's region: `ibeacon:UUID:1:2`.
  func name(_ stay: StayRow, of condition: String?) -> String? {
    guard let beacon = stay.nearestTransmitterId.flatMap({ beacons[$0] }) else { return nil }
    guard let condition, !condition.hasSuffix(":" + beacon.identity) else { return nil }
    return "\(beacon.kind) \(beacon.shortName)"
  }
}
