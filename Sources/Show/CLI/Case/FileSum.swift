import CaptureReader
import Exports

/// What a file is to anybody else: the SHA-256 of all its bytes, as sha256sum tells it.
enum FileSum {
  /// That a file was written, and how it is told from any other one; of a pipe there is no sum.
  /// - Parameters:
  ///   - earlier: what was there; nil where it is meant to be another one, as of a case that is added to.
  ///   - seal: of a case.
  static func wrote(_ path: String, inPlaceOf earlier: EarlierFile?, seal: String? = nil)
    -> [String]
  {
    var lines = [(earlier?.wrote ?? "Wrote \(TextColumns.printable(path))") + "."]
    if let seal { lines.append("  seal     \(seal)") }
    if let sum = FileDigest.sha256(path) { lines.append("  SHA-256  \(sum)") }
    return lines
  }
}
