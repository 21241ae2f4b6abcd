import CaptureReader
import CaptureWriter
import FrameDecoder
import FrameEncoder
import Regions
import TestSupport
import Testing

@testable import Analysis

/// A run of what is still being captured finds what the file of it gives, and tells it in time.
@Suite struct LiveRunTests {
  static let tag = Address(1, isRandom: true)
  private static let oneRegion = "tag=address:00:00:00:00:00:01,exit_after=30"

  /// Beacons that come and go on two radios, others beside, pauses of all lengths, losses.
  static func scene(_ seed: UInt64, interfaces: Int) -> LiveScene {
    var random = Seeded(seed)
    var scene = LiveScene(interfaces: interfaces)
    var moment: Int64 = 0
    for _ in 0..<1000 {
      let interface = random.below(interfaces)
      moment += random.once(in: 60) ? Int64(random.below(50_000)) : Int64(random.below(900))
      switch random.below(interfaces == 1 ? 300 : 600) {
      case 0: scene.lose(UInt64(random.below(9)) + 1, at: moment, interface: interface)
      case 1:
        scene.stop(at: moment, interface: interface)
        moment += Int64(random.below(40_000))
        scene.goOn(at: moment, interface: interface)
      case let draw where draw % 3 == 0: scene.other(at: moment, interface: interface)
      default:
        let beacon = UInt64(random.below(3)) + 1
        guard (UInt64(moment) / 50_000 + beacon) % 3 != 0 else { continue }
        scene.hear(
          Recording.iBeacon(UInt16(beacon)), from: Address(beacon, isRandom: true), at: moment,
          interface: interface, rssi: Int8(-50 - random.below(40)))
      }
    }
    // The last word is a record: what silence leads to behind it is told live alone.
    scene.other(at: moment + 1, interface: 0)
    if interfaces > 1 { scene.other(at: moment + 1, interface: 1) }
    return scene
  }

  static func settings() throws -> FollowSettings {
    var settings = try JudgeOrderTests.settings(
      "tag=address:00:00:00:00:00:01,exit_after=10",
      "hall=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f",
      "near=address:00:00:00:00:00:02,min_rssi=-70,exit_after=5")
    settings.wantsProximity = true
    settings.wantsLists = true
    return settings
  }

  /// What an event comes to; not how long a pause without records is: live it goes on.
  private static func words(_ event: TimelineEvent) -> String {
    var words = "\(event.id) \(event.type.rawValue) \(JudgeLog.text(event.time)) \(event.evidence)"
    if let silence = event.silence {
      words += " \(silence.grade) \(silence.othersHeard) \(silence.scanOff) \(silence.captureOff)"
      words += " \(silence.probability ?? -1) \(silence.interval ?? -1)"
    }
    return words
  }

  @Test("What was heard is still told when the run has ended")
  func reportsAtTheEnd() throws {
    let scene = Self.scene(7, interfaces: 1)
    var random = Seeded(8)
    var analysis = Analysis([scene.live(&random)])
    var told: [Int] = []
    var none = NoSink()
    let result = try analysis.run(into: &none) { told.append($0.reports) }
    let last = try #require(told.last)
    #expect(last > 100 && last == told.max())
    #expect(result.captures.count == 1)
  }

  @Test("Events are those of the file: ids, times, grades, evidence", arguments: 1...5)
  func sameAsFile(_ seed: Int) throws {
    let scene = Self.scene(UInt64(seed), interfaces: 1)
    var random = Seeded(UInt64(seed) + 100)
    let file = try JudgedRun([scene.file], Self.settings())
    let live = try JudgedRun([scene.live(&random)], Self.settings())
    let (heard, known) = (try live.allEvents, try file.allEvents)
    #expect(known.count > 100)
    #expect(known.contains { $0.silence?.grade == .deaf })
    #expect(known.contains { $0.silence.map { $0.grade != .deaf } ?? false })
    let difference = zip(heard, known).first { Self.words($0) != Self.words($1) }
    #expect(
      difference == nil,
      "\(difference.map { "\(Self.words($0))\n\(Self.words($1))" } ?? "")")
    #expect(heard.count == known.count)
    // Judges are told the same in the same order; live their clock moves in smaller steps. A loss
    // moves no clock: what silence had led to before it is told live before it, in a file behind it.
    func told(_ run: JudgedRun) -> [String] {
      run.log.lines.filter { !$0.isReach && !$0.hasPrefix("lost") }
    }
    #expect(
      live.log.lines.count { $0.hasPrefix("lost") } == file.log.lines.count { $0.hasPrefix("lost") }
    )
    let lines = zip(told(live), told(file))
    let first = lines.first { $0 != $1 }
    #expect(first == nil, "\(first.map { "\($0)\n\($1)" } ?? "")")
    #expect(live.timeline.observers.map(\.deaf) == file.timeline.observers.map(\.deaf))
  }

  @Test("A pause behind a clock that was set back begins before it ends", arguments: 1...8)
  func pauseBehindStepBack(_ place: Int64) throws {
    var scene = LiveScene()
    scene.hear(Recording.iBeacon(1), from: Self.tag, at: 0)
    scene.other(at: 100_000)
    scene.stop(at: 1000 * place)
    scene.goOn(at: 1000 * place + 500)
    scene.other(at: 1000 * place + 600)
    let run = try JudgedRun([scene.file], JudgeOrderTests.settings(Self.oneRegion))
    let events = try run.allEvents.filter { $0.deed != nil }
    #expect(events.map(\.deed) == [.captureOff, .captureOn])
    #expect(events.first?.time == events.last?.time)
  }

  @Test("Of several radios, each has the events of the file", arguments: 1...3)
  func severalRadios(_ seed: Int) throws {
    let scene = Self.scene(UInt64(seed), interfaces: 2)
    var random = Seeded(UInt64(seed) + 100)
    let file = try JudgedRun([scene.file], Self.settings())
    let live = try JudgedRun([scene.live(&random)], Self.settings())
    let difference = zip(try live.allEvents, try file.allEvents)
      .first { Self.words($0) != Self.words($1) }
    #expect(
      difference == nil,
      "\(difference.map { "\(Self.words($0))\n\(Self.words($1))" } ?? "")")
    #expect(try live.allEvents.count == file.allEvents.count)
  }

  @Test("Exits are told while nothing comes, as soon as they are sure")
  func exitsInSilence() throws {
    for (others, expected) in [
      // It was heard alone: nobody was heard for P, whatever comes.
      ([Int64](), Int64(30_000)),
      // Others were heard until 10 s: whether the pause becomes as long as P is known at 40 s.
      ([5000, 10_000], 40_000),
    ] {
      var scene = LiveScene()
      scene.hear(Recording.iBeacon(1), from: Self.tag, at: 0)
      for moment in others { scene.other(at: moment) }
      var random = Seeded(1)
      let live = scene.live(&random, silentAfter: 60_000)
      let log = ListenerLog { event, _, _ in event.type.rawValue }
      var settings = try JudgeOrderTests.settings(Self.oneRegion)
      settings.listener = log
      let run = try JudgedRun([live], settings)
      let exit = try #require(run.log.events.last { $0.type == .exit })
      #expect(exit.silence?.grade == .deaf)
      #expect(exit.time.nanoseconds == LiveScene.start + 30_000 * 1_000_000)
      #expect(log.events.last?.id == exit.id)
      // The clock goes on by tenths of a second, and stands while the exit is not sure.
      let place = try #require(log.lines.firstIndex(of: "exit"))
      let reached = log.lines[place...].first { $0.isReach && $0 != "reach 30.000" }
      #expect(reached == "reach \(expected / 1000).099")
    }
  }

  @Test("A radio that falls silent is left behind by the others")
  func silentRadio() throws {
    var scene = LiveScene(interfaces: 2)
    scene.hear(Recording.iBeacon(1), from: Self.tag, at: 0, interface: 0)
    // Never a tenth of a second in which nothing comes.
    for step in Int64(1)..<900 { scene.other(at: step * 50, interface: 1) }
    var random = Seeded(2)
    let log = ListenerLog { event, _, view in "\(event.type.rawValue)" }
    var settings = try JudgeOrderTests.settings(Self.oneRegion)
    settings.listener = log
    _ = try JudgedRun([scene.live(&random)], settings)
    #expect(log.events.contains { $0.type == .exit && $0.observer == 0 })
  }

  @Test("Positions in time move on for timers, too, and sinks are paused, while nothing comes")
  func clockMovesOn() throws {
    var scene = LiveScene()
    scene.hear(Recording.iBeacon(1), from: Self.tag, at: 0)
    var random = Seeded(3)
    let run = try JudgedRun(
      [scene.live(&random, silentAfter: 3000)], try JudgeOrderTests.settings(Self.oneRegion))
    let reached = run.log.lines.filter(\.isReach)
    // Behind the second of the last record; what comes next may have the very time.
    #expect(reached.first == "reach 1.099")
    #expect(reached.last == "reach 2.999")
    #expect(reached.count == 20)

    var notes = Notes()
    var analysis = Analysis([scene.live(&random, silentAfter: 1000)])
    var calls = 0
    _ = try analysis.run(into: &notes) { progress in
      calls += 1
      if progress.records > 0 { #expect(progress.beacons == 1) }
    }
    #expect(notes.pauses > 10)
    #expect(calls > 10)
  }
}

extension String {
  fileprivate var isReach: Bool { hasPrefix("reach") }
}
