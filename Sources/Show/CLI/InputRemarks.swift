import Analysis
import CaseStore
import Exports

/// On standard error, for outputs that have no place for it: what the inputs of a run are to one another.
enum InputRemarks {
  private static let most = 5

  static func tell(_ result: AnalysisResult) { tell(Remarks.ofInputs(result).map(\.text)) }

  /// Of a case. What it says of files that were left out has been told when it was made.
  static func tell(_ file: CaseFile) throws {
    let leftOut = Set(try file.rows(UnreadRow.self).map(\.name))
    let rows = try file.rows(RemarkRow.self).filter { row in
      row.kind == RemarkRow.ofAnalysis && Remarks.codesOfInputs.contains(row.code ?? "")
        && !leftOut.contains(row.capture ?? "")
    }
    tell(rows.map(\.text))
  }

  private static func tell(_ sentences: [String]) {
    for sentence in sentences.prefix(most) {
      Terminal.tell("beacontrace: \(TextColumns.printable(sentence))")
    }
    let more = sentences.count - most
    if more > 0 {
      Terminal.tell(
        "beacontrace: \(TextColumns.counted(more, "more remark")) like these: see 'beacontrace analyze --all'."
      )
    }
  }
}
