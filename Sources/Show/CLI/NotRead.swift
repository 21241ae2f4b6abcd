import CaptureReader
import CaseStore

/// Inputs of which nothing was read.
struct NotRead {
  var problems: [CaptureProblem] = []
  var passedOver: [CaptureProblem] = []
  /// How they were, as far as a case says it.
  var files: [UnreadRow] = []
  /// Whether those of an earlier run are told again.
  var areTold = true

  /// What was not read then, and is not read now, each once, as it was found last.
  /// A receiver that was missing is not any more where a capture of it is read.
  /// - Parameter read: what is read now.
  func adding(_ now: NotRead, read: [String]) -> NotRead {
    let others = Set(read + (now.problems + now.passedOver).map(\.capture))
    func still(_ list: [CaptureProblem]) -> [CaptureProblem] {
      list.filter { problem in
        !others.contains(problem.capture)
          && !(problem.code == .receiverMissing
            && read.contains { $0.hasPrefix(problem.capture + "/") })
      }
    }
    return NotRead(
      problems: still(problems) + now.problems, passedOver: still(passedOver) + now.passedOver,
      files: files.filter { !others.contains($0.name) })
  }
}

extension NotRead {
  /// What a case says of that: all of it was in folders.
  init(_ file: CaseFile) throws {
    files = try file.rows(UnreadRow.self)
    for row in try file.rows(ProblemRow.self) {
      var problem = CaptureProblem(
        ProblemCode(rawValue: row.code), capture: row.capture, offset: row.byte.map { Int64($0) },
        detail: row.detail, remedy: row.remedy)
      problem.isInFolder = true
      problems.append(problem)
    }
    for row in try file.rows(RemarkRow.self) where row.kind == RemarkRow.passedOver {
      let detail = row.text.hasSuffix(".") ? String(row.text.dropLast()) : row.text
      passedOver.append(
        CaptureProblem(
          ProblemCode(rawValue: row.code ?? ""), capture: row.capture ?? "", detail: detail))
    }
  }
}
