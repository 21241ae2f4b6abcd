package import Analysis
import CaptureReader

/// Clocks that somebody moved.
extension Remarks {
  static func moved(_ facts: CaptureFacts) -> [Remark] {
    guard facts.shift != 0 else { return [] }
    let by = TextColumns.duration(Int64(facts.shift.magnitude))
    return [
      Remark(
        "clock_moved", capture: facts.name,
        "its times are told \(by) \(facts.shift > 0 ? "later" : "earlier") than they stand in it: --clock "
          + "says that its clock was wrong.")
    ]
  }

  /// What changes the times of captures: clocks that were moved, or stepped back so far that events come too
  /// late; a sentence each.
  package static func clocks(_ captures: [CaptureFacts]) -> [String] {
    captures.flatMap { facts in
      moved(facts).map { "\(facts.name): \($0.text)" } + stepsBack([facts])
    }
  }
}
