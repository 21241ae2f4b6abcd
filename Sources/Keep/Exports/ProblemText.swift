package import Analysis
package import CaptureReader

/// Errors and damage as sentences: what, where, what to do next.
package enum ProblemText {
  /// How it went with a plugin that failed.
  package static func line(_ plugin: JudgeReport) -> String {
    var line = "plugin \(plugin.rule.plugin): \(failedCalls(plugin))"
    if plugin.isSwitchedOff {
      line += plugin.isDecodingOff ? "; its decoders switched off" : "; switched off"
      if plugin.switchedOff.isKnown {
        var moment = ByteText()
        moment.time(plugin.switchedOff)
        line += " at \(moment.string)"
      }
    }
    return line + "."
  }

  /// Among a run's alerts, whose day stands before them.
  static func failures(_ plugin: JudgeReport) -> String {
    let calls = failedCalls(plugin)
    guard plugin.isSwitchedOff else { return calls }
    if plugin.isDecodingOff {
      let since = plugin.switchedOff
      let when = since.isKnown ? " from \(Figures.moment(since)) on" : ""
      return "its decoders are switched off\(when), its handlers went on; \(calls)"
    }
    guard plugin.switchedOff.isKnown else { return "switched off; \(calls)" }
    let moment = Figures.moment(plugin.switchedOff)
    return "switched off from \(moment) on, and told nothing from then on; \(calls)"
  }

  private static func failedCalls(_ plugin: JudgeReport) -> String {
    let limits = plugin.errors.map { failures($0.count, of: $0.limit) }.joined(separator: ", ")
    return "\(TextColumns.grouped(plugin.errorCount)) of its calls failed (\(limits))"
  }

  /// - Parameter limit: as reports of judges name it.
  private static func failures(_ count: Int, of limit: String) -> String {
    switch limit {
    case "error": TextColumns.counted(count, "error")
    case "syntax": TextColumns.counted(count, "error of syntax", "errors of syntax")
    case "instructions": "\(TextColumns.grouped(count)) at the limit of instructions"
    case "memory": "\(TextColumns.grouped(count)) at the limit of memory"
    case "string": "\(TextColumns.grouped(count)) at the limit of a string's length"
    case "steps": "\(TextColumns.grouped(count)) at the limit of a pattern's steps"
    default: "\(TextColumns.grouped(count)) at the limit of \(limit)"
    }
  }

  /// Some of what runs tell are sentences, some clauses.
  package static func sentence(_ text: String) -> String {
    TextColumns.printable(text.hasSuffix(".") ? text : text + ".")
  }

  /// - Parameter isAdvised: what to do has been said.
  package static func line(_ problem: CaptureProblem, isAdvised: Bool = false) -> String {
    TextColumns.printable(
      CaptureProblem(
        problem.code, capture: name(problem.capture), offset: problem.offset,
        detail: problem.detail, remedy: isAdvised ? nil : problem.remedy
      ).description)
  }

  /// Inputs that could not be read, as they stand among the captures: a paragraph each, and of more than
  /// a few one by what is wrong.
  static func notRead(_ problems: [CaptureProblem], showsAll: Bool) -> [[String]] {
    guard problems.count > CaptureTable.mostInParagraphs, !showsAll else {
      return problems.map(notRead)
    }
    var groups: [(detail: String, names: [String])] = []
    var places: [String: Int] = [:]
    for problem in problems {
      let place = places[problem.detail, default: groups.count]
      places[problem.detail] = place
      if place == groups.count { groups.append((problem.detail, [])) }
      groups[place].names.append(name(problem.capture))
    }
    let shown = groups.prefix(mostWrong)
    var lines = ["NOT READ  \(TextColumns.grouped(problems.count)) (--all names each)"]
    for group in shown { lines += wrong(group.detail, group.names) }
    let rest = groups.dropFirst(mostWrong)
    if !rest.isEmpty {
      let count = rest.reduce(0) { $0 + $1.names.count }
      lines.append("  …\(TextColumns.grouped(count)) more, each for another reason (--all)")
    }
    return [lines]
  }

  private static let mostWrong = 10
  private static let mostNames = 3
  private static let widestName = 60

  /// So many have the same wrong with them.
  private static func wrong(_ detail: String, _ names: [String]) -> [String] {
    var list = names.prefix(mostNames).map { TextFit.cutMiddle($0, widestName) }
    let more = names.count - mostNames
    if more > 0 { list.append("…\(TextColumns.grouped(more)) more") }
    return TextLayout.wrap(
      TextColumns.printable(
        "\(TextColumns.grouped(names.count)) × \(detail): \(list.joined(separator: ", "))"),
      indent: 2, hanging: 4)
  }

  /// What stands among the captures in the place of one that could not be read.
  private static func notRead(_ problem: CaptureProblem) -> [String] {
    let place = problem.offset.map { " (byte \(TextColumns.grouped(Int($0))))" } ?? ""
    return [TextColumns.printable(name(problem.capture))]
      + TextLayout.wrap(
        TextColumns.printable("NOT READ: \(problem.detail)\(place)."), indent: 2, hanging: 2)
  }

  private static func name(_ capture: String) -> String {
    capture == "-" ? "standard input" : capture
  }

  /// One sentence per damaged place, five at most.
  package static func damage(_ facts: CaptureFacts) -> [String] {
    damageSentences(facts).map { TextColumns.printable($0) }
  }

  private static func damageSentences(_ facts: CaptureFacts) -> [String] {
    let name = name(facts.name)
    var lines = facts.damage.prefix(5).map { gap in
      let after =
        gap.resumedAtFrame.map {
          "went on at byte \(TextColumns.grouped(Int(gap.offset + gap.bytes))) with record "
            + TextColumns.grouped($0)
        } ?? (gap.isAnotherCapture ? "it goes to the end" : "nothing readable followed")
      return
        "\(name): damaged at byte \(TextColumns.grouped(Int(gap.offset)))\(DamageText.unpacked(facts)) "
        + "(\(gap.detail)); "
        + "\(after). \(TextColumns.counted(Int(gap.bytes), "byte")) skipped\(DamageText.behindComma(gap))."
    }
    if facts.damage.count > 5 {
      let more = TextColumns.counted(facts.damage.count - 5, "more damaged place")
      lines.append("\(name): \(more) (info lists them).")
    }
    for entry in unlistedDamage(facts) {
      if facts.damage.contains(where: { $0.reason == entry.code }) { continue }
      lines.append(
        "\(name): \(entry.detail)\(DamageText.after(entry.firstFrame)).")
    }
    return lines
  }

  /// `1 damaged place, 284 bytes skipped (first before frame 360); the input ends 15 bytes into a record (after
  /// frame 1 160)`; nil of a capture that is whole.
  package static func damageInBrief(_ facts: CaptureFacts) -> String? {
    guard facts.isDamaged else { return nil }
    var parts: [String] = []
    let skipped = facts.accounting.warnings.first { $0.code == .damageSkipped }
    let places = max(facts.damage.count, skipped?.count ?? 0)
    if places > 0 {
      let bytes = facts.damage.reduce(0) { $0 + Int($1.bytes) }
      let least = places > facts.damage.count ? "at least " : ""
      let first = facts.damage.first?.resumedAtFrame.map {
        " (\(places == 1 ? "" : "the first ")before frame \(TextColumns.grouped($0)))"
      }
      parts.append(
        "\(TextColumns.counted(places, "damaged place")), \(least)\(TextColumns.counted(bytes, "byte")) skipped"
          + (first ?? ""))
    }
    for entry in unlistedDamage(facts)
    where !facts.damage.contains(where: { $0.reason == entry.code }) {
      parts.append("\(entry.detail)\(DamageText.after(entry.firstFrame))")
    }
    if parts.isEmpty {
      parts = facts.accounting.warnings.filter { ProblemCode.damaging.contains($0.code) }
        .map { "\($0.detail)\(DamageText.after($0.firstFrame))" }
    }
    return parts.joined(separator: "; ")
  }

  /// Damage that is not among the skipped places. Where a compressed stream ends, the record cut
  /// off by that needs no sentence of its own.
  static func unlistedDamage(_ facts: CaptureFacts) -> [Accounting.Entry] {
    let codes = unlistedDamage(Set(facts.accounting.warnings.map(\.code)))
    return facts.accounting.warnings.filter { codes.contains($0.code) }
  }

  /// Those of a capture's warnings.
  package static func unlistedDamage(_ warnings: Set<ProblemCode>) -> Set<ProblemCode> {
    var told: Set<ProblemCode> = [
      .damageSkipped, .recordImplausible, .recordLengthImplausible, .linkTypeChanges,
    ]
    let unpacking: Set<ProblemCode> = [.compressedStreamTruncated, .compressedStreamDamaged]
    if !warnings.isDisjoint(with: unpacking) { told.insert(.fileTruncated) }
    return warnings.intersection(ProblemCode.damaging.subtracting(told))
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
