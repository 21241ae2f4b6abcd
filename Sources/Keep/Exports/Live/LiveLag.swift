package import CaptureReader

/// Says when a live run tells of what was heard some time ago: rules that take long, or a machine that has
/// too much to do.
package struct LiveLag: Sendable {
  /// What takes the time.
  private let what: String
  /// Nanoseconds that it is behind; nil where that is not worth a word.
  package private(set) var behind: Int64?
  private static let much: Int64 = 10_000_000_000
  private static let little: Int64 = 2_000_000_000

  package init(hasRules: Bool) { what = hasRules ? "the rules are" : "the analysis is" }

  /// - Parameters:
  ///   - time: how far the run has come, by the clock that stamps packets.
  ///   - now: what that clock says, nanoseconds since 1970.
  /// - Returns: what there is to say now.
  package mutating func next(at time: Timestamp, now: Int64) -> String? {
    let (span, overflow) = now.subtractingReportingOverflow(time.nanoseconds)
    guard time.isKnown, !overflow else { return nil }
    let wasBehind = behind != nil
    behind = span >= (wasBehind ? Self.little : Self.much) ? span : nil
    if (behind != nil) == wasBehind { return nil }
    guard let behind else { return "\(what) up to date again." }
    return
      "\(what) behind: what is told now was heard \(TextColumns.duration(behind)) ago. Packets wait "
      + "meanwhile; what finds no room is counted as lost."
  }
}
