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

  /// - Throws: where there is none, something else, or a case of a newer form.
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
  }

  /// Opens a case to be read; nothing is ever written to it. One of an older form is brought to the
  /// present one in memory.
  package static func open(_ path: String) throws -> CaseFile {
    try check(path)
    var configuration = Configuration()
    configuration.label = "beacontrace.case"
    configuration.readonly = true
    // No other file is opened or made by what is asked of a case.
    configuration.prepareDatabase { database in
      unsafe _ = sqlite3_limit(database.sqliteConnection, SQLITE_LIMIT_ATTACHED, 0)
    }
    // By its whole path: some names mean no file to SQLite, such as :memory:.
    let database = try DatabaseQueue(
      path: DiskFile.resolved(path), configuration: configuration)
    let form = try database.read { try Int.fetchOne($0, sql: "PRAGMA user_version") ?? 0 }
    if form == CaseSchema.form { return CaseFile(database) }
    configuration.readonly = false
    let copy = try DatabaseQueue(configuration: configuration)
    try database.backup(to: copy)
    try CaseSchema.migrator().migrate(copy)
    return CaseFile(copy)
  }
}
