import CaptureWriter
import FrameEncoder
import Synth
import TestSupport

/// What a capture must give, known from what was put into it.
struct Expectation: Equatable, Sendable {
  var records = 0
  /// Advertising reports, beacons or not.
  var reports = 0
  /// Sightings by format.
  var sightings: [String: Int] = [:]
  /// Different beacons; telemetry is none.
  var identities: Set<String> = []
  /// Reports by label.
  var labels: [String: Int] = [:]
  /// Warnings and reasons by code.
  var codes: [String: Int] = [:]
  /// Every sighting: when, who, how strong.
  var seen: [Seen] = []
  /// How long the host was scanning, in milliseconds.
  var listening = 0
  /// Positions written into the capture.
  var fixes: [Fix] = []

  mutating func add(_ advert: Advert) {
    reports += 1
    for beacon in advert.beacons {
      sightings[beacon.kind, default: 0] += 1
      if let id = beacon.id { identities.insert(id) }
      seen.append(Seen(advert, kind: beacon.kind))
    }
    for label in advert.labels { labels[label, default: 0] += 1 }
  }
}

/// A position in millionths of a degree, and decimetres.
struct Fix: Hashable, Sendable {
  let latitude: Int
  let longitude: Int
  let altitude: Int

  init(latitude: Double, longitude: Double, altitude: Double) {
    self.latitude = Int((latitude * 1_000_000).rounded())
    self.longitude = Int((longitude * 1_000_000).rounded())
    self.altitude = Int((altitude * 10).rounded())
  }

  init(_ position: Position) {
    self.init(
      latitude: position.latitude, longitude: position.longitude, altitude: position.altitude)
  }
}

/// A sighting with what every container keeps of it.
struct Seen: Hashable, Comparable, Sendable {
  /// Since 1970; nil where the packet has no time.
  var milliseconds: Int64?
  let kind: String
  let address: UInt64
  let isRandom: Bool
  /// nil where the link has none.
  var rssi: Int8?

  init(milliseconds: Int64?, kind: String, address: UInt64, isRandom: Bool, rssi: Int8?) {
    self.milliseconds = milliseconds
    self.kind = kind
    self.address = address
    self.isRandom = isRandom
    self.rssi = rssi
  }

  init(_ advert: Advert, kind: String) {
    self.init(
      milliseconds: advert.nanoseconds / Scene.millisecond, kind: kind,
      address: advert.address.value, isRandom: advert.address.isRandom, rssi: advert.rssi)
  }

  private var order: (Int64, UInt64, String, Int) {
    (milliseconds ?? 0, address, kind, Int(rssi ?? 127))
  }

  static func < (a: Seen, b: Seen) -> Bool { a.order < b.order }
}

/// A beacon as the expectation counts it: its format, and a name unless it is telemetry.
struct Beacon: Equatable, Sendable {
  let kind: String
  let id: String?
}

/// One advertisement of a scene.
struct Advert: Sendable {
  enum Form: Sendable {
    case legacy
    /// Extended advertising, long enough for two fragments.
    case extended
    /// Extended advertising on the coded PHY.
    case coded
    case directed(to: Address)
  }
  var nanoseconds: Int64
  var address: Address
  var rssi: Int8
  var data: [UInt8]
  var form = Form.legacy
  var beacons: [Beacon] = []
  var labels: [String] = []
}

/// The few seconds that every capture of the museum holds.
enum Scene {
  /// 2026-05-19T10:00:00Z.
  static let start: Int64 = 1_779_184_800_000_000_000
  static let millisecond: Int64 = 1_000_000

  static let scanner = Address(0x001A_7DDA_7113, isRandom: false)
  static let hall = [UInt8](hex: "b9407f30f5f8466eaff925556b57fe6d")
  static let door = [UInt8](hex: "e2c56db5dffb48d2b060d0f5a71096e0")

  private static let one = Address(0xC011_2233_4401)
  private static let two = Address(0xC011_2233_4402)
  private static let copy = Address(0xC011_2233_4403)
  private static let uid = Address(0xD0AA_BBCC_DD01)
  private static let url = Address(0xD0AA_BBCC_DD02)
  private static let eid = Address(0x5E12_9A34_0B7C)
  private static let alt = Address(0x0018_DA01_0203, isRandom: false)
  private static let phone = Address(0x4A7F_11C0_3E55)
  private static let long = Address(0xC011_2233_4404)
  private static let far = Address(0xC011_2233_4405)

  /// Four rounds, a second and a half apart.
  static let adverts: [Advert] = {
    var random = SplitMix64(seed: 0x6D75_7365_756D)
    var all: [Advert] = []
    for round in 0..<4 {
      let base = start + Int64(round) * 1500 * millisecond
      for (offset, advert) in adverts(in: round) {
        var advert = advert
        advert.nanoseconds = base + Int64(offset) * millisecond + Int64(123_456)
        advert.rssi = Int8(Int(advert.rssi) + random.below(7) - 3)
        all.append(advert)
      }
    }
    return all
  }()

  private static func adverts(in round: Int) -> [(Int, Advert)] {
    var list: [(Int, Advert)] = [
      (0, iBeacon(one, hall, 1, 1, -59, rssi: -63)),
      (37, iBeacon(two, hall, 1, 2, -59, rssi: -71)),
      (61, iBeacon(copy, hall, 1, 2, -59, rssi: -84)),
      (
        140,
        beacon(
          uid,
          Payload.eddystoneUID(
            namespace: [UInt8](hex: "00010203040506070809"),
            instance: [UInt8](hex: "aabbccddeeff"), power: -18), rssi: -68,
          Beacon(kind: "eddystone-uid", id: "uid"))
      ),
      (
        260,
        beacon(
          url,
          Payload.eddystoneURL(
            scheme: 3, rest: Array("example".utf8) + [0x00] + Array("hall".utf8), power: -21),
          rssi: -75, Beacon(kind: "eddystone-url", id: "url"))
      ),
      (
        333,
        beacon(
          eid, Payload.eddystoneEID([UInt8](hex: "a9b76a71c5f89290"), power: -16), rssi: -79,
          Beacon(kind: "eddystone-eid", id: "eid"))
      ),
      // At the same moment as the one before: HCI puts both into one event.
      (
        333,
        beacon(
          alt,
          Payload.altBeacon(id: hall + [0, 1, 0, 9], power: -61, reserved: 7), rssi: -66,
          Beacon(kind: "altbeacon", id: "alt"))
      ),
      (
        470,
        Advert(
          nanoseconds: 0, address: phone, rssi: -58,
          data: Payload.appleNearbyInfo([0x1B, 0x1C, 0x2A, 0x11, 0x90]),
          labels: ["apple_nearby_info"])
      ),
    ]
    list += telemetry(in: round) + special(in: round)
    return list.sorted { $0.0 < $1.0 }
  }

  private static func telemetry(in round: Int) -> [(Int, Advert)] {
    if round % 2 == 0 {
      let data = Payload.eddystoneTLM(
        millivolts: UInt16(2971 - round), temperature: 0x1580, count: 4_711 + UInt32(round),
        uptime: 864_000 + UInt32(round) * 15)
      return [(190, beacon(uid, data, rssi: -68, Beacon(kind: "eddystone-tlm", id: nil)))]
    }
    // Identity key 0102030405060708090a111213141516, K 10, beacon time 2000 s.
    let data = Payload.eddystoneETLM(
      cipher: [UInt8](hex: "f0c8b2d09c4abdc372db3330"), salt: [0x00, 0x01], check: [0xDD, 0xA2])
    return [(410, beacon(eid, data, rssi: -79, Beacon(kind: "eddystone-etlm", id: nil)))]
  }

  private static func special(in round: Int) -> [(Int, Advert)] {
    if round % 2 == 0 {
      var advert = iBeacon(long, door, 3, 1, -57, rssi: -70)
      advert.data = Payload.name("A name long enough to fill one fragment") + advert.data
      advert.form = .extended
      return [(520, advert)]
    }
    if round == 1 {
      var advert = iBeacon(far, door, 3, 2, -57, rssi: -90)
      advert.form = .coded
      return [(560, advert)]
    }
    return [
      (
        600,
        Advert(nanoseconds: 0, address: phone, rssi: -60, data: [], form: .directed(to: scanner))
      )
    ]
  }

  static func iBeacon(
    _ address: Address, _ uuid: [UInt8], _ major: UInt16, _ minor: UInt16, _ power: Int8, rssi: Int8
  ) -> Advert {
    beacon(
      address, Payload.iBeacon(uuid: uuid, major: major, minor: minor, power: power), rssi: rssi,
      Beacon(kind: "ibeacon", id: "\(uuid.hex):\(major):\(minor)"))
  }

  static func beacon(_ address: Address, _ data: [UInt8], rssi: Int8, _ beacon: Beacon) -> Advert {
    Advert(nanoseconds: 0, address: address, rssi: rssi, data: data, beacons: [beacon])
  }
}
