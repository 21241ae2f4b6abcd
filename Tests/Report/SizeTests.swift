import CaseStore
import Foundation
import GRDB
import Testing

@testable import Report

@Suite("A large case") struct SizeTests {
  /// Far more than is drawn of everything.
  private static func large() throws -> CaseFile {
    let file = try Cases.small()
    let (start, second) = (Cases.start, Cases.second)
    try file.database.write { database in
      try database.execute(
        sql: """
          WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 1500)
          INSERT INTO beacons (kind, kind_name, identity, group_name, short_name, sightings, first_ns,
            last_ns, rssi_min, rssi_median, rssi_max, encrypted_telemetry, companions)
          SELECT 'ibeacon', 'iBeacon', printf('f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:%d', i), '', '',
            100000 - i, \(start), \(start), -90, -80, -70, 0, 0 FROM n;
          WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 59999)
          INSERT INTO signal_bins (beacon_id, from_ns, to_ns, sightings, rssi_min, rssi_median, rssi_max,
            gap_median_ms)
          SELECT 2 + i / 300, \(start) + (i % 300) * 12 * \(second), \(start) + (i % 300 + 1) * 12 * \(second),
            9, -90 - i % 9, -80 + i % 7, -60 + i % 11, 100 + i % 13 FROM n;
          WITH RECURSIVE n(i) AS (SELECT 3 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
          INSERT INTO events (id, event, type, time_ns, observer_id, region_id, profile_id, grade, title, json)
          SELECT i, printf('%016x', i * 7919), 'exit', \(start) + i * \(second) / 2, 1, 1, 1, 'gone',
            printf('exit of lobby at 2026-05-19 10:00:%02d.%03d UTC by observer hci0 (profile site, exit after 30 s)',
              i % 60, i % 1000), '{}' FROM n;
          INSERT INTO steps (event_id, label, text) SELECT id, 'region', 'ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1' FROM events;
          INSERT INTO steps (event_id, label) SELECT id, 'last matching sighting' FROM events;
          INSERT INTO steps (event_id, label, text) SELECT id, 'then',
            printf('nothing from this region for 30.%03d s, the limit is 30 s; by loss alone, p < 10⁻⁶ (usual interval %d ms, loss %d %%)',
              id % 1000, 100 + id % 900, id % 90) FROM events;
          INSERT INTO steps (event_id, label, text) SELECT id, 'was anyone heard?', printf('yes, last at 10:00:%02d.%03d', id % 60, id % 1000) FROM events;
          INSERT INTO steps (event_id, label, text) SELECT id, 'event id', event FROM events;
          INSERT INTO frames (capture_id, frame, time_ns, rssi, address, bytes)
            SELECT 1, 1000 + id, time_ns, -70, 'c0:00:00:00:00:01', randomblob(45) FROM events;
          INSERT INTO evidence (event_id, capture_id, number, words, marks)
            SELECT id, 1, 1000 + id, printf('10:00:%02d.%03d, −96 dBm, iBeacon f782…893e:1:7 from c0:00:00:00:00:01',
              id % 60, id % 1000), '[["address",7,6],["uuid",22,16],["major",38,2],["minor",40,2]]' FROM events;
          WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
          INSERT INTO spans (observer_id, region_id, from_ns, to_ns, state)
          SELECT 1, 1, \(start) + i * \(second) / 10, \(start) + (i + 1) * \(second) / 10,
            CASE i % 2 WHEN 0 THEN 'inside' ELSE 'outside' END FROM n;
          """)
    }
    return file
  }

  @Test("gives a page below 5 MB that says what it leaves out") func size() throws {
    let page = try Cases.page(Self.large())
    #expect(page.utf8.count < 5_000_000)
    for words in [
      "500 more beacons not shown", "1 300 more beacons, heard less often, not drawn",
      "of its 2 finer bins",
      "1 000 more events not shown", "are drawn in pieces", "<b>1 500</b> beacons",
    ] {
      #expect(page.contains(words), "\(words)")
    }
    // All that are listed open their evidence.
    #expect(page.contains("has what decided all 5 000 events and the one alert listed"))
    #expect(!page.contains("not in this page</small>"))
    #expect(page.components(separatedBy: "<tr>").count > 6000)
  }

  @Test(
    "of which not all can be proved on the page spends its room on alerts and doubtful exits, and says so"
  )
  func room() throws {
    let file = try Self.large()
    // An exit that proves little, and an entry of which its visit says so.
    let (doubtful, entered) = (4_800, 4_700)
    try file.database.write { database in
      try database.execute(
        sql: """
          UPDATE steps SET text = text || ' ' || event_id || hex(randomblob(150)) WHERE text IS NOT NULL;
          UPDATE events SET grade = 'thin' WHERE id = \(doubtful);
          UPDATE events SET type = 'enter', grade = NULL WHERE id = \(entered);
          INSERT INTO stays (profile_id, observer_id, region_id, since_ns, was_inside_already, entry_why)
          SELECT 1, 1, 1, time_ns, 0, 'may have come before' FROM events WHERE id = \(entered);
          INSERT INTO alerts (event_id, severity, title, text, plugin, plugin_version, plugin_sha256,
            dedupe_key, held_back, fields)
          SELECT id, 'warning', 'late', '', 'rule', '1', '', '', 0, '{}' FROM events WHERE id = 5900;
          """)
    }
    let page = try Cases.page(file)
    #expect(page.utf8.count < 6_000_000)
    let told = try #require(
      page.firstMatch(
        of:
          /has what decided ([0-9 ]+) of the 5 000 events and 2 of the 2 alerts listed: of alerts first/
      ))
    let count = try #require(Int(told.1.replacing(" ", with: "")))
    #expect(count > 500 && count < 4_000)
    // Each id is there, with its evidence or with the word that it is not.
    func cell(_ id: Int) -> String {
      "<code>\(String(format: "%016x", id * 7919))</code> "
    }
    #expect(page.contains(cell(entered) + "<button"))
    #expect(page.matches(of: />enter, not proved</).count == 1)
    #expect(page.contains(cell(doubtful) + "<button") && page.contains(cell(5900) + "<button"))
    #expect(page.contains(cell(doubtful - 1) + "<small class=\"lacks\">not in this page</small>"))
    // The event of the first alert is listed as both.
    let lacking =
      page.components(separatedBy: "<small class=\"lacks\">not in this page</small>").count - 1
    #expect(lacking == 5_000 - count)
  }
}
