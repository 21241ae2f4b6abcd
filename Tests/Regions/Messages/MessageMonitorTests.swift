import Beacons
import CaptureReader
import Regions
import TestSupport
import Testing

/// SEMANTICS 5.
@Suite struct MessageMonitorTests {
  static let start: Int64 = 1_700_000_000_000_000_000
  static let second: Int64 = 1_000_000_000
  static let uuid = MessageBeaconTests.uuid

  /// iBeacons 1:1, 1:2, 2:1 of one UUID, an Eddystone-UID, two URLs and a stranger, numbered so.
  static func table() -> IdentityTable {
    var table = IdentityTable()
    let high: UInt64 = 0xF782_6DA6_4FA2_4E98
    let low: UInt64 = 0x8024_BC5B_71E0_893E
    for numbers: UInt64 in [0x0001_0001, 0x0001_0002, 0x0002_0001] {
      _ = table.intern(
        BeaconIdentity(kind: .iBeacon, count: 20, high, low, numbers << 32))
    }
    _ = table.intern(
      BeaconIdentity(kind: .eddystoneUID, count: 16, 0xEDD1_EBEA_C04E_5DEF, 0xA017_0000_FDD1_549A))
    // https://a. and then b/x or c/x
    _ = table.intern(BeaconIdentity(kind: .eddystoneURL, count: 6, 0x0361_2E62_2F78_0000))
    _ = table.intern(BeaconIdentity(kind: .eddystoneURL, count: 6, 0x0361_2E63_2F78_0000))
    _ = table.intern(BeaconIdentity(kind: .altBeacon, count: 20, high, low, 0x0001_0001 << 32))
    return table
  }

  static func monitor(_ beacons: [String], _ subscriptions: [String] = [""]) throws
    -> MessageMonitor
  {
    let messages = try beacons.map {
      BeaconMessage(beacon: try MessageBeacon($0), namespace: "n", type: "t", content: .text($0))
    }
    var monitor = MessageMonitor(
      messages, try subscriptions.map { try Subscription($0) }, exitPeriod: 30 * second)
    monitor.learn(table())
    return monitor
  }

  static func time(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: start + Int64((seconds * 1e9).rounded()))
  }

  static func hear(
    _ monitor: inout MessageMonitor, _ identity: UInt32, _ seconds: Double, observer: Int = 0,
    frame: Int = 0
  ) {
    monitor.heard(
      identity: identity, observer: observer, transmitter: identity + 100, time: time(seconds),
      frame: frame)
  }

  /// `found message@second` of one observer and subscription.
  static func lines(_ events: [MessageEvent]) -> [String] {
    events.map { "\($0.kind) \($0.message)@\(Double($0.time.nanoseconds - start) / 1e9)" }
  }

  @Test func aMessageIsFoundOnceAndLostAfterTheExitPeriodAndFoundAgain() throws {
    var monitor = try Self.monitor(["ibeacon:\(Self.uuid):1:1"])
    for (frame, seconds) in [0.0, 10, 40, 70.000000001].enumerated() {
      Self.hear(&monitor, 0, seconds, frame: frame + 1)
    }
    let events = monitor.takeEvents()
    // 40 s is exactly the period behind 10 s: not yet over.
    #expect(Self.lines(events) == ["found 0@0.0", "lost 0@70.0", "found 0@70.000000001"])
    #expect(events.map(\.evidence.frame) == [1, 3, 4])
    #expect(events.map(\.evidence.transmitter) == [100, 100, 100])
    #expect(monitor.takeEvents().isEmpty)
  }

  @Test func nothingIsLostBeforeTheClockHasPassedThePeriod() throws {
    var monitor = try Self.monitor(["ibeacon:\(Self.uuid)"])
    Self.hear(&monitor, 0, 0)
    monitor.advance(observer: 0, to: Self.time(30))
    #expect(Self.lines(monitor.takeEvents()) == ["found 0@0.0"])
    #expect(Self.lines(monitor.open) == ["found 0@0.0"])
    monitor.advance(observer: 0, to: Self.time(30.000000001))
    #expect(Self.lines(monitor.takeEvents()) == ["lost 0@30.0"])
    #expect(monitor.open.isEmpty)
  }

  @Test func anyBeaconThatCarriesItKeepsAMessageWithinReach() throws {
    var monitor = try Self.monitor(["ibeacon:\(Self.uuid):1"])
    for (identity, seconds) in [(0, 0.0), (1, 25), (2, 50), (0, 54), (1, 80)] as [(UInt32, Double)]
    {
      Self.hear(&monitor, identity, seconds)
    }
    monitor.advance(observer: 0, to: Self.time(200))
    #expect(Self.lines(monitor.takeEvents()) == ["found 0@0.0", "lost 0@110.0"])
  }

  @Test(
    arguments: [
      (["ibeacon:\(uuid)"], [0, 1, 2]), (["ibeacon:\(uuid):1"], [0, 1]),
      (["ibeacon:\(uuid):1:2"], [1]), (["ibeacon:\(uuid):9"], []), (["altbeacon:\(uuid)"], [6]),
      (["eddystone:edd1ebeac04e5defa017"], [3]),
      (["eddystone:edd1ebeac04e5defa017:0000fdd1549a"], [3]),
      (["eddystone:edd1ebeac04e5defa018"], []), (["url:https://a.b/x"], [4]),
      (["url:https://a.*"], [4, 5]), (["url:https://a.b"], []),
    ] as [([String], [UInt32])])
  func identitiesCarryTheMessagesThatNameThem(_ beacons: [String], _ expected: [UInt32]) throws {
    for identity in 0..<UInt32(7) {
      var monitor = try Self.monitor(beacons)
      Self.hear(&monitor, identity, 0)
      #expect(monitor.takeEvents().count == (expected.contains(identity) ? 1 : 0))
    }
  }

  @Test func subscriptionsAndObserversAreApart() throws {
    var monitor = try Self.monitor(
      ["ibeacon:\(Self.uuid)", "eddystone:edd1ebeac04e5defa017"], ["ibeacon=no", "", "type=x"])
    Self.hear(&monitor, 0, 0)
    Self.hear(&monitor, 3, 1, observer: 1)
    Self.hear(&monitor, 3, 40)
    let events = monitor.takeEvents().map {
      "\($0.kind) o\($0.observer) s\($0.subscription) m\($0.message)"
    }
    #expect(
      events == [
        "found o0 s1 m0", "found o1 s0 m1", "found o1 s1 m1", "lost o0 s1 m0", "found o0 s0 m1",
        "found o0 s1 m1",
      ])
  }

  @Test func aSightingIsHandledAtTheClockWhereItsTimeIsEarlierOrUnknown() throws {
    var monitor = try Self.monitor(["ibeacon:\(Self.uuid)"])
    monitor.heard(identity: 0, observer: 0, transmitter: 0, time: .none, frame: 1)
    #expect(monitor.withoutTime == 1)
    #expect(monitor.takeEvents().isEmpty)
    monitor.advance(observer: 0, to: Self.time(50))
    Self.hear(&monitor, 0, 20)
    monitor.heard(identity: 0, observer: 0, transmitter: 0, time: .none, frame: 3)
    monitor.advance(observer: 0, to: Self.time(81))
    #expect(Self.lines(monitor.takeEvents()) == ["found 0@50.0", "lost 0@80.0"])
  }

  @Test func inAnotherCaptureTheReachGoesOn() throws {
    var monitor = try Self.monitor(["ibeacon:\(Self.uuid):2:1"])
    Self.hear(&monitor, 2, 0)
    monitor.continueCapture(1)
    Self.hear(&monitor, 2, 20, frame: 7)
    monitor.advance(observer: 0, to: Self.time(60))
    let events = monitor.takeEvents()
    #expect(Self.lines(events) == ["found 0@0.0", "lost 0@50.0"])
    #expect(events[1].evidence.capture == 1 && events[1].evidence.frame == 7)
  }

  /// All sightings kept, each sentence asked of all of them.
  @Test(arguments: 1...60) func onRandomStreamsItDoesWhatTheSentencesSay(_ seed: UInt64) throws {
    let beacons = [
      "ibeacon:\(Self.uuid)", "ibeacon:\(Self.uuid):1", "ibeacon:\(Self.uuid):1:2",
      "url:https://a.*",
      "url:https://a.c/x",
    ]
    let carriers: [[UInt32]] = [[0, 1, 2], [0, 1], [1], [4, 5], [5]]
    var random = Seeded(seed)
    var monitor = try Self.monitor(beacons)
    var heard: [(identity: UInt32, seconds: Double)] = []
    var clock = 0.0
    for _ in 0..<200 {
      clock += Double(random.below(10) == 0 ? random.below(40_000) : random.below(4000)) / 1000
      heard.append((UInt32(random.below(7)), clock))
      Self.hear(&monitor, heard[heard.count - 1].identity, clock)
    }
    monitor.advance(observer: 0, to: Self.time(clock))
    var expected: [(Double, Int, Int)] = []
    for (message, identities) in carriers.enumerated() {
      let times = heard.filter { identities.contains($0.identity) }.map(\.seconds)
      for (index, seconds) in times.enumerated() {
        if index == 0 || seconds > times[index - 1] + 30 { expected.append((seconds, 1, message)) }
        let next = index + 1 < times.count ? times[index + 1] : clock
        if next > seconds + 30 { expected.append((seconds + 30, 0, message)) }
      }
    }
    let wanted = expected.sorted { $0 < $1 }.map { seconds, kind, message in
      "\(kind == 0 ? "lost" : "found") \(message) \((seconds * 1000).rounded())"
    }
    let found = monitor.takeEvents().map { event in
      let seconds = Double(event.time.nanoseconds - Self.start) / 1e9
      return "\(event.kind) \(event.message) \((seconds * 1000).rounded())"
    }
    #expect(found == wanted, "seed \(seed)")
  }
}
