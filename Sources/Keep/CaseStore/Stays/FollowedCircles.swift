package import GRDB

/// Circles as the main profile follows them: it may have a largest radius, and makes others smaller.
package struct FollowedCircles: Sendable {
  /// Metres; nil for no limit.
  private let largest: Double?

  package init(_ database: Database) throws {
    largest = try Double.fetchOne(
      database,
      sql: """
        SELECT numbers ->> 'max_radius_m' FROM profiles WHERE json_valid(numbers) ORDER BY id LIMIT 1
        """)
  }

  package init(_ file: CaseFile) throws {
    self = try file.database.read { try FollowedCircles($0) }
  }

  /// Metres; nil of what is no circle.
  package func radius(_ region: RegionRow) -> Double? {
    region.radiusM.map { min($0, largest ?? $0) }
  }
}
