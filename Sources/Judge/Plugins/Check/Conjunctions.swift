/// `a and b` where both cannot be.
extension PluginChecker {
  /// What one side says of a value: `rssi > -60`, `kind == "ibeacon"`.
  private struct Claim {
    enum Value: Equatable {
      case text(String)
      case number(Double)
    }
    /// What is compared, wherever it is written.
    let subject: [String]
    let sign: LuaToken
    let value: Value
    let place: LuaPlace

    var words: String {
      guard case .symbol(let symbol) = sign else { return "" }
      let shown =
        switch value {
        case .text(let text): "'\(text)'"
        case .number(let number): Int(exactly: number).map { "\($0)" } ?? "\(number)"
        }
      return "\(subject.last ?? "") \(symbol.rawValue) \(shown)"
    }

    /// Whether no value is both.
    func excludes(_ other: Claim) -> Bool {
      guard subject == other.subject else { return false }
      switch (value, other.value) {
      case (.number(let a), .number(let b)):
        return isBelow(a, other, b) || other.isBelow(b, self, a)
      case (.text, .text):
        return isEquality && other.isEquality && value != other.value
      default: return false
      }
    }

    private var isEquality: Bool { sign == .symbol(.equal) }

    /// Whether all that this allows is less than all that the other one does.
    private func isBelow(_ most: Double, _ other: Claim, _ least: Double) -> Bool {
      let ends: [LuaToken] = [.symbol(.less), .symbol(.lessEqual), .symbol(.equal)]
      let begins: [LuaToken] = [.symbol(.greater), .symbol(.greaterEqual), .symbol(.equal)]
      guard ends.contains(sign), begins.contains(other.sign) else { return false }
      let isOpen = sign == .symbol(.less) || other.sign == .symbol(.greater)
      return most < least || (most == least && isOpen)
    }
  }

  /// Of longer chains the rest is not looked at.
  private static let mostParts = 32

  /// `s.rssi > -60 and s.rssi < -80`
  mutating func checkConjunction(_ number: Int) {
    var open = [number]
    var claims: [Claim] = []
    while let here = open.popLast(), claims.count + open.count < Self.mostParts {
      switch program.kind(here) {
      case .parenthesized(let inner): open.append(inner)
      case .binary(.keyword(.and), let left, let right): open += [right, left]
      case .binary(let sign, let left, let right):
        if let claim = claim(sign, left, right) { claims.append(claim) }
      default: continue
      }
    }
    for (place, claim) in claims.enumerated() {
      guard let other = claims[..<place].first(where: { $0.excludes(claim) }) else { continue }
      error("\(other.words) and \(claim.words): this is never true", at: claim.place)
    }
  }

  private func claim(_ sign: LuaToken, _ left: Int, _ right: Int) -> Claim? {
    if let subject = subject(left), let value = value(right) {
      return Claim(subject: subject, sign: sign, value: value, place: place(right))
    }
    guard let subject = subject(right), let value = value(left) else { return nil }
    return Claim(subject: subject, sign: Self.flipped(sign), value: value, place: place(left))
  }

  private func value(_ number: Int) -> Claim.Value? {
    if case .string(let text) = program.kind(bare(number)) { return .text(text) }
    return writtenNumber(number).map { .number($0) }
  }

  /// A variable that nobody assigns again, or a field of what a handler is given: nil for what may change
  /// between the two.
  private func subject(_ number: Int) -> [String]? {
    switch program.kind(bare(number)) {
    case .variable(let variable):
      let known = program.variables[variable]
      return known.isReassigned ? nil : ["\(variable)", known.name]
    case .global(let name, isPlain: true):
      return outerFields.contains { $0.name == name } ? [name] : nil
    case .member(let base, let name):
      guard !shapes(of: base).isEmpty, !ownFields.contains(name), let path = subject(base) else {
        return nil
      }
      return path + [name]
    default: return nil
    }
  }
}
