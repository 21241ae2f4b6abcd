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
  /// How long the pointing packet takes, nanoseconds.
  private let length: Int64

  /// Both crystals run by up to 500 ppm wrong (Core, Vol 6, Part B, 4.2.2).
  private static let drift: Int64 = 1000

  /// Nil where it says that none comes: by an offset of 0.
  /// - Parameters:
  ///   - field: the three bytes, little-endian.
  ///   - time: of the packet that says so.
  ///   - length: how long that one takes, nanoseconds.
  init?(_ field: UInt32, from time: Timestamp, length: Int64) {
    let index = UInt8(truncatingIfNeeded: field & 0x3F)
    channel = index < 37 ? index : 255
    let unit: Int64 = field & 0x80 != 0 ? 300_000 : 30_000
    let offset = Int64(field >> 8 & 0x1FFF) * unit
    guard offset > 0 else { return nil }
    let drift = offset / Self.drift
    let (end, isTooLate) = time.nanoseconds.addingReportingOverflow(offset + unit + drift)
    hasTimes = time.isKnown && !isTooLate
    (earliest, latest) = hasTimes ? (end - unit - 2 * drift, end) : (0, 0)
    self.length = length
  }

  /// By how much a packet came too soon or too late, nanoseconds; 0 where it came when it should; nil where that is
  /// not known. Sniffers stamp the beginning of a packet, or its end: whichever fits better.
  /// - Parameter length: how long that packet takes, nanoseconds.
  func miss(_ time: Timestamp, length: Int64) -> Int64? {
    guard hasTimes, time.isKnown else { return nil }
    return min(off(time.nanoseconds, by: 0), off(time.nanoseconds, by: length - self.length))
  }

  /// Nanoseconds outside the window, which is moved.
  private func off(_ time: Int64, by shift: Int64) -> Int64 {
    let (now, isFar) = time.subtractingReportingOverflow(shift)
    guard !isFar else { return .max }
    let (off, isFarther) =
      now < earliest
      ? earliest.subtractingReportingOverflow(now) : now.subtractingReportingOverflow(latest)
    return isFarther ? .max : max(0, off)
  }

  /// By how much it is too late for the packet, nanoseconds; nil where it is not, or where that is not known.
  func isOver(_ time: Timestamp) -> Int64? {
    guard hasTimes, time.isKnown, time.nanoseconds > latest else { return nil }
    let (late, isFar) = time.nanoseconds.subtractingReportingOverflow(latest)
    return isFar ? .max : late
  }

  /// Whether it is so long before the packet that no pointer reaches so far: the clock was set back.
  func isFarOff(_ time: Timestamp) -> Bool {
    // 8191 · 300 µs.
    hasTimes && time.isKnown && off(time.nanoseconds, by: 0) > 2_460_000_000
  }

  /// Whether two point to the same packet, as all of an advertising event do.
  func agrees(with other: AuxPointer, within slack: Int64) -> Bool {
    guard channel == other.channel, hasTimes == other.hasTimes else { return false }
    let (apart, isFar) = earliest.subtractingReportingOverflow(other.earliest)
    return !isFar && apart.magnitude <= UInt64(slack)
  }

  /// How long a packet takes, nanoseconds: preamble, access address, PDU and CRC (Core, Vol 6, Part B, 2.1 and 2.2; of
  /// the coded PHY as with eight symbols a bit).
  /// - Parameter count: bytes of the PDU's payload.
  static func length(of count: Int, _ phy: PHY) -> Int64 {
    switch phy {
    case .le2M: 4000 * Int64(11 + count)
    case .coded: 64_000 * Int64(5 + count) + 400_000
    default: 8000 * Int64(10 + count)
    }
  }
}
