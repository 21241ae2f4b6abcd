import CaptureWriter
import GRDB
import GRDBSQLite

extension CaseFile {
  /// The form of the case in a file; nil where the file is not there, or is no case.
  package static func form(of path: String) -> Int? {
    guard let bytes = databaseHead(path) else { return nil }
    func number(_ at: Int) -> UInt32 { bytes[at..<(at + 4)].reduce(0) { $0 << 8 | UInt32($1) } }
    guard number(68) == UInt32(CaseSchema.applicationID) else { return nil }
    return Int(number(60))
  }

  /// The first hundred bytes of an SQLite database; nil of anything else.
  private static func databaseHead(_ path: String) -> [UInt8]? {
    guard let bytes = try? DiskFile(path, isWritten: false).read(at: 0, count: 100),
      bytes.count == 100, bytes.starts(with: Array("SQLite format 3\0".utf8))
    else { return nil }
    return bytes
  }

  /// Whether an SQLite database is there, be it a case or not.
  package static func isDatabase(_ path: String) -> Bool {
    DiskFile.isRegular(path) && databaseHead(path) != nil
  }

  /// Whether a path names a case; reads its first bytes only.
  package static func isCase(_ path: String) -> Bool {
    DiskFile.isRegular(path) && form(of: path) != nil
  }

  /// - Throws: where there is none, something else, a case of a newer form, or one with a part of it in
  ///   another file.
  package static func check(_ path: String) throws(CaseProblem) {
    guard DiskFile.size(of: path) != nil else {
      throw CaseProblem(
        path, "there is no such case", remedy: "'beacontrace analyze --case \(path)' makes one.")
    }
    guard DiskFile.isRegular(path), let form = form(of: path) else {
      throw CaseProblem(
        path, "this is no case",
        remedy: "Name a file that 'beacontrace analyze --case' made; nothing was written.")
    }
    guard form <= CaseSchema.form else {
      throw CaseProblem(
        path,
        "a newer beacontrace made this case: its form is \(form), and this one knows "
          + "\(CaseSchema.form)", remedy: "Update beacontrace.")
    }
    try checkRest(path)
  }

  /// What a program has written to a database, and not brought into its file yet, SQLite keeps beside it,
  /// and tells as if it were in it: rows that no seal covers. Whoever means to forge a case may lay it there.
  static func checkRest(_ path: String) throws(CaseProblem) {
    let place = DiskFile.resolved(path)
    for ending in ["-wal", "-journal"] where (DiskFile.size(of: place + ending) ?? 0) > 0 {
      // Of a link it lies where that leads.
      let rest = (place.hasSuffix(path.split(separator: "/").last ?? "") ? path : place) + ending
      throw CaseProblem(
        path,
        "part of it is in \(rest), which its seal does not cover: another program has it open, was "
          + "stopped, or somebody laid that there",
        remedy:
          "For what was sealed copy \(path) alone into another folder and read it there. To take in what a "
          + "program of yours wrote, close that; then 'sqlite3 \(path) \"PRAGMA journal_mode = DELETE\"'.",
        isChanged: true)
    }
  }

  /// A case that is read, and what was changed in it, by one and the same file.
  package struct Opened {
    package let file: CaseFile
    /// As `CaseCheck.changedTables` has them.
    package let changed: [String]
    private let path: String
    private let stamp: [Int]?

    fileprivate init(_ path: String, _ stamp: [Int]?, _ file: CaseFile, changed: [String]) {
      self.file = file
      self.changed = changed
      self.path = path
      self.stamp = stamp
    }

    /// When all was read.
    /// - Throws: where somebody has written to the file meanwhile, or laid something beside it.
    package func checkEnd() throws(CaseProblem) {
      guard stamp != nil, stamp == DiskFile.stamp(of: path) else {
        throw CaseProblem(
          path, "somebody has written to it while it was read",
          remedy:
            "What was told may not be what was sealed: run this again when nobody writes to it.",
          isChanged: true)
      }
    }
  }

  /// Opens a case to be read, and looks whether it is as it was sealed.
  package static func inspected(_ path: String) throws -> Opened {
    let stamp = DiskFile.stamp(of: path)
    let database = try reader(path)
    let changed = try database.read { try CaseCheck.changedTables($0) }
    return Opened(path, stamp, try present(database), changed: changed)
  }

  /// Opens a case to be read; nothing is ever written to it. One of an older form is brought to the
  /// present one in memory.
  package static func open(_ path: String) throws -> CaseFile { try present(reader(path)) }

  /// The database in a file, and nothing else: no file beside it is read or made, and no other one opened,
  /// whatever is asked.
  static func reader(_ path: String) throws -> DatabaseQueue {
    try check(path)
    var configuration = Configuration()
    configuration.label = "beacontrace.case"
    configuration.readonly = true
    configuration.prepareDatabase { database in
      unsafe _ = sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_ATTACHED, 0)
    }
    return try DatabaseQueue(path: address(of: path), configuration: configuration)
  }

  /// By its whole path: some names mean no file to SQLite, such as :memory:. As a URI, which says that
  /// the file stands alone; an SQLite that takes none has `check` before it all the same.
  private static func address(of path: String) -> String {
    let whole = DiskFile.resolved(path)
    guard unsafe sqlite3_compileoption_used("USE_URI") == 1, whole.hasPrefix("/") else {
      return whole
    }
    let escaped = whole.replacing("%", with: "%25").replacing("?", with: "%3f")
      .replacing("#", with: "%23")
    return "file:\(escaped)?immutable=1"
  }

  private static func present(_ database: DatabaseQueue) throws -> CaseFile {
    let form = try database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
    if form == CaseSchema.form { return CaseFile(database) }
    var configuration = Configuration()
    configuration.label = "beacontrace.case"
    configuration.prepareDatabase { database in
      unsafe _ = sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_ATTACHED, 0)
    }
    let copy = try DatabaseQueue(configuration: configuration)
    try database.backup(to: copy)
    try CaseSchema.migrator().migrate(copy)
    return CaseFile(copy)
  }
}
