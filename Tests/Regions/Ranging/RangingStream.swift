import Beacons
import CaptureReader
import FrameDecoder
import Regions
import TestSupport
import Testing

/// A random stream of one observer, for the real ranging and its twin.
struct RangingStream {
  let settings: RangingSettings
  let period: Int64
  /// By beacon: dBm at 1 m.
  let powers: [Int]
  let memberships: [[Int]]
  let steps: [RangingStep]

  init(_ filter: SmoothingFilter, _ random: inout Seeded, onChange: Bool = false) {
    let second: Int64 = 1_000_000_000
    period = [second, 1_100_000_000, second / 10, 3 * second][random.below(4)]
    var settings = RangingSettings(
      smoothing: SmoothingSettings(filter: filter), period: onChange ? .onChange : .every(period))
    if random.once(in: 3) { settings.distance.model = .abl }
    if random.once(in: 4) { settings.smoothing.window = Int64(1 + random.below(25)) * second }
    self.settings = settings
    powers = (0..<(1 + random.below(6))).map { _ in [-59, -70, -3][random.below(3)] }
    memberships = powers.map { _ in [[0], [1], [0, 1], [2, 0]][random.below(4)] }
    steps = Self.steps(beacons: powers.count, &random)
  }

  private static func steps(beacons: Int, _ random: inout Seeded) -> [RangingStep] {
    var time = Int64(random.below(1_000_000_000))
    var levels = (0..<beacons).map { _ in -50 - random.below(45) }
    return (0..<(20 + random.below(200))).map { _ in
      time += pause(&random)
      switch random.below(20) {
      case 0: return .enter(region: random.below(3), time: time)
      case 1:
        return random.once(in: 2)
          ? .leave(region: random.below(3), time: time) : .record(time: time)
      case 2: return .enter(region: 0, time: time)
      default:
        let beacon = random.below(beacons)
        if random.once(in: 30) { levels[beacon] = -50 - random.below(45) }
        let rssi = random.once(in: 15) ? 127 : levels[beacon] + random.below(9) - 4
        return .sample(
          beacon: beacon, time: oddly(time, &random), rssi: Int8(rssi))
      }
    }
  }

  /// Mostly short, often to the tenth of a second, now and then long.
  private static func pause(_ random: inout Seeded) -> Int64 {
    switch random.below(40) {
    case 0: Int64(random.below(30)) * 1_000_000_000
    case 1: Int64(random.below(30_000_000_000))
    case 2...10: 0
    case 11...25: Int64(random.below(5)) * 100_000_000
    default: Int64(random.below(300_000_000))
    }
  }

  /// Now and then without a time, or one of the past.
  private static func oddly(_ time: Int64, _ random: inout Seeded) -> Int64? {
    switch random.below(30) {
    case 0: nil
    case 1: time - Int64(random.below(5_000_000_000))
    default: time
    }
  }

  /// What the real one makes of it.
  func ranged(wantsLists: Bool, wantsChanges: Bool = true) throws -> Ranger {
    var settings = settings
    settings.wantsLists = wantsLists
    settings.wantsChanges = wantsChanges
    var ranger = try Ranger(settings)
    for (index, step) in steps.enumerated() {
      switch step {
      case .record(let time): ranger.advance(observer: 0, to: Timestamp(nanoseconds: time))
      case .enter(let region, let time):
        ranger.enter(region, observer: 0, at: Timestamp(nanoseconds: time))
      case .leave(let region, let time):
        ranger.leave(region, observer: 0, at: Timestamp(nanoseconds: time))
      case .sample(let beacon, let time, let rssi):
        let time = time.map { Timestamp(nanoseconds: $0) } ?? .none
        hear(beacon, time, rssi, frame: index + 1, &ranger)
      }
    }
    ranger.finish(observer: 0)
    return ranger
  }

  private func hear(
    _ beacon: Int, _ time: Timestamp, _ rssi: Int8, frame: Int, _ ranger: inout Ranger
  ) {
    for _ in 0..<2 {
      let number = UInt32(beacon)
      let power = Int8(powers[beacon])
      if ranger.add(transmitter: number, time: time, rssi: rssi, power: power, frame: frame) {
        return
      }
      let who = Transmitter(
        address: DeviceAddress(UInt64(beacon), .random), identity: number, observer: 0)
      let identity = BeaconIdentity(kind: IBeacon.kind, count: 20, 0, 0, UInt64(beacon))
      for region in memberships[beacon] {
        ranger.follow(number, who, identity, observer: 0, region: region, at: time)
      }
    }
    Issue.record("a transmitter that is followed is not taken")
  }
}

// What came of it, in the words of the twin.
extension RangingStream {
  func lists(of ranger: Ranger) -> [TwinList] {
    ranger.lists.map { list in
      TwinList(
        time: list.time.nanoseconds, region: list.region,
        entries: list.entries.map { entry in
          TwinEntry(
            beacon: Int(entry.transmitter), proximity: entry.proximity,
            metres: entry.accuracy?.metres, interval: entry.accuracy?.interval, rssi: entry.rssi,
            samples: entry.samples)
        })
    }
  }

  func changes(of ranger: Ranger) -> [TwinChange] {
    ranger.changes.map {
      TwinChange(
        time: $0.time.nanoseconds, region: $0.region, beacon: Int($0.transmitter), from: $0.from,
        to: $0.to, frames: [$0.firstFrame.frame, $0.lastFrame.frame])
    }
  }

  /// The nearest approach is the least distance on the lists of the latest stay.
  func checkNearest(_ ranger: Ranger, _ twin: RangingTwin, _ place: String) throws {
    for region in 0..<3 {
      let ticks = twin.lists.filter { $0.region == region && $0.time >= twin.latestStay(region) }
      let least = ticks.flatMap(\.entries).compactMap(\.metres).min()
      let found = ranger.nearest(region: region, observer: 0)?.distance.metres
      try #require((found == nil) == (least == nil), "\(place)")
      if let found, let least { try #require(abs(found - least) <= 1e-9 * found, "\(place)") }
    }
  }
}
