import Analysis

extension Remarks {
  /// What rules say of the run themselves.
  static func said(_ result: AnalysisResult) -> [Remark] {
    (result.timeline?.judges ?? []).flatMap { judge in
      let name = judge.rule.plugin
      var remarks = judge.remarks.map { Remark("rule_said", "\(name): \($0)") }
      if judge.remarksLeftOut > 0 {
        remarks.append(
          Remark(
            "rule_said",
            "\(name): \(TextColumns.counted(judge.remarksLeftOut, "more remark")) of it "
              + "\(judge.remarksLeftOut == 1 ? "is" : "are") not kept."))
      }
      return remarks
    }
  }

  static let clocksNotComparedCode = "clocks_not_compared"

  /// Captures that can be compared: nothing else says whether their clocks agree.
  static func clocksNotCompared(_ result: AnalysisResult) -> Remark? {
    guard result.captures.count > 1, result.heardByClocksOfTheirOwn else { return nil }
    return Remark(
      clocksNotComparedCode, of: .several,
      "Some beacons were heard in several of these captures: 'beacontrace clocks' tells whether their "
        + "clocks agree.")
  }
}
