import ArgumentParser
import CaseStore
import Exports

/// Looks whether a case is as it was, its inputs are, and everything follows from them again.
struct CaseVerification {
  private(set) var findings: CaseFindings

  /// - Parameter captures: files and folders in which captures and other files may be now.
  init(_ path: String, _ captures: [String]) throws {
    let check = try CaseCheck(path)
    let file = try CaseFile.open(path)
    findings = CaseFindings(path, check, seal: try file.sealDigits())
    let contents = try CaseContents(file)
    var search = CaptureSearch(contents, beside: path, named: captures)
    if let missing = search.missing.first {
      throw CaseProblem(
        missing, "there is no such file or folder",
        remedy: "Name where captures of the case are now; else they are looked for beside it.")
    }
    findings.captures = contents.captures.map { capture in
      let state = search.state(of: capture)
      return CaseFindings.Input(
        name: capture.name, role: CaseFindings.Input.captureRole, state: state,
        foundAs: search.elsewhere[capture.name])
    }
    var sideFiles = SideFiles(contents.files, beside: path, named: search.files)
    findings.files = sideFiles.findings()
    // Nothing follows from what was not read.
    let isWhole = !findings.misses
    let notRead = contents.notRead
    findings.unread = notRead.files.map { file in
      let state = search.state(of: file)
      return CaseFindings.Input(
        name: file.name, role: nil, state: state, foundAs: search.elsewhere[file.name])
    }
    findings.unreadWithoutSum =
      notRead.problems.count + notRead.passedOver.count - notRead.files.count
    findings.strangers = search.strangers()
    if isWhole {
      findings.analysis = try Self.analyseAgain(file, contents, search.moved, sideFiles.places)
    }
  }

  private static func analyseAgain(
    _ file: CaseFile, _ contents: CaseContents, _ moved: [String: String],
    _ places: SidePlaces
  ) throws -> CaseFindings.Analysis {
    var input = try InputOptions.parse(["-q"] + ["--"] + contents.captures.map(\.name))
    input.quiet = true
    var run = CaseRun(input: input, options: try contents.options())
    run.moved = moved
    run.places = places
    run.stems = contents.stems
    // Files that were named then are read again, not their folders.
    run.known = contents.notRead
    // How those are now is found already; what was wrong with them then is nothing that was looked at.
    run.known.areTold = false
    let again = try CaseFile.temporary()
    var isFilled = false
    do {
      try run.fill(again) { _, _ in isFilled = true }
    } catch is ExitCode {
      // Damage in captures and errors of plugins are what they were the first time.
      guard isFilled else { return .failed }
    }
    let form = try file.fact("form").flatMap { Int($0) } ?? CaseSchema.form
    let haveSameIDs = form >= CaseSchema.firstFormWithTimedIDs
    var derived = compared(
      try events(of: file, byID: haveSameIDs), try events(of: again, byID: haveSameIDs), form: form)
    let isNew = Set(CaseSchema.tables(changedSince: form))
    let before = try file.digests().filter { !isNew.contains($0.name) }
    derived.comparedTables = before.count
    derived.otherTables = try again.digests()
      .filter { !isNew.contains($0.name) && !before.contains($0) }.map(\.name)
    derived.skippedTables = isNew.sorted()
    derived.version = try file.fact("tool_version") ?? "unknown"
    return .made(derived)
  }

  private static func compared(
    _ before: [DerivedEvent], _ again: [DerivedEvent], form: Int
  ) -> CaseFindings.Derived {
    let (known, found) = (Set(before.map(\.key)), Set(again.map(\.key)))
    var derived = CaseFindings.Derived(events: before.count, form: form)
    derived.gone = before.filter { !found.contains($0.key) }.map(\.id)
    derived.new = again.filter { !known.contains($0.key) }.map(\.id)
    // An older form says something else of the same events.
    guard form == CaseSchema.form else { return derived }
    let said = Dictionary(again.map { ($0.key, $0.said) }, uniquingKeysWith: { one, _ in one })
    derived.others =
      before.filter { said[$0.key].map { [said = $0.said] in $0 != said } ?? false }.map(\.id)
    return derived
  }

  private struct DerivedEvent {
    let id: String
    /// What it is known again by.
    let key: String
    /// All that it says.
    let said: String
  }

  /// - Parameter byID: whether both cases make ids in the same way; else events are the same of which all
  ///   is but these, what alerts cite, and what the older form does not say of entries.
  private static func events(of file: CaseFile, byID: Bool) throws -> [DerivedEvent] {
    let key =
      byID
      ? "event"
      : "json_remove(json, '$.id', '$.events', '$.entry_doubt', '$.unheard_since', "
        + "'$.listened_before_s')"
    var events: [DerivedEvent] = []
    let said = ["type", "time_ns", "state", "grade", "title", "json"].map { "quote(\($0))" }
      .joined(separator: " || ")
    try file.forEach(select: "SELECT event, \(key), \(said) FROM events ORDER BY id") { row in
      events.append(
        DerivedEvent(
          id: row[0].text ?? "", key: row[1].text ?? "", said: row[2].text ?? ""))
    }
    return events
  }
}
