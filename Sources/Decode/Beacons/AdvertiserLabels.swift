import CaptureReader

/// What else advertises: kinds of device told by their payload, as a set of bits (PROTOCOLS.md 10).
public struct AdvertiserLabels: OptionSet, Hashable, BitwiseCopyable, Sendable {
  public let rawValue: UInt64
  @inlinable public init(rawValue: UInt64) { self.rawValue = rawValue }

  // Spelled out, because the protocol's versions go through witnesses on the way of every frame.
  public static var none: AdvertiserLabels {
    @inlinable @inline(__always) get { AdvertiserLabels(rawValue: 0) }
  }
  public var isEmpty: Bool { @inlinable @inline(__always) get { rawValue == 0 } }
  @inlinable @inline(__always)
  public func union(_ other: AdvertiserLabels) -> AdvertiserLabels {
    AdvertiserLabels(rawValue: rawValue | other.rawValue)
  }
  @inlinable @inline(__always)
  public mutating func formUnion(_ other: AdvertiserLabels) { self = union(other) }
  @inlinable @inline(__always)
  public func contains(_ other: AdvertiserLabels) -> Bool {
    rawValue & other.rawValue == other.rawValue
  }
  @inlinable @inline(__always)
  public static func == (a: AdvertiserLabels, b: AdvertiserLabels) -> Bool {
    a.rawValue == b.rawValue
  }

  /// By bit.
  public static let names: [StaticString] = [
    "apple_overflow_area", "apple_airprint", "apple_airdrop", "apple_homekit",
    "apple_proximity_pairing", "apple_hey_siri", "apple_airplay_target", "apple_airplay_source",
    "apple_magic_switch", "apple_handoff", "apple_tethering_target", "apple_tethering_source",
    "apple_nearby_action", "apple_nearby_info", "apple_find_my", "apple_find_my_nearby",
    "google_fast_pair_discoverable", "google_fast_pair_not_discoverable", "exposure_notification",
    "google_find_hub", "google", "microsoft_cdp", "microsoft_swift_pair", "tile",
    "samsung_smarttag", "samsung", "chipolo", "pebblebee", "ruuvi_format_3", "ruuvi_format_5",
    "minew", "estimote", "estimote_nearable", "kontakt", "gimbal", "radius_networks", "uribeacon",
    "xiaomi", "itag", "ibeacon_layout_other_company",
  ]

  static func bit(_ number: Int) -> AdvertiserLabels { AdvertiserLabels(rawValue: 1 << number) }

  static let appleOverflow = bit(0)
  static let findMy = bit(14)
  static let findMyNearby = bit(15)
  static let fastPairDiscoverable = bit(16)
  static let fastPair = bit(17)
  static let exposureNotification = bit(18)
  static let findHub = bit(19)
  static let google = bit(20)
  static let microsoftCDP = bit(21)
  static let swiftPair = bit(22)
  static let tile = bit(23)
  static let smartTag = bit(24)
  static let samsung = bit(25)
  static let chipolo = bit(26)
  static let pebblebee = bit(27)
  static let ruuvi3 = bit(28)
  static let ruuvi5 = bit(29)
  static let minew = bit(30)
  static let estimote = bit(31)
  static let nearable = bit(32)
  static let kontakt = bit(33)
  static let gimbal = bit(34)
  static let radiusNetworks = bit(35)
  static let uriBeacon = bit(36)
  static let xiaomi = bit(37)
  static let iTag = bit(38)
  /// iBeacon's layout under another company's number.
  static let iBeaconLayout = bit(39)

  /// Of an element of Apple's data; none for one that has no name.
  static func apple(_ type: UInt8, length: Int) -> AdvertiserLabels {
    switch type {
    case 0x03: bit(1)
    case 0x05: bit(2)
    case 0x06: bit(3)
    case 0x07: bit(4)
    case 0x08: bit(5)
    case 0x09: bit(6)
    case 0x0A: bit(7)
    case 0x0B: bit(8)
    case 0x0C: bit(9)
    case 0x0D: bit(10)
    case 0x0E: bit(11)
    case 0x0F: bit(12)
    case 0x10: bit(13)
    case 0x12: length == 2 ? findMyNearby : findMy
    default: []
    }
  }

  /// Of manufacturer data, by company and what follows.
  static func manufacturer(_ data: RawSpan) -> AdvertiserLabels {
    var labels: AdvertiserLabels = []
    let rest = data.byteCount - 2
    let first = rest > 0 ? data.u8(2) : 0
    switch data.le16(0) {
    case 0x0006: labels = first == 1 ? microsoftCDP : first == 3 ? swiftPair : []
    case 0x0075: labels = samsung
    case 0x008C: labels = gimbal
    case 0x0118: labels = radiusNetworks
    case 0x015D: labels = nearable
    case 0x01FD: labels = kontakt
    case 0x0499: labels = first == 3 && rest >= 14 ? ruuvi3 : first == 5 && rest >= 24 ? ruuvi5 : []
    case 0x0639: labels = minew
    case 0x067C: labels = tile
    default: break
    }
    if data.byteCount >= IBeacon.length, data.be16(2) == 0x0215 { labels.insert(iBeaconLayout) }
    return labels
  }

  /// Of service data for a 16-bit UUID; `data` begins with the UUID.
  static func service(_ data: RawSpan) -> AdvertiserLabels {
    let rest = data.byteCount - 2
    switch data.le16(0) {
    case 0xFE2C: return rest == 3 ? fastPairDiscoverable : fastPair
    case 0xFD6F: return rest == 20 ? exposureNotification : []
    case 0xFEAA: return Eddystone.isFindHub(data) ? findHub : []
    case 0xFFE1: return rest > 0 && data.u8(2) == 0xA1 ? minew : []
    case let uuid: return listed(uuid)
    }
  }

  /// Of a UUID that says enough by being there.
  static func listed(_ uuid: UInt16) -> AdvertiserLabels {
    switch uuid {
    case 0xFEF3, 0xFE50: google
    case 0xFEED, 0xFEEC, 0xFD84: tile
    case 0xFD5A: smartTag
    case 0xFD69: samsung
    case 0xFE33, 0xFE65: chipolo
    case 0xFA25: pebblebee
    case 0xFE9A: estimote
    case 0xFE6A: kontakt
    case 0xFEFC, 0xFEFD: gimbal
    case 0xFED8: uriBeacon
    case 0xFE95: xiaomi
    case 0xFFE0: iTag
    default: []
    }
  }
}
