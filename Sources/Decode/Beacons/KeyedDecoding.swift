import BeaconKeys
import CaptureReader
import FrameDecoder

/// Whose addresses, identifiers and telemetry they are, where somebody has the keys: of one capture.
struct KeyedDecoding: Sendable {
  let ring: KeyRing
  /// What was resolved last of each address, and when: its telemetry is opened with that.
  private var senders: [DeviceAddress: Heard] = [:]
  /// So many are looked through for those of long ago.
  private var mostSenders = 1024

  private struct Heard {
    let place: KeyRing.Place
    let time: Timestamp
  }
  /// By key: the latest of its identifiers, in seconds of the beacon's clock.
  private var latest: [Int: UInt32] = [:]
  /// Whether what was resolved comes of clocks that run.
  private(set) var identifiers = IdentifierLog()
  /// Nil where no device is known.
  private var addresses: ResolvedAddresses?

  init(_ ring: KeyRing) {
    self.ring = ring
    if !ring.devices.names.isEmpty { addresses = ResolvedAddresses(ring.devices) }
  }

  /// The device whose address it is, by a key or by what somebody said; nil where it is nobody's.
  @inline(__always)
  mutating func device(_ address: DeviceAddress) -> BeaconIdentity? { addresses?.device(address) }

  /// Whether somebody said whose an address is.
  func isNamed(_ address: DeviceAddress) -> Bool { addresses?.isNamed(address) == true }

  /// Makes of a payload what its key's owner reads in it; leaves what none of the keys is for.
  /// - Returns: whether it may have been for one: then the payload alone does not decide what it is.
  mutating func take(
    _ draft: inout BeaconDraft, _ report: borrowing AdvertisingReport, _ table: inout IdentityTable
  ) -> Bool {
    switch draft.identity.kind {
    case .eddystoneEID:
      let sent = draft.identity.words.0
      guard let place = ring.resolve(sent, at: report.time) else {
        identifiers.take(unknown: sent, report)
        return true
      }
      remember(place, report)
      draft.identity = table.identity(
        kind: .eddystoneResolved, bytes: EddystoneResolved.identity(ring.keys[place.key].name))
      let key = ring.keys[place.key]
      let timing = EddystoneResolved.Timing(
        slot: Int(place.slot), period: Int(key.cipher.period), due: key.clock(at: report.time))
      draft.extra = (sent, timing.packed)
      if isOld(place) { draft.warnings.insert(.oldIdentifier) }
      note(place, sent, report)
      return true
    case .eddystoneETLM:
      // Of whom nothing was resolved yet may be of a beacon without a key here.
      guard let heard = senders[report.address] else { return true }
      let seconds = Self.seconds(from: heard.time, to: report.time)
      let bytes = [draft.extra.0, draft.extra.1].flatMap { word in
        (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
      }
      guard let plain = ring.open(bytes, near: heard.place, after: seconds) else {
        // After a longer time the address may be somebody else's.
        if seconds <= 2 * Int64(ring.keys[heard.place.key].cipher.period) {
          draft.warnings.insert(.telemetryTagMismatch)
          identifiers.take(telemetryOf: heard.place.key, isOpened: false, report)
        }
        return true
      }
      identifiers.take(telemetryOf: heard.place.key, isOpened: true, report)
      draft.identity = BeaconIdentity(
        kind: .eddystoneOpened, count: draft.identity.count, draft.identity.words.0)
      draft.extra = (Self.number(plain[..<8]), Self.number(plain[8...]))
      return true
    default: return false
    }
  }

  /// Addresses that beacons have left long ago are forgotten.
  private mutating func remember(_ place: KeyRing.Place, _ report: borrowing AdvertisingReport) {
    let time = report.time
    senders[report.address] = Heard(place: place, time: time)
    guard senders.count > mostSenders else { return }
    senders = senders.filter { Self.seconds(from: $1.time, to: time) < 86_400 }
    mostSenders = max(1024, 2 * senders.count)
  }

  private mutating func note(
    _ place: KeyRing.Place, _ sent: UInt64, _ report: borrowing AdvertisingReport
  ) {
    guard report.time.isKnown else { return }
    identifiers.take(
      HeardIdentifiers.Moment(
        time: report.time, frame: report.frame, address: report.address, sent: sent,
        slot: place.slot),
      key: place.key, observer: Int(report.observer),
      period: ring.keys[place.key].cipher.period)
  }

  /// 0 where one is not known, or it went back.
  private static func seconds(from first: Timestamp, to last: Timestamp) -> Int64 {
    guard first.isKnown, last.isKnown else { return 0 }
    return max(0, last.nanoseconds / 1_000_000_000 - first.nanoseconds / 1_000_000_000)
  }

  /// Whether a beacon has been further than this identifier and the next: neither loss nor the order of
  /// frames explains that.
  private mutating func isOld(_ place: KeyRing.Place) -> Bool {
    let latest = latest[place.key] ?? place.slot
    self.latest[place.key] = max(latest, place.slot)
    return UInt64(place.slot) + 2 * ring.keys[place.key].cipher.period <= UInt64(latest)
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
