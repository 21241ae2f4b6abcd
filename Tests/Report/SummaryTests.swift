import CaseStore
import Foundation
import GRDB
import Testing

@testable import Report

/// What stands first, and where the rest of it is.
@Suite("The summary of a page") struct SummaryTests {
  private static func alert(
    _ title: String, _ severity: String, at seconds: Int64, to file: CaseFile,
    transmitter: Int64? = nil, cites cited: String? = nil
  ) throws {
    try file.insert([
      EventRow(
        event: "00000000000000ff", type: "alert", timeNs: Cases.start + seconds * Cases.second,
        profileId: 1, transmitterId: transmitter, title: title, json: "{}")
    ])
    let event = try file.count(EventRow.self)
    try file.insert([
      AlertRow(
        eventId: Int64(event), severity: severity, title: title, text: "", plugin: "rule",
        pluginVersion: "1", pluginSha256: "", dedupeKey: "", heldBack: 0, fields: "{}")
    ])
    if let cited {
      try file.insert([CitationRow(alertId: Int64(try file.count(AlertRow.self)), event: cited)])
    }
  }

  private static func summary(_ page: String) throws -> Substring {
    let begin = try #require(page.range(of: "<section id=\"summary\""))
    let end = try #require(page.range(of: "<section id=\"timeline\""))
    return page[begin.lowerBound..<end.lowerBound]
  }

  @Test("tells the severest alerts first, then by time, before the visits, and how many more")
  func severest() throws {
    let file = try Cases.small()
    for number in 0..<8 { try Self.alert("i\(number)", "info", at: Int64(number), to: file) }
    try Self.alert("late", "critical", at: 900, to: file)
    try Self.alert("early", "critical", at: 800, to: file)
    try Self.alert("note", "notice", at: 1, to: file)
    let summary = try Self.summary(Cases.page(file))
    #expect(summary.contains("<p>12 alerts: 2 critical, 1 warning, 1 notice and 8 info.</p>"))
    let places = ["> early<", "> late<", "> Beware of lobby<", "> note<", "> i0<", "> i1<"].map {
      summary.range(of: $0)?.lowerBound
    }
    #expect(
      !places.contains(nil) && places.compactMap(\.self) == places.compactMap(\.self).sorted())
    #expect(summary.contains("and 6 info more, under") && !summary.contains("> i2<"))
    let visits = try #require(summary.range(of: "Who was where")).lowerBound
    #expect(try #require(places.last ?? nil) < visits)
  }

  @Test("has what is worth knowing, a few of each kind, before the visits") func remarks() throws {
    let file = try Cases.small()
    try file.insert(
      (1...5).map {
        RemarkRow(kind: "remark", code: "several_transmitters", text: "\($0) is a clone.")
      } + [
        RemarkRow(kind: "remark", code: "implausible_power", text: "12 dBm is implausible."),
        RemarkRow(kind: "hint", code: "x", text: "A hint."),
      ])
    let summary = try Self.summary(Cases.page(file))
    for sentence in ["1 is a clone.", "2 is a clone.", "12 dBm is implausible."] {
      #expect(summary.contains("<li>\(sentence)</li>"), "\(sentence)")
    }
    #expect(!summary.contains("3 is a clone") && !summary.contains("A hint"))
    #expect(summary.contains("and 4 more remarks, under"))
    #expect(
      try #require(summary.range(of: "Worth knowing")).lowerBound
        < #require(summary.range(of: "Who was where")).lowerBound)
  }

  @Test("tells regions in which nothing changed in one line") func throughout() throws {
    let file = try Cases.small()
    for number in 2...5 {
      try file.insert([
        RegionRow(name: "room \(number)", condition: "ibeacon:\(number)", definition: "")
      ])
      try file.insert([
        StayRow(
          profileId: 1, observerId: 1, regionId: Int64(number), sinceNs: Cases.start,
          wasInsideAlready: true, durationNs: 3600 * Cases.second, lastSeenNs: Cases.start)
      ])
    }
    let summary = try Self.summary(Cases.page(file))
    #expect(
      summary.contains(
        "<li>Inside all along, already at the beginning and still at the end: <b>room 2</b>, "
          + "<b>room 3</b>, <b>room 4</b>, <b>room 5</b>.</li>"))
    #expect(!summary.contains("<b>room 2</b>: 1 visit"))
    #expect(summary.contains("<b>lobby</b>: 1 visit"))
  }

  @Test("says for how long somebody was heard, and what an entry leaves open") func heard() throws {
    let file = try Cases.small()
    let why = "may never have left: after 10:05:00 the radio could hear for 2 s only"
    try file.database.write {
      try $0.execute(
        sql: "UPDATE stays SET last_seen_ns = until_ns - 30 * 1000000000, entry_why = ?",
        arguments: [why])
    }
    let page = try Cases.page(file)
    #expect(
      try Self.summary(page).contains(
        "10 min 00 s in all (10:10:00–10:20:00), heard over 9 min 30 s; outside at the end; at the entry at "
          + "10:10:00 it \(why).</li>"))
    #expect(
      try Self.summary(page).contains(
        "1 entry is not proved: the receiver may not have been able to hear"))
    #expect(page.contains("already inside") == false)
    #expect(
      page.contains(
        "data-id=\"00000000000000a1\" title=\"What decided 00000000000000a1\">10:10:00.000</button><small class=\"why\">\(why)"
          + "</small></td>"))
    #expect(page.contains("<td class=\"t\">10:19:30.000</td><td class=\"t\">10:20:00.000</td>"))
  }

  @Test("stands under the capture's own name, without the folders of whoever made it")
  func name() throws {
    let path = "/home/ann/cases/lobby.pcap"
    let file = try Cases.small()
    try file.database.write {
      try $0.execute(sql: "UPDATE captures SET name = ?", arguments: [path])
    }
    try file.insert([AccountingRow(captureId: 1, kind: "others", code: "x", count: 1)])
    let page = try Cases.page(file)
    #expect(page.contains("<title>lobby.pcap – beacontrace</title>"))
    #expect(page.contains("<h1>lobby.pcap</h1>"))
    #expect(page.contains("One capture was read: lobby.pcap, pcap"))
    #expect(page.contains("--region lobby=ibeacon:1 ID lobby.pcap<"))
    // What was read is named as it was.
    #expect(page.contains("<th scope=\"row\">\(path)</th>"))
    #expect(page.components(separatedBy: "/home/ann").count == 2)
    let other = "/home/ben/lobby.pcap"
    try file.database.write {
      try $0.execute(
        sql: "CREATE TEMP TABLE c AS SELECT * FROM captures; UPDATE c SET id = 2, name = '\(other)'"
      )
      try $0.execute(sql: "INSERT INTO captures SELECT * FROM c")
    }
    #expect(try Cases.page(file).contains("ID \(path) \(other)<"))
  }

  @Test("stands under the receivers' names where captures are called the same, or under a title")
  func heading() throws {
    let file = try Cases.small(name: "gate")
    try file.insert([
      ObserverRow(name: "hall", fromNs: Cases.start, toNs: Cases.start + Cases.second, reports: 1)
    ])
    try file.database.write {
      try $0.execute(
        sql: """
          UPDATE captures SET name = 'gate/capture.pcap';
          CREATE TEMP TABLE c AS SELECT * FROM captures;
          UPDATE c SET id = 2, name = 'hall/capture.pcap';
          INSERT INTO captures SELECT * FROM c
          """)
    }
    let page = try Cases.page(file)
    #expect(page.contains("<h1>gate and hall</h1>"))
    #expect(page.contains("2 captures were read: gate/capture.pcap and hall/capture.pcap,"))
    // Where each of them wrote many, names of files say little.
    try file.database.write {
      try $0.execute(
        sql: """
          UPDATE captures SET name = id || '.pcap'; UPDATE c SET id = 3, name = '3.pcap';
          INSERT INTO captures SELECT * FROM c
          """)
    }
    #expect(try Cases.page(file).contains("<h1>gate and hall</h1>"))
    let titled = try Cases.page(file, title: "Museum <November>")
    #expect(titled.contains("<h1>Museum &lt;November&gt;</h1>"))
    #expect(titled.contains("<title>Museum &lt;November&gt; – beacontrace</title>"))
  }

  @Test("says which regions there are where none was given", arguments: ["uuid", "beacon", nil])
  func defaultRegions(_ per: String?) throws {
    let file = try Cases.small()
    try file.database.write {
      try $0.execute(sql: "DELETE FROM facts WHERE name IN ('default_regions', 'regions_per')")
      try $0.execute(sql: "INSERT INTO facts (name, value) VALUES ('default_regions', '1')")
      if let per {
        try $0.execute(
          sql: "INSERT INTO facts (name, value) VALUES ('regions_per', ?)", arguments: [per])
      }
    }
    let page = try Cases.page(file)
    #expect(
      page.contains("each iBeacon, Eddystone-UID and AltBeacon that was heard") == (per == "beacon")
    )
    #expect(page.contains("each iBeacon UUID and each Eddystone namespace") == (per != "beacon"))
  }

  @Test("alerts stand in the lane of the region that they, what they cite, or their beacon was in")
  func lanes() throws {
    let file = try Cases.small()
    try file.insert([
      TransmitterRow(
        beaconId: 1, address: "c0:00:00:00:00:02", addressType: "random", sightings: 1,
        observers: "lobby")
    ])
    try file.database.write {
      try $0.execute(sql: "UPDATE stays SET nearest_transmitter_id = 1")
    }
    try Self.alert("about a beacon", "info", at: 10, to: file, transmitter: 2)
    try Self.alert("about an event", "info", at: 20, to: file, cites: "00000000000000a1")
    let page = try Cases.page(file)
    #expect(!page.contains("that name no region"))
    #expect(page.contains("; 3 alerts.\""))
    #expect(
      page.split(separator: "<td class=\"name\"><span data-value>lobby</span></td>").count > 3)
    try Self.alert("about the radio", "info", at: 30, to: file)
    let other = try Cases.page(file)
    #expect(other.contains("aria-label=\"1 alert without a region.\""))
    #expect(other.contains("; 3 alerts.\""))
  }
}
