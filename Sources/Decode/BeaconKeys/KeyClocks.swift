import CaptureReader

/// Where the clocks of beacons are, beside where somebody wrote down that they would be: they drift, go on from an old
/// time when they lost their power, and begin anew where they are set up anew (PROTOCOLS 6.2).
extension KeyRing {
  /// A clock that is not where it should be.
  public struct StrayClock: Sendable {
    public let key: BeaconKey
    /// Of the ring's keys.
    public let number: Int
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
      guard let found = stray(heard.key, heard.slot, heard.second) else { return nil }
      return found.key.isStray(found.ahead) ? found : nil
    }
  }

  /// What was heard of keys with a clock at times of it that are beyond their windows.
  public struct Beyond: Sendable {
    /// What each said when it was heard last so: first those by which nothing was resolved, then those by which
    /// something was.
    public fileprivate(set) var clocks: [StrayClock] = []
    /// How many of the identifiers that are of nobody are theirs.
    public fileprivate(set) var identifiers = 0
    /// By identifier.
    public fileprivate(set) var places: [UInt64: Place] = [:]
    /// Of how many keys by which nothing was resolved not all of the time was looked through: there are too many.
    public fileprivate(set) var unsought = 0
  }

  /// Identifiers that are looked for at most: a second or two.
  private static let mostSought: UInt64 = 1 << 22
  /// So many ways in which clocks are off are looked for with the keys that are left.
  private static let mostAmounts = 3

  /// Of keys that made identifiers that were heard and are of nobody, those times of their clocks. Looked for are ten
  /// years of it, for as many keys as that takes no time, those first by which nothing was resolved; of the others what
  /// lies where the clocks of these were found, as of a receiver whose own clock is wrong. Not those whose identifiers
  /// last seconds.
  public func beyondTheirWindows() -> Beyond {
    let heard = strangersHeard
    var found = Beyond()
    // Of more only those are kept that came first, on whichever thread: it would not be the same twice.
    guard !heard.isEmpty, heard.count < Self.mostTold else { return found }
    let used = usedKeys
    let order = keys.indices.filter { !used.contains($0) } + keys.indices.filter(used.contains)
    var (sought, rest) = (UInt64(0), [Int]())
    for number in order {
      let cipher = keys[number].cipher
      guard keys[number].clock != nil, cipher.exponent >= BeaconKey.leastExponentOfUnknown
      else { continue }
      sought += BeaconKey.longestAge / cipher.period
      if sought > Self.mostSought || !rest.isEmpty {
        rest.append(number)
      } else {
        seek(number, 0..<BeaconKey.longestAge, heard, &found)
      }
    }
    let amounts = found.clocks.map(\.ahead)
    for number in rest {
      for ahead in amounts.prefix(Self.mostAmounts) {
        seek(number, slots(of: keys[number], ahead: ahead, heard), heard, &found)
      }
    }
    let known = Set(found.clocks.map(\.number)).union(used)
    found.unsought = rest.count { !known.contains($0) }
    return found
  }

  /// - Parameter span: of the key's clock, from the beginning of an identifier on.
  private func seek(
    _ number: Int, _ span: Range<UInt64>, _ heard: [UInt64: Int64], _ found: inout Beyond
  ) {
    guard !span.isEmpty else { return }
    var last: (second: Int64, slot: UInt32)?
    keys[number].cipher.identifiers(from: span.lowerBound, to: span.upperBound) {
      slot, identifier in
      guard let second = heard[identifier], second != .max, found.places[identifier] == nil
      else { return }
      found.identifiers += 1
      found.places[identifier] = Place(key: number, slot: slot)
      if last.map({ $0 < (second, slot) }) ?? true { last = (second, slot) }
    }
    guard let last, let clock = stray(number, last.slot, last.second) else { return }
    guard let place = found.clocks.firstIndex(where: { $0.number == number }) else {
      return found.clocks.append(clock)
    }
    let known = found.clocks[place]
    if known.clock.moment.nanoseconds < clock.clock.moment.nanoseconds {
      found.clocks[place] = clock
    }
  }

  /// Where a key's clock would be that is off by so much, in the time of what is of nobody.
  private func slots(of key: BeaconKey, ahead: Int64, _ heard: [UInt64: Int64]) -> Range<UInt64> {
    let seconds = heard.values.filter { $0 != .max }
    guard let clock = key.clock, let first = seconds.min(), let last = seconds.max() else {
      return 0..<0
    }
    let due = Int64(clock.seconds) - clock.moment.nanoseconds / 1_000_000_000 + ahead
    let (reach, end) = (3 * Int64(key.cipher.period), Int64(BeaconKey.longestAge))
    let (low, high) = (max(0, first + due - reach), min(end, last + due + reach))
    // A capture whose first time is of 1970 has a span of which everything is.
    guard low < high, high - low <= Self.longestSpan else { return 0..<0 }
    return UInt64(key.cipher.slot(at: UInt32(low)))..<UInt64(high)
  }

  /// Seconds: a hundred days.
  private static let longestSpan: Int64 = 8_640_000

  private func stray(_ number: Int, _ slot: UInt32, _ second: Int64) -> StrayClock? {
    let key = keys[number]
    guard let clock = key.clock else { return nil }
    let said = min(UInt64(slot) + key.cipher.period / 2, UInt64(UInt32.max))
    let due = Int64(clock.seconds) + second - clock.moment.nanoseconds / 1_000_000_000
    return StrayClock(
      key: key, number: number, ahead: Int64(said) - due,
      clock: BeaconClock(
        seconds: UInt32(said), moment: Timestamp(nanoseconds: second * 1_000_000_000)),
      slot: slot)
  }
}

extension BeaconKey {
  /// Whether a clock is off by more than one and a half identifiers: what may lie between is chance.
  public func isStray(_ ahead: Int64) -> Bool { ahead.magnitude * 2 > cipher.period * 3 }
}
