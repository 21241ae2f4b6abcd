/// What is said of many captures: of the first few in whole, of the others that it holds for them, too. What
/// is said of a group of them is always said in whole.
struct AlikeRemarks {
  private static let mostCaptures = 2
  private static let mostNames = 3

  /// What was said under one code.
  private struct Kind {
    /// Lines up to the last one of it; nil where there was no room for any.
    var place: Int?
    var told: [String] = []
    /// Those with it that were passed over: the first few, and how many.
    var others: [String] = []
    var count = 0
    var last = ""
    /// Each is about two captures.
    var isOfPairs = false
  }

  private var kinds: [String: Kind] = [:]

  mutating func isToBeTold(_ remark: Remark) -> Bool {
    guard let capture = remark.capture, remark.captures != .several else { return true }
    var kind = kinds[remark.code] ?? Kind()
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

  /// How many were passed over of whose kind none was told.
  var untold: Int { kinds.values.reduce(0) { $0 + ($1.place == nil ? $1.count : 0) } }

  /// By the lines that stand before it.
  var rest: [(place: Int, text: String)] {
    kinds.filter { $0.value.count > 0 }
      .compactMap { code, kind in kind.place.map { (place: $0, code: code, kind: kind) } }
      .sorted { ($0.place, $0.code) < ($1.place, $1.code) }
      .map { ($0.place, Self.text($0.kind)) }
  }

  private static func text(_ kind: Kind) -> String {
    let more = kind.count - kind.others.count
    let names = kind.others.joined(separator: ", ") + (more > 0 ? ", …" : "")
    return kind.isOfPairs
      ? "…and \(TextColumns.counted(kind.count, "more such pair")): an earlier capture and \(names) (--all)"
      : "…and likewise \(TextColumns.counted(kind.count, "more capture")): \(names) (--all)"
  }
}
