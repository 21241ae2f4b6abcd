import Beacons
import CaptureWriter
import FrameEncoder

/// Very many beacons that pass by in the open. So many are there at a time, in places of their own;
/// when one has been heard often enough another takes its place. Nothing is kept of them: everything
/// follows from a beacon's number.
struct CrowdSource {
  let identities: Int
  private let gap: Int64
  /// How many are there at a time.
  private let places: Int
  /// Advertisements of each.
  private let stay: Int
  private var count = 0
  private var random: SplitMix64
  /// Whether meanings are wanted; they need memory for each identity.
  private let isTold: Bool
  private(set) var heard = 0
  var sent: Int { count }
  private var data: [[UInt8]]
  private static let uuid = [UInt8](hex: "5f1c0e62a84d4b0c9d2e7a3b61c4d8f0")

  /// - Parameter planned: advertisements in all: by then every one of them has been there.
  init(_ crowd: Scenario.Crowd, planned: Int, seed: UInt64, isTold: Bool) {
    identities = crowd.identities
    gap = 1_000_000_000 / Int64(crowd.framesPerSecond)
    random = .stream(seed: seed, 0xC20D)
    self.isTold = isTold
    places = min(crowd.inRange, crowd.identities)
    stay = max(1, planned / crowd.identities)
    let id = Self.uuid + [0, 0, 0, 0]
    data = [
      Payload.iBeacon(uuid: Self.uuid, major: 0, minor: 0, power: -59),
      Payload.eddystoneUID(
        namespace: Array(Self.uuid.prefix(10)), instance: Array(id.suffix(6)), power: -18),
      Payload.altBeacon(id: id, power: -59),
    ]
  }

  /// When the next one of them advertises.
  var time: Int64 { Int64(count) * gap }

  /// The next advertisement and its signal; nil where it does not arrive.
  mutating func next(_ radio: Radio, isDeaf: Bool, _ table: inout IdentityTable)
    -> (Advertisement, Int8)?
  {
    let number = number(at: count)
    count += 1
    let mixed = (UInt64(number) &+ 1) &* 0x9E37_79B9_7F4A_7C15
    let mean = Double(-45 - Int(mixed >> 40) % 48)
    guard let rssi = radio.receive(mean, &random), !isDeaf else { return nil }
    heard += 1
    let kind = Self.kind(number)
    // The number stands in major and minor, in the end of the instance, in id2 and id3.
    let place = 25
    for byte in 0..<4 {
      data[kind][place + byte] = UInt8(truncatingIfNeeded: number >> (24 - 8 * byte))
    }
    // Multiplying by an odd number keeps different numbers apart in the lower bits.
    let address = Address(mixed & 0x3FFF_FFFF_FFFF | 0xC000_0000_0000)
    var advertisement = Advertisement(address: address, data: data[kind])
    if isTold { advertisement.meaning = Self.meaning(number, kind, &table) }
    return (advertisement, rssi)
  }

  /// The beacon that sends an advertisement: places take turns, and change hands one after the other.
  private func number(at count: Int) -> Int {
    let (turn, place) = count.quotientAndRemainder(dividingBy: places)
    let before = (turn + place * stay / places) / stay
    return (before * places + place) % identities
  }

  /// Of five beacons three are iBeacons, one Eddystone, one AltBeacon.
  private static func kind(_ number: Int) -> Int { max(0, number % 5 - 2) }

  private static func meaning(_ number: Int, _ kind: Int, _ table: inout IdentityTable) -> Meaning?
  {
    let (major, minor) = (
      UInt16(truncatingIfNeeded: number >> 16), UInt16(truncatingIfNeeded: number)
    )
    let content: BeaconPlan.Content =
      switch kind {
      case 0: .iBeacon(uuid: uuid, major: major, minor: minor, power: -59)
      case 1:
        .uid(
          namespace: Array(uuid.prefix(10)),
          instance: Array(uuid.suffix(2)) + major.be + minor.be, power: -18)
      default: .altBeacon(company: 0x0118, id: uuid + major.be + minor.be, power: -59)
      }
    return content.payload(at: 0).draft.map { Meaning($0, in: &table) }
  }
}
