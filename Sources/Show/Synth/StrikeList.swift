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
}
