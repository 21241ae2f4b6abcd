import Analysis
import CaptureReader

extension Remarks {
  /// Radios that hear far less from one moment on.
  static func lostHearing(_ losses: [HearingLoss], _ result: AnalysisResult) -> [Remark] {
    losses.map { loss in
      let radio =
        result.observers.count > 1 ? "the radio of \(result.observers[loss.observer])" : "the radio"
      return Remark(
        "hearing_lost",
        "From \(TextColumns.moment(loss.from)) on \(radio) heard \(TextColumns.decimal(loss.now)) reports a "
          + "second, before that \(TextColumns.decimal(loss.before)), and hardly anybody new: "
          + "\(TextColumns.grouped(loss.lost)) of its \(TextColumns.grouped(loss.beacons)) beacons were "
          + "not heard any more in the last \(TextColumns.duration(loss.silence)). That is the receiver "
          + "(carried off, covered, its antenna), or what all of them depend on, rather than "
          + "these beacons one by one.")
    }
  }
}
