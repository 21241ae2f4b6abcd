package import Analysis
import CaptureReader
import FrameDecoder
import Regions

/// Clocks that somebody moved.
extension Remarks {
  static func moved(_ facts: CaptureFacts) -> [Remark] {
    guard !facts.correction.isNone else { return [] }
    return [
      Remark(
        MovedTogether.code, capture: facts.name,
        "its times are told \(movedHow(facts) ?? ""): --clock says that its clock was wrong.\(twice(facts))"
      )
    ]
  }

  /// What stands in a capture twice is moved alike, whichever is meant: where its clock was set back by about as much as
  /// two parts are moved differently, and that is not what moving them made of it.
  private static func twice(_ facts: CaptureFacts) -> String {
    let pieces = facts.correction.pieces
    func moved(at time: Int64) -> Int64 {
      pieces.first { time >= $0.from && (time < $0.until || $0.until == .max) }?.by ?? 0
    }
    let step = facts.span.largestStepBack
    let bounds = pieces.flatMap { [$0.from, $0.until] }.filter { $0 > .min && $0 < .max }
    let isTwice = bounds.contains { bound in
      let later = moved(at: bound).since(moved(at: bound - 1))
      return later >= 1_000_000_000 && step >= later / 2 && step / 2 <= later
    }
    guard isTwice else { return "" }
    return
      " It was set back by \(TextColumns.duration(step)) as well, and shows some times twice: both are moved alike, "
      + "and one of them wrongly. Cut it in two there first, by frames (editcap -r), and move each by its own."
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

  static func clock(_ facts: CaptureFacts) -> [Remark] {
    facts.accounting.warnings.compactMap { entry in
      let first = "first at frame \(TextColumns.grouped(entry.firstFrame))"
      let times = entry.count == 1 ? "once" : "\(TextColumns.grouped(entry.count)) times"
      let text: String? =
        switch entry.code {
        case .timeGoesBackwards where !facts.clockWasSetBack:
          // What is caught up at once is hardly a clock that was set.
          (entry.count == 1
            ? "1 record is earlier than one before it"
            : "\(TextColumns.grouped(entry.count)) times a record is "
              + "earlier than the one before it")
            + ", by "
            + (facts.span.largestStepBack < 1_000_000
              ? "less than 1 ms" : "up to \(TextColumns.duration(facts.span.largestStepBack))")
            + " (\(first)): they are out of order, or the clock stepped back by as much."
        case .timeGoesBackwards:
          "the clock steps back \(times), by up to "
            + "\(TextColumns.duration(facts.span.largestStepBack)) (\(first)): what came until it had caught up is "
            + "followed at the time before the step, and exits wait for that. \(causes(facts))"
        case .timeJumpsForward:
          "the clock jumps, or the recording pauses, \(times), by up to "
            + "\(TextColumns.duration(facts.span.largestStepForward)) (\(jump(facts))\(first))."
        case .timestampOutlier:
          (entry.count == 1
            ? "1 record says a time that those before and after it contradict, so that it is not used: "
            : "\(TextColumns.grouped(entry.count)) records say times that those before and after them "
              + "contradict, so that they are not used, the first: ")
            + "frame \(TextColumns.grouped(entry.firstFrame)), \(moment(facts.span.firstOutlier))."
        case .timestampImplausible, .clockNotSet:
          notSet(facts, entry.code)
            + TextColumns.counted(entry.count, "time lies", "times lie")
            + " before 2000 (\(first)); differences between them still hold, and --clock moves them"
            // The others are right, or so it seems.
            + (entry.count < facts.accounting.records
              ? " (these alone: FILE=TIME,until=2000-01-01T00:00:00Z)." : ".")
        case .noTimestamp, .timestampOutOfRange:
          TextColumns.counted(entry.count, "record has", "records have") + " no time (\(first))."
        default: nil
        }
      return text.map { Remark(entry.code.rawValue, capture: facts.name, $0) }
    }
  }

  private static func moment(_ time: Timestamp) -> String {
    time.isKnown
      ? "\(TextColumns.date(time)) \(TextColumns.clock(time)) \(ClockZone.shown.label(time))"
      : "no time"
  }

  /// Why times may step back.
  private static func causes(_ facts: CaptureFacts) -> String {
    let isJoined = facts.accounting.warnings.contains { $0.code == .capturesJoined }
    let order =
      isJoined ? "files were joined in the wrong order" : "records are not in the order of time"
    guard let (gap, others) = elsewhere(facts) else {
      return "The clock was set, \(order), or times were changed."
    }
    return
      "In \(ObserverText.span(of: gap, within: facts.span.earliest)) there is no record as they follow one another, "
      + "but \(others.words) of that time \(others.records == 1 ? "stands" : "stand") elsewhere in the file: \(order) "
      + "(tools such as reordercap sort them), the clock was set to and fro, or times were changed."
  }

  /// Android's logs alone may have been written so by a clock that was right.
  private static func notSet(_ facts: CaptureFacts, _ code: ProblemCode) -> String {
    let isAndroids =
      code == .timestampImplausible && !facts.links.contains { $0.link == .btsnoopMonitor }
    return isAndroids
      ? "the clock was not set, or Android's log has wrong times, as 32-bit devices wrote them until about "
        + "2017: " : "the clock was not set: "
  }

  /// `08:40:00–09:40:00; `: when the longest of them was, by the times that the records have.
  private static func jump(_ facts: CaptureFacts) -> String {
    let gaps = facts.observers.compactMap(\.scan.gaps.longest)
    let gap = gaps.first { $0.to.since($0.from) == facts.span.largestStepForward }
    return gap.map { ObserverText.span(of: $0, within: facts.span.earliest) + "; " } ?? ""
  }

  /// Of clocks that step back so far that events come too late, a sentence each.
  package static func stepsBack(_ captures: [CaptureFacts]) -> [String] {
    captures.filter(\.clockWasSetBack).flatMap { facts in
      clock(facts).filter { $0.code == ProblemCode.timeGoesBackwards.rawValue }
        .map { "\(facts.name): \($0.text)" }
    }
  }
}
