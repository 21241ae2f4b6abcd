import GRDB

/// Alerts for who reads the summary alone: the severest first, then by time.
struct WorstAlerts: Sendable {
  struct Alert: Sendable {
    let severity: String
    let title: String
    /// The row of its event.
    let event: Int64
    /// Its event's, of 16 digits.
    let id: String
    /// Nanoseconds.
    let time: Int64?
    /// Whose radio it is about; nil: nobody's.
    let observer: Int64?
  }

  let first: [Alert]
  /// How many there are of each severity, the severest first.
  let severities: [(name: String, count: Int)]

  init(_ database: Database) throws {
    let rank = """
      CASE severity WHEN 'critical' THEN 0 WHEN 'warning' THEN 1 WHEN 'notice' THEN 2
        WHEN 'info' THEN 3 ELSE 4 END
      """
    first = try Row.fetchAll(
      database,
      sql: """
        SELECT severity, alerts.title, event_id, time_ns, observer_id, coalesce(event, '')
        FROM alerts LEFT JOIN events ON events.id = event_id
        ORDER BY \(rank), time_ns IS NULL, time_ns, alerts.id LIMIT \(Most.worst)
        """
    ).map {
      Alert(
        severity: $0[0], title: $0[1], event: $0[2], id: $0[5], time: $0[3], observer: $0[4])
    }
    severities = try Row.fetchAll(
      database,
      sql: "SELECT severity, count(*) FROM alerts GROUP BY 1 ORDER BY \(rank), min(id)"
    ).map { ($0[0], $0[1]) }
  }

  /// Of those that are not among the first.
  var others: [(name: String, count: Int)] {
    severities.compactMap { name, count in
      let rest = count - first.count { $0.severity == name }
      return rest > 0 ? (name, rest) : nil
    }
  }
}
