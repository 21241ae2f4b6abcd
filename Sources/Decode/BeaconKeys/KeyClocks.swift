import CaptureReader

/// Where the clocks of beacons are, beside where somebody wrote down that they would be: they drift, go on from an old
/// time when they lost their power, and begin anew where they are set up anew (PROTOCOLS 6.2).
extension KeyRing {
  /// A clock that is not where it should be.
  public struct StrayClock: Sendable {
    public let key: BeaconKey
    /// Seconds by which it is ahead; half of the time of an identifier more or less.
    public let ahead: Int64
    /// What it said when it was heard last.
    public let clock: BeaconClock
    /// When the identifier begins that said so, in seconds of its clock.
    public let slot: UInt32
  }

  /// Of keys by which something was resolved, those whose clock is off by more than one and a half identifiers: the
  /// moment of change is drawn by chance within one. In the order of the keys.
  public var strayClocks: [StrayClock] {
    latest.sorted { $0.key < $1.key }.compactMap { heard in
      let key = keys[heard.key]
      guard let found = stray(key, heard.slot, heard.second) else { return nil }
      return key.isStray(found.ahead) ? found : nil
    }
  }

  /// Identifiers that are looked for at most: a second or two.
  private static let mostSought: UInt64 = 1 << 22

  /// Of keys by which nothing was resolved, those that made identifiers that were heard, at a time of their clock that
  /// is beyond its window. Looked for are ten years of it, for as many keys as that takes no time; not those whose
  /// identifiers last seconds.
  /// - Returns: them, and how many of the identifiers that are of nobody are theirs.
  public func beyondTheirWindows() -> (clocks: [StrayClock], identifiers: Int) {
    let heard = strangersHeard
    // Of more only those are kept that came first, on whichever thread: it would not be the same twice.
    guard !heard.isEmpty, heard.count < Self.mostTold else { return ([], 0) }
    var found: [StrayClock] = []
    var (identifiers, sought) = (0, UInt64(0))
    for key in unused
    where key.clock != nil && key.cipher.exponent >= BeaconKey.leastExponentOfUnknown {
      sought += BeaconKey.longestAge / key.cipher.period
      guard sought <= Self.mostSought else { break }
      var last: (second: Int64, slot: UInt32)?
      key.cipher.identifiers(from: 0, to: BeaconKey.longestAge) { slot, identifier in
        guard let second = heard[identifier], second != .max else { return }
        identifiers += 1
        if last.map({ $0 < (second, slot) }) ?? true { last = (second, slot) }
      }
      if let last, let clock = stray(key, last.slot, last.second) { found.append(clock) }
    }
    return (found, identifiers)
  }

  private func stray(_ key: BeaconKey, _ slot: UInt32, _ second: Int64) -> StrayClock? {
    guard let clock = key.clock else { return nil }
    let said = min(UInt64(slot) + key.cipher.period / 2, UInt64(UInt32.max))
    let due = Int64(clock.seconds) + second - clock.moment.nanoseconds / 1_000_000_000
    return StrayClock(
      key: key, ahead: Int64(said) - due,
      clock: BeaconClock(
        seconds: UInt32(said), moment: Timestamp(nanoseconds: second * 1_000_000_000)),
      slot: slot)
  }
}

extension BeaconKey {
  /// Whether a clock is off by more than one and a half identifiers: what may lie between is chance.
  public func isStray(_ ahead: Int64) -> Bool { ahead.magnitude * 2 > cipher.period * 3 }
}
