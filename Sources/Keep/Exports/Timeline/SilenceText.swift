import CaptureReader
import Regions

/// What a silence is worth, in words. "gone" and "deaf" are different words everywhere.
enum SilenceText {
  /// Why it does not say that the beacon has gone; nil where it does.
  static func doubt(_ silence: Silence) -> String? {
    switch silence.grade {
    case .gone: nil
    case .deaf: "not able to hear: " + deafness(silence).joined(separator: ", ")
    case .thin: "thin evidence: " + chance(silence)
    }
  }

  /// Every reason for which the observer may not have been able to hear.
  static func deafness(_ silence: Silence) -> [String] {
    var reasons: [String] = []
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
    if !silence.othersHeard.isKnown { reasons.append("no advertiser was heard") }
    return reasons
  }

  /// How likely the silence is by loss alone.
  static func chance(_ silence: Silence) -> String {
    guard let probability = silence.probability, let interval = silence.interval,
      let loss = silence.loss
    else {
      return "too few sightings of those heard last to know how regular they are"
    }
    let verdict =
      silence.grade == .thin ? "such a silence is likely by loss alone" : "by loss alone"
    return "\(verdict), \(Figures.probability(probability)) (usual interval "
      + "\(TextColumns.interval(Double(interval))), loss \(Figures.percent(loss))"
      + (silence.listened.map { $0.isLess ? "; the radio listened \(listened($0))" : "" } ?? "")
      + ")"
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
