package import FrameDecoder

/// What the controllers behind the radios' names tell: the kernel numbers them (`pi/hci0`), and the numbers of two
/// dongles may be swapped after a restart.
package enum ComparedControllers {
  /// A radio that has another name now.
  package struct Renamed: Sendable {
    package let before: String
    package let now: String
    package let controller: DeviceAddress
  }

  /// A radio of which another controller has the name now; or all radios of a side, of which none is there now.
  package struct Replaced: Sendable {
    let pair: ComparedRadios.Pair
    /// Nil for all of a side.
    package let name: String?
    /// Ascending, at least one each.
    package let before: [DeviceAddress]
    package let now: [DeviceAddress]
  }

  /// A controller of one computer.
  private struct Key: Hashable {
    let radios: Substring
    let address: DeviceAddress
  }

  /// Radios by their only controller, where no other one of the computer has it.
  private static func byController(_ side: ComparedSide) -> [Key: Int] {
    var numbers: [Key: [Int]] = [:]
    for (number, radio) in side.radios {
      guard radio.controllers.count == 1, let address = radio.controllers.first else { continue }
      let key = Key(radios: ControllerNames.radios(of: radio.name), address: address)
      numbers[key, default: []].append(number)
    }
    return numbers.compactMapValues { $0.count == 1 ? $0[0] : nil }
  }

  /// - Parameter named: pairs of one name.
  /// - Returns: the same, where no controller is known to be another one's; and those of one controller.
  static func pairs(
    _ named: [Int: Int], _ before: ComparedSide, _ now: ComparedSide
  ) -> [Int: Int] {
    let (olds, news) = (byController(before), byController(now))
    var pairs = named
    let names = Dictionary(named.map { ($0.value, $0.key) }, uniquingKeysWith: min)
    for (key, old) in olds {
      guard let new = news[key], named[old] != new,
        named[old].map({ isOther(old, $0, before, now) }) ?? true,
        names[new].map({ isOther($0, new, before, now) }) ?? true
      else { continue }
      // Another one may have been paired anew already.
      if let other = names[new], pairs[other] == new { pairs[other] = nil }
      pairs[old] = new
    }
    return pairs
  }

  private static func isOther(
    _ old: Int, _ new: Int, _ before: ComparedSide, _ now: ComparedSide
  ) -> Bool {
    guard let one = before.radios[old]?.controllers, let other = now.radios[new]?.controllers,
      !one.isEmpty, !other.isEmpty
    else { return false }
    return one.isDisjoint(with: other)
  }

  static func renamed(
    _ pairs: [Int: Int], _ before: ComparedSide, _ now: ComparedSide
  ) -> [Renamed] {
    pairs.compactMap { old, new in
      guard let one = before.radios[old], let other = now.radios[new], one.name != other.name,
        let controller = one.controllers.first
      else { return nil }
      return Renamed(before: one.name, now: other.name, controller: controller)
    }
    .sorted { $0.before < $1.before }
  }

  static func replaced(
    _ pairs: [Int: Int], _ before: ComparedSide, _ now: ComparedSide
  ) -> [Replaced] {
    pairs.compactMap { old, new -> Replaced? in
      guard isOther(old, new, before, now), let one = before.radios[old],
        let other = now.radios[new]
      else { return nil }
      return Replaced(
        pair: ComparedRadios.Pair(before: old, now: new), name: one.name,
        before: one.controllers.sorted(by: precedes), now: other.controllers.sorted(by: precedes))
    }
    .sorted { ($0.name ?? "") < ($1.name ?? "") }
  }

  /// The same where all of a side count as one: every one of them has to be known.
  static func replaced(_ before: ComparedSide, _ now: ComparedSide) -> [Replaced] {
    func all(_ side: ComparedSide) -> Set<DeviceAddress>? {
      let known = side.radios.values.map(\.controllers)
      return known.contains(where: \.isEmpty) ? nil : known.reduce(into: []) { $0.formUnion($1) }
    }
    guard let olds = all(before), let news = all(now), olds.isDisjoint(with: news), !olds.isEmpty,
      !news.isEmpty
    else { return [] }
    return [
      Replaced(
        pair: .all, name: nil, before: olds.sorted(by: precedes), now: news.sorted(by: precedes))
    ]
  }

  private static func precedes(_ one: DeviceAddress, _ other: DeviceAddress) -> Bool {
    one.rawValue < other.rawValue
  }
}
