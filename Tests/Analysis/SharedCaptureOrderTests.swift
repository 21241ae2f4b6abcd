import Beacons
import CaptureReader
import FrameEncoder
import Regions
import TestSupport
import Testing

@testable import Analysis

/// Captures of several radios each, whose clocks do not go alike: whoever is told while the run goes on, what
/// happens is the same.
@Suite struct SharedCaptureOrderTests {
  /// Two radios in one file: the second one's clock is ahead, packets are not quite in order, and the recorder
  /// loses some and stops now and then.
  private static func capture(_ name: String, _ random: inout Seeded) -> CaptureSource {
    var scene = LiveScene(interfaces: 2)
    var moment: Int64 = 0
    while moment < 600_000 {
      moment += random.once(in: 30) ? Int64(random.below(90_000)) : Int64(random.below(900))
      let interface = random.below(2)
      let back = random.once(in: 10) ? Int64(random.below(2500)) : 0
      let time = max(0, moment - back) + (interface == 1 ? 60_000 : 0)
      switch random.below(40) {
      case 0: scene.lose(3, at: time, interface: interface)
      case 1: scene.stop(at: time, interface: interface)
      case 2: scene.goOn(at: time, interface: interface)
      default:
        let beacon = UInt64(random.below(3)) + 1
        scene.hear(
          Recording.iBeacon(UInt16(beacon)), from: Address(beacon, isRandom: true), at: time,
          interface: interface)
      }
    }
    guard case .bytes(let bytes, _) = scene.file else { return scene.file }
    return .bytes(bytes, name: name)
  }

  @Test("The events are those of a run that tells nobody", arguments: 1...12)
  func sameEvents(_ seed: Int) throws {
    var random = Seeded(seed)
    var sources = [Self.capture("a", &random)]
    if seed % 3 > 0 { sources.append(Self.capture("b", &random)) }
    let settings = try PauseOrderTests.settings()
    var options = Analysis.Options()
    options.follow = settings
    var analysis = Analysis(sources, options: options)
    var none = NoSink()
    let alone = try #require(try analysis.run(into: &none).timeline)
    #expect(alone.events.count { $0.type == .exit } > 10)
    let run = try JudgedRun(sources, settings) {
      $0.wishes.proximity = seed % 2 == 0
      $0.wishes.clock = seed % 4 < 2
    }
    let events = run.timeline.events.map { "\($0)" }
    #expect(zip(alone.events.map { "\($0)" }, events).first { $0 != $1 } == nil)
    #expect(alone.events.count == events.count)
  }
}
