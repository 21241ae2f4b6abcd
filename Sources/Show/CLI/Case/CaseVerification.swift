import ArgumentParser
import CaptureReader
import CaseStore
import Exports
import Plugins
import TrackReader

/// Whether a case is as it was, its inputs are, and everything follows from them again.
struct CaseVerification {
  private(set) var lines: [String]
  private(set) var differs = false
  private(set) var misses = false
  private static let mostIDs = 10

  /// - Parameter captures: files and folders in which captures may be now.
  init(_ path: String, _ captures: [String]) throws {
    lines = [TextColumns.printable(path)]
    let check = try CaseCheck(path)
    let file = try CaseFile.open(path)
    tell(check, seal: try file.sealDigits())
    let contents = try CaseContents(file)
    var search = CaptureSearch(contents, beside: path, named: captures)
    if let missing = search.missing.first {
      throw CaseProblem(
        missing, "there is no such file or folder",
        remedy: "Name where captures of the case are now; else they are looked for beside it.")
    }
    try tell(contents, &search)
    let isWhole = !misses
    tellUnread(contents.notRead, &search)
    if !isWhole {
      row("analysis", "not made again: not every input is there")
    } else {
      try analyseAgain(file, contents, search.moved)
    }
  }

  private mutating func row(_ name: String, _ value: String) {
    let body = TextLayout.wrap(TextColumns.printable(value), indent: 14)
    lines.append("  " + TextColumns.left(name, 12) + (body.first ?? "").dropFirst(14))
    lines += body.dropFirst()
  }

  private mutating func tell(_ check: CaseCheck, seal: String?) {
    switch check.isSealed {
    case true:
      row("file", "as it was sealed, with SHA-256")
      if let seal { lines.append(String(repeating: " ", count: 14) + seal) }
    case false:
      differs = true
      row("file", "CHANGED since it was sealed")
    case nil: row("file", "has no seal: an older beacontrace made it")
    }
    if !check.faults.isEmpty {
      differs = true
      row("integrity", "DAMAGED: " + check.faults.prefix(3).joined(separator: "; "))
    }
    guard check.isSealed != nil else { return }
    if check.changedTables.isEmpty {
      let others =
        check.isSealed == false && check.faults.isEmpty
        ? ": what was written to the file since is something else" : ""
      row("tables", "\(check.digests.count), with the rows that were sealed" + others)
    } else {
      differs = true
      row("tables", "CHANGED: " + check.changedTables.joined(separator: ", "))
    }
    tellAdditions(check)
  }

  private static let mostAdditions = 20

  /// Whoever reads that the file is not as it was sealed looks for what is not ours first.
  private mutating func tellAdditions(_ check: CaseCheck) {
    let state =
      check.isSealed == true
      ? "not of beacontrace; as it was when the file was sealed"
      : "not of beacontrace, and no digest covers it"
    var label = "added"
    for name in check.additions.prefix(Self.mostAdditions) {
      row(label, "\(name): \(state)")
      label = ""
    }
    let more = check.additions.count - Self.mostAdditions
    if more > 0 { row("", "\(TextColumns.grouped(more)) more that are not of beacontrace") }
  }

  private mutating func tell(_ contents: CaseContents, _ search: inout CaptureSearch) throws {
    for (place, capture) in contents.captures.enumerated() {
      let state: InputState = search.state(of: capture)
      note(state)
      let elsewhere = search.elsewhere[capture.name].map { "; unchanged as \($0)" } ?? ""
      row(place == 0 ? "captures" : "", "\(capture.name): \(state.words)\(elsewhere)")
    }
    for (place, file) in contents.files.enumerated() {
      let state = Self.state(of: file)
      note(state)
      row(place == 0 ? "other files" : "", "\(file.role) \(file.name): \(state.words)")
    }
  }

  private static let mostUnread = 20

  /// Nothing was read of them, but something is said of each.
  private mutating func tellUnread(_ notRead: NotRead, _ search: inout CaptureSearch) {
    var states = notRead.files.map { (file: $0, state: search.state(of: $0)) }
    for (_, state) in states { note(state) }
    let isAll = states.count <= Self.mostUnread
    let same = states.count { $0.state == .same }
    if !isAll { states.removeAll { $0.state == .same } }
    var label = "not read"
    for (file, state) in states.prefix(isAll ? states.count : 5 * Self.mostUnread) {
      let elsewhere = search.elsewhere[file.name].map { "; unchanged as \($0)" } ?? ""
      row(label, "\(file.name): \(state.words)\(elsewhere)")
      label = ""
    }
    let others = states.count - 5 * Self.mostUnread
    if !isAll, others > 0 {
      row("", "\(TextColumns.grouped(others)) more that are not as they were")
    }
    if !isAll { row(label, "\(TextColumns.grouped(same)) unchanged") }
    let unknown = notRead.problems.count + notRead.passedOver.count - notRead.files.count
    if unknown > 0 {
      row(label, "\(TextColumns.grouped(unknown)) of which an older form of cases kept no SHA-256")
    }
  }

  private mutating func note(_ state: InputState) {
    if state == .changed { differs = true }
    if state == .missing { misses = true }
  }

  private static func state(of file: FileRow) -> InputState {
    var path = file.name
    if file.role == "plugin" {
      guard let found = try? PluginShelf.path(of: file.name) else { return .missing }
      path = found
    } else if file.role == "module", let shelf = PluginShelf.folder, InputList.size(of: path) == nil
    {
      path = shelf + "/" + path
    }
    guard let bytes = try? TextFile.read(path) else { return .missing }
    return Digest.sha256(bytes) == file.sha256 ? .same : .changed
  }

  private mutating func analyseAgain(
    _ file: CaseFile, _ contents: CaseContents, _ moved: [String: String]
  ) throws {
    var input = try InputOptions.parse(["-q"] + ["--"] + contents.captures.map(\.name))
    input.quiet = true
    var run = CaseRun(input: input, options: try contents.options())
    run.moved = moved
    run.stems = contents.stems
    // Files that were named then are read again, not their folders.
    run.known = contents.notRead
    // How those are now stands above; what was wrong with them then is nothing that was looked at.
    run.known.areTold = false
    let again = try CaseFile.temporary()
    var isFilled = false
    do {
      try run.fill(again) { _, _ in isFilled = true }
    } catch is ExitCode {
      // Damage in captures and errors of plugins are what they were the first time.
      guard isFilled else {
        differs = true
        return row("analysis", "could not be made again, for the reason that is told")
      }
    }
    let form = try file.fact("form").flatMap { Int($0) } ?? CaseSchema.form
    let haveSameIDs = form >= CaseSchema.firstFormWithTimedIDs
    tellEvents(
      try Self.events(of: file, byID: haveSameIDs), try Self.events(of: again, byID: haveSameIDs),
      saySame: form == CaseSchema.form)
    let isNew = Set(CaseSchema.tables(changedSince: form))
    let before = try file.digests().filter { !isNew.contains($0.name) }
    let other = try again.digests()
      .filter { !isNew.contains($0.name) && !before.contains($0) }.map(\.name)
    if !isNew.isEmpty {
      row(
        "",
        "the case is of the form \(form), and this is \(CaseSchema.form): not compared are "
          + isNew.sorted().joined(separator: ", "))
    }
    if other.isEmpty {
      row("", "every table comes out the same (\(before.count))")
    } else {
      differs = true
      row("", "tables that come out DIFFERENT: " + other.joined(separator: ", "))
    }
    let version = try file.fact("tool_version") ?? "unknown"
    if version != Version.text {
      row("", "the case was made by beacontrace \(version), this is \(Version.text)")
    }
  }

  /// - Parameter saySame: whether what events say is the same in both forms, too.
  private mutating func tellEvents(
    _ before: [DerivedEvent], _ again: [DerivedEvent], saySame: Bool
  ) {
    let (known, found) = (Set(before.map(\.key)), Set(again.map(\.key)))
    let gone = before.filter { !found.contains($0.key) }
    let new = again.filter { !known.contains($0.key) }
    let said = Dictionary(again.map { ($0.key, $0.said) }, uniquingKeysWith: { one, _ in one })
    let others =
      saySame ? before.filter { said[$0.key].map { [said = $0.said] in $0 != said } ?? false } : []
    if gone.isEmpty && others.isEmpty {
      row(
        "analysis", "every event is derived again (\(TextColumns.grouped(before.count)))")
    } else if gone.isEmpty {
      differs = true
      row(
        "analysis",
        "SOMETHING ELSE is derived of \(Self.listed(others.map(\.id))); the other "
          + "\(TextColumns.grouped(before.count - others.count)) come out as they stand")
    } else {
      differs = true
      row("analysis", "NOT derived again: \(Self.listed(gone.map(\.id)))")
    }
    if !new.isEmpty {
      differs = true
      row("", "derived now, and not in the case: \(Self.listed(new.map(\.id)))")
    }
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

  private static func listed(_ ids: [String]) -> String {
    let more = ids.count - mostIDs
    return TextColumns.counted(ids.count, "event") + ": "
      + ids.prefix(mostIDs).joined(separator: ", ")
      + (more > 0 ? " and \(TextColumns.grouped(more)) more" : "")
  }
}

/// An input of a case, as it is now.
enum InputState {
  /// `moved` and `replaced`: found elsewhere, as it was.
  case same, moved, replaced, changed, missing
  /// Of what was not read: large or not readable then; no file, then or now.
  case sameSize, noFile

  var words: String {
    switch self {
    case .same: "unchanged"
    case .moved: "not there any more"
    case .replaced: "another file is there now"
    case .changed: "CHANGED"
    case .missing: "MISSING"
    case .sameSize: "of the same size; its SHA-256 is not kept"
    case .noFile: "no file, as it was"
    }
  }
}
