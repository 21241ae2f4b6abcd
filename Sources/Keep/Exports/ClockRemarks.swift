package import Analysis
import CaptureReader

/// Clocks that somebody moved.
extension Remarks {
  static func moved(_ facts: CaptureFacts) -> [Remark] {
    guard !facts.correction.isNone else { return [] }
    return [
      Remark(
        MovedTogether.code, capture: facts.name,
        "its times are told \(movedHow(facts) ?? ""): --clock says that its clock was wrong.")
    ]
  }

  /// A clause for each part that was moved; nil where nothing was.
  package static func movedHow(_ facts: CaptureFacts) -> String? {
    let pieces = facts.correction.pieces
    return pieces.isEmpty ? nil : pieces.map(Self.words).joined(separator: "; ")
  }

  /// `2 h 00 min later than they stand in it`
  private static func words(_ piece: ClockCorrection.Piece) -> String {
    let amount = TextColumns.exactDuration(Int64(clamping: piece.by.magnitude))
    var text = "\(amount) \(piece.by < 0 ? "earlier" : "later") than they stand in it"
    if piece.hasStart { text += " from \(moment(piece.from)) on" }
    if piece.hasEnd { text += (piece.hasStart ? " and" : "") + " before \(moment(piece.until))" }
    if piece.drift != 0 {
      let ppm = TextColumns.decimal(Double(piece.drift.magnitude) / 1000)
      text += ", and without the \(ppm) ppm by which it is \(piece.drift < 0 ? "slow" : "fast")"
    }
    return text
  }

  private static func moment(_ time: Int64) -> String {
    TextColumns.moment(Timestamp(nanoseconds: time))
  }

  /// What changes the times of captures: clocks that were moved, or stepped back so far that events come too
  /// late; a sentence each.
  package static func clocks(_ captures: [CaptureFacts]) -> [String] {
    captures.flatMap { facts in
      moved(facts).map { "\(facts.name): \($0.text)" } + stepsBack([facts])
    }
  }
}
