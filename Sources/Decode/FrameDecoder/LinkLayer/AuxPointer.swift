import CaptureReader

/// What a sniffer says of a packet of extended advertising beside its channel.
///
/// That it begins an advertisement is not taken from it: sniffers that do not look so far say so of all of them.
enum AuxKind: BitwiseCopyable, Sendable {
  case unknown
  /// AUX_CHAIN_IND: it goes on with what another packet began.
  case chained
  /// AUX_SYNC_IND, of periodic advertising.
  case synchronised
  /// AUX_SCAN_RSP: it answers a request, and no packet points to it.
  case response

  /// Two bits of link types 256 and 272 (PROTOCOLS.md 2.2, 2.5).
  init(bits: UInt16) {
    switch bits & 3 {
    case 1: self = .chained
    case 2: self = .synchronised
    case 3: self = .response
    default: self = .unknown
    }
  }

  /// Whether it is of periodic advertising, if it has an access address of its own.
  var mayBePeriodic: Bool { self == .chained || self == .synchronised }
}

/// Where and when the next packet of an advertisement comes, as a packet says (AuxPtr: Core, Vol 6, Part B, 2.3.4.5):
/// on that channel, not before its offset, and no later than one of its units behind that.
struct AuxPointer: BitwiseCopyable, Sendable {
  /// Index of a secondary channel; 255 where it is none.
  let channel: UInt8
  /// When the packet begins, nanoseconds; nothing where times are unknown.
  let earliest: Int64
  let latest: Int64
  let hasTimes: Bool

  /// 8191 · 300 µs: what comes later belongs to another advertisement.
  static let reach: Int64 = 2_460_000_000
  /// Both crystals run by up to 500 ppm wrong (Core, Vol 6, Part B, 4.2.2), and stamps are of whole microseconds.
  private static let drift: Int64 = 1000

  /// - Parameters:
  ///   - field: the three bytes, little-endian.
  ///   - time: when the packet began that says so.
  init(_ field: UInt32, from time: Timestamp) {
    let index = UInt8(truncatingIfNeeded: field & 0x3F)
    channel = index < 37 ? index : 255
    let unit: Int64 = field & 0x80 != 0 ? 300_000 : 30_000
    let offset = Int64(field >> 8 & 0x1FFF) * unit
    // Of no offset nothing is known.
    let (begin, isTooLate) = time.nanoseconds.addingReportingOverflow(offset)
    let width = offset == 0 ? Self.reach : unit + offset / Self.drift
    let (end, isTooLong) = begin.addingReportingOverflow(width)
    hasTimes = time.isKnown && !isTooLate && !isTooLong
    (earliest, latest) = hasTimes ? (begin - offset / Self.drift, end) : (0, 0)
  }

  /// By how much a packet came too soon or too late, nanoseconds; 0 where it came when it should; nil where that is
  /// not known.
  func miss(_ time: Timestamp) -> Int64? {
    guard hasTimes, time.isKnown else { return nil }
    if time.nanoseconds < earliest {
      let (early, isFar) = earliest.subtractingReportingOverflow(time.nanoseconds)
      return isFar ? .max : early
    }
    return isOver(time) ?? 0
  }

  /// By how much it is too late for the packet, nanoseconds; nil where it is not, or where that is not known.
  func isOver(_ time: Timestamp) -> Int64? {
    guard hasTimes, time.isKnown, time.nanoseconds > latest else { return nil }
    let (late, isFar) = time.nanoseconds.subtractingReportingOverflow(latest)
    return isFar ? .max : late
  }

  /// Whether two point to the same packet, as all of an advertising event do.
  func agrees(with other: AuxPointer, within slack: Int64) -> Bool {
    guard channel == other.channel, hasTimes == other.hasTimes else { return false }
    let (apart, isFar) = earliest.subtractingReportingOverflow(other.earliest)
    return !isFar && apart.magnitude <= UInt64(slack)
  }
}
