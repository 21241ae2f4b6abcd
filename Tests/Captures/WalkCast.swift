import CaptureWriter
import FrameEncoder
import Synth
import TestSupport

/// Who advertises during the walk.
enum WalkCast {
  static let stations: [WalkDevice] = [
    iBeacon(0xC4A1_0000_0101, 2, 5, 0.25, 1, 1),
    iBeacon(0xC4A1_0000_0102, 9, 7, 0.3, 1, 2),
    iBeacon(0xC4A1_0000_0103, 12, 16, 0.5, 1, 3),
    iBeacon(0xC4A1_0000_0201, 36, 2, 0.1, 2, 1),
    iBeacon(0xC4A1_0000_0202, 31, 18, 0.65, 2, 2),
    // The clone: 1:2 once more, from another address at the other end.
    iBeacon(0xE70D_5C31_9A42, 39, 17, 0.5, 1, 2),
    // Says +12 dBm at one metre.
    iBeacon(0xC4A1_0000_0301, 20, 17, 1.0, 3, 1, power: 12),
    twoIdentities, uid(0xD3B2_0000_0001, 23, 4, 0.5, instance: "000000000001", battery: 2984),
    uid(0xD3B2_0000_0002, 40, 9, 1.0, instance: "000000000002", battery: 2713), url, ephemeral,
    altBeacon,
  ]

  private static func iBeacon(
    _ address: UInt64, _ x: Double, _ y: Double, _ interval: Double, _ major: UInt16,
    _ minor: UInt16, power: Int8 = -59
  ) -> WalkDevice {
    let address = Address(address)
    return WalkDevice(
      address: address, x: x, y: y, strength: -59, interval: interval,
      codes: power < 0 ? [:] : ["implausible_power": 1]
    ) { _, _ in
      Scene.iBeacon(address, Scene.hall, major, minor, power, rssi: 0)
    }
  }

  /// One address that sends two identities in turn.
  private static var twoIdentities: WalkDevice {
    let address = Address(0xC4A1_0000_0401)
    return WalkDevice(address: address, x: 28, y: 9, strength: -61, interval: 0.4) { count, _ in
      Scene.iBeacon(address, Scene.hall, 4, count % 2 == 0 ? 1 : 2, -61, rssi: 0)
    }
  }

  /// Every tenth advertisement is telemetry.
  private static func uid(
    _ address: UInt64, _ x: Double, _ y: Double, _ interval: Double, instance: String,
    battery: UInt16
  ) -> WalkDevice {
    let address = Address(address)
    let payload = Payload.eddystoneUID(
      namespace: [UInt8](hex: "8b0ca750e54c6e4d1a2f"), instance: [UInt8](hex: instance), power: -18)
    return WalkDevice(address: address, x: x, y: y, strength: -59, interval: interval) {
      count, second in
      guard count % 10 == 9 else {
        return Scene.beacon(address, payload, rssi: 0, Beacon(kind: "eddystone-uid", id: instance))
      }
      let data = Payload.eddystoneTLM(
        millivolts: battery - UInt16(second / 300),
        temperature: Int16(21.25 * 256) + Int16(second / 4),
        count: 1_204_551 + UInt32(count), uptime: 6_022_800 + UInt32(second * 10))
      return Scene.beacon(address, data, rssi: 0, Beacon(kind: "eddystone-tlm", id: nil))
    }
  }

  private static var url: WalkDevice {
    let address = Address(0xD3B2_0000_0003)
    let payload = Payload.eddystoneURL(
      scheme: 3, rest: Array("museum.example/".utf8), power: -20)
    return WalkDevice(address: address, x: 15, y: 3, strength: -61, interval: 0.7) { _, _ in
      Scene.beacon(address, payload, rssi: 0, Beacon(kind: "eddystone-url", id: "museum"))
    }
  }

  /// Identity key 0102030405060708090a111213141516, K 10; the beacon's clock reads 600 s at the
  /// start, so that the identifier changes after 424 s.
  private static var ephemeral: WalkDevice {
    let address = Address(0x6B31_94C7_0D2E)
    return WalkDevice(address: address, x: 21, y: 8, strength: -60, interval: 0.76) {
      count, second in
      if count % 8 == 7 {
        let frame = [UInt8](hex: encryptedTelemetry[Int(second / 60)])
        let data = Payload.eddystoneETLM(
          cipher: Array(frame[..<12]), salt: Array(frame[12..<14]), check: Array(frame[14...]))
        return Scene.beacon(address, data, rssi: 0, Beacon(kind: "eddystone-etlm", id: nil))
      }
      let identifier = second < 424 ? "a9b76a71c5f89290" : "4144413e45fefa58"
      return Scene.beacon(
        address, Payload.eddystoneEID([UInt8](hex: identifier), power: -19), rssi: 0,
        Beacon(kind: "eddystone-eid", id: identifier))
    }
  }

  /// Cipher text, salt and check for each minute, computed with the key above.
  private static let encryptedTelemetry = [
    "b844bcd1ae87114559a8210a51000cdd",
    "cde0962892f02473c95b0b175101269c",
    "8e5ec24245b793505b4b20da51025acd",
    "0879517cc6b28be25ce269ba5103a338",
    "f8fdd7d868fbafcf54e889cc5104211f",
    "2a3799b2626e42bcafd3e26851053e05",
    "6dd8b7fb721fd3704b2f0dcb5106262f",
    "1bd4f6c9a1ee567fb1dbe62b51072c01",
    "4832eaff3e59aff92f4cff215108fa94",
    "3e9323e0844e74670e8a8f8351094e8e",
    "5e950aa198b7d124852760fd510aa804",
    "b6d2219f1fc64f31f35cda32510bdd3d",
    "48c0e3d31daed20f901de70a510c680e",
    "fd3d801f6b763b3c8faf08ed510dfe2d",
    "cbefcce7e757f46cdee4c878510e635b",
  ]

  private static var altBeacon: WalkDevice {
    let address = Address(0x0018_DA07_1D55, isRandom: false)
    let payload = Payload.altBeacon(id: Scene.hall + [0, 5, 0, 1], power: -62)
    return WalkDevice(address: address, x: 6, y: 14, strength: -62, interval: 0.2) { _, _ in
      Scene.beacon(address, payload, rssi: 0, Beacon(kind: "altbeacon", id: "alt"))
    }
  }

  /// Other visitors' devices: each for a while, somewhere in the halls, under a private address.
  static func passers() -> [WalkDevice] {
    var random = SplitMix64(seed: 0x7061_7373)
    return (0..<84).map { number in
      let start = random.fraction() * 780
      let stay = 60 + random.fraction() * 240
      let resolvable = random.next() & 0x3FFF_FFFF_FFFF | 0x4000_0000_0000
      let (data, label, interval) = passer(number % 7, &random)
      return WalkDevice(
        address: Address(resolvable), x: random.fraction() * 40, y: random.fraction() * 18,
        strength: -62, interval: interval, isConnectable: number % 7 < 3,
        present: start..<min(start + stay, Walk.seconds)
      ) { _, _ in
        Advert(
          nanoseconds: 0, address: Address(resolvable), rssi: 0, data: data,
          labels: label.map { [$0] } ?? [])
      }
    }
  }

  private static func passer(_ kind: Int, _ random: inout SplitMix64)
    -> (data: [UInt8], label: String?, interval: Double)
  {
    switch kind {
    case 0, 1:
      (
        Payload.appleNearbyInfo([0x1B, 0x18] + random.bytes(3)), "apple_nearby_info", 0.4
      )
    case 2: (Payload.appleFindMy(key: random.bytes(22)), "apple_find_my", 2.0)
    case 3:
      (
        Payload.exposureNotification(rolling: random.bytes(16), metadata: random.bytes(4)),
        "exposure_notification", 0.27
      )
    case 4: (Payload.fastPair(model: random.bytes(3)), "google_fast_pair_discoverable", 0.3)
    case 5: (Payload.swiftPair(), "microsoft_swift_pair", 0.6)
    default:
      (
        join(Payload.flags(), Payload.services(0x180D), Payload.name("Band \(random.below(90))")),
        nil, 0.9
      )
    }
  }
}
