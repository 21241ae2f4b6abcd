import ArgumentParser
import CaptureReader
import CaptureWriter
import CaseStore
import Exports

/// What nobody means to write over: evidence, and what was made of it.
enum KeptFile {
  /// - Parameter takesCuts: frames that an earlier run cut out may be replaced.
  /// - Throws: where a capture, a case or another database is at that place; says so.
  static func check(_ path: String, takesCuts: Bool = false) throws {
    guard path != "-", DiskFile.isRegular(path), !(takesCuts && isCut(path)),
      let what = kind(of: path)
    else { return }
    Terminal.tell(
      "beacontrace: \(TextColumns.printable(path)) is there already, and is \(what); name another "
        + "file, or remove that one first.")
    throw ExitCode.validationFailure
  }

  /// Whether this program cut its frames out of captures, and no other has written it since.
  private static func isCut(_ path: String) -> Bool {
    guard let head = try? DiskFile(path, isWritten: false).read(at: 0, count: 100),
      let comment = PcapngWriter.comment(ofSection: head)
    else { return false }
    return CutWords.all.contains { comment.starts(with: $0.utf8) }
  }

  private static func kind(of path: String) -> String? {
    if CaseFile.isCase(path) { return "a case" }
    if CaseFile.isDatabase(path) { return "a database" }
    return (try? CaptureReader.open(.file(path), isHashed: false)) == nil ? nil : "a capture"
  }
}
