package import Beacons

/// Which beacons carry a message, written as regions are: `ibeacon:UUID[:MAJOR[:MINOR]]`,
/// `eddystone:NAMESPACE[:INSTANCE]`, `url:URL` or `url:BEGINNING*`, `eid:HEX`,
/// `altbeacon:ID1[:ID2[:ID3]]`.
package struct MessageBeacon: Sendable, Equatable {
  package enum Match: Hashable, Sendable {
    /// Identities that begin with these bytes.
    case bytes(BeaconKind, [UInt8])
    /// The URL as text.
    case url(String, isPrefix: Bool)
  }
  /// What subscriptions tell apart [NM].
  package enum Family: Sendable { case iBeacon, eddystone, other }

  /// As it was written.
  package let text: String
  package let match: Match

  package var family: Family {
    switch match {
    case .bytes(.iBeacon, _): .iBeacon
    case .bytes(.eddystoneUID, _), .bytes(.eddystoneEID, _), .url: .eddystone
    case .bytes: .other
    }
  }

  /// - Throws: one clause: what is wrong, and what is allowed.
  package init(_ text: String) throws(MessageBeaconProblem) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let kind = Self.kinds.first(where: { $0.name == parts[0] }) else {
      let forms = Self.kinds.map { "\($0.name):\($0.form)" }.joined(separator: ", ")
      throw MessageBeaconProblem(text: "'\(text.prefix(80))' is none of \(forms)")
    }
    guard let match = kind.match(String(parts[1])) else {
      throw MessageBeaconProblem(
        text: "'\(text.prefix(80))' is not of the form \(kind.name):\(kind.form)")
    }
    self.text = text
    self.match = match
  }

  private struct Kind: Sendable {
    let name: String
    let form: String
    let match: @Sendable (String) -> Match?
  }

  private static let kinds = [
    Kind(name: "ibeacon", form: "UUID[:MAJOR[:MINOR]]") { spec in
      Fields(spec).uuidAndNumbers().map { .bytes(.iBeacon, $0) }
    },
    Kind(name: "eddystone", form: "NAMESPACE(20 digits)[:INSTANCE(12 digits)]") { spec in
      Fields(spec).hexadecimal([10, 6]).map { .bytes(.eddystoneUID, $0) }
    },
    Kind(name: "url", form: "URL or BEGINNING*") { spec in
      let isPrefix = spec.hasSuffix("*")
      let url = isPrefix ? String(spec.dropLast()) : spec
      guard url.hasPrefix("http://") || url.hasPrefix("https://"), !url.contains("*"),
        url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
      else { return nil }
      return .url(url, isPrefix: isPrefix)
    },
    Kind(name: "eid", form: "16 hexadecimal digits") { spec in
      Fields(spec).hexadecimal([8]).map { .bytes(.eddystoneEID, $0) }
    },
    Kind(name: "altbeacon", form: "ID1[:ID2[:ID3]]") { spec in
      Fields(spec).uuidAndNumbers().map { .bytes(.altBeacon, $0) }
    },
  ]
}

/// Why a text names no beacon: one clause.
package struct MessageBeaconProblem: Error, Sendable, Equatable {
  package let text: String
}

/// What stands between colons.
private struct Fields {
  private let parts: [Substring]

  init(_ spec: String) { parts = spec.split(separator: ":", omittingEmptySubsequences: false) }

  /// 32 hexadecimal digits, with or without the hyphens of a UUID, and up to two numbers of 16 bits.
  func uuidAndNumbers() -> [UInt8]? {
    guard parts.count <= 3, let first = parts.first else { return nil }
    let groups = first.split(separator: "-", omittingEmptySubsequences: false)
    guard groups.count == 1 || groups.map(\.count) == [8, 4, 4, 4, 12],
      var bytes = Self.hexadecimal(groups.joined(), 16)
    else { return nil }
    for part in parts.dropFirst() {
      guard let digit = part.first, digit.isNumber, let number = UInt16(part) else { return nil }
      bytes += [UInt8(number >> 8), UInt8(number & 255)]
    }
    return bytes
  }

  /// The first field, and as many of the others as there are.
  func hexadecimal(_ sizes: [Int]) -> [UInt8]? {
    guard parts.count <= sizes.count else { return nil }
    var bytes: [UInt8] = []
    for (part, size) in zip(parts, sizes) {
      guard let field = Self.hexadecimal(String(part), size) else { return nil }
      bytes += field
    }
    return bytes
  }

  static func hexadecimal(_ text: String, _ count: Int) -> [UInt8]? {
    text.utf8.count == 2 * count ? MessageBytes.hexadecimal(text) : nil
  }
}

enum MessageBytes {
  /// Two digits a byte; nil for anything else.
  static func hexadecimal(_ text: String) -> [UInt8]? {
    let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
    guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
    return stride(from: 0, to: digits.count, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }
}
