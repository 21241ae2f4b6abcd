import CaptureWriter
import FrameEncoder
import TestSupport

/// Somebody who sends the same again and again, or telemetry that counts on.
struct Advertiser {
  enum Content: CaseIterable {
    case iBeacon, iBeaconWithMore, altBeacon, uid, url, longURL, eid, tlm, etlm
    /// Telemetry without flags and list before it; with bytes behind its end; with a structure
    /// behind it; cut short; together with an identity, or with a frame that is refused.
    case bareTLM, tlmWithTail, tlmBeforeName, shortTLM, tlmAndUID, tlmAndRefused
    case swiftPair, nearby, findMy, fastPair, exposure, badExposure, otherCompany, name, nothing
    /// A structure longer than the data; manufacturer data of one byte; anything.
    case overrun, shortManufacturer, noise
  }

  let address: Address
  let content: Content
  let isExtended: Bool
  /// Legacy event type, or the extended one's low bits.
  let type: UInt8
  let sid: UInt8
  let seed: [UInt8]
  private let fixed: [UInt8]

  init(_ content: Content, isExtended: Bool, _ random: inout Seeded) {
    self.content = content
    self.isExtended = isExtended
    address = Address(random.next() >> 16, isRandom: !random.once(in: 3))
    type = random.pick(isExtended ? [0, 0, 0x13, 0x10, 0x1A, 0x02] : [0, 2, 3, 3, 4])
    sid = random.pick([0, 5, 15, 255])
    seed = random.bytes(22)
    fixed = Self.data(content, seed, &random)
  }

  /// What it advertises now.
  func data(_ random: inout Seeded) -> [UInt8] {
    content.isTelemetry ? Self.data(content, seed, &random) : fixed
  }

  func legacyReport(_ random: inout Seeded) -> HCI.LegacyReport {
    HCI.LegacyReport(type: type, address, data(&random), rssi: Self.rssi(&random))
  }

  func extendedReport(_ random: inout Seeded) -> HCI.ExtendedReport {
    var report = HCI.ExtendedReport(address, data(&random), rssi: Self.rssi(&random))
    report.type = UInt16(type)
    report.sid = sid
    return report
  }

  /// dBm: mostly ordinary, now and then not available or out of range.
  static func rssi(_ random: inout Seeded) -> Int8 {
    if random.once(in: 12) { return random.pick([127, 126, 21, 20, 0, -127, -128]) }
    return Int8(-100 + random.below(70))
  }

  private static func data(_ content: Content, _ seed: [UInt8], _ random: inout Seeded) -> [UInt8] {
    switch content {
    case .iBeacon: return Payload.iBeacon(uuid: Array(seed[0..<16]), major: 7, minor: 9, power: -59)
    case .iBeaconWithMore:
      let element = [0x02, 0x15] + seed[0..<20] + [0xC5]
      return Payload.manufacturer(0x004C, element + [0x10, 0x02, 0x0B, seed[21]])
    case .altBeacon:
      return Payload.altBeacon(id: Array(seed[0..<20]), power: -60, reserved: seed[20])
    case .uid, .url, .longURL, .eid: return eddystone(content, seed)
    case .tlm, .etlm, .bareTLM, .tlmWithTail, .tlmBeforeName, .shortTLM, .tlmAndUID,
      .tlmAndRefused:
      return telemetry(content, seed, &random)
    default: return other(content, seed, &random)
    }
  }

  private static func eddystone(_ content: Content, _ seed: [UInt8]) -> [UInt8] {
    switch content {
    case .uid:
      Payload.eddystoneUID(
        namespace: Array(seed[0..<10]), instance: Array(seed[10..<16]), power: -20)
    case .eid: Payload.eddystoneEID(Array(seed[0..<8]), power: -20)
    case .url: Payload.eddystoneURL(scheme: 3, rest: Array("museum".utf8) + [0], power: -10)
    // Without the list: something to warn about each time.
    default:
      Payload.serviceData(0xFEAA, [0x10, 0xF0, 1] + seed[0..<22].map { 0x61 + $0 % 26 })
    }
  }

  private static func telemetry(_ content: Content, _ seed: [UInt8], _ random: inout Seeded)
    -> [UInt8]
  {
    let frame: [UInt8] = [0x20, 0x00] + random.bytes(12)
    switch content {
    case .etlm: return Payload.eddystone([0x20, 0x01] + random.bytes(16))
    case .bareTLM: return Payload.serviceData(0xFEAA, frame)
    case .tlmWithTail: return Payload.eddystone(frame + seed[0..<3])
    case .tlmBeforeName: return Payload.eddystone(frame) + Payload.name("abcd")
    case .tlmAndRefused: return Payload.eddystone(frame) + Payload.serviceData(0xFEAA, [0x20, 7])
    case .shortTLM: return Payload.eddystone(Array(frame.dropLast()))
    case .tlmAndUID:
      return Payload.serviceData(0xFEAA, [0, 0xEC] + seed[0..<16])
        + Payload.serviceData(0xFEAA, frame)
    default: return Payload.eddystone(frame)
    }
  }

  private static func other(_ content: Content, _ seed: [UInt8], _ random: inout Seeded)
    -> [UInt8]
  {
    switch content {
    case .swiftPair: Payload.swiftPair()
    case .nearby: Payload.appleNearbyInfo(Array(seed[0..<5]))
    case .findMy: Payload.appleFindMy(key: seed)
    case .fastPair: Payload.fastPair(model: Array(seed[0..<3]))
    case .exposure:
      Payload.exposureNotification(rolling: Array(seed[0..<16]), metadata: Array(seed[16..<20]))
    case .badExposure: Payload.serviceData(0xFD6F, Array(seed[0..<9]))
    case .otherCompany:
      Payload.manufacturer(UInt16(seed[21] & 3) + 0x59, [0x02, 0x15] + seed[0..<21])
    case .name: Payload.name("door \(seed[0])")
    case .overrun: Payload.flags() + [0x1E, 0x16, 0xAA, 0xFE] + seed[0..<9]
    case .shortManufacturer: Payload.structure(0xFF, [seed[0]])
    case .noise: random.bytes(random.below(32))
    default: []
    }
  }
}

extension Advertiser.Content {
  /// Whether it says something new each time.
  var isTelemetry: Bool {
    switch self {
    case .tlm, .etlm, .bareTLM, .tlmWithTail, .tlmBeforeName, .shortTLM, .tlmAndUID,
      .tlmAndRefused:
      true
    default: false
    }
  }
}
