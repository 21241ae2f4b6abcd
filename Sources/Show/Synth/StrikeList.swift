extension Scenario {
  /// What is wrong with damage that is to come when all is over; nil where none is.
  package var lateDamage: String? {
    guard let late = damage.first(where: { $0.kind != .tail && $0.moment >= duration }) else {
      return nil
    }
    let (moment, end) = (Double(late.moment) / 1e9, Double(duration) / 1e9)
    return
      "damage '\(late.kind.rawValue)' at_s \(JSONValue.number(moment).kind) must come before the end, "
      + "duration_s \(JSONValue.number(end).kind)"
  }
}

extension Strike {
  /// From words such as `cut,junk:3`, spread over the run: so many nanoseconds, or records.
  package static func list(_ text: String, over length: Int64, countsRecords: Bool, seed: UInt64)
    throws(SettingsProblem) -> [Strike]
  {
    var random = SplitMix64.stream(seed: seed, 0x57)
    var strikes: [Strike] = []
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = word.split(separator: ":", omittingEmptySubsequences: false)
      guard let kind = Kind(rawValue: String(parts[0])) else {
        throw SettingsProblem("there is no damage '\(word)'; there are: \(names)")
      }
      guard parts.count <= 2, let count = parts.count == 1 ? 1 : Int(parts[1]),
        (1...100_000).contains(count)
      else {
        throw SettingsProblem("'\(word)' must be KIND or KIND:N with N from 1 to 100000")
      }
      for _ in 0..<count {
        // Neither at the very beginning nor at the very end.
        let share = 0.05 + 0.9 * random.fraction()
        strikes.append(
          Strike(
            kind: kind, moment: Int64(share * Double(length)), countsRecords: countsRecords))
      }
    }
    return strikes.sorted { $0.moment < $1.moment }
  }

  /// Tells of damage that was not done.
  /// - Parameter asked: how many strikes were asked for.
  package static func told(missed: [Strike], of asked: Int) -> String {
    let kinds = Kind.allCases.compactMap { kind in
      let count = missed.count { $0.kind == kind }
      return count == 0 ? nil : "\(kind.rawValue) \(count)"
    }
    let one = missed.count == 1
    return "damage: \(missed.count) of \(asked) \(asked == 1 ? "strike" : "strikes") "
      + "(\(kinds.joined(separator: ", "))) \(one ? "was" : "were") not done: from \(one ? "its" : "their") moment "
      + "on no record was left that could take \(one ? "it" : "them")"
  }
}
