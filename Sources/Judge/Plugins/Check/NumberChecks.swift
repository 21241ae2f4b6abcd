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
      // 127 stands for none (Core, Vol 4 Part E 7.7.65.2), and is nil.
      "rssi": Scale(range: -127...20, words: "in dBm, from -127 to 20"),
      "channel": Scale(range: 0...39, words: "from 0 to 39"),
      "battery_mv": Scale(range: 100...65535, words: "in millivolts"),
      "loss": share, "silence_probability": share,
    ]
  }()

  /// A moment, seconds since 1970, is none of the next thousand years in milliseconds.
  private static let mostSeconds = 4e10

  /// `s.rssi > 60`, `s.battery_mv < 2.4`
  /// - Returns: whether something was said.
  mutating func checkNumber(_ sign: LuaToken, _ side: Int, _ other: Int, isFlipped: Bool) -> Bool {
    guard let (name, types) = field(side), types.allSatisfy({ $0 == .number || $0 == .integer }),
      let value = number(other)
    else { return false }
    let scale: Scale
    if let known = Self.scales[name] {
      scale = known
    } else if name == "time", value > Self.mostSeconds {
      scale = Scale(range: 0...Self.mostSeconds, words: "in seconds since 1970")
    } else {
      return false
    }
    guard let always = Self.outcome(isFlipped ? Self.flipped(sign) : sign, value, scale.range)
    else {
      return false
    }
    error("\(name) is \(scale.words): this is \(always)", at: place(other))
    return true
  }

  /// Nil: it depends on what is heard. `minor >= 0` always holds, and says what is meant.
  private static func outcome(_ sign: LuaToken, _ value: Double, _ range: ClosedRange<Double>)
    -> String?
  {
    let isOutside = !range.contains(value)
    let (isNever, isAlways) =
      switch sign {
      case .symbol(.equal): (isOutside, false)
      case .symbol(.unequal): (false, isOutside)
      case .symbol(.less): (value <= range.lowerBound, value > range.upperBound)
      case .symbol(.lessEqual): (value < range.lowerBound, value > range.upperBound)
      case .symbol(.greater): (value >= range.upperBound, value < range.lowerBound)
      case .symbol(.greaterEqual): (value > range.upperBound, value < range.lowerBound)
      default: (false, false)
      }
    return isNever ? "never true" : isAlways ? "always true" : nil
  }

  private static func flipped(_ sign: LuaToken) -> LuaToken {
    switch sign {
    case .symbol(.less): .symbol(.greater)
    case .symbol(.lessEqual): .symbol(.greaterEqual)
    case .symbol(.greater): .symbol(.less)
    case .symbol(.greaterEqual): .symbol(.lessEqual)
    default: sign
    }
  }

  /// A number that is written out, with its sign.
  private func number(_ number: Int) -> Double? {
    switch program.kind(bare(number)) {
    case .number(let value, _): return value
    case .unary(.symbol(.minus), let inner):
      if case .number(let value, _) = program.kind(bare(inner)) { return -value }
      return nil
    default: return nil
    }
  }
}
