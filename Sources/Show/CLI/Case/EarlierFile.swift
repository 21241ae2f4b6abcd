import CaptureWriter
import Exports

/// What stood at a place before something was written there: names that somebody gave by hand, perhaps.
/// Opened beforehand, so that it can still be read when its name has gone to what took its place.
struct EarlierFile {
  private let path: String
  private let file: DiskFile?

  /// - Parameter path: `-` for standard output.
  init(_ path: String) {
    self.path = path
    file =
      path != "-" && DiskFile.isRegular(path)
      ? try? DiskFile(DiskFile.resolved(path), isWritten: false) : nil
  }

  /// `Wrote site.txt`, and where other bytes were there before, that they are replaced; without a full stop.
  var wrote: String {
    let name = TextColumns.printable(path)
    return isReplaced ? "Wrote \(name) in the place of the file that was there" : "Wrote \(name)"
  }

  private var isReplaced: Bool {
    guard let file, let now = try? DiskFile(DiskFile.resolved(path), isWritten: false) else {
      return false
    }
    var offset = 0
    while true {
      // What cannot be read is not known to be the same.
      guard let old = try? file.read(at: offset, count: Self.piece),
        let new = try? now.read(at: offset, count: Self.piece)
      else { return true }
      if old != new { return true }
      if old.count < Self.piece { return false }
      offset += Self.piece
    }
  }

  private static let piece = 1 << 20
}
