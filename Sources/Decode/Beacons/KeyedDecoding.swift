import BeaconKeys
import CaptureReader
import FrameDecoder

/// Whose identifiers and telemetry they are, where somebody has the keys: of one capture.
struct KeyedDecoding: Sendable {
  let ring: KeyRing
  /// What was resolved last of each address: its telemetry is opened with that.
  private var senders: [DeviceAddress: KeyRing.Place] = [:]
  /// By key: the latest of its identifiers, in seconds of the beacon's clock.
  private var latest: [Int: UInt32] = [:]

  init(_ ring: KeyRing) { self.ring = ring }

  /// Makes of a payload what its key's owner reads in it; leaves what none of the keys is for.
  /// - Returns: whether it may have been for one: then the payload alone does not decide what it is.
  mutating func take(
    _ draft: inout BeaconDraft, _ report: borrowing AdvertisingReport, _ table: inout IdentityTable
  ) -> Bool {
    switch draft.identity.kind {
    case .eddystoneEID:
      let sent = draft.identity.words.0
      guard let place = ring.resolve(sent, at: report.time) else { return true }
      senders[report.address] = place
      draft.identity = table.identity(
        kind: .eddystoneResolved, bytes: EddystoneResolved.identity(ring.keys[place.key].name))
      draft.extra = (sent, UInt64(place.slot))
      if isOld(place) { draft.warnings.insert(.oldIdentifier) }
      return true
    case .eddystoneETLM:
      // Of whom nothing was resolved yet may be of a beacon without a key here.
      guard let place = senders[report.address] else { return true }
      let bytes = [draft.extra.0, draft.extra.1].flatMap { word in
        (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(56 - 8 * $0)) }
      }
      guard let plain = ring.open(bytes, near: place) else {
        draft.warnings.insert(.telemetryTagMismatch)
        return true
      }
      draft.identity = BeaconIdentity(
        kind: .eddystoneOpened, count: draft.identity.count, draft.identity.words.0)
      draft.extra = (Self.number(plain[..<8]), Self.number(plain[8...]))
      return true
    default: return false
    }
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
