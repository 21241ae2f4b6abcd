import ArgumentParser
import CaptureReader
import CaptureWriter
import CaseStore
import Exports

/// What nobody means to write over: evidence, and what was made of it.
enum KeptFile {
  /// - Throws: where a capture, a case or another database is at that place; says so.
  static func check(_ path: String) throws {
    guard path != "-", DiskFile.isRegular(path), let what = kind(of: path) else { return }
    Terminal.tell(
      "beacontrace: \(TextColumns.printable(path)) is there already, and is \(what); name another "
        + "file, or remove that one first.")
    throw ExitCode.validationFailure
  }

  private static func kind(of path: String) -> String? {
    if CaseFile.isCase(path) { return "a case" }
    if CaseFile.isDatabase(path) { return "a database" }
    return (try? CaptureReader.open(.file(path), isHashed: false)) == nil ? nil : "a capture"
  }
}
