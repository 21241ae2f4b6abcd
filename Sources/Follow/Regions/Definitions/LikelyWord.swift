/// What somebody who mistyped a word may have meant.
package enum LikelyWord {
  /// The nearest of the words: at most two letters to add, remove, change or swap, and fewer than half
  /// of them; else one that it begins, or that begins it. The first of several that are equally near.
  package static func of(_ word: String, among words: some Sequence<String>) -> String? {
    let letters = Array(word.utf8)
    var best: (word: String, distance: Int)?
    var begun: String?
    for candidate in words where candidate != word {
      let others = Array(candidate.utf8)
      // Longer words than any name are no typing mistake, and take long to compare.
      guard letters.count <= 64, abs(letters.count - others.count) <= 12 else { continue }
      let distance = distance(letters, others)
      if distance <= 2, 2 * distance < max(letters.count, others.count),
        distance < best?.distance ?? .max
      {
        best = (candidate, distance)
      }
      let (short, long) = letters.count < others.count ? (letters, others) : (others, letters)
      if begun == nil, short.count >= 3, long.starts(with: short) { begun = candidate }
    }
    return best?.word ?? begun
  }

  /// `; did you mean 'enter'?`, or nothing.
  package static func question(_ word: String, among words: some Sequence<String>) -> String {
    of(word, among: words).map { "; did you mean '\($0)'?" } ?? ""
  }

  /// Letters to add, remove, change or swap with their neighbour.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var least = min(last[j + 1], row[j]) + 1
        least = min(least, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          least = min(least, before[j - 1] + 1)
        }
        row.append(least)
      }
      before = last
      last = row
    }
    return last[b.count]
  }
}
