import BeaconKeys
import Beacons
import CaptureWriter
import FrameEncoder

/// What somebody puts on the air at one moment.
struct Advertisement {
  var address: Address
  var data: [UInt8]
  var isConnectable = false
  var form = BeaconPlan.Advertising.legacy
  /// How readers label what is no beacon, as a place in `Phone.labels`.
  var label = 0
  /// What a reader must make of it; nil for what is no beacon.
  var meaning: Meaning?
}

/// A beacon payload as a reader must see it: kept beside the bytes from the moment they are made.
struct Meaning {
  var draft: BeaconDraft
  /// The number in the run's table of identities.
  var identity: UInt32

  /// Telemetry belongs to another identity of its address.
  var isTelemetry: Bool {
    draft.identity.kind == .eddystoneTLM || draft.identity.kind == .eddystoneETLM
  }

  init(_ draft: BeaconDraft, in table: inout IdentityTable) {
    self.draft = draft
    identity = table.intern(draft.identity)
  }
}

extension BeaconIdentity {
  /// Up to 24 bytes, first byte highest.
  init(_ kind: BeaconKind, _ bytes: [UInt8]) {
    var words: (UInt64, UInt64, UInt64) = (0, 0, 0)
    for (place, byte) in bytes.enumerated() {
      let part = UInt64(byte) << UInt64(56 - 8 * (place % 8))
      switch place / 8 {
      case 0: words.0 |= part
      case 1: words.1 |= part
      default: words.2 |= part
      }
    }
    self.init(kind: kind, count: UInt8(bytes.count), words.0, words.1, words.2)
  }
}

extension BeaconPlan.Content {
  /// Advertising data and what they mean, nil for what is no beacon, at a time of the site in whole seconds.
  func payload(at second: Int64) -> (data: [UInt8], draft: BeaconDraft?) {
    switch self {
    case .device:
      return (Payload.appleNearbyInfo([0x1B, 0x18, 0x5E, 0x0C, 0xA7]), nil)
    case .iBeacon(let uuid, let major, let minor, let power):
      var draft = BeaconDraft(identity: BeaconIdentity(.iBeacon, uuid + major.be + minor.be))
      draft.power = power
      if power >= 0 { draft.warnings.insert(.implausiblePower) }
      return (Payload.iBeacon(uuid: uuid, major: major, minor: minor, power: power), draft)
    case .altBeacon(let company, let id, let power):
      var draft = BeaconDraft(identity: BeaconIdentity(.altBeacon, id))
      draft.power = power
      draft.extra.0 = UInt64(company)
      return (Payload.altBeacon(company: company, id: id, power: power), draft)
    case .uid(let namespace, let instance, let power):
      var draft = BeaconDraft(identity: BeaconIdentity(.eddystoneUID, namespace + instance))
      draft.power = power
      return (
        Payload.eddystoneUID(namespace: namespace, instance: instance, power: power), draft
      )
    case .url(_, let encoded, let power):
      var draft = BeaconDraft(identity: BeaconIdentity(.eddystoneURL, encoded))
      draft.power = power
      return (
        Payload.eddystoneURL(
          scheme: encoded[0], rest: Array(encoded.dropFirst()), power: power), draft
      )
    case .eid(let cipher, let clock, let power):
      let bytes = cipher.identifier(at: clock &+ UInt32(truncatingIfNeeded: second))
      var draft = BeaconDraft(identity: BeaconIdentity(.eddystoneEID, bytes))
      draft.power = power
      return (Payload.eddystoneEID(bytes, power: power), draft)
    }
  }

  /// The first second from `second` on when the identity changes; nil where it never does.
  func nextChange(after second: Int64) -> Int64? {
    guard case .eid(let cipher, let clock, _) = self else { return nil }
    let now = clock &+ UInt32(truncatingIfNeeded: second)
    return second + Int64(1 << UInt32(cipher.exponent)) - Int64(now - cipher.slot(at: now))
  }

  /// Telemetry: encrypted for a beacon with a key.
  func telemetry(
    _ plain: [UInt8], at second: Int64, address: Address, salt: [UInt8]
  ) -> (data: [UInt8], draft: BeaconDraft) {
    let sender = Array(address.value.be.suffix(6))
    guard case .eid(let cipher, let clock, _) = self else {
      var draft = BeaconDraft(identity: BeaconIdentity(.eddystoneTLM, sender))
      let words = BeaconIdentity(.eddystoneTLM, plain).words
      draft.extra = (words.0, words.1 >> 32)
      return (Payload.eddystone([0x20, 0x00] + plain), draft)
    }
    let (secret, check) = cipher.telemetry(
      plain, at: clock &+ UInt32(truncatingIfNeeded: second), salt: salt)
    var draft = BeaconDraft(identity: BeaconIdentity(.eddystoneETLM, sender))
    let words = BeaconIdentity(.eddystoneETLM, secret + salt + check).words
    draft.extra = (words.0, words.1)
    return (Payload.eddystoneETLM(cipher: secret, salt: salt, check: check), draft)
  }

  /// As sightings and regions name it: `ibeacon`.
  var format: any BeaconFormat.Type {
    switch self {
    case .iBeacon: IBeacon.self
    case .altBeacon: AltBeacon.self
    case .uid: EddystoneUID.self
    case .url: EddystoneURL.self
    case .eid: EddystoneEID.self
    case .device: ResolvedDevice.self
    }
  }

  /// The identity as text, at the start of the run.
  var identityText: String {
    guard let draft = payload(at: 0).draft else { return "" }
    let bytes = (0..<Int(draft.identity.count)).map { draft.identity.byte($0) }
    return format.identityText(bytes)
  }
}
