import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// A ranger with a few beacons, told of in seconds.
struct RangingScene {
  /// An iBeacon at an address: its transmitter number is its place in `beacons`.
  struct Beacon {
    var minor: UInt64 = 1
    var address: UInt64 = 1
    var power: Int8 = -59
    var kind = IBeacon.kind
  }

  static let second: Int64 = 1_000_000_000
  var ranger: Ranger
  let beacons: [Beacon]
  private var frame = 0

  init(_ beacons: [Beacon], _ settings: RangingSettings = listed()) throws {
    ranger = try Ranger(settings)
    self.beacons = beacons
  }

  /// Once a second, the latest sample as it is, with lists.
  static func listed(
    _ filter: SmoothingFilter = .last, _ period: RangingPeriod = .every(second)
  ) -> RangingSettings {
    var settings = RangingSettings(smoothing: SmoothingSettings(filter: filter), period: period)
    settings.wantsLists = true
    return settings
  }

  static func time(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: Int64((seconds * 1e9).rounded()))
  }

  mutating func start(at seconds: Double = 0) {
    ranger.advance(observer: 0, to: Self.time(seconds))
  }

  /// Hears a beacon; its frame is the number of the call, from 1 on.
  mutating func hear(_ beacon: Int, at seconds: Double, _ rssi: Int8, regions: [Int] = [0]) {
    frame += 1
    let power = beacons[beacon].power
    func add(_ ranger: inout Ranger) -> Bool {
      ranger.add(
        transmitter: UInt32(beacon), time: Self.time(seconds), rssi: rssi, power: power,
        frame: frame)
    }
    if add(&ranger) { return }
    let (who, identity) = names(beacon)
    for region in regions {
      ranger.follow(
        UInt32(beacon), who, identity, observer: 0, region: region, at: Self.time(seconds))
    }
    _ = add(&ranger)
  }

  private func names(_ beacon: Int) -> (Transmitter, BeaconIdentity) {
    let told = beacons[beacon]
    let identity = BeaconIdentity(kind: told.kind, count: 20, 7, 7, told.minor << 32)
    // Beacons of one minor number are of one identity.
    let first = beacons.firstIndex { $0.minor == told.minor } ?? beacon
    let who = Transmitter(
      address: DeviceAddress(told.address, .random), identity: UInt32(first), observer: 0)
    return (who, identity)
  }

  mutating func enter(_ region: Int = 0, at seconds: Double) {
    ranger.enter(region, observer: 0, at: Self.time(seconds))
  }

  mutating func leave(_ region: Int = 0, at seconds: Double) {
    ranger.leave(region, observer: 0, at: Self.time(seconds))
  }

  mutating func end(at seconds: Double) {
    ranger.advance(observer: 0, to: Self.time(seconds))
    ranger.finish(observer: 0)
  }

  /// The changes as text: `3.0 r0 t1 unknown→near 4…6`.
  var changes: [String] {
    ranger.changes.map { change in
      "\(Double(change.time.nanoseconds) / 1e9) r\(change.region) t\(change.transmitter) "
        + "\(change.from.name)→\(change.to.name) \(change.firstFrame.frame)…\(change.lastFrame.frame)"
    }
  }

  /// The lists of a region as text: `3.0: t1 near, t0 unknown`.
  func lists(of region: Int = 0) -> [String] {
    ranger.lists.filter { $0.region == region }.map { list in
      let entries = list.entries.map { "t\($0.transmitter) \($0.proximity.name)" }
      return "\(Double(list.time.nanoseconds) / 1e9): " + entries.joined(separator: ", ")
    }
  }
}
