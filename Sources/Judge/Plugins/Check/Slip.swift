/// Names that were meant to be one another.
enum Slip {
  /// Whether two names differ by one letter, or by two that are swapped. Numbers, and parts of few letters, tell
  /// names apart: `hall 1` and `hall 2`, `door a` and `door b`.
  static func `is`(_ name: String, of other: String) -> Bool {
    let parts = words(name)
    let others = words(other)
    guard parts.count == others.count else { return false }
    let pairs = zip(parts, others).filter { $0 != $1 }
    guard let (first, second) = pairs.first, pairs.count == 1, min(first.count, second.count) >= 4
    else { return false }
    let digits = { (word: [Character]) in word.filter(\.isNumber) }
    return digits(first) == digits(second) && isLetterAway(first, second)
  }

  private static func words(_ name: String) -> [[Character]] {
    name.split { !$0.isLetter && !$0.isNumber }.map(Array.init)
  }

  private static func isLetterAway(_ a: [Character], _ b: [Character]) -> Bool {
    let start = zip(a, b).prefix { $0 == $1 }.count
    let (a, b) = (a[start...], b[start...])
    switch a.count - b.count {
    case 0:
      return a.dropFirst() == b.dropFirst()
        || (a.prefix(2).elementsEqual(b.prefix(2).reversed()) && a.dropFirst(2) == b.dropFirst(2))
    case 1: return a.dropFirst().elementsEqual(b)
    case -1: return b.dropFirst().elementsEqual(a)
    default: return false
    }
  }
}
