import CaseStore
import Exports

/// What `case verify` says to people.
struct CaseFindingsText {
  private(set) var lines: [String]
  private static let mostIDs = 10
  private static let mostAdditions = 20
  private static let mostUnread = 20
  private static let mostInputs = 100

  init(_ findings: CaseFindings) {
    lines = [TextColumns.printable(findings.path)]
    tellFile(findings)
    tell("captures", findings.captures) { $0.name }
    tell("other files", findings.files) { "\($0.role ?? "file") \($0.name)" }
    tellUnread(findings.unread, unknown: findings.unreadWithoutSum)
    tellStrangers(findings.strangers)
    switch findings.analysis {
    case .notMade: row("analysis", "not made again: not every input is there")
    case .failed: row("analysis", "could not be made again, for the reason that is told")
    case .made(let derived): tell(derived)
    }
  }

  private mutating func row(_ name: String, _ value: String) {
    let body = TextLayout.wrap(TextColumns.printable(value), indent: 14)
    lines.append("  " + TextColumns.left(name, 12) + (body.first ?? "").dropFirst(14))
    lines += body.dropFirst()
  }

  private mutating func tellFile(_ findings: CaseFindings) {
    switch findings.isSealed {
    case true:
      row("file", "as it was sealed, with SHA-256")
      if let seal = findings.sealDigits { lines.append(String(repeating: " ", count: 14) + seal) }
      // The digits alone prove nothing.
      row("", "whoever changes a case can seal it anew: compare this with the number that you kept")
    case false: row("file", "CHANGED since it was sealed")
    case nil: row("file", "has no seal: an older beacontrace made it")
    }
    if !findings.faults.isEmpty {
      row("integrity", "DAMAGED: " + findings.faults.prefix(3).joined(separator: "; "))
    }
    guard findings.isSealed != nil else { return }
    if findings.changedTables.isEmpty {
      let others =
        findings.isSealed == false && findings.faults.isEmpty
        ? ": what was written to the file since is something else" : ""
      row("tables", "\(findings.tables), with the rows that were sealed" + others)
    } else {
      row("tables", "CHANGED: " + findings.changedTables.joined(separator: ", "))
    }
    tellAdditions(findings)
  }

  /// Whoever reads that the file is not as it was sealed looks for what is not ours first.
  private mutating func tellAdditions(_ findings: CaseFindings) {
    let state =
      findings.isSealed == true
      ? "not of beacontrace; as it was when the file was sealed"
      : "not of beacontrace, and no digest covers it"
    var label = "added"
    for name in findings.additions.prefix(Self.mostAdditions) {
      row(label, "\(name): \(state)")
      label = ""
    }
    let more = findings.additions.count - Self.mostAdditions
    if more > 0 { row("", "\(TextColumns.grouped(more)) more that are not of beacontrace") }
  }

  /// Of very many those that are not as they were.
  private mutating func tell(
    _ label: String, _ inputs: [CaseFindings.Input], name: (CaseFindings.Input) -> String
  ) {
    var label = label
    let isAll = inputs.count <= Self.mostInputs
    let told = isAll ? inputs : inputs.filter { $0.state != .same }
    if !isAll {
      row(label, "\(TextColumns.grouped(inputs.count - told.count)) unchanged")
      label = ""
    }
    for input in told {
      let elsewhere = input.foundAs.map { "; unchanged as \($0)" } ?? ""
      row(label, "\(name(input)): \(input.state.words)\(elsewhere)")
      label = ""
    }
  }

  /// Nothing was read of them, but something is said of each.
  private mutating func tellUnread(_ inputs: [CaseFindings.Input], unknown: Int) {
    let isAll = inputs.count <= Self.mostUnread
    let told = isAll ? inputs : inputs.filter { $0.state != .same }
    let shown = told.prefix(isAll ? told.count : 5 * Self.mostUnread)
    tell("not read", Array(shown)) { $0.name }
    let label = shown.isEmpty ? "not read" : ""
    if told.count > shown.count {
      row("", "\(TextColumns.grouped(told.count - shown.count)) more that are not as they were")
    }
    if !isAll { row(label, "\(TextColumns.grouped(inputs.count - told.count)) unchanged") }
    if unknown > 0 {
      row(
        isAll ? label : "",
        "\(TextColumns.grouped(unknown)) of which an older form of cases kept no SHA-256")
    }
  }

  /// Named, but not looked at: nobody shall take that for a check.
  private mutating func tellStrangers(_ files: [String]) {
    var label = "named, too"
    for file in files.prefix(Self.mostUnread) {
      row(label, "\(file): none of the case's files, and NOT CHECKED")
      label = ""
    }
    let more = files.count - Self.mostUnread
    if more > 0 { row("", "\(TextColumns.grouped(more)) more that are none of the case's") }
    if files.contains(where: { $0.lowercased().hasSuffix(".html") }) {
      row("", "a page is compared by")
      row("", "beacontrace case report -o - CASE | cmp - PAGE")
    }
  }

  private mutating func tell(_ derived: CaseFindings.Derived) {
    tellEvents(derived)
    if !derived.skippedTables.isEmpty {
      row(
        "",
        "the case is of the form \(derived.form), and this is \(CaseSchema.form): not compared are "
          + derived.skippedTables.joined(separator: ", "))
    }
    row(
      "",
      derived.otherTables.isEmpty
        ? "every table comes out the same (\(derived.comparedTables))"
        : "tables that come out DIFFERENT: " + derived.otherTables.joined(separator: ", "))
    if derived.version != Version.text {
      row("", "the case was made by beacontrace \(derived.version), this is \(Version.text)")
    }
  }

  private mutating func tellEvents(_ derived: CaseFindings.Derived) {
    if !derived.gone.isEmpty {
      row("analysis", "NOT derived again: \(Self.listed(derived.gone))")
    } else if !derived.others.isEmpty {
      row(
        "analysis",
        "SOMETHING ELSE is derived of \(Self.listed(derived.others)); the other "
          + "\(TextColumns.grouped(derived.events - derived.others.count)) come out as they stand")
    } else {
      row("analysis", "every event is derived again (\(TextColumns.grouped(derived.events)))")
    }
    if !derived.new.isEmpty {
      row("", "derived now, and not in the case: \(Self.listed(derived.new))")
    }
  }

  private static func listed(_ ids: [String]) -> String {
    let more = ids.count - mostIDs
    return TextColumns.counted(ids.count, "event") + ": "
      + ids.prefix(mostIDs).joined(separator: ", ")
      + (more > 0 ? " and \(TextColumns.grouped(more)) more" : "")
  }
}
