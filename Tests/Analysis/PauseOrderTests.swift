import Beacons
import CaptureReader
import FrameEncoder
import Regions
import TestSupport
import Testing

@testable import Analysis

/// Several observers: what falls due at one that hears nothing is told before what another one hears later.
@Suite struct PauseOrderTests {
  static let one = Address(1, isRandom: true)
  static let two = Address(2, isRandom: true)

  /// The first hears nothing from its tenth second until `end`, milliseconds; the second somebody each
  /// second all the time.
  static func recordings(until end: Int64) -> [CaptureSource] {
    var door = Recording("door")
    var hall = Recording("hall")
    for second in Int64(0)...10 {
      door.hear(Recording.iBeacon(1), from: one, at: second * 1000)
    }
    door.hear(Recording.iBeacon(1), from: one, at: end)
    for second in Int64(0)...120 {
      hall.hear(Recording.eddystone, from: two, at: second * 1000 + 500)
    }
    return [door.source, hall.source]
  }

  @Test("An exit in a pause comes between what others hear, and no later")
  func exits() throws {
    let run = try JudgedRun(
      Self.recordings(until: 110_300), JudgeOrderTests.settings("tag=address:00:00:00:00:00:01")
    ) {
      $0.wishes.sightings = .all
      $0.tellsReach = false
    }
    let exit = try #require(run.log.lines.firstIndex { $0.hasPrefix("exit tag") })
    #expect(
      run.log.lines[exit - 1...exit + 1] == [
        "sighting 39.500 hall40 of 2", "exit tag 40.000 at door", "sighting 40.500 hall41 of 2",
      ])
    let event = try #require(run.log.events.first { $0.type == .exit })
    #expect(event.silence?.grade == .deaf)
    #expect(event.silence?.recordGap == 100_300_000_000)
  }

  /// Steps of clocks are told, too: that of the record that ends the pause stands before it.
  @Test("However long the pause is, and whoever hears of clocks", arguments: [false, true])
  func longPauses(_ hearsOfClocks: Bool) throws {
    var hall = Recording("hall")
    for second in Int64(0)...2000 {
      hall.hear(Recording.eddystone, from: Self.two, at: second * 1000 + 500)
    }
    let door = Self.recordings(until: 1_500_300)[0]
    let run = try JudgedRun(
      [door, hall.source], JudgeOrderTests.settings("tag=address:00:00:00:00:00:01")
    ) { $0.wishes.clock = hearsOfClocks }
    #expect(run.log.lines.contains { $0.hasPrefix("clock") } == hearsOfClocks)
    #expect(run.log.lines.contains { $0.hasPrefix("exit tag 40.000") })
    #expect(Self.latest(run.log.lines) <= 1000)
    let alone = try JudgedRun(
      [door], JudgeOrderTests.settings("tag=address:00:00:00:00:00:01")
    ) { $0.wishes.clock = hearsOfClocks }
    #expect(alone.log.lines.contains { $0.hasPrefix("exit tag 40.000") })
    #expect(Self.latest(alone.log.lines) == 0)
  }

  /// Files of one observer, one after the other, with a pause between them.
  @Test("Between two files of an observer, too", arguments: [200, 5000, 40_000, 700_000])
  func rotated(_ pause: Int64) throws {
    var first = Recording("a")
    var second = Recording("b")
    var third = Recording("c")
    var hall = Recording("hall")
    for number in Int64(0)..<100 {
      first.hear(Recording.iBeacon(1), from: Self.one, at: number * 1000)
      second.hear(Recording.eddystone, from: Self.two, at: 99_000 + pause + number * 1000)
      third.hear(Recording.iBeacon(1), from: Self.one, at: 198_000 + 2 * pause + number * 1000)
    }
    for number in Int64(0)..<2000 {
      hall.hear(Recording.eddystone, from: Self.two, at: number * 1000 + 500)
    }
    let sources = [hall.source, third.source, first.source, second.source]
    var settings = try JudgeOrderTests.settings(
      "tag=address:00:00:00:00:00:01", "other=address:00:00:00:00:00:02,exit_after=10")
    settings.observerNames = [1: "door", 2: "door", 3: "door"]
    let run = try JudgedRun(sources, settings) {
      $0.wishes.clock = true
      $0.tellsRecordings = true
    }
    let exits = run.log.lines.filter { $0.hasPrefix("exit") && $0.hasSuffix("door") }
    #expect(exits.first == "exit tag 129.000 at door")
    #expect(Self.latest(run.log.lines.filter { !$0.hasPrefix("recording") }) <= 1000)
    var options = Analysis.Options()
    options.follow = settings
    var analysis = Analysis(sources, options: options)
    var none = NoSink()
    let alone = try #require(try analysis.run(into: &none).timeline)
    #expect(alone.events.map { "\($0)" } == run.timeline.events.map { "\($0)" })
  }

  @Test("A radio that records nothing more has no exit")
  func ends() throws {
    var door = Recording("door")
    door.hear(Recording.iBeacon(1), from: Self.one, at: 0)
    let hall = Self.recordings(until: 110_300)[1]
    let run = try JudgedRun(
      [door.source, hall], JudgeOrderTests.settings("tag=address:00:00:00:00:00:01"))
    #expect(!run.log.lines.contains { $0.hasPrefix("exit tag") })
  }

  @Test(
    "Changes of proximity in a pause come a second late at most, in every way to ask for sightings")
  func proximity() throws {
    for wishesSightings in [false, true] {
      let run = try JudgedRun(
        Self.recordings(until: 110_300), JudgeOrderTests.settings("tag=address:00:00:00:00:00:01")
      ) {
        $0.wishes.proximity = true
        $0.wishes.ranging = true
        if wishesSightings { $0.wishes.sightings = .all }
      }
      #expect(Self.latest(run.log.lines) <= 1000)
      // Within the pause: its last signal is of the tenth second.
      #expect(
        run.log.events.contains {
          $0.type == .proximity
            && $0.time.nanoseconds - Recording.start * 1_000_000 > 10_000_000_000
        })
    }
  }

  static func pausing(_ random: inout Seeded) -> [CaptureSource] {
    ["a", "b", "c"].map { name in
      var recording = Recording(name)
      var moment: Int64 = 0
      while moment < 600_000 {
        moment += random.once(in: 40) ? Int64(random.below(90_000)) : Int64(random.below(900))
        let beacon = UInt64(random.below(3)) + 1
        recording.hear(
          Recording.iBeacon(UInt16(beacon)), from: Address(beacon, isRandom: true), at: moment)
      }
      // Nobody ends before the others: what is due behind the last record is not told.
      recording.hear(Recording.eddystone, from: Address(9, isRandom: true), at: 700_300)
      return recording.source
    }
  }

  static func settings() throws -> FollowSettings {
    try JudgeOrderTests.settings(
      "one=address:00:00:00:00:00:01,exit_after=10", "two=address:00:00:00:00:00:02",
      "any=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f,exit_after=5")
  }

  @Test("However observers pause, nothing is told more than a second late", arguments: 1...12)
  func random(_ seed: Int) throws {
    var random = Seeded(seed)
    let run = try JudgedRun(Self.pausing(&random), Self.settings()) {
      if random.once(in: 2) { $0.wishes.sightings = .all }
      if random.once(in: 2) { $0.wishes.proximity = true }
      if random.once(in: 2) { $0.wishes.clock = true }
    }
    #expect(run.log.events.count { $0.type == .exit } > 10)
    #expect(Self.latest(run.log.lines) <= 1000)
  }

  @Test(
    "The events are those of a run that tells nobody, where captures share an observer, too",
    arguments: 1...6)
  func sharing(_ seed: Int) throws {
    var random = Seeded(seed)
    let sources = Self.pausing(&random)
    var settings = try Self.settings()
    settings.observerNames = [0: "x", 1: seed < 4 ? "x" : "y"]
    var options = Analysis.Options()
    options.follow = settings
    var analysis = Analysis(sources, options: options)
    var none = NoSink()
    let alone = try #require(try analysis.run(into: &none).timeline)
    let run = try JudgedRun(sources, settings) { $0.wishes.proximity = true }
    #expect(alone.events.count > 30)
    #expect(alone.events.map { "\($0)" } == run.timeline.events.map { "\($0)" })
  }

  /// How much later than something else the latest thing was told that had happened before, milliseconds.
  static func latest(_ lines: [String]) -> Int {
    var (clock, most) = (0, 0)
    for line in lines {
      guard
        let word = line.split(separator: " ").first(where: {
          $0.wholeMatch(of: /\d+\.\d{3}/) != nil
        }),
        let moment = Int(word.filter { $0 != "." })
      else { continue }
      most = max(most, clock - moment)
      clock = max(clock, moment)
    }
    return most
  }
}
