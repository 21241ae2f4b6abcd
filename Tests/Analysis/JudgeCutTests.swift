import Beacons
import CaptureReader
import CaptureWriter
import FrameDecoder
import FrameEncoder
import Regions
import TestSupport
import Testing

@testable import Analysis

/// What a judge is told does not depend on where the input happens to be cut.
@Suite struct JudgeCutTests {
  /// Three that overlap, with clocks that step back now and then, pauses, and beacons that come and go.
  static func recordings() -> [CaptureSource] {
    var random = Seeded(7)
    return ["a", "b", "c"].enumerated().map { place, name in
      var recording = Recording(name)
      var moment = Int64(place) * 20_000
      for _ in 0..<3000 {
        moment += random.once(in: 400) ? 40_000 : Int64(random.below(140))
        let back = random.once(in: 50) ? Int64(random.below(3000)) : 0
        let time = max(0, moment - back)
        let beacon = UInt64(random.below(4)) + 1
        guard (UInt64(time) / 45_000 + beacon) % 3 != 0 else { continue }
        recording.hear(
          beacon == 4 ? Recording.eddystone : Recording.iBeacon(UInt16(beacon)),
          from: Address(beacon, isRandom: true), at: time, rssi: Int8(-50 - random.below(40)))
      }
      return recording.source
    }
  }

  enum Wish: String, CaseIterable, Sendable {
    case events, someSightings, allSightings, ranging, rule
  }

  struct Strong: RegionPredicate {
    func matches(_ candidate: RegionCandidate) -> Bool { candidate.rssi > -60 }
  }

  static func settings(_ wish: Wish) throws -> FollowSettings {
    var settings = try JudgeOrderTests.settings(
      "tag=address:00:00:00:00:00:01,exit_after=10",
      "hall=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f",
      "near=address:00:00:00:00:00:04,min_rssi=-70,exit_after=5")
    if wish == .rule {
      settings.regions.add(Region(identifier: "strong", .custom(Strong())))
    }
    settings.profiles = [Profiles.site, try Profiles.named("abl-legacy")]
    return settings
  }

  static func prepare(_ log: JudgeLog, _ wish: Wish) {
    log.tellsRecordings = true
    switch wish {
    case .events: break
    case .someSightings, .rule:
      log.wishes.sightings = .some(TransmitterFilter { address, _, _ in address.address == 2 })
    case .allSightings: log.wishes.sightings = .all
    case .ranging: (log.wishes.proximity, log.wishes.ranging) = (true, true)
    }
  }

  static func run(_ wish: Wish, batch: Int, readsAhead: Bool) throws -> JudgedRun {
    try JudgedRun(recordings(), settings(wish), readsAhead: readsAhead, batch: batch) {
      prepare($0, wish)
    }
  }

  @Test("The same in batches of any size, with one or two processors", arguments: Wish.allCases)
  func batches(_ wish: Wish) throws {
    let usual = try Self.run(wish, batch: 1024, readsAhead: false)
    #expect(usual.log.events.count > 100)
    for (batch, readsAhead) in [(1, false), (7, true), (1024, true)] {
      let other = try Self.run(wish, batch: batch, readsAhead: readsAhead)
      let difference = zip(usual.log.lines, other.log.lines).first { $0 != $1 }
      #expect(difference == nil, "\(batch) \(readsAhead)")
      #expect(usual.log.lines.count == other.log.lines.count)
      #expect(usual.log.events.map(\.id) == other.log.events.map(\.id))
    }
  }

  @Test("Every event of the first profile is told once, with the id that it has in the timeline")
  func onceEach() throws {
    var settings = try Self.settings(.ranging)
    (settings.wantsProximity, settings.wantsLists) = (true, true)
    let run = try JudgedRun(Self.recordings(), settings) { Self.prepare($0, .ranging) }
    let told = run.log.events.sorted(by: TimelineEvent.comesBefore).map { "\($0)" }
    let kept = try run.allEvents.filter { $0.profile == 0 }
    #expect(kept.count > 1000)
    #expect(Set(kept.map(\.type)).count == 5)
    #expect(told.sorted() == kept.map { "\($0)" }.sorted())
  }

  @Test("What follows is the same with and without a judge", arguments: Wish.allCases)
  func nothingElseChanges(_ wish: Wish) throws {
    func all(_ timeline: Timeline) throws -> [String] {
      var lines: [String] = []
      try timeline.forEachBatch { lines += $0.map { "\($0)" } }
      return lines + timeline.outcomes.map { "\($0)" } + timeline.hints.map(\.text)
    }
    var options = Analysis.Options()
    options.follow = try Self.settings(wish)
    var analysis = Analysis(Self.recordings(), options: options)
    var none = NoSink()
    let alone = try #require(try analysis.run(into: &none).timeline)
    let judged = try Self.run(wish, batch: 1024, readsAhead: false).timeline
    #expect(try all(alone) == all(judged))
    #expect(alone.events.count > 100)
  }

  @Test("Captures that come through pipes in small pieces are told of in the same order")
  func pipes() throws {
    let sources = Array(Self.recordings().prefix(1))
    let whole = try JudgedRun(sources, Self.settings(.allSightings)) { $0.wishes.sightings = .all }
    let packed = sources.map { source in
      guard case .bytes(let bytes, let name) = source else { return source }
      return CaptureSource.bytes(Packing.gzip(bytes), name: name)
    }
    let pieces = try JudgedRun(packed, Self.settings(.allSightings), batch: 3) {
      $0.wishes.sightings = .all
    }
    #expect(whole.log.lines == pieces.log.lines)
  }
}

/// The same, with runs of sightings cut anywhere.
@Suite struct JudgeRunTests {
  /// Lines of a run whose sightings come in pieces of at most so many.
  static func lines(_ wish: JudgeCutTests.Wish, most: Int) throws -> [String] {
    var random = Seeded(most)
    let log = JudgeLog()
    JudgeCutTests.prepare(log, wish)
    var settings = try JudgeCutTests.settings(wish)
    settings.judge = log
    let following = try Following(settings, captures: ["a"])
    let pipeline = CapturePipeline(
      try CaptureReader.open(JudgeCutTests.recordings()[0]), options: FrameDecoder.Options(),
      keepsRepeats: false, wanted: TransmitterFilter { _, _, _ in true })
    while try pipeline.step() {
      following.meet(pipeline.observers.map { "\($0.adapter)" })
      let tables = RunTables(
        identities: pipeline.identities, transmitters: pipeline.transmitters)
      pipeline.withSightings { briefs, wholes in
        var start = 0
        func feed(until end: Int) {
          while start < end {
            let next = min(end, start + random.below(most) + 1)
            following.take(briefs.extracting(start..<next), wholes: wholes, capture: 0, tables)
            start = next
          }
        }
        for note in pipeline.notes {
          feed(
            until: (start..<briefs.count).first { briefs[$0].frame >= note.frame } ?? briefs.count)
          following.take(note, observer: 0, capture: 0, tables)
        }
        feed(until: briefs.count)
      }
    }
    var statistics = BeaconStatistics()
    statistics.adopt(pipeline.identities, pipeline.transmitters)
    _ = following.finish(statistics)
    return log.lines
  }

  @Test("The same however sightings are handed on", arguments: JudgeCutTests.Wish.allCases)
  func runs(_ wish: JudgeCutTests.Wish) throws {
    let whole = try Self.lines(wish, most: 1_000_000)
    #expect(whole.count > 100)
    for most in [1, 2, 13, 300] {
      let pieces = try Self.lines(wish, most: most)
      #expect(zip(whole, pieces).first { $0 != $1 } == nil, "\(most)")
      #expect(whole.count == pieces.count)
    }
  }
}
