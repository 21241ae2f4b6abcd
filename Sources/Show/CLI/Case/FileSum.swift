import CaptureReader
import Exports

/// What a file is to anybody else: the SHA-256 of all its bytes, as sha256sum tells it.
enum FileSum {
  /// That a file was written, and how it is told from any other one; of a pipe there is no sum.
  /// - Parameters:
  ///   - earlier: what was there; nil where it is meant to be another one, as of a case that is added to.
  ///   - seal: of a case.
  ///   - isUnchanged: of a case that said all that already.
  static func wrote(
    _ path: String, inPlaceOf earlier: EarlierFile?, seal: String? = nil, isUnchanged: Bool = false
  ) -> [String] {
    let name = TextColumns.printable(path)
    var lines = [
      isUnchanged
        ? "\(name) is as it was: nothing was new." : (earlier?.wrote ?? "Wrote \(name)") + "."
    ]
    if let seal { lines.append("  seal     \(seal)") }
    if let sum = FileDigest.sha256(path) { lines.append("  SHA-256  \(sum)") }
    return lines
  }
}
