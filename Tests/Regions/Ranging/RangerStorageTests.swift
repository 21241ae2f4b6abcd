import CaptureReader
import Regions
import Testing

/// What ranging keeps, and what it does not do.
@Suite struct RangerStorageTests {
  @Test func whoeverWasSilentForLongIsFollowedNoMore() throws {
    var scene = try RangingScene([.init()])
    scene.start()
    scene.enter(at: 0)
    scene.hear(0, at: 1, -60)
    func add(_ seconds: Double, _ ranger: inout Ranger) -> Bool {
      ranger.add(
        transmitter: 0, time: RangingScene.time(seconds), rssi: -60, power: -59, frame: 2)
    }
    let early = add(10.9, &scene.ranger)
    let late = add(21, &scene.ranger)
    let tooLate = add(31.5, &scene.ranger)
    #expect([early, late, tooLate] == [true, true, false])
  }

  @Test func nobodyIsFollowedUnasked() throws {
    var ranger = try Ranger(RangingSettings())
    let added = ranger.add(
      transmitter: 4, time: RangingScene.time(1), rssi: -60, power: -59, frame: 1)
    #expect(!added)
  }

  /// The running average looks 20 s back, past the 10 s after which a transmitter leaves the lists.
  @Test func samplesInTheWindowCountAfterAReturn() throws {
    var scene = try RangingScene([.init()], RangingScene.listed(.ablAverage))
    scene.start()
    scene.enter(at: 0)
    for time in [0.5, 12.5, 12.6] { scene.hear(0, at: time, time < 1 ? -60 : -70) }
    scene.end(at: 13)
    #expect(scene.ranger.lists.count == 14)
    #expect(scene.ranger.lists[12].entries.isEmpty)
    let metres = try #require(scene.ranger.lists[13].entries.first?.accuracy?.metres)
    // One of −60 −70 −70 goes at each end.
    #expect(abs(metres - 3.548_133_892_335_755) < 1e-9)
    let interval = try #require(scene.ranger.lists[13].entries.first?.accuracy?.interval)
    #expect(interval.upperBound > 6)
  }

  /// Time stamps may be anything; nothing is done for a tick that changes nothing.
  @Test func aJumpOverThreeCenturiesIsOneStep() throws {
    var settings = RangingScene.listed()
    settings.wantsLists = false
    var scene = try RangingScene([.init()], settings)
    scene.ranger.advance(observer: 0, to: Timestamp(nanoseconds: .min + 1))
    scene.enter(at: 0)
    scene.hear(0, at: 0.5, -60)
    for time in [Int64.max - 1, .max, .min + 1, 0] {
      _ = scene.ranger.add(
        transmitter: 0, time: Timestamp(nanoseconds: time), rssi: -60, power: -59, frame: 2)
    }
    scene.ranger.finish(observer: 0)
    #expect(scene.ranger.changes.count == 2)
  }

  @Test func resultsAreForgottenWhenTheyHaveBeenTaken() throws {
    var scene = try RangingScene([.init(power: -3), .init()])
    scene.start()
    scene.enter(at: 0)
    scene.hear(0, at: 0.5, -60)
    scene.hear(1, at: 0.5, -60)
    scene.end(at: 1)
    let ranger = scene.ranger
    #expect([ranger.changes.count, ranger.lists.count, ranger.unusablePowers.count] == [1, 2, 1])
    scene.ranger.removeResults()
    let after = scene.ranger
    #expect(after.changes.isEmpty && after.lists.isEmpty && after.unusablePowers.isEmpty)
  }
}
