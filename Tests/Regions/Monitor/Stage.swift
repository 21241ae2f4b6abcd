import CaptureReader
import FrameDecoder

@testable import Beacons
@testable import Regions

let second: Int64 = 1_000_000_000
/// Where times of scripts begin.
let origin: Int64 = 1_779_184_800 * second

/// Who advertises in the tests.
struct Beacon: Hashable, Sendable {
  let identity: BeaconIdentity
  let address: UInt64
  var power: Int8 = -59

  static func iBeacon(_ major: Int = 1, _ minor: Int = 1, uuid: UInt64 = 7, address: UInt64 = 1)
    -> Beacon
  {
    Beacon(
      identity: BeaconIdentity(
        kind: .iBeacon, count: 20, 0, uuid, UInt64(major << 16 | minor) << 32), address: address)
  }

  static func eddystone(namespace: UInt64, instance: UInt64 = 1, address: UInt64 = 2) -> Beacon {
    Beacon(
      identity: BeaconIdentity(kind: .eddystoneUID, count: 16, namespace, instance),
      address: address, power: -18)
  }

  static func url(_ encoded: [UInt8], address: UInt64 = 3) -> Beacon {
    Beacon(identity: IdentityPrefix(.eddystoneURL, encoded).identity, address: address)
  }
}

/// Something that a capture holds.
enum Happening: Sendable {
  case sees(Int64, Beacon, rssi: Int8 = -60, observer: Int = 0)
  /// An advertiser that is no beacon.
  case hears(Int64, observer: Int = 0)
  /// A record that is no advertising.
  case record(Int64, observer: Int = 0)
  case scan(Int64, on: Bool, observer: Int = 0, share: Double = 0, limits: ScanLimits = [])
  /// The scan goes on, and leaves out others.
  case limits(Int64, ScanLimits, observer: Int = 0)
  /// Packets did not get into the capture.
  case lost(Int64, Int64, observer: Int = 0)
  case reset(Int64)
  /// A record without a time, of a beacon.
  case untimed(Beacon)
  /// The observer's file ends.
  case end(observer: Int = 0)
}

/// What a monitor is handed, one behind the other.
enum Handed: Sendable {
  case sighting(BriefSighting)
  case note(ObserverNote)
}

/// Makes of happenings what the decoder would hand on: numbers, and a note for each second.
struct Stage {
  private struct Ears {
    var clock = Int64.min
    var lastReport = Int64.min
    /// As the latest note for a second has it.
    var told = Int64.min
    var reports = 0
  }

  private(set) var transmitters = TransmitterTable()
  private(set) var identities = IdentityTable()
  private(set) var handed: [Handed] = []
  /// By transmitter number.
  private(set) var beacons: [Beacon] = []
  private var ears: [Ears]
  private var frame = 0

  init(observers: Int = 1) { ears = Array(repeating: Ears(), count: observers) }

  var observers: Int { ears.count }

  mutating func play(_ happenings: [Happening]) {
    for happening in happenings { play(happening) }
  }

  mutating func play(_ happening: Happening) {
    frame += 1
    switch happening {
    case .sees(let time, let beacon, let rssi, let observer):
      pass(to: origin + time, observer)
      hear(observer)
      hand(beacon, origin + time, rssi, observer)
    case .untimed(let beacon): hand(beacon, .min, -60, 0)
    case .hears(let time, let observer):
      pass(to: origin + time, observer)
      hear(observer)
    case .record(let time, let observer): pass(to: origin + time, observer)
    case .scan(let time, let isOn, let observer, let share, let limits):
      pass(to: origin + time, observer)
      note(
        isOn ? .scanOn : .scanOff, observer, last: ears[observer].clock, step: Int64(share * 1e6),
        limits: limits)
    case .limits(let time, let limits, let observer):
      pass(to: origin + time, observer)
      note(.scanLimits, observer, last: ears[observer].clock, limits: limits)
    case .lost(let time, let count, let observer):
      note(.lost, observer, last: ears[observer].clock, step: count, at: origin + time)
    case .reset(let time):
      pass(to: origin + time, 0)
      note(.reset, 0, last: ears[0].clock)
    case .end(let observer): note(.end, observer, last: ears[observer].clock)
    }
  }

  private mutating func hear(_ observer: Int) {
    ears[observer].lastReport = ears[observer].clock
    ears[observer].reports += 1
  }

  private mutating func hand(_ beacon: Beacon, _ time: Int64, _ rssi: Int8, _ observer: Int) {
    let number = transmitters.intern(
      Transmitter(
        address: DeviceAddress(beacon.address, .random),
        identity: identities.intern(beacon.identity), observer: UInt32(observer)))
    let isNew = Int(number) == beacons.count
    if isNew { beacons.append(beacon) }
    handed.append(
      .sighting(
        BriefSighting(
          time: Timestamp(nanoseconds: time), frame: frame, transmitter: number,
          whole: isNew ? number + 1 : 0, rssi: rssi)))
  }

  private mutating func pass(to time: Int64, _ observer: Int) {
    let before = ears[observer].clock
    ears[observer].clock = max(before, time)
    let isBehind = time < before && before > ears[observer].told
    if before == .min || isBehind || ears[observer].clock / second != before / second {
      note(.tick, observer, last: before)
      ears[observer].told = ears[observer].clock
    }
  }

  private mutating func note(
    _ kind: ObserverNote.Kind, _ observer: Int, last: Int64, step: Int64 = 0,
    limits: ScanLimits = [], at time: Int64 = .min
  ) {
    let ears = ears[observer]
    handed.append(
      .note(
        ObserverNote(
          time: Timestamp(nanoseconds: max(ears.clock, time)), frame: frame,
          observer: UInt16(observer),
          kind: kind, lastRecord: Timestamp(nanoseconds: last),
          lastReport: Timestamp(nanoseconds: ears.lastReport), reports: ears.reports,
          code: limits.rawValue, step: step)))
  }

  /// Whole sightings by transmitter number: of each the first one.
  var wholes: [Sighting] {
    beacons.indices.map { (number: Int) -> Sighting in
      let transmitter = transmitters[UInt32(number)]
      return Sighting(
        time: .none, frame: 0, address: transmitter.address, extra: (0, 0), frameWarnings: .none,
        warnings: .none, identity: transmitter.identity, transmitter: UInt32(number),
        observer: UInt16(transmitter.observer), index: 0, kind: beacons[number].identity.kind,
        rssi: 0, power: beacons[number].power, channel: 255, phy: .le1M)
    }
  }

  /// Hands everything to a monitor, sightings in runs as long as they come.
  /// - Parameter names: by the stage's observer; the same name twice is one observer.
  func perform(for monitor: inout RegionMonitor, names: [String]? = nil, finishes: Bool = true) {
    var numbers: [UInt32] = []
    var known: [String] = []
    for name in names ?? (0..<observers).map({ "o\($0)" }) {
      if let place = known.firstIndex(of: name) {
        numbers.append(UInt32(place))
      } else {
        known.append(name)
        numbers.append(monitor.addObserver(named: name))
      }
    }
    let wholes = wholes
    var run: [BriefSighting] = []
    for item in handed {
      switch item {
      case .sighting(let sighting): run.append(sighting)
      case .note(let note):
        take(run, wholes, numbers, &monitor)
        run = []
        monitor.take(note, observer: numbers[Int(note.observer)])
      }
    }
    take(run, wholes, numbers, &monitor)
    if finishes { monitor.finish() }
  }

  private func take(
    _ run: [BriefSighting], _ wholes: [Sighting], _ numbers: [UInt32],
    _ monitor: inout RegionMonitor
  ) {
    monitor.take(
      run.span, wholes: wholes.span, capture: 0, numbers: [UInt32]().span, transmitters, identities,
      observers: numbers.span)
  }
}
