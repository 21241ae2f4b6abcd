import Analysis

/// Which captures of a run are others of it once more, byte for byte.
struct CopiesOfCaptures {
  private var firsts: [Int: String] = [:]

  init(_ captures: [CaptureFacts]) {
    var known: [[UInt8]: String] = [:]
    for (place, facts) in captures.enumerated() where !facts.sha256.isEmpty {
      if let first = known[facts.sha256] {
        firsts[place] = first
      } else {
        known[facts.sha256] = facts.name
      }
    }
  }

  var count: Int { firsts.count }

  /// The capture before it that is the same; nil where none is.
  func first(of place: Int) -> String? { firsts[place] }
}
