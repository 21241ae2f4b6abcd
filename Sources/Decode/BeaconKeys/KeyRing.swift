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
  }

  public let keys: [BeaconKey]
  private let known: Mutex<Known>

  /// Identifiers computed so far, of the times that are needed for these hours.
  private struct Known {
    var places: [UInt64: Place] = [:]
    var hours: Set<Int64?> = []
    /// Keys by which something was resolved.
    var used: Set<Int> = []
    /// Identifiers that are of none of the keys; so many at most.
    var strangers: Set<UInt64> = []
    /// By key.
    var spans: [RangeSet<UInt64>]
  }

  /// - Parameter keys: no two with the same key and exponent: nobody could tell them apart.
  public init(_ keys: [BeaconKey]) {
    precondition(Set(keys.map(\.cipher)).count == keys.count, "two beacons have one key")
    self.keys = keys
    known = Mutex(Known(spans: keys.map { _ in RangeSet() }))
  }

  /// - Parameters:
  ///   - identifier: the eight bytes that were sent, first one highest.
  ///   - moment: when.
  /// - Returns: nil where none of the beacons could have sent it then.
  public func resolve(_ identifier: UInt64, at moment: Timestamp) -> Place? {
    known.withLock { known in
      let second = moment.isKnown ? moment.nanoseconds / 1_000_000_000 : nil
      let hour = second.map { $0 / 3600 }
      if known.hours.insert(hour).inserted { learn(hour, &known) }
      guard let place = known.places[identifier],
        keys[place.key].slots(at: second).contains(UInt64(place.slot))
      else {
        if known.strangers.count < Self.mostStrangers { known.strangers.insert(identifier) }
        return nil
      }
      known.used.insert(place.key)
      return place
    }
  }

  /// Keys by which nothing was resolved so far, in their order.
  public var unused: [BeaconKey] {
    known.withLock { known in keys.indices.filter { !known.used.contains($0) } }.map { keys[$0] }
  }

  /// Identifiers that are of none of the keys; `mostStrangers` stands for any number from there on.
  public var strangers: Int { known.withLock { $0.strangers.count } }

  public static let mostStrangers = 10_000

  /// Computes what may be sent in an hour, as far as it is not there yet.
  /// - Parameter hour: since 1970; nil: nobody knows when.
  private func learn(_ hour: Int64?, _ known: inout Known) {
    for (number, key) in keys.enumerated() {
      // Before 1970 an hour is the one behind it.
      let edges =
        hour.map { [key.slots(at: ($0 - 1) * 3600), key.slots(at: ($0 + 1) * 3600)] }
        ?? [key.slots(at: nil)]
      let ends = edges.filter { !$0.isEmpty }
      guard let first = ends.first?.lowerBound, let last = ends.last?.upperBound else { continue }
      var missing = RangeSet(first..<last)
      missing.subtract(known.spans[number])
      let period = key.cipher.period
      for span in missing.ranges {
        let from = span.lowerBound / period * period
        key.cipher.identifiers(from: from, to: span.upperBound) { slot, identifier in
          known.places[identifier] = Place(key: number, slot: slot)
        }
      }
      known.spans[number].insert(contentsOf: first..<last)
    }
  }

  /// Opens telemetry of the beacon whose identifier was heard from the same address: with the clock of that
  /// identifier, the one before and the one behind it.
  /// - Parameter bytes: twelve of ciphertext, two of salt, two of the tag.
  /// - Returns: the twelve bytes of plain telemetry; nil where the tag is of none of these.
  public func open(_ bytes: [UInt8], near place: Place) -> [UInt8]? {
    precondition(bytes.count == 16, "encrypted telemetry has 16 bytes")
    let cipher = keys[place.key].cipher
    let period = Int64(cipher.period)
    for slot in [Int64(place.slot), Int64(place.slot) - period, Int64(place.slot) + period] {
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
