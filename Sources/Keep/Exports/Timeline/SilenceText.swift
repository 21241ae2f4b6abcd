package import Analysis
import CaptureReader
import Regions

/// What a silence is worth, in words. "gone" and "deaf" are different words everywhere.
package enum SilenceText {
  /// Why it does not say that the beacon has gone; nil where it does.
  static func doubt(_ silence: Silence) -> String? {
    switch silence.grade {
    case .gone: nil
    case .deaf:
      (silence.isOfFilter
        ? "not able to tell: "
        : isPartly(silence)
          ? "not able to hear all the time: "
          : silence.isUnknown ? "not known whether it could hear: " : "not able to hear: ")
        + deafness(silence).joined(separator: ", ")
    case .thin:
      "thin evidence: "
        + ((silence.isLikely ? [chance(silence)] : []) + limits(silence)).joined(separator: "; ")
        + (pause(silence).map { "; \($0)" } ?? "")
    }
  }

  /// Why nobody could say that it has gone, though others were heard: what the capture cannot hold.
  static func limits(_ silence: Silence) -> [String] {
    var limits: [String] = []
    if silence.packetsLost > 0 {
      let when =
        silence.lostUntil.isKnown
        ? "at some time until \(TextColumns.clock(silence.lostUntil))" : "meanwhile"
      limits.append(
        "the recorder lost \(TextColumns.counted(Int(silence.packetsLost), "packet")) \(when)")
    }
    if silence.unanswered > 0 {
      limits.append(
        "a rule or decoder failed on \(failures(silence)) meanwhile, which may have been of it")
    }
    if silence.refused?.isUnmeasured == true {
      limits.append("it was heard without an RSSI: whether it was near enough nobody knows")
    }
    if silence.filtered > 0 {
      limits.append("duplicates were filtered: who stays is not heard again")
    }
    if silence.listedOnly > 0 {
      limits.append("the controller passed on only whom it was told to (its list, a filter)")
    }
    return limits
  }

  static func failures(_ silence: Silence) -> String {
    TextColumns.counted(silence.unanswered, "sighting")
  }

  /// A time without any record that does not make it deaf: that much less was there to be heard.
  static func pause(_ silence: Silence) -> String? {
    guard silence.grade != .deaf, silence.recordGap > 0 else { return nil }
    return "nothing was recorded for \(TextColumns.duration(silence.recordGap)) of it"
  }

  /// Who left a region with a gate may be there, and heard.
  static func refused(_ silence: Silence, from last: Timestamp, to exit: Timestamp) -> String? {
    silence.refused.map { refused in
      (refused.goesOn(from: last, to: exit)
        ? "still heard, but did not pass its gate: "
        : "before it fell silent it did not pass its gate: ")
        + "\(TextColumns.counted(refused.count, "sighting")), the last "
        + TextColumns.clock(refused.at, besides: exit)
        + (refused.rssi.map { " at \(Figures.dBm($0)) (smoothed)" }
          ?? "; the radio told no RSSI of them")
    }
  }

  /// Where nobody at all was heard for more than half of a silence, up to its end: how long that was. Nil
  /// where somebody was, and where that makes it deaf.
  static func quiet(_ silence: Silence, from: Timestamp, to: Timestamp) -> String? {
    guard silence.grade != .deaf, from.isKnown,
      silence.othersHeard.nanoseconds > from.nanoseconds
    else { return nil }
    let quiet = to.nanoseconds.since(silence.othersHeard.nanoseconds)
    guard quiet > to.nanoseconds.since(from.nanoseconds) / 2 else { return nil }
    return "nobody was heard for the last \(TextColumns.duration(quiet)) of the exit period"
  }

  /// All that is to be said of the exit of a stay.
  package static func remarks(_ stay: Timeline.Stay) -> [String] {
    guard let silence = stay.visit.silence else { return [] }
    return [
      doubt(silence), silence.grade == .gone ? pause(silence) : nil,
      quiet(silence, from: stay.visit.lastSeen, to: stay.visit.until),
      refused(silence, from: stay.visit.lastSeen, to: stay.visit.until),
      stay.returnsAfter.map(returned),
    ].compactMap { $0 }
  }

  /// - Parameter span: nanoseconds from the exit to the entry behind it.
  static func returned(after span: Int64) -> String {
    "heard again \(TextColumns.duration(span)) later"
  }

  /// Every reason for which the observer may not have been able to hear. Whom the controller left out first, where that
  /// took longer: a scan that is off for a moment is no reason beside it.
  static func deafness(_ silence: Silence) -> [String] {
    var reasons: [String] = []
    let leftOut = [
      silence.isOfFilter || silence.filtered <= silence.scanOff
        ? nil
        : "duplicates were filtered for \(TextColumns.duration(silence.filtered)) (who stays is not heard again)",
      silence.listedOnly <= silence.scanOff
        ? nil
        : "the controller passed on only whom it was told to (its list, a filter) for "
          + TextColumns.duration(silence.listedOnly),
    ].compactMap { $0 }
    if silence.scanOff > 0 { reasons += leftOut }
    if silence.isOfFilter {
      reasons.append("duplicates were filtered (who stays is not told of again)")
    }
    if silence.scanOff > 0 {
      reasons.append(
        "the scan was off for \(TextColumns.duration(silence.scanOff)) of the exit period")
    }
    if silence.captureOff > 0 {
      reasons.append("nothing was captured for \(TextColumns.duration(silence.captureOff))")
    }
    // While nothing is captured nothing is recorded: that is one reason.
    if silence.recordGap > 0, silence.captureOff == 0 {
      reasons.append("nothing was recorded for \(TextColumns.duration(silence.recordGap))")
    }
    if !silence.othersHeard.isKnown, !silence.isOfFilter {
      reasons.append("no advertiser was heard")
    }
    return reasons
  }

  /// Whether it heard others in it, and no record is missing: a scan that is off for a moment makes a silence deaf
  /// (SEMANTICS 2), and the radio heard for the rest of it.
  static func isPartly(_ silence: Silence) -> Bool {
    silence.grade == .deaf && silence.othersHeard.isKnown && silence.recordGap == 0
      && !silence.isOfFilter
  }

  /// How likely the silence is by loss alone.
  static func chance(_ silence: Silence) -> String {
    guard let probability = silence.probability, let interval = silence.interval,
      let loss = silence.loss
    else {
      return "too few sightings of those heard last to know how regular they are"
    }
    if let sure = sure(silence) { return "such a silence is to be expected: \(sure)" }
    // Without the pause there may be less left than an interval.
    let verdict =
      silence.grade == .thin && silence.isLikely
      ? silence.quiet > silence.recordGap
        ? "such a silence is likely in the time in which anybody was heard"
        : silence.recordGap > 0
          ? "such a silence is likely in the time that was recorded"
          : "such a silence is likely by loss alone"
      : "by loss alone"
    let lost =
      silence.isOfStay
      ? "seldom heard in this stay: up to \(Figures.percent(loss)) may be lost"
      : "loss \(Figures.percent(loss))"
    return "\(verdict), \(Figures.probability(probability)) (usual interval "
      + "\(TextColumns.interval(Double(interval))), \(lost)"
      + (silence.listened.map { $0.isLess ? "; the radio listened \(listened($0))" : "" } ?? "")
      + ")"
  }

  /// Why a silence needs no chance: nothing was to be heard in it, or as little was heard before; nil where it does.
  static func sure(_ silence: Silence) -> String? {
    guard let probability = silence.probability, let interval = silence.interval,
      let loss = silence.loss, probability >= 1
    else { return nil }
    let usual = TextColumns.interval(Double(interval))
    guard loss >= 1 else {
      return silence.quiet > silence.recordGap
        ? "the part in which anybody was heard is no longer than three times the usual interval of \(usual)"
        : (silence.recordGap > 0 ? "the part that was recorded is " : "")
          + "shorter than the usual interval of \(usual)"
    }
    return
      (silence.isOfStay ? "in this stay so little was heard that all may be lost" : "all is lost")
      + " (usual interval \(usual))"
  }

  /// `p = 0.12`, or why it is sure.
  static func likelihood(_ silence: Silence) -> String? {
    sure(silence) ?? silence.probability.map { Figures.probability($0) }
  }

  /// How little the radio listened: `10 % of the time, before 100 %`.
  static func listened(_ listened: Silence.Listened) -> String {
    let before =
      listened.isLess
      ? ", before \(Figures.percent(listened.before ?? 1))"
      : listened.before == nil ? "" : ", as before"
    return "\(Figures.percent(listened.share)) of the time\(before)"
  }
}

extension Silence {
  /// Whether nothing says that the radio could not hear, but that nothing came of it: where nobody advertises near one
  /// that listens all the time the recording is the same.
  var isUnknown: Bool { grade == .deaf && scanOff == 0 && captureOff == 0 && filtered == 0 }

  /// Whether the filter of duplicates alone may be why nobody was told of.
  var isOfFilter: Bool { filtered > 0 && scanOff == 0 && captureOff == 0 }
}
