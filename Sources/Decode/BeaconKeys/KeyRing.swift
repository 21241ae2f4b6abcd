public import CaptureReader
import Synchronization

/// Beacons' keys, and which beacon an identifier is of. One ring serves all captures of a run, on whichever
/// threads they are decoded: what it answers depends on the question alone.
public final class KeyRing: Sendable {
  /// Whose identifier it is, and when on the beacon's clock it begins.
  public struct Place: Equatable, Sendable {
    /// Index into `keys`.
    public let key: Int
    /// Seconds of the beacon's clock, with the low K bits cleared.
    public let slot: UInt32

    public init(key: Int, slot: UInt32) {
      self.key = key
      self.slot = slot
    }
  }

  public let keys: [BeaconKey]
  /// Those of devices, which make addresses; and devices with addresses of their own.
  public let devices: DeviceRing
  private let known: Mutex<Known>

  private struct Known {
    /// Of the keys whose clock nobody knows; nil before somebody asks.
    var ageless: IdentifierTable?
    /// Of the others, what may be sent on a day: of the days asked about last, the latest one at the end.
    var days: [(day: Int64, table: IdentifierTable)] = []
    /// Keys by which something was resolved.
    var used: Set<Int> = []
    /// What was resolved; so many at most.
    var resolved: [UInt64: Int] = [:]
    /// Identifiers that are of none of the keys, each with the second in which it was heard first (the last one
    /// there is, where that is not known); so many at most.
    var strangers: [UInt64: Int64] = [:]
    /// Of keys with a clock, when it was heard last and what it said.
    var latest: [Int: Heard] = [:]
  }

  /// When an identifier was heard, and of which time of its beacon's clock it is.
  private struct Heard {
    let second: Int64
    let slot: UInt32

    func isBefore(_ other: Heard) -> Bool { (second, slot) < (other.second, other.slot) }
  }

  /// Captures of several days may be read side by side.
  private static let mostDays = 3
  private static let day: Int64 = 86_400
  /// Identifiers that are remembered to be told.
  public static let mostTold = 10_000
  /// Identifiers of keys without a clock, all together: 16 bytes each.
  public static let mostAgeless: UInt64 = 1 << 24

  /// - Parameters:
  ///   - keys: no two with the same key and exponent: nobody could tell them apart.
  ///   - devices: no two with the same key.
  ///   - named: no two with the same address.
  public init(_ keys: [BeaconKey], devices: [DeviceKey] = [], named: [NamedDevice] = []) {
    precondition(Set(keys.map(\.cipher)).count == keys.count, "two beacons have one key")
    self.keys = keys
    self.devices = DeviceRing(devices, named: named)
    known = Mutex(Known())
  }

  /// - Parameters:
  ///   - identifier: the eight bytes that were sent, first one highest.
  ///   - moment: when.
  /// - Returns: nil where none of the beacons could have sent it then.
  public func resolve(_ identifier: UInt64, at moment: Timestamp) -> Place? {
    let second = moment.isKnown ? moment.nanoseconds / 1_000_000_000 : nil
    return known.withLock { known in
      guard let place = find(identifier, at: second, &known) else {
        let earlier = known.strangers[identifier]
        if earlier != nil || known.strangers.count < Self.mostTold {
          known.strangers[identifier] = min(earlier ?? .max, second ?? .max)
        }
        return nil
      }
      known.used.insert(place.key)
      if let second, keys[place.key].clock != nil {
        let heard = Heard(second: second, slot: place.slot)
        if known.latest[place.key]?.isBefore(heard) ?? true { known.latest[place.key] = heard }
      }
      if known.resolved.count < Self.mostTold { known.resolved[identifier] = place.key }
      return place
    }
  }

  private func find(_ identifier: UInt64, at second: Int64?, _ known: inout Known) -> Place? {
    let ageless =
      known.ageless ?? IdentifierTable(keys) { $0.clock == nil ? $0.slots(at: nil) : 0..<0 }
    known.ageless = ageless
    if let place = ageless[identifier] { return place }
    guard let second, let place = table(of: second, &known)[identifier],
      keys[place.key].slots(at: second).contains(UInt64(place.slot))
    else { return nil }
    return place
  }

  private func table(of second: Int64, _ known: inout Known) -> IdentifierTable {
    let day = second / Self.day
    if let place = known.days.lastIndex(where: { $0.day == day }) {
      if place < known.days.count - 1 { known.days.append(known.days.remove(at: place)) }
      return known.days[known.days.count - 1].table
    }
    // Before 1970 a day is the one behind it, too.
    let table = IdentifierTable(keys) { key in
      key.clock == nil
        ? 0..<0 : key.slots(from: (day - 1) * Self.day, to: (day + 1) * Self.day)
    }
    if known.days.count == Self.mostDays { known.days.removeFirst() }
    known.days.append((day, table))
    return table
  }

  /// Keys by which nothing was resolved so far, in their order.
  public var unused: [BeaconKey] {
    known.withLock { known in keys.indices.filter { !known.used.contains($0) } }.map { keys[$0] }
  }

  /// Keys by which something was resolved, by number.
  var usedKeys: Set<Int> { known.withLock { $0.used } }

  /// Identifiers that are of none of the keys; `mostTold` stands for any number from there on.
  public var strangers: Int { known.withLock { $0.strangers.count } }

  /// Of keys with a clock by which something was resolved: when that was heard last, and of which time of the clock
  /// it is.
  var latest: [(key: Int, second: Int64, slot: UInt32)] {
    known.withLock { $0.latest }.map { ($0.key, $0.value.second, $0.value.slot) }
  }

  /// Identifiers that are of none of the keys, each with the second in which it was heard first; the last one there is
  /// where that is not known.
  var strangersHeard: [UInt64: Int64] { known.withLock { $0.strangers } }

  /// The key that was found to have made an identifier; nil where none was, or it was not heard.
  public func maker(of identifier: UInt64) -> BeaconKey? {
    known.withLock { $0.resolved[identifier] }.map { keys[$0] }
  }

  /// Opens telemetry of a beacon of which an identifier was heard from the same address.
  /// - Parameters:
  ///   - bytes: twelve of ciphertext, two of salt, two of the tag.
  ///   - place: that identifier.
  ///   - seconds: how long ago it was heard; the beacon's clock has gone on as long. The time before and the
  ///     time behind are tried, too.
  /// - Returns: the twelve bytes of plain telemetry; nil where the tag is of none of these.
  public func open(_ bytes: [UInt8], near place: Place, after seconds: Int64 = 0) -> [UInt8]? {
    precondition(bytes.count == 16, "encrypted telemetry has 16 bytes")
    let cipher = keys[place.key].cipher
    let period = Int64(cipher.period)
    // Heard somewhen within its time: what was sent so much later is of one of two, and the one heard may
    // have been sent on.
    let later = Int64(place.slot) + seconds / period * period
    for slot in [later, later + period, later - period] {
      guard let time = UInt32(exactly: slot) else { continue }
      if let plain = cipher.opened(
        cipher: Array(bytes[..<12]), salt: Array(bytes[12..<14]), check: Array(bytes[14...]),
        at: time)
      {
        return plain
      }
    }
    return nil
  }
}

/// Identifiers with the places they stand for: sixteen bytes each, in order, to be searched.
private struct IdentifierTable: Sendable {
  private struct Entry {
    let identifier: UInt64
    let slot: UInt32
    let key: UInt32
  }

  private let entries: [Entry]

  /// - Parameter slots: which a key is asked for, in seconds of its clock.
  init(_ keys: [BeaconKey], _ slots: (BeaconKey) -> Range<UInt64>) {
    let spans = keys.map(slots)
    var entries: [Entry] = []
    entries.reserveCapacity(
      zip(keys, spans).reduce(0) { $0 + Int(UInt64($1.1.count) / $1.0.cipher.period) + 2 })
    for (number, key) in keys.enumerated() {
      let slots = spans[number]
      guard !slots.isEmpty else { continue }
      let first = UInt64(key.cipher.slot(at: UInt32(slots.lowerBound)))
      key.cipher.identifiers(from: first, to: slots.upperBound) { slot, identifier in
        entries.append(Entry(identifier: identifier, slot: slot, key: UInt32(number)))
      }
    }
    // By key, too: of two that made one by chance it is always the same.
    entries.sort { ($0.identifier, $0.key, $0.slot) < ($1.identifier, $1.key, $1.slot) }
    self.entries = entries
  }

  subscript(identifier: UInt64) -> KeyRing.Place? {
    let place = entries.indices.bisected { entries[$0].identifier >= identifier }
    guard place < entries.count, entries[place].identifier == identifier else { return nil }
    return KeyRing.Place(key: Int(entries[place].key), slot: entries[place].slot)
  }
}
