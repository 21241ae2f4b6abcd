extension CaseMigration {
  /// Telemetry is of an address, and of no identity: the one that the address sent most may not have been there yet.
  static let heardTelemetry = CaseMigration(
    name: "15 heard telemetry",
    sql: """
      DROP VIEW sighting_list;
      CREATE VIEW sighting_list AS
        SELECT \(time("time_ns")) AS time, captures.name AS capture, frame, number,
          observers.name AS observer, hearings.kind,
          CASE WHEN hearings.kind IN ('eddystone-tlm', 'eddystone-etlm') THEN address
            ELSE beacons.identity END AS identity, address, rssi, power, channel
        FROM sightings
          JOIN hearings ON hearings.id = hearing_id
          JOIN observers ON observers.id = observer_id
          JOIN captures ON captures.id = capture_id
          LEFT JOIN transmitters ON transmitters.id = transmitter_id
          LEFT JOIN beacons ON beacons.id = beacon_id;

      """)
}
