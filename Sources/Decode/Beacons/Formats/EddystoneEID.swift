import CaptureReader

extension BeaconKind {
  public static let eddystoneEID = BeaconKind(rawValue: 7)
}

/// Eddystone-EID: 0 frame, 1 TX power, 2–9 identifier that changes with time.
///
/// Identity: the eight bytes seen.
public enum EddystoneEID: BeaconFormat {
  public static let kind = BeaconKind.eddystoneEID
  public static let name: StaticString = "eddystone-eid"
  public static let title = "Eddystone-EID"
  public static let isEphemeral = true

  @inline(__always)
  static func decode(_ frame: RawSpan) -> BeaconOutcome {
    guard frame.byteCount >= 10 else { return .rejected(.eidBadLength) }
    var draft = BeaconDraft(
      identity: BeaconIdentity(kind: .eddystoneEID, count: 8, frame.be64(2)))
    Eddystone.takePower(frame, into: &draft)
    if frame.byteCount > 10 { draft.warnings.insert(.trailingBytes) }
    return .beacon(draft)
  }

  public static let parts = [IdentityPart("eid", .hex, 0..<8)]
  public static let textForm = "16 hexadecimal digits"

  public static func fields(of sighting: Sighting, id: BeaconIdentity, _ table: IdentityTable)
    -> [BeaconField]
  {
    identityFields(table.bytes(of: id)) + [BeaconField("tx_power", .int(Int(sighting.power)))]
  }
}

extension BeaconKind {
  public static let eddystoneResolved = BeaconKind(rawValue: 9)
}

extension BeaconWarnings {
  public static let oldIdentifier = BeaconWarnings(rawValue: 1 << 12)
}

/// An Eddystone-EID of which somebody has the key: the same beacon, whatever it sends.
///
/// Identity: the name that the key has, in ASCII, with zeros behind it up to 24 bytes. Extra: the eight bytes
/// seen; and when on the beacon's clock they begin, how long they last, and what the key's line expects (`Timing`).
public enum EddystoneResolved: BeaconFormat {
  public static let kind = BeaconKind.eddystoneResolved
  public static let name: StaticString = "eddystone-eid-resolved"
  public static let title = "resolved Eddystone-EID"
  public static let makesRegion = true

  /// The 24 bytes of an identity.
  /// - Parameter name: at most 24 bytes.
  public static func identity(_ name: String) -> [UInt8] {
    let bytes = Array(name.utf8)
    return bytes + [UInt8](repeating: 0, count: 24 - bytes.count)
  }

  /// The eight bytes that were seen.
  public static func sent(_ sighting: Sighting) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: sighting.extra.0 >> UInt64(56 - 8 * $0)) }
  }

  /// When on the beacon's clock they are sent, in seconds.
  public static func timing(_ sighting: Sighting) -> Timing { Timing(packed: sighting.extra.1) }

  public static let parts = [IdentityPart("key", .padded, 0..<24)]
  public static let textForm = "the key's name"

  public static func fields(of sighting: Sighting, id: BeaconIdentity, _ table: IdentityTable)
    -> [BeaconField]
  {
    let timing = timing(sighting)
    return identityFields(table.bytes(of: id)) + [
      BeaconField("eid_sent", .text(HexText.string(sent(sighting)))),
      BeaconField("clock_s", .int(timing.slot)), BeaconField("lasts_s", .int(timing.period)),
      BeaconField("clock_due_s", timing.due.map { .int($0) } ?? .none),
      BeaconField("tx_power", .int(Int(sighting.power))),
    ]
  }
}

extension EddystoneResolved {
  /// In seconds of the beacon's clock.
  public struct Timing: Equatable, Sendable {
    /// When an identifier begins.
    public let slot: Int
    /// How long it lasts.
    public let period: Int
    /// What the clock says by its key's line; nil where that says nothing, or something that is farther off than
    /// any clock.
    public let due: Int?

    public init(slot: Int, period: Int, due: Int?) {
      (self.slot, self.period, self.due) = (slot, period, due)
    }

    /// Beginnings have as many zeros at their end as `period`, which is a power of two: a one in front of these tells
    /// it. Above them 31 bits for what is due, from the beginning on; 0: nothing.
    var packed: UInt64 {
      let ahead = due.map { $0 - slot + Self.middle } ?? 0
      let isTold = ahead > 0 && ahead < 2 * Self.middle
      return UInt64(slot) << 1 | UInt64(period) | (isTold ? UInt64(ahead) << 33 : 0)
    }

    init(packed: UInt64) {
      let low = packed & (1 << 33 - 1)
      period = low == 0 ? 1 : 1 << low.trailingZeroBitCount
      slot = Int((low & ~UInt64(period)) >> 1)
      let ahead = Int(packed >> 33)
      due = ahead == 0 ? nil : slot + ahead - Self.middle
    }

    private static let middle = 1 << 30
  }
}
