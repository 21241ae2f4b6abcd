/// What is said of many captures: of the first few in whole, of the others that it holds for them, too. What
/// is said of a group of them is always said in whole.
struct AlikeRemarks {
  private static let mostCaptures = 2
  private static let mostNames = 3

  /// What was said under one code.
  private struct Kind {
    /// Lines up to the last one of it.
    var place = 0
    var told: [String] = []
    /// Those with it that were passed over: the first few, and how many.
    var others: [String] = []
    var count = 0
    var last = ""
    /// Each is about two captures.
    var isOfPairs = false
  }

  private var kinds: [String: Kind] = [:]

  /// - Parameter place: lines before it.
  mutating func isToBeTold(_ remark: Remark, at place: Int) -> Bool {
    guard let capture = remark.capture, remark.captures != .several else { return true }
    var kind = kinds[remark.code] ?? Kind(place: place)
    kind.isOfPairs = remark.captures == .two
    defer { kinds[remark.code] = kind }
    if kind.told.contains(capture) { return true }
    if kind.told.count < Self.mostCaptures {
      kind.told.append(capture)
      return true
    }
    // One capture may have several of a kind, one behind the other.
    if capture != kind.last {
      kind.count += 1
      if kind.others.count < Self.mostNames { kind.others.append(capture) }
      kind.last = capture
    }
    return false
  }

  mutating func told(_ remark: Remark, upTo place: Int) {
    if remark.capture != nil, remark.captures != .several { kinds[remark.code]?.place = place }
  }

  /// By the lines that stand before it.
  var rest: [(place: Int, text: String)] {
    kinds.filter { $0.value.count > 0 }.sorted {
      ($0.value.place, $0.key) < ($1.value.place, $1.key)
    }
    .map { _, kind in
      let more = kind.count - kind.others.count
      let names = kind.others.joined(separator: ", ") + (more > 0 ? ", …" : "")
      return (
        kind.place,
        kind.isOfPairs
          ? "…and \(TextColumns.counted(kind.count, "more such pair")): an earlier capture and \(names) (--all)"
          : "…and likewise \(TextColumns.counted(kind.count, "more capture")): \(names) (--all)"
      )
    }
  }
}
