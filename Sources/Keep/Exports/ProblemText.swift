package import Analysis
package import CaptureReader

/// Errors and damage as sentences: what, where, what to do next.
package enum ProblemText {
  package static func line(_ problem: CaptureProblem) -> String {
    TextColumns.printable(problem.description)
  }

  /// One sentence per damaged place, five at most.
  package static func damage(_ facts: CaptureFacts) -> [String] {
    let name = TextColumns.printable(facts.name)
    var lines = facts.damage.prefix(5).map { gap in
      let after =
        gap.resumedAtFrame.map {
          "went on at byte \(TextColumns.grouped(Int(gap.offset + gap.bytes))) with record "
            + TextColumns.grouped($0)
        } ?? "nothing readable followed"
      return "\(name): damaged at byte \(TextColumns.grouped(Int(gap.offset))) (\(gap.detail)); "
        + "\(after). \(TextColumns.grouped(Int(gap.bytes))) bytes skipped."
    }
    if facts.damage.count > 5 {
      lines.append("\(name): \(facts.damage.count - 5) more damaged places (info lists them).")
    }
    let told: Set<ProblemCode> = [.damageSkipped, .recordImplausible, .recordLengthImplausible]
    for entry in facts.accounting.warnings
    where ProblemCode.damaging.subtracting(told).contains(entry.code) {
      if facts.damage.contains(where: { $0.reason == entry.code }) { continue }
      lines.append(
        "\(name): \(entry.detail) (after frame \(TextColumns.grouped(entry.firstFrame))).")
    }
    return lines
  }

  /// Every warning with its count, for -v.
  package static func warnings(_ facts: CaptureFacts) -> [String] {
    facts.accounting.warnings.map { entry in
      "\(TextColumns.printable(facts.name)): \(TextColumns.grouped(entry.count)) × "
        + "\(entry.code.rawValue)"
        + (entry.firstFrame > 0 ? ", first in frame \(TextColumns.grouped(entry.firstFrame))" : "")
    }
  }
}
