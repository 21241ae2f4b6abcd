/// Captures whose clocks were moved alike, as those of one folder are: one sentence says it of all.
package struct MovedTogether {
  package static let code = "clock_moved"

  /// By what is said of one.
  private var captures: [String: [String]] = [:]

  /// - Parameter moved: each capture, and what is said of it.
  package init(_ moved: [(capture: String, text: String)]) {
    for (capture, text) in moved { captures[text, default: []].append(capture) }
  }

  /// Of whom it is said, and what, where that is the first of them; nil of the others.
  package func told(_ capture: String, _ text: String) -> (captures: String, text: String)? {
    guard let alike = captures[text], alike.count > 1 else { return (capture, text) }
    guard alike[0] == capture else { return nil }
    return (
      "\(capture) and \(TextColumns.grouped(alike.count - 1)) more",
      text.replacing("its ", with: "their ").replacing("stand in it", with: "stand in them")
        .replacing("by which it is", with: "by which they are")
    )
  }
}
