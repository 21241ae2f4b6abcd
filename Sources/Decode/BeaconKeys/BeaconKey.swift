public import CaptureReader

/// A beacon whose key somebody has, and what is known of its clock.
public struct BeaconKey: Sendable {
  /// What the beacon is called wherever its identifiers are heard: 1 to 24 printable
  /// letters of ASCII; no blank, and none of `,:=%`.
  public let name: String
  public let cipher: EphemeralIdentifier
  /// Nil where nobody wrote it down.
  public let clock: BeaconClock?
  /// How far the beacon's clock may be from where it should be, either way, in seconds. Beacons save it about
  /// once a day, and go on from there after a loss of power (PROTOCOLS 6.2).
  public let window: UInt64

  public static let usualWindow: UInt64 = 86_400
  /// A clock that nobody wrote down is looked for up to here: ten years of 365 days, in seconds.
  public static let longestAge: UInt64 = 3650 * 86_400
  /// Smallest exponent with which that is done: with smaller ones there are too many identifiers.
  public static let leastExponentOfUnknown: UInt8 = 8
  /// Letters that a name has at most: as many as an identity holds bytes.
  public static let longestName = 24

  public init(
    name: String, cipher: EphemeralIdentifier, clock: BeaconClock? = nil,
    window: UInt64 = usualWindow
  ) {
    self.name = name
    self.cipher = cipher
    self.clock = clock
    self.window = window
  }
}

/// What a beacon's clock said at some moment.
public struct BeaconClock: Equatable, Sendable {
  /// Seconds of the beacon's own clock.
  public let seconds: UInt32
  public let moment: Timestamp

  public init(seconds: UInt32, moment: Timestamp) {
    self.seconds = seconds
    self.moment = moment
  }
}

extension BeaconKey {
  /// What the beacon's clock says at a time by what somebody wrote down, in seconds; nil where nobody did, or the time is
  /// not known.
  public func clock(at time: Timestamp) -> Int? {
    guard let clock, time.isKnown else { return nil }
    let second = time.nanoseconds / 1_000_000_000 - clock.moment.nanoseconds / 1_000_000_000
    return Int(clock.seconds) + Int(second)
  }

  /// Which identifiers the beacon may send at a time: in seconds of its clock, from the beginning of one on.
  /// Empty where it cannot have sent any, or that depends on a time that nobody knows.
  ///
  /// A crystal is off by 150 ppm at most, and the moment of change is drawn by chance within an identifier's
  /// time: one more either way (PROTOCOLS 6.2).
  /// - Parameter second: since 1970.
  func slots(at second: Int64?) -> Range<UInt64> {
    guard clock != nil else { return 0..<Self.longestAge }
    return second.map { slots(from: $0, to: $0) } ?? 0..<0
  }

  /// The same of a span of time.
  func slots(from first: Int64, to last: Int64) -> Range<UInt64> {
    guard let clock else { return 0..<Self.longestAge }
    let moment = clock.moment.nanoseconds / 1_000_000_000
    func clockAt(_ second: Int64) -> Int64 { Int64(clock.seconds) + second - moment }
    // One second more: these are whole ones.
    let longest = max((first - moment).magnitude, (last - moment).magnitude)
    let reach =
      Int64(window) + Int64(longest * 150 / 1_000_000) + 1 + Int64(cipher.period)
    let end = Int64(UInt32.max)
    guard clockAt(last) + reach >= 0, clockAt(first) - reach <= end else { return 0..<0 }
    let start = cipher.slot(at: UInt32(max(0, clockAt(first) - reach)))
    return UInt64(start)..<UInt64(min(end, clockAt(last) + reach) + 1)
  }
}
