import CaseStore
import GRDB
import Testing

@testable import Report

@Suite("How sure the story is") struct CertaintyTests {
  private static let gone = "at most one sighting in twenty would be followed by such a silence"
  private static let passing = "Such an exit says that the beacon was away"

  /// The small case with its exit of that grade, and the region of that definition.
  private static func file(
    _ condition: String = "ibeacon:1", _ options: String = "", name: String = "lobby",
    grade: String? = "gone"
  ) throws -> CaseFile {
    let file = try Cases.small(name: name)
    try file.database.write {
      try $0.execute(
        sql: "UPDATE regions SET condition = ?, definition = ?",
        arguments: [condition, "\(name)=\(condition)\(options)"])
      try $0.execute(sql: "UPDATE stays SET grade = ?, why = NULL", arguments: [grade])
    }
    return file
  }

  private static func add(_ stays: Int, grade: String?, to file: CaseFile, region: Int64 = 1) throws
  {
    try file.insert(
      (0..<stays).map { place in
        let since = Cases.start + Int64(1500 + 10 * place) * Cases.second
        return StayRow(
          profileId: 1, observerId: 1, regionId: region, sinceNs: since, wasInsideAlready: false,
          untilNs: since + Cases.second, durationNs: Cases.second, grade: grade)
      })
  }

  @Test("a radio that listens for parts of its scans alone is told, by time and not by window")
  func sparseScans() throws {
    let file = try Cases.small()
    func windows(_ spans: [(seconds: Int64, window: Double)]) throws {
      try file.database.write { try $0.execute(sql: "DELETE FROM scan_windows") }
      try file.insert(
        spans.map { span in
          ScanWindowRow(
            observerId: 1, fromNs: Cases.start, toNs: Cases.start + span.seconds * Cases.second,
            intervalMs: 5000, windowMs: span.window)
        })
    }
    try windows([(60, 5000)])
    #expect(try !Cases.page(file).contains("by the windows of its scans"))
    try windows([(90, 500), (10, 5000)])
    #expect(
      try Cases.page(file).contains(
        "its radio listened 19 % of the time, by the windows of its scans."))
  }

  @Test("a controller that left duplicates out is told, and for how long")
  func filtered() throws {
    let file = try Cases.small()
    try file.database.write { try $0.execute(sql: "DELETE FROM scan_windows") }
    func add(_ seconds: Int64, filters: Bool) throws {
      try file.insert([
        ScanWindowRow(
          observerId: 1, fromNs: Cases.start, toNs: Cases.start + seconds * Cases.second,
          filtersDuplicates: filters)
      ])
    }
    try add(600, filters: false)
    #expect(try !Cases.page(file).contains("left duplicates out"))
    try add(120, filters: true)
    #expect(
      try Cases.page(file).contains(
        "lobby left duplicates out for 2 min 00 s of its scans (its controller"))
    // Another capture that has the same time, and more of it.
    try add(180, filters: true)
    #expect(try Cases.page(file).contains("lobby left duplicates out for 3 min 00 s of its scans"))
  }

  @Test(
    "a clock that stood in 1970 and was set makes nobody deaf, and is no time that was recorded")
  func setClock() throws {
    let file = try Cases.small()
    let boot = 20 * Cases.second
    try file.database.write {
      try $0.execute(sql: "DELETE FROM deaf")
      try $0.execute(
        sql: "UPDATE observers SET from_ns = ?, listening_ns = ?",
        arguments: [boot, 3630 * Cases.second])
    }
    try file.insert([
      RecordingRow(observerId: 1, fromNs: boot, toNs: boot + 30 * Cases.second, continues: false),
      RecordingRow(
        observerId: 1, fromNs: Cases.start, toNs: Cases.start + 3600 * Cases.second, continues: true
      ),
    ])
    try file.insert([DeafRow(observerId: 1, fromNs: boot + 30 * Cases.second, toNs: Cases.start)])
    #expect(try !Cases.page(file).contains("was deaf for"))
    try file.insert([
      DeafRow(
        observerId: 1, fromNs: Cases.start + 60 * Cases.second,
        toNs: Cases.start + 423 * Cases.second)
    ])
    #expect(
      try Cases.page(file).contains(
        "lobby was deaf for 6 min 03 s (10 % of the 1 h 00 min that it recorded)"))
  }

  @Test("while duplicates are left out nobody is told of; only beside that a receiver is deaf")
  func untold() throws {
    let file = try Cases.small()
    try file.database.write {
      try $0.execute(sql: "DELETE FROM scan_windows")
      try $0.execute(sql: "DELETE FROM deaf")
    }
    let end = Cases.start + 120 * Cases.second
    try file.insert([
      ScanWindowRow(observerId: 1, fromNs: Cases.start, toNs: end, filtersDuplicates: true)
    ])
    try file.insert([DeafRow(observerId: 1, fromNs: Cases.start + 60 * Cases.second, toNs: end)])
    let all = try Cases.page(file)
    #expect(
      all.contains("It told of nobody for 1 min 00 s, and may have heard all that time.")
        && !all.contains("lobby was deaf"))
    // What was not captured was not left out.
    try file.insert(
      [20, 10].map { ago in
        PauseRow(
          captureId: 1, fromNs: end - ago * Cases.second, toNs: end - (ago - 5) * Cases.second)
      })
    let paused = try Cases.page(file)
    #expect(
      paused.contains("It told of nobody for 50 s") && paused.contains("lobby was deaf for 10 s"))
    try file.database.write { try $0.execute(sql: "DELETE FROM pauses") }
    try file.insert([DeafRow(observerId: 1, fromNs: end, toNs: end + 40 * Cases.second)])
    let both = try Cases.page(file)
    #expect(
      both.contains("It told of nobody for 1 min 00 s") && both.contains("lobby was deaf for 40 s"))
  }

  @Test("silences that lost packets do not explain are told as that, not as proof")
  func plain() throws {
    let file = try Self.file()
    let one = try Cases.page(file)
    #expect(
      one.contains(
        "At the one exit the receiver heard others; of a beacon still there and heard as before, "
          + "\(Self.gone) (gone). A long recording has several of these."))
    try Self.add(2, grade: "gone", to: file)
    let three = try Cases.page(file)
    #expect(three.contains("At each of 3 exits the receiver heard others; of a beacon still there"))
    // One that is worth less, and it is not said of the others either.
    try Self.add(1, grade: "thin", to: file)
    let four = try Cases.page(file)
    #expect(!four.contains(Self.gone))
    #expect(
      four.contains("Of 4 exits, 1 may as well be packets that were lost or left out (thin)."))
    #expect(!four.contains(Self.passing))
  }

  private static let choosy = [
    ("ibeacon:1", ",min_rssi=-70.0,leave_rssi=-75.0"), ("ibeacon:1", ",exit_after=5,within=near"),
    ("ibeacon:1", ",contains=lua:door.lua"), ("lua:door.lua", ""),
    ("lua:door.lua", ",address=c0:00:00:00:00:01"),
  ]

  @Test("behind a gate or a rule a beacon may be heard all the time", arguments: choosy)
  func gates(_ condition: String, _ options: String) throws {
    let page = try Cases.page(Self.file(condition, options))
    #expect(!page.contains(Self.gone))
    #expect(page.contains("Of 1 exit, 1 is from regions with a gate or a rule. \(Self.passing)"))
    #expect(page.contains("the beacon was away, or nothing that passed came from it any more"))
  }

  @Test("what looks like an option of a region, but is not, changes nothing")
  func looks() throws {
    for file in [
      try Self.file("url:https://a.example/?x,within=3", ""),
      try Self.file("ibeacon:1", ",exit_after=10,notify_on_exit=no"),
      try Self.file(name: "a,min_rssi=3"),
    ] {
      let page = try Cases.page(file)
      #expect(page.contains(Self.gone) && !page.contains(Self.passing))
    }
  }

  @Test("exits of circles are no matter of the radio") func circles() throws {
    let file = try Self.file("circle:1,2,50", grade: nil)
    try file.database.write {
      try $0.execute(sql: "UPDATE regions SET latitude = 1, longitude = 2, radius_m = 50")
    }
    let alone = try Cases.page(file)
    #expect(!alone.contains(Self.gone) && !alone.contains("Of 1 exit"))
    #expect(alone.contains("1 exit from circles comes from positions, not from what was heard."))
    try file.insert([RegionRow(name: "door", condition: "ibeacon:2", definition: "door=ibeacon:2")])
    try Self.add(3, grade: "thin", to: file, region: 2)
    let both = try Cases.page(file)
    #expect(
      both.contains(
        "Of 3 exits from regions of beacons, 3 may as well be packets that were lost or left out "
          + "(thin)."))
  }

  @Test("counts say whose they are where there are several receivers or profiles")
  func counted() throws {
    let file = try Self.file(grade: "thin")
    try file.insert([
      ObserverRow(
        name: "yard", fromNs: Cases.start, toNs: Cases.start + 3600 * Cases.second, reports: 1)
    ])
    try file.insert([ProfileRow(name: "abl-legacy", numbers: "{}")])
    let since = Cases.start + 700 * Cases.second
    try file.insert(
      [(1, 2), (2, 1), (2, 2)].map { profile, observer in
        StayRow(
          profileId: profile, observerId: observer, regionId: 1, sinceNs: since,
          wasInsideAlready: false, untilNs: since + Cases.second, durationNs: Cases.second,
          grade: "thin")
      })
    let page = try Cases.page(file)
    for sentence in [
      "<b>2</b> visits (each receiver&#39;s own, by profile site)",
      "was heard 30 times by 2 receivers together, sent from 1 address.",
      "By profile site; the table of visits has those of the others, too.",
      "Of 2 exits (each receiver&#39;s own, by profile site), 2 may as well be packets",
    ] {
      #expect(page.contains(sentence), "\(sentence)")
    }
  }

  @Test("pairs of regions and receivers are not told as regions") func pairs() throws {
    let file = try Cases.small()
    let others = 2...Int64(Most.summarised + 3)
    try file.insert(
      others.map { ObserverRow(name: "r\($0)", fromNs: nil, toNs: nil, reports: 0) })
    try file.insert(
      others.map {
        StayRow(
          profileId: 1, observerId: $0, regionId: 1, sinceNs: Cases.start, wasInsideAlready: false,
          untilNs: Cases.start + 1, durationNs: 1, grade: "gone")
      })
    let page = try Cases.page(file)
    #expect(page.contains("3 more pairs of region and receiver with visits, below."))
  }

  /// What `--no-regions` makes of the small case.
  private static func unfollowed() throws -> CaseFile {
    let file = try Cases.small()
    try file.database.write { database in
      for table in ["profiles", "regions", "stays", "states", "spans", "events", "deaf", "alerts"] {
        try database.execute(sql: "DELETE FROM \(table)")
      }
    }
    return file
  }

  @Test("without regions nothing is said of what was not asked") func noRegions() throws {
    let file = try Self.unfollowed()
    try file.insert([
      ScanWindowRow(observerId: 1, fromNs: Cases.start, toNs: Cases.start + 60 * Cases.second)
    ])
    let page = try Cases.page(file)
    for words in [
      "No time is known at which", "is not known, so there", "0 visits", "was entered",
      "in any region",
    ] {
      #expect(!page.contains(words), "\(words)")
    }
    for words in [
      "The table of scans, below, has when receivers scanned.", "30 sightings · −59 dBm at 1 m<",
      "None: no region was followed.",
    ] {
      #expect(page.contains(words), "\(words)")
    }
    #expect(!(try Cases.page(Self.unfollowed())).contains("The table of scans"))
  }

  @Test("a power that tells no distance is not told as unknown") func powers() throws {
    let file = try Cases.small()
    try file.database.write {
      try $0.execute(sql: "UPDATE beacons SET power_min = 12, power_max = 12")
    }
    #expect(
      try Cases.page(file).contains(
        "+12 dBm at 1 m is no usable power, so there are no zones and no distance"))
    try file.database.write {
      try $0.execute(sql: "UPDATE beacons SET power_min = NULL, power_max = NULL")
    }
    #expect(
      try Cases.page(file).contains(
        "its power is not known, so there are no zones and no distance"))
  }
}
