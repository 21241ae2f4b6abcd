import ArgumentParser
import Exports
import Glibc

/// The files that a live run reads and writes: none of them may be another one, too.
enum LiveFiles {
  /// - Parameter captures: what is replayed.
  static func check(
    _ captures: [String], _ output: LiveOutputOptions, _ recording: RecordingOptions,
    _ state: StateOptions
  ) throws {
    let written: [(option: String, path: String?)] = [
      (
        "--write", recording.rotateSize == nil && recording.rotateTime == nil ? recording.file : nil
      ),
      ("--alerts", output.alertFile), ("--undelivered", output.undelivered),
      ("--state", state.file),
    ]
    var known: [(name: String, path: String)] = captures.map { ("a capture", $0) }
    for (option, path) in written {
      guard let path else { continue }
      if let other = known.first(where: { isSame($0.path, path) }) {
        throw ValidationError(
          "\(option) \(TextColumns.printable(path)): that is \(other.name), too; name another file."
        )
      }
      known.append(("what \(option) writes", path))
    }
  }

  /// Whether two paths lead to one file.
  static func isSame(_ one: String, _ other: String) -> Bool {
    if one == other { return true }
    var first = stat()
    var second = stat()
    guard unsafe stat(one, &first) == 0, unsafe stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
      && first.st_mode & S_IFMT == S_IFREG
  }
}
