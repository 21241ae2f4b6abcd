/// Comparisons with numbers that a field never has: most often of another unit.
extension PluginChecker {
  /// What a field of a sighting, or of an event, may be.
  private struct Scale {
    let range: ClosedRange<Double>
    let words: String
  }

  private static let scales: [String: Scale] = {
    let number = Scale(range: 0...65535, words: "from 0 to 65535")
    let share = Scale(range: 0...1, words: "from 0 to 1")
    return [
      "major": number, "minor": number, "id2": number, "id3": number,
      // Eight bits with a sign; 127 stands for none (Core, Vol 4 Part E 7.7.65.2), and is nil.
      "rssi": Scale(range: -128...126, words: "in dBm, from -128 to 126"),
      "channel": Scale(range: 0...39, words: "from 0 to 39"),
      "loss": share, "silence_probability": share,
    ]
  }()

  /// A moment, seconds since 1970, is none of the next thousand years in milliseconds.
  private static let mostSeconds = 4e10
  /// dBm that no radio hears.
  private static let loudest = 30.0

  /// `s.rssi > 60`, `s.battery_mv < 2.4`, `s.major == 70000`
  ///
  /// Of what always holds nothing is said: it is a guard that is not needed.
  /// - Returns: whether something was said.
  mutating func checkNumber(_ sign: LuaToken, _ side: Int, _ other: Int, isFlipped: Bool) -> Bool {
    guard let (name, types) = field(side), isAsGiven(side),
      types.allSatisfy({ $0 == .number || $0 == .integer }), let value = writtenNumber(other)
    else { return false }
    let scale: Scale
    if let known = Self.scales[name] {
      scale = known
    } else if name == "time", value > Self.mostSeconds {
      scale = Scale(range: 0...Self.mostSeconds, words: "in seconds since 1970")
    } else {
      return checkVolts(name, value, other)
    }
    if Self.isNever(isFlipped ? Self.flipped(sign) : sign, value, scale.range) {
      error("\(name) is \(scale.words): this is never true", at: place(other))
      return true
    }
    guard name == "rssi", value >= Self.loudest, scale.range.contains(value) else { return false }
    remark("rssi is in dBm, and below 0 but for what lies at the radio", at: place(other))
    return true
  }

  /// A frame may say any number of millivolts, and no rule asks for parts of one.
  private mutating func checkVolts(_ name: String, _ value: Double, _ other: Int) -> Bool {
    guard name == "battery_mv", value > 0, value < 10, value != value.rounded() else {
      return false
    }
    remark(
      "battery_mv is in millivolts: \(value) V are \(Int((value * 1000).rounded()))",
      at: place(other))
    return true
  }

  /// Whether a field is that of what a handler is given. A copy is a table of the plugin's own.
  private func isAsGiven(_ number: Int) -> Bool {
    guard case .member(let base, _) = program.kind(bare(number)) else {
      return !outerFields.isEmpty
    }
    return shapes(of: base).allSatisfy { shape in
      if case .event = shape { return true }
      return shape.isHandle
    }
  }

  private static func isNever(_ sign: LuaToken, _ value: Double, _ range: ClosedRange<Double>)
    -> Bool
  {
    switch sign {
    case .symbol(.equal): !range.contains(value)
    case .symbol(.less): value <= range.lowerBound
    case .symbol(.lessEqual): value < range.lowerBound
    case .symbol(.greater): value >= range.upperBound
    case .symbol(.greaterEqual): value > range.upperBound
    default: false
    }
  }

  static func flipped(_ sign: LuaToken) -> LuaToken {
    switch sign {
    case .symbol(.less): .symbol(.greater)
    case .symbol(.lessEqual): .symbol(.greaterEqual)
    case .symbol(.greater): .symbol(.less)
    case .symbol(.greaterEqual): .symbol(.lessEqual)
    default: sign
    }
  }

  /// A number that is written out, with its sign.
  func writtenNumber(_ number: Int) -> Double? {
    switch program.kind(bare(number)) {
    case .number(let value, _): return value
    case .unary(.symbol(.minus), let inner):
      if case .number(let value, _) = program.kind(bare(inner)) { return -value }
      return nil
    default: return nil
    }
  }
}
