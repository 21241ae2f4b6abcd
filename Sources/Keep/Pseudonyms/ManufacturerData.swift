/// Manufacturer data with pseudonyms in them: companies stay, and what of beacons says how they advertise.
///
/// A type behind the company stays where it is one by which the kind of a device is told (`AdvertiserLabels`). Anything
/// else is scrambled whole: its first byte may be a pulse, or a letter.
extension Pseudonyms {
  private static let apple: [UInt8] = [0x4C, 0x00]
  private static let altBeacon: [UInt8] = [0xBE, 0xAC]
  private static let iBeacon: [UInt8] = [0x02, 0x15]
  /// Types behind a company that say of which kind the rest is: Microsoft's, Ruuvi's.
  private static let types: [[UInt8]: Set<UInt8>] = [
    [0x06, 0x00]: [1, 3], [0x99, 0x04]: [3, 5],
  ]

  func manufacturerData(_ value: [UInt8], of sender: [UInt8]?) -> [UInt8] {
    guard value.count >= 2 else { return payload(value, [0xFF]) }
    let company = Array(value.prefix(2))
    if company == Self.apple { return company + elements(Array(value.dropFirst(2))) }
    let code = Array(value.dropFirst(2).prefix(2))
    // AltBeacon (5.2), and iBeacon's layout under another company's number: 16 + 2 + 2 bytes, a power.
    if code == Self.altBeacon, value.count >= 26 {
      return company + code + identity(value[4..<24]) + spare(value, 24, 26)
    }
    if code == Self.iBeacon, value.count >= 25 {
      return company + code + identity(value[4..<24]) + spare(value, 24, 25)
    }
    if code == Self.altBeacon { return kept(value, 4, [0xFF]) }
    if !Self.isCompany(value) || Self.beginsWithAddress(value, sender) {
      return withoutCompany(value)
    }
    let types = Self.types[company] ?? []
    let hasType = value.count > 2 && types.contains(value[2])
    return kept(value, hasType ? 3 : 2, [0xFF]) { rest in
      !Self.hasCode(value.prefix(hasType ? 3 : 2) + rest)
        && (hasType || !types.contains(rest[0]))
    }
  }

  /// Nothing here says who made it: what stands in the company's place is of the payload, and becomes a number
  /// that no company has.
  private func withoutCompany(_ value: [UInt8]) -> [UInt8] {
    var value = value
    let seemed = Self.isCompany(value)
    // Of an address that begins as a company: to a number that is none, each to one of its own.
    if seemed { value[1] ^= 0x80 }
    return payload(value, [0xFF, seemed ? 1 : 0]) { !Self.isCompany($0) && !Self.hasCode($0) }
  }

  /// Numbers of companies are given in their order: those that Wireshark 4.0.17 knows end with 0D4D. Above 1FFF are
  /// the letters of texts, and most addresses. FFFF is everybody's who tries something.
  private static func isCompany(_ value: [UInt8]) -> Bool {
    value[1] < 0x20 || value[0] == 0xFF && value[1] == 0xFF
  }

  /// Whether it is a beacon's by its code, or claims to be.
  private static func hasCode(_ value: [UInt8]) -> Bool {
    let code = Array(value.dropFirst(2).prefix(2))
    return code == altBeacon || value.count >= 25 && code == iBeacon
  }

  /// Whether three bytes of the sender's address stand at its beginning, or all of it reaches into the company;
  /// either way round.
  private static func beginsWithAddress(_ value: [UInt8], _ sender: [UInt8]?) -> Bool {
    guard let sender, sender.count == 6, sender.contains(where: { $0 != 0 }) else { return false }
    return [sender, sender.reversed()].contains { address in
      (0...3).contains { value.starts(with: address[$0..<($0 + 3)]) }
        || value.dropFirst().starts(with: address)
    }
  }

  private func identity(_ value: ArraySlice<UInt8>) -> [UInt8] {
    let value = Array(value)
    let own = Array(value[..<16])
    return uuid(own) + number(.major, Array(value[16..<18]), of: own)
      + number(.minor, Array(value[18..<20]), of: own)
  }
}

// MARK: Apple's

extension Pseudonyms {
  /// Types of elements that have a name (`AdvertiserLabels`), and iBeacon's.
  private static let elementTypes: Set<UInt8> = Set([0x01, 0x02, 0x03, 0x12] + (0x05...0x10))

  private static let element: [UInt8] = [0xFF] + apple

  /// Apple's chain of type, length, value; type 01 has no length and 16 bytes (PROTOCOLS.md 5.1, 10).
  private func elements(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var rest = data
    var hasBeacon = false
    while let type = rest.first {
      let isBeacon = type == 0x02 && !hasBeacon
      guard !Self.runsPast(rest), !isBeacon || rest[1] == 0x15 else {
        return result + unreadElements(rest, isBeacon: isBeacon, hasBeacon: hasBeacon)
      }
      let header = type == 0x01 ? 1 : 2
      let count = type == 0x01 ? 17 : 2 + Int(rest[1])
      let value = Array(rest[header..<count])
      if rest.starts(with: Self.iBeacon) {
        result += rest[..<2] + identity(value[..<20]) + value[20...]
      } else if Self.elementTypes.contains(type) {
        result += kept(Array(rest[..<count]), header, Self.element)
      } else {
        // A type without a name may be anything; the length is that of the chain.
        let other = payload([type] + value, Self.element + [0, rest[1]]) {
          !Self.elementTypes.contains($0[0])
        }
        result += [other[0], rest[1]] + other.dropFirst()
      }
      hasBeacon = hasBeacon || isBeacon
      rest.removeFirst(count)
    }
    return result
  }

  /// The chain is broken from here on, and nobody reads it any further.
  private func unreadElements(_ rest: [UInt8], isBeacon: Bool, hasBeacon: Bool) -> [UInt8] {
    // An iBeacon of another length claims to be one all the same.
    if isBeacon { return kept(rest, 1, Self.element) { rest.count < 23 || $0[0] != 0x15 } }
    return payload(rest, Self.element + [hasBeacon ? 1 : 0]) {
      Self.runsPast($0) && (hasBeacon || $0[0] != 0x02)
    }
  }

  /// Whether the first element is longer than what there is.
  private static func runsPast(_ rest: [UInt8]) -> Bool {
    if rest[0] == 0x01 { return rest.count < 17 }
    return rest.count < 2 || rest.count < 2 + Int(rest[1])
  }
}
