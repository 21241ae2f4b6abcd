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
}
