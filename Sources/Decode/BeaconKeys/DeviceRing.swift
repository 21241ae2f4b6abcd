import Synchronization

/// Devices that somebody knows by a key or by addresses, and which of them an address is of. One ring serves all
/// captures of a run, on whichever threads they are decoded: what it answers depends on the address alone.
///
/// Devices have numbers: first those with keys, then those with addresses.
public final class DeviceRing: Sendable {
  public let keys: [DeviceKey]
  public let named: [NamedDevice]
  /// By address of a named device: its number.
  private let places: [UInt64: Int]
  private let known: Mutex<Known>

  private struct Known {
    let ciphers: [AddressCipher]
    /// Devices of which something was heard, by number.
    var used: Set<Int> = []
    /// Addresses that no key made; so many at most.
    var strangers: Set<UInt64> = []
    /// Addresses that several keys would have made; so many at most.
    var shared: [UInt64: [Int]] = [:]
  }

  /// An address that several keys would have made: by chance for all of them but one, or for all.
  public struct Shared: Sendable {
    /// 48 bits, first printed byte highest.
    public let address: UInt64
    public let keys: [DeviceKey]
  }

  /// A key that made nothing, and would have if its bytes stood in the other order.
  public struct Reversed: Sendable {
    public let key: DeviceKey
    /// How many addresses it would have made then.
    public let addresses: Int
  }

  /// Addresses that are remembered to be told.
  public static let mostTold = 10_000

  /// - Parameters:
  ///   - keys: no two with the same IRK: nobody could tell them apart.
  ///   - named: no two with the same address.
  public init(_ keys: [DeviceKey], named: [NamedDevice] = []) {
    precondition(Set(keys.map(\.irk)).count == keys.count, "two devices have one key")
    self.keys = keys
    self.named = named
    var places: [UInt64: Int] = [:]
    for (place, device) in named.enumerated() {
      for address in device.addresses {
        let other = places.updateValue(keys.count + place, forKey: address)
        precondition(other == nil, "two devices have one address")
      }
    }
    self.places = places
    known = Mutex(Known(ciphers: keys.map { AddressCipher($0.irk) }))
  }

  /// By number.
  public var names: [String] { keys.map(\.name) + named.map(\.name) }

  /// Number of the device that somebody named by an address, of whatever kind that is; nil where nobody did.
  /// - Parameter address: 48 bits.
  public func named(_ address: UInt64) -> Int? {
    guard let place = places[address] else { return nil }
    known.withLock { _ = $0.used.insert(place) }
    return place
  }

  /// Whether somebody named a device by an address; it does not count as heard by that.
  public func isNamed(_ address: UInt64) -> Bool { places[address] != nil }

  /// Which key made an address; nil where none did, or several would have. Each is asked: it takes an AES for
  /// each key.
  /// - Parameter address: 48 bits of a random address.
  public func resolve(_ address: UInt64) -> Int? {
    guard !keys.isEmpty, DeviceKey.mayHaveMade(address) else { return nil }
    let (prand, hash) = (DeviceKey.prand(address), DeviceKey.hash(address))
    return known.withLock { known in
      var found: Int?
      var all: [Int] = []
      for place in known.ciphers.indices where known.ciphers[place].hash(prand) == hash {
        known.used.insert(place)
        if let found { all = (all.isEmpty ? [found] : all) + [place] }
        found = place
      }
      if found == nil, known.strangers.count < Self.mostTold { known.strangers.insert(address) }
      if !all.isEmpty, known.shared.count < Self.mostTold { known.shared[address] = all }
      return all.isEmpty ? found : nil
    }
  }

  /// Keys that made nothing so far, in their order.
  public var unused: [DeviceKey] {
    known.withLock { known in keys.indices.filter { !known.used.contains($0) } }.map { keys[$0] }
  }

  /// Named devices of which nothing was heard so far, in their order.
  public var unheard: [NamedDevice] {
    known.withLock { known in
      named.indices.filter { !known.used.contains(keys.count + $0) }
    }.map { named[$0] }
  }

  /// Addresses that none of the keys made; `mostTold` stands for any number from there on.
  public var strangers: Int { known.withLock { $0.strangers.count } }

  /// By address.
  public var shared: [Shared] {
    known.withLock { $0.shared }.sorted { $0.key < $1.key }
      .map { Shared(address: $0.key, keys: $0.value.map { keys[$0] }) }
  }

  /// Which of the unused keys would have made addresses that were heard, if their bytes stood in the other
  /// order; what chance may well do is left out.
  public var reversed: [Reversed] {
    let strangers = known.withLock { $0.strangers }
    let unused = unused
    let byChance = Double(strangers.count * unused.count) / Double(DeviceKey.hashes)
    return unused.compactMap { key in
      let cipher = AddressCipher(key.irk.reversed())
      let count = strangers.reduce(0) { count, address in
        count + (cipher.hash(DeviceKey.prand(address)) == DeviceKey.hash(address) ? 1 : 0)
      }
      guard count > 1 || (count == 1 && byChance < 0.01) else { return nil }
      return Reversed(key: key, addresses: count)
    }
  }
}
