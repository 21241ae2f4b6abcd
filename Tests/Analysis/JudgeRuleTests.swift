import Beacons
import CaptureReader
import CaptureWriter
import FrameDecoder
import FrameEncoder
import Regions
import TestSupport
import Testing
import TrackReader

@testable import Analysis

/// Regions with a rule of their own, and markers, while a judge is told.
@Suite struct JudgeRuleTests {
  /// Takes what is strong enough; knows that it is asked about what was considered last.
  final class Strong: RegionPredicate, @unchecked Sendable {
    let limit: Int8
    let text = "lua:strong"
    weak var log: JudgeLog?
    private(set) var asked = 0
    private(set) var outOfTurn = 0

    init(_ limit: Int8) { self.limit = limit }

    func matches(_ candidate: RegionCandidate) -> Bool {
      asked += 1
      let last = log?.lines.last { $0.hasPrefix("consider") }
      if last?.hasSuffix(" a\(candidate.frame) of \(candidate.address.address)") != true {
        outOfTurn += 1
      }
      return candidate.rssi > limit
    }
  }

  static func recording() -> Recording {
    var recording = Recording("a")
    for moment in stride(from: Int64(0), to: 60_000, by: 1000) {
      let isNear = (20_000..<25_000).contains(moment)
      recording.hear(
        Recording.iBeacon(1), from: JudgeOrderTests.one, at: moment, rssi: isNear ? -40 : -80)
      recording.hear(
        Recording.eddystone, from: JudgeOrderTests.two, at: moment + 500, rssi: isNear ? -45 : -85)
    }
    return recording
  }

  static func run(
    _ regions: [Region], proximity: Bool = false, profiles: [Profile] = [Profiles.site]
  ) throws -> JudgedRun {
    var settings = FollowSettings()
    settings.regions = RegionList(regions)
    settings.profiles = profiles
    return try JudgedRun([recording().source], settings) { log in
      log.tellsReach = false
      log.wishes.proximity = proximity
      log.wishes.ranging = proximity
      for region in regions { (region.ownRule as? Strong)?.log = log }
    }
  }

  static func told(_ run: JudgedRun) -> [String] {
    run.log.lines.filter { !$0.hasPrefix("consider") }
  }

  static func region(_ text: String, _ rule: Strong) throws -> Region {
    var region = try Region.parse(text)
    region.condition = .custom(rule)
    return region
  }

  @Test("A rule decides sighting by sighting, with the region's own exit period and grade")
  func alone() throws {
    let rule = Strong(-60)
    let run = try Self.run([Self.region("crowd=address:00:00:00:00:00:01,exit_after=5", rule)])
    #expect(
      Self.told(run) == [
        "begin 0.000", "state crowd outside 5.000 at a", "enter crowd 20.000 at a",
        "exit crowd 29.500 at a", "finish 59.500",
      ])
    #expect(rule.asked == 120 && rule.outOfTurn == 0)
    #expect(run.log.lines.count { $0.hasPrefix("consider") } == 120)
    let exit = try #require(run.timeline.events.first { $0.type == .exit })
    #expect(exit.silence?.grade != .deaf && exit.silence?.othersHeard.isKnown == true)
    #expect(run.timeline.regions[0].text == "crowd=lua:strong,exit_after=5")
  }

  @Test("Behind a condition a rule is asked of what the condition takes; both must hold")
  func behindACondition() throws {
    let rule = Strong(-60)
    var region = try Region.parse("hall=eddystone:0102030405060708090a,exit_after=5")
    region.predicate = rule
    let run = try Self.run([region])
    #expect(
      Self.told(run) == [
        "begin 0.000", "state hall outside 5.000 at a", "enter hall 20.500 at a",
        "exit hall 29.500 at a", "finish 59.500",
      ])
    #expect(rule.asked == 60 && rule.outOfTurn == 0)
    #expect(run.timeline.regions[0].text.contains(",contains=lua:strong"))
  }

  @Test("A gate comes first, whatever the rule says")
  func gates() throws {
    let rule = Strong(-127)
    let run = try Self.run([
      Self.region("crowd=address:00:00:00:00:00:01,exit_after=5,min_rssi=-42,leave_rssi=-42", rule)
    ])
    #expect(Self.told(run).contains { $0.hasPrefix("enter crowd") })
    #expect(rule.asked > 0 && rule.asked < 60)
  }

  @Test("Ranging has those that the rule took, from then on")
  func ranging() throws {
    let rule = Strong(-43)
    let run = try Self.run(
      [Self.region("crowd=address:00:00:00:00:00:01,exit_after=5", rule)], proximity: true)
    let lists = run.log.events.filter { $0.type == .ranging }
    #expect(!lists.isEmpty)
    // Only the first one was ever strong enough.
    #expect(Set(lists.flatMap { $0.entries.map(\.address.address) }) == [1])
    #expect(run.log.events.contains { $0.type == .proximity })
    #expect(run.timeline.outcomes[0].stays.first?.nearest != nil)
    // Wished for, and not for the output.
    var kept: [TimelineEvent] = []
    try run.timeline.forEachBatch { kept += $0 }
    #expect(!kept.contains { $0.type == .ranging || $0.type == .proximity })
  }

  @Test("Rules hold under every profile; the judge is told of the first")
  func profiles() throws {
    let rule = Strong(-60)
    let run = try Self.run(
      [Self.region("crowd=address:00:00:00:00:00:01,exit_after=5", rule)],
      profiles: [Profiles.site, try Profiles.named("android-beacon-library")])
    #expect(rule.asked == 240 && rule.outOfTurn == 0)
    #expect(run.log.events.allSatisfy { $0.profile == 0 })
    #expect(run.timeline.events.contains { $0.profile == 1 && $0.type == .enter })
  }

  @Test("A marker that a judge sets tells an entry that waits for it")
  func markers() throws {
    var settings = try JudgeOrderTests.settings(
      "crowd=address:00:00:00:00:00:02,min_rssi=-60,exit_after=5,notify_entry_state_on_display=yes")
    settings.profiles = [try Profiles.site.with([ProfileOverride(name: "smoothing", "last")])]
    let run = try JudgedRun([Self.recording().source], settings) { log in
      log.wishes.sightings = .all
      log.tellsReach = false
      log.marks = { line in
        line.hasPrefix("sighting 22.000")
          ? [Timestamp(nanoseconds: (Recording.start + 22_000) * 1_000_000)] : []
      }
    }
    let near = run.log.lines.firstIndex { $0.hasPrefix("enter crowd") }
    let place = try #require(near)
    #expect(run.log.lines[place] == "enter crowd 22.000 at a")
    let event = try #require(run.log.events.first { $0.type == .enter })
    #expect(JudgeLog.text(event.crossedAt) == "20.500")
    #expect(run.timeline.events.count { $0.type == .enter } == 1)
  }

  /// North at 5 m/s through a circle of 115 m around the place of second 100.
  private static func track() throws -> Track {
    let points = stride(from: 0, through: 200, by: 10).map { second in
      let time = "2026-05-19T10:0\(second / 60):\(second % 60 < 10 ? "0" : "")\(second % 60)Z"
      let latitude = 52.5 + Double(second) * 5 / 111_195
      return "<trkpt lat=\"\(latitude)\" lon=\"13.4\"><time>\(time)</time></trkpt>"
    }
    let text =
      "<?xml version=\"1.0\"?><gpx version=\"1.1\" creator=\"t\" "
      + "xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><trkseg>" + points.joined()
      + "</trkseg></trk></gpx>"
    return try TrackReader.read(Array(text.utf8), name: "walk.gpx")
  }

  private static func walk(
    _ region: String, markers: [Int64] = [], exactly: Timestamp? = nil,
    marks: @escaping (String) -> [Timestamp] = { _ in [] }
  ) throws -> JudgedRun {
    var recording = Recording("a")
    for second in Int64(0)...200 {
      recording.hear(Recording.iBeacon(1), from: JudgeOrderTests.one, at: second * 1000)
    }
    var settings = try JudgeOrderTests.settings(region)
    settings.tracks = [try track()]
    settings.displayMarkers = markers.map {
      Timestamp(nanoseconds: (Recording.start + $0 * 1000) * 1_000_000)
    }
    if let exactly { settings.displayMarkers.append(exactly) }
    return try JudgedRun([recording.source], settings) { log in
      log.marks = marks
      log.tellsReach = false
    }
  }

  private static let circle = "yard=circle:\(52.5 + 500 / 111_195.0),13.4,115"

  @Test("Circles are told of when they are crossed")
  func circles() throws {
    let run = try Self.walk(Self.circle)
    #expect(run.log.events.map(\.type) == [.state, .enter, .exit])
    let told = run.timeline.events.map(\.id)
    #expect(run.log.events.map(\.id) == told)
    let place = try #require(run.log.lines.firstIndex { $0.hasPrefix("enter yard") })
    #expect(run.log.lines[place + 1].hasPrefix("exit yard"))
  }

  @Test(
    "A marker tells the entry of a circle, from a file or set by a judge", arguments: [true, false])
  func markersOfCircles(_ isOfAFile: Bool) throws {
    let region = Self.circle + ",notify_entry_state_on_display=yes"
    let moment = Timestamp(nanoseconds: (Recording.start + 110_000) * 1_000_000)
    var isSet = false
    let run =
      isOfAFile
      ? try Self.walk(region, markers: [60, 110, 111])
      : try Self.walk(region) { line in
        guard line.hasPrefix("state"), !isSet else { return [] }
        isSet = true
        return [moment]
      }
    let enter = try #require(run.log.events.first { $0.type == .enter })
    #expect(enter.time == moment)
    #expect(enter.crossedAt.isKnown)
    #expect(run.log.events.map(\.type) == [.state, .enter, .exit])
    let without = try Self.walk(region, markers: [60, 190])
    #expect(without.log.events.map(\.type) == [.state, .exit])
    // Whoever leaves at the very instant is still told of.
    let exit = try #require(without.log.events.last)
    let last = try Self.walk(region, exactly: exit.time)
    #expect(last.log.events.filter { $0.type == .enter }.map(\.time) == [exit.time])
  }

  @Test("Scanning, resets and what was wished for beside are told; ticks are not")
  func notes() throws {
    var records: [Record] = []
    func add(_ milliseconds: Int64, _ packet: HCIPacket) {
      records.append(
        Record(
          (Recording.start + milliseconds) * 1_000_000, packet.h4, tag: packet.btsnoopFlags))
    }
    let report = HCI.LegacyReport(JudgeOrderTests.one, Recording.iBeacon(1), rssi: -60)
    add(0, HCI.advertisingReport(report))
    add(10_000, HCI.setScanEnable(false))
    add(10_001, HCI.commandComplete(0x200C))
    add(9000, HCI.advertisingReport(report))
    add(12_000, HCI.leMeta(0x02, []))
    add(20_000, HCI.setScanEnable(true))
    add(20_001, HCI.commandComplete(0x200C))
    let source = CaptureSource.bytes(BtsnoopWriter(datalink: 1002).file(records), name: "a")
    func lines(_ prepare: (JudgeLog) -> Void) throws -> [String] {
      let settings = try JudgeOrderTests.settings("tag=address:00:00:00:00:00:01")
      return try JudgedRun([source], settings) {
        $0.tellsReach = false
        prepare($0)
      }.log.lines
    }
    #expect(
      try lines { _ in } == [
        "begin 0.000", "state tag inside 0.000 at a", "scanOff 10.001 at a", "scanOn 20.001 at a",
        "finish 20.001",
      ])
    let all = try lines { ($0.wishes.malformed, $0.wishes.clock) = (true, true) }
    #expect(all.contains { $0.hasPrefix("malformed 12.000") })
    #expect(all.contains { $0.hasPrefix("clock 10.001") })
  }
}
