import CaseStore

/// What `case verify` found of a case: of the file, of its inputs, and of what follows from them again.
struct CaseFindings {
  let path: String
  /// Nil: an older case, without a seal.
  let isSealed: Bool?
  let sealDigits: String?
  /// What SQLite complains about.
  let faults: [String]
  let tables: Int
  let changedTables: [String]
  /// What somebody has added to the file.
  let additions: [String]
  var captures: [Input] = []
  var files: [Input] = []
  /// Files of which nothing was read.
  var unread: [Input] = []
  /// How many more of these there are, of which an older form of cases kept no SHA-256.
  var unreadWithoutSum = 0
  /// Files that were named to be looked through and are none of the case's.
  var strangers: [String] = []
  var analysis = Analysis.notMade

  init(_ path: String, _ check: CaseCheck, seal: String?) {
    self.path = path
    isSealed = check.isSealed
    sealDigits = seal
    faults = check.faults
    tables = check.digests.count
    changedTables = check.isSealed == nil ? [] : check.changedTables
    additions = check.isSealed == nil ? [] : check.additions
  }

  struct Input {
    let name: String
    static let captureRole = "capture"
    /// What it is in the run: a capture, `plugin`, `track`, …; nil for what was not read.
    let role: String?
    let state: InputState
    /// Where it lies unchanged, which is not where it was named.
    var foundAs: String?
  }

  enum Analysis {
    /// Not every input is there.
    case notMade
    /// For the reason that is told.
    case failed
    case made(Derived)
  }

  /// What the captures say now, beside what the case says.
  struct Derived {
    /// Of the case.
    let events: Int
    var gone: [String] = []
    var new: [String] = []
    /// Those that say something else.
    var others: [String] = []
    var comparedTables = 0
    var otherTables: [String] = []
    /// Those that an older form of cases makes in another way.
    var skippedTables: [String] = []
    /// Of the case; this program makes `CaseSchema.form`.
    let form: Int
    var version = "unknown"

    var differs: Bool {
      !gone.isEmpty || !new.isEmpty || !others.isEmpty || !otherTables.isEmpty
    }
  }

  private var inputs: [Input] { captures + files + unread }

  var differs: Bool {
    if isSealed == false || !faults.isEmpty || !changedTables.isEmpty { return true }
    if inputs.contains(where: { $0.state == .changed }) { return true }
    return switch analysis {
    case .notMade: false
    case .failed: true
    case .made(let derived): derived.differs
    }
  }

  var misses: Bool { inputs.contains { $0.state == .missing } }
}

/// An input of a case, as it is now.
enum InputState: String {
  /// `moved` and `replaced`: found elsewhere, as it was.
  case same, moved, replaced, changed, missing
  /// Of what was not read: large or not readable then; no file, then or now; nothing that can be opened, then or now.
  case sameSize = "same_size"
  case noFile = "no_file"
  case unreadable

  var words: String {
    switch self {
    case .same: "unchanged"
    case .moved: "not there any more"
    case .replaced: "another file is there now"
    case .changed: "CHANGED"
    case .missing: "MISSING"
    case .sameSize: "of the same size; its SHA-256 is not kept"
    case .noFile: "no file, as it was"
    case .unreadable: "cannot be opened, as then"
    }
  }
}
