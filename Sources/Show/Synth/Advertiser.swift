import BeaconKeys
import Beacons
import CaptureWriter
import FrameEncoder

/// A device of the site while it advertises.
struct Advertiser {
  enum Kind {
    case beacon(BeaconPlan, Int)
    case phone(Phone)
  }
  private(set) var kind: Kind
  private(set) var path: Path
  private(set) var address: Address
  var random: SplitMix64
  let signal: Double
  private let interval: Int64
  /// Advertisements so far.
  private(set) var sent = 0
  private var base: Advertisement
  /// When the data of `base` no longer hold, in seconds of the site.
  private var freshUntil: Int64 = .min
  private var addressUntil: Int64 = .max
  /// A beacon that counts on from the days before.
  private let sentBefore: UInt32

  init(_ plan: BeaconPlan, place: Int, random: SplitMix64) {
    var random = random
    kind = .beacon(plan, place)
    path = plan.path
    signal = plan.signal
    interval = plan.interval
    let made = Address(random.next() & 0x3FFF_FFFF_FFFF | 0xC000_0000_0000)
    address = plan.address ?? Self.address(made, plan.irk)
    sentBefore = UInt32(random.below(1_000_000))
    base = Advertisement(
      address: address, data: [], isConnectable: plan.isConnectable, form: plan.advertising)
    if let rotation = plan.addressRotation { addressUntil = plan.appears + rotation }
    self.random = random
  }

  /// A phone that has come.
  init(_ phone: Phone, random: SplitMix64) {
    kind = .phone(phone)
    path = Path(at: phone.place)
    signal = -62
    interval = phone.interval
    address = phone.address
    sentBefore = 0
    base = Advertisement(
      address: phone.address, data: phone.data, isConnectable: phone.isConnectable,
      label: phone.label)
    self.random = random
  }

  /// One that a key makes of the upper half of another; that one where there is no key.
  private static func address(_ drawn: Address, _ irk: [UInt8]?) -> Address {
    guard let irk else { return drawn }
    let prand = UInt32(drawn.value >> 24 & 0x3F_FFFF | 0x40_0000)
    return Address(UInt64(prand) << 24 | UInt64(DeviceKey(name: "", irk: irk).hash(prand)))
  }

  mutating func position(at time: Int64) -> Point { path.position(at: time) }

  /// When it advertises again: an interval on, and up to ten milliseconds that the controller adds.
  mutating func turn(after time: Int64) -> Int64 {
    // 24 random bits; a shift binds closer than a product.
    time + interval + (Int64(random.next() >> 40) * 10_000_000) >> 24
  }

  /// The first turn after it appears.
  mutating func firstTurn(from time: Int64) -> Int64 {
    time + Int64(random.fraction() * Double(interval))
  }

  /// What is sent now.
  mutating func advertise(at time: Int64, _ table: inout IdentityTable) -> Advertisement {
    sent += 1
    guard case .beacon(let plan, _) = kind else { return base }
    if time >= addressUntil, let rotation = plan.addressRotation {
      address = Self.address(
        Address(random.next() & 0x3FFF_FFFF_FFFF | 0x4000_0000_0000), plan.irk)
      base.address = address
      while addressUntil <= time { addressUntil += rotation }
    }
    let second = time / 1_000_000_000
    if plan.telemetryEvery > 0, sent % plan.telemetryEvery == 0 {
      return telemetry(plan, at: time, &table)
    }
    if second >= freshUntil {
      let (data, draft) = plan.content.payload(at: second)
      base.data = plan.advertising == .legacy ? data : Self.longName(plan.name) + data
      base.meaning = draft.map { Meaning($0, in: &table) }
      if draft == nil { base.label = Phone.nearbyInfo }
      freshUntil = plan.content.nextChange(after: second) ?? .max
    }
    return base
  }

  /// Extended advertising is for those who have more to say: enough here for two packets. A packet holds
  /// 255 bytes: what makes a beacon's own name longer than that does not go on the air.
  private static func longName(_ name: String) -> [UInt8] {
    var name = name
    while name.utf8.count > 128 { name.removeLast() }
    return Payload.name("\(name), which advertises with more words than 31 bytes have room for")
  }

  /// The battery falls a millivolt in five minutes, the temperature wanders by two degrees.
  private mutating func telemetry(
    _ plan: BeaconPlan, at time: Int64, _ table: inout IdentityTable
  ) -> Advertisement {
    let second = time / 1_000_000_000
    let wander = second / 4 % 1024
    let battery = Int64(plan.battery) - second / 300
    let plain = join(
      UInt16(max(1, battery)).be,
      (plan.temperature + Int16(wander < 512 ? wander : 1024 - wander)).be,
      (sentBefore &+ UInt32(truncatingIfNeeded: sent)).be,
      (sentBefore &* 5 &+ UInt32(truncatingIfNeeded: time / 100_000_000)).be)
    let (data, draft) = plan.content.telemetry(
      plain, at: second, address: address, salt: random.bytes(2))
    var result = base
    result.data = data
    result.meaning = Meaning(draft, in: &table)
    return result
  }
}

/// Somebody's phone, earphones or tracker: here for a while under a private address.
struct Phone {
  let place: Point
  let address: Address
  let data: [UInt8]
  let interval: Int64
  let isConnectable: Bool
  /// Place in `labels`.
  let label: Int
  /// What readers call such devices; empty for what they have no word for.
  static let labels = [
    "", "apple_nearby_info", "apple_find_my", "exposure_notification",
    "google_fast_pair_discoverable", "microsoft_swift_pair",
  ]
  static let nearbyInfo = 1
  /// Nanoseconds since the start.
  let leaves: Int64

  /// `area`: two opposite corners of where people are.
  init(
    at time: Int64, stay: ClosedRange<Int64>, area: (Point, Point), _ random: inout SplitMix64
  ) {
    place = Point(
      x: area.0.x + random.fraction() * (area.1.x - area.0.x),
      y: area.0.y + random.fraction() * (area.1.y - area.0.y))
    let spread = Double(stay.upperBound - stay.lowerBound)
    leaves = time + stay.lowerBound + Int64(random.fraction() * spread)
    address = Address(random.next() & 0x3FFF_FFFF_FFFF | 0x4000_0000_0000)
    let number = random.below(7)
    isConnectable = number < 3
    label = [1, 1, 2, 3, 4, 5, 0][number]
    let milliseconds: Int64
    (data, milliseconds) = Self.payload(number, &random)
    interval = milliseconds * 1_000_000
  }

  private static func payload(_ kind: Int, _ random: inout SplitMix64) -> ([UInt8], Int64) {
    switch kind {
    case 0, 1: (Payload.appleNearbyInfo([0x1B, 0x18] + random.bytes(3)), 400)
    case 2: (Payload.appleFindMy(key: random.bytes(22)), 2000)
    case 3:
      (Payload.exposureNotification(rolling: random.bytes(16), metadata: random.bytes(4)), 270)
    case 4: (Payload.fastPair(model: random.bytes(3)), 300)
    case 5: (Payload.swiftPair(), 600)
    default:
      (
        join(Payload.flags(), Payload.services(0x180D), Payload.name("Band \(random.below(90))")),
        900
      )
    }
  }
}
