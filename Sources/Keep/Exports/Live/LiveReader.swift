/// Says while a run goes on that nobody reads its lines, and that somebody does again.
package struct LiveReader: Sendable {
  /// How it is with standard output just now.
  package struct Standing: Equatable, Sendable {
    /// Lines that had no room, so far.
    package var notShown = 0
    /// Seconds for which nothing was taken though something waits.
    package var stuck = 0.0

    package init() {}
  }

  /// Why lines are not shown just now, one clause; nil: nothing is wrong.
  package private(set) var problem: String?
  private var seen = 0
  /// Lines that were not shown before this outage.
  private var before = 0
  private var isTold = false
  /// Seconds, by a clock that runs evenly: when lines had no way out last, and when that was said last.
  private var badAt = -Double.infinity
  private var saidAt = -Double.infinity
  /// Seconds: a terminal that somebody holds for so long is read again soon.
  private static let patience = 5.0
  /// As long it has to be well before it is.
  private static let rest = 10.0
  private static let pace = 60.0

  package init() {}

  /// - Parameter now: seconds, by a clock that runs evenly.
  /// - Returns: what there is to say now, and whether something is wrong.
  package mutating func next(_ standing: Standing, now: Double) -> (text: String, isBad: Bool)? {
    let isStuck = standing.stuck >= Self.patience
    let earlier = seen
    seen = standing.notShown
    if isStuck || seen > earlier {
      badAt = now
      if problem == nil { (before, isTold) = (earlier, false) }
      let words = isStuck ? "is not read" : "is not read fast enough"
      problem = words
      guard !isTold, now - saidAt >= Self.pace else { return nil }
      (isTold, saidAt) = (true, now)
      return (
        "standard output \(words): what finds no room is not shown, sightings first. The run goes on.",
        true
      )
    }
    guard problem != nil, now - badAt >= Self.rest else { return nil }
    problem = nil
    guard isTold else { return nil }
    let lost = seen - before
    let what =
      lost == 0
      ? "every line was shown"
      : "\(TextColumns.counted(lost, "line")) \(lost == 1 ? "was" : "were") not shown"
    return ("standard output is read again; \(what).", false)
  }
}
