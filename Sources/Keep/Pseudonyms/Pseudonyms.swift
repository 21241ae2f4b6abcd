/// What stands in the place of addresses, identifiers, names and payloads: the same for the same, others for
/// others, and nothing that leads back without the secret.
package final class Pseudonyms {
  /// What a value is. Values of one kind are apart from those of others.
  package enum Kind: String, CaseIterable, Sendable {
    case address
    /// Of iBeacon and AltBeacon, and of services.
    case uuid
    case major, minor
    case namespace, instance
    case identifier = "eid"
    case url, name
    /// Payloads that nobody here reads.
    case payload
  }

  package struct Entry: Hashable, Sendable {
    package let kind: Kind
    /// As it was on the air; addresses and numbers with the highest byte first.
    package let original: [UInt8]
    package let pseudonym: [UInt8]
    /// What it is part of, as it was: the UUID of a major number, the namespace of an instance.
    package let within: [UInt8]
  }

  private struct Key: Hashable {
    let kind: Kind
    let value: [UInt8]
    let within: [UInt8]
  }

  private let cipher: FormatPreservingCipher
  private var known: [Key: [UInt8]] = [:]
  private var payloads: [Key: [UInt8]] = [:]
  /// Payloads are of no table: many come once.
  private static let mostPayloads = 50_000
  /// Payloads that were replaced, as often as they came.
  package private(set) var payloadsReplaced = 0

  package static let secretBytes = 32

  /// Values that were replaced, without payloads.
  package var count: Int { known.count }

  /// - Parameter secret: 32 bytes.
  package init(secret: [UInt8]) {
    precondition(secret.count == Self.secretBytes, "a secret has 32 bytes")
    cipher = FormatPreservingCipher(key: secret)
  }

  /// All values that were replaced, by kind, then in the order of their bytes; without payloads.
  package var entries: [Entry] {
    known.map {
      Entry(kind: $0.kind, original: $0.value, pseudonym: $1, within: $0.within)
    }.sorted {
      let order = (Self.order[$0.kind] ?? 0, Self.order[$1.kind] ?? 0)
      if order.0 != order.1 { return order.0 < order.1 }
      if $0.within != $1.within { return $0.within.lexicographicallyPrecedes($1.within) }
      return $0.original.lexicographicallyPrecedes($1.original)
    }
  }

  private static let order = Dictionary(
    uniqueKeysWithValues: Kind.allCases.enumerated().map { ($1, $0) })

  /// Six bytes, the first printed one first. The two highest bits stay: they say how long a random address
  /// is kept. No address (zeros) stays none.
  package func address(_ value: [UInt8]) -> [UInt8] {
    if value.allSatisfy({ $0 == 0 }) { return value }
    let top = value[0] & 0xC0
    return remembered(.address, value) { [self] in
      walk(value, "address") { $0[0] & 0xC0 == top && $0.contains { $0 != 0 } }
    }
  }

  package func uuid(_ value: [UInt8]) -> [UInt8] {
    remembered(.uuid, value) { [self] in bytes(value, "uuid") }
  }

  /// Two bytes; numbers of another UUID are others.
  package func number(_ kind: Kind, _ value: [UInt8], of uuid: [UInt8]) -> [UInt8] {
    remembered(kind, value, within: uuid) { [self] in
      bytes(value, kind.rawValue, within: uuid)
    }
  }

  package func namespace(_ value: [UInt8]) -> [UInt8] {
    remembered(.namespace, value) { [self] in bytes(value, "namespace") }
  }

  package func instance(_ value: [UInt8], of namespace: [UInt8]) -> [UInt8] {
    remembered(.instance, value, within: namespace) { [self] in
      bytes(value, "instance", within: namespace)
    }
  }

  package func identifier(_ value: [UInt8]) -> [UInt8] {
    remembered(.identifier, value) { [self] in bytes(value, "eid") }
  }

  /// What stands behind an Eddystone-URL's scheme: letters and digits become others; the codes for `.com`
  /// and the like, dots and strokes stay.
  package func url(_ value: [UInt8]) -> [UInt8] {
    remembered(.url, value) { [self] in
      replaced(replaced(value, Self.letters, "url"), Self.high, "url bytes")
    }
  }

  /// Letters of no meaning, as many as the name has bytes.
  package func name(_ value: [UInt8]) -> [UInt8] {
    remembered(.name, value) { [self] in
      let alphabet = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)
      return cipher.stream(value, count: value.count, tweak: Array("name".utf8)).map {
        alphabet[Int($0 & 31)]
      }
    }
  }

  /// Bytes of no meaning, the same for the same.
  /// - Parameters:
  ///   - what: payloads of another kind come to others.
  ///   - accept: whether bytes are of the same kind as those that they stand for; true of these.
  package func payload(
    _ value: [UInt8], _ what: [UInt8], where accept: ([UInt8]) -> Bool = { _ in true }
  ) -> [UInt8] {
    if value.isEmpty { return value }
    payloadsReplaced += 1
    let key = Key(kind: .payload, value: value, within: what)
    if let known = payloads[key] { return known }
    if payloads.count >= Self.mostPayloads { payloads.removeAll(keepingCapacity: true) }
    let result = walk(value, "payload", within: what, where: accept)
    payloads[key] = result
    return result
  }

  private func remembered(
    _ kind: Kind, _ value: [UInt8], within: [UInt8] = [], _ make: () -> [UInt8]
  ) -> [UInt8] {
    if value.isEmpty { return value }
    let key = Key(kind: kind, value: value, within: within)
    if let found = known[key] { return found }
    let made = make()
    known[key] = made
    return made
  }

  private func bytes(_ value: [UInt8], _ what: String, within: [UInt8] = []) -> [UInt8] {
    cipher.encrypt(value, radix: 256, tweak: Array(what.utf8) + within)
  }

  /// Encrypted again until it is accepted, which no two values come to the same by.
  private func walk(
    _ value: [UInt8], _ what: String, within: [UInt8] = [], where accept: ([UInt8]) -> Bool
  ) -> [UInt8] {
    var result = value
    repeat { result = bytes(result, what, within: within) } while !accept(result)
    return result
  }

  private static let letters = Array(
    "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
  private static let high = (0x80...0xFF).map { UInt8($0) }

  /// Those of an alphabet, taken by themselves.
  private func replaced(_ value: [UInt8], _ alphabet: [UInt8], _ what: String) -> [UInt8] {
    let places = value.indices.filter { alphabet.contains(value[$0]) }
    let symbols = places.map { UInt8(alphabet.firstIndex(of: value[$0]) ?? 0) }
    let others = cipher.encrypt(symbols, radix: alphabet.count, tweak: Array(what.utf8))
    var result = value
    for (place, symbol) in zip(places, others) { result[place] = alphabet[Int(symbol)] }
    return result
  }
}
