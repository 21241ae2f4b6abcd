import GRDB

/// Alerts for who reads the summary alone: the severest first, of each rule in turn, so that one that raises
/// many does not hide the others; what says the same again is counted.
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
    /// How many say the same.
    let count: Int
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
        WITH all_alerts AS (
          SELECT alerts.id, severity, alerts.title, plugin, event_id, time_ns, observer_id,
              coalesce(event, '') AS event,
              row_number() OVER same AS place, count(*) OVER (PARTITION BY severity, plugin, alerts.title) AS many
            FROM alerts LEFT JOIN events ON events.id = event_id
            WINDOW same AS (PARTITION BY severity, plugin, alerts.title
              ORDER BY time_ns IS NULL, time_ns, alerts.id)
        ), told AS (
          SELECT *, row_number() OVER (PARTITION BY severity, plugin
              ORDER BY time_ns IS NULL, time_ns, id) AS turn
            FROM all_alerts WHERE place = 1
        )
        SELECT severity, title, event_id, time_ns, observer_id, event, many FROM told
          ORDER BY \(rank), turn, time_ns IS NULL, time_ns, id LIMIT \(Most.worst)
        """
    ).map {
      Alert(
        severity: $0[0], title: $0[1], event: $0[2], id: $0[5], time: $0[3], observer: $0[4],
        count: $0[6])
    }
    severities = try Row.fetchAll(
      database,
      sql: "SELECT severity, count(*) FROM alerts GROUP BY 1 ORDER BY \(rank), min(id)"
    ).map { ($0[0], $0[1]) }
  }

  /// Of those that are not among the first.
  var others: [(name: String, count: Int)] {
    severities.compactMap { name, count in
      let rest = first.reduce(count) { $1.severity == name ? $0 - $1.count : $0 }
      return rest > 0 ? (name, rest) : nil
    }
  }
}
