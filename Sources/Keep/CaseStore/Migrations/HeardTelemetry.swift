extension CaseMigration {
  /// Telemetry is of an address, and of no identity: the one that the address sent most may not have been there yet.
  static let heardTelemetry = CaseMigration(
    name: "15 heard telemetry",
    sql: """
      DROP VIEW sighting_list;
      \(sightingList(
        identity: "CASE WHEN hearings.kind IN ('eddystone-tlm', 'eddystone-etlm') THEN address "
          + "ELSE beacons.identity END AS identity"))

      """)
}
