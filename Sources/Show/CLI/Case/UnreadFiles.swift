import Analysis
import CaptureReader
import CaseStore

/// Files in folders of which nothing was read: how they are, so that somebody can tell later whether what
/// is said of them still holds.
enum UnreadFiles {
  /// Bytes of passed-over files that are digested, in all; of what would be more, the size is kept alone.
  static let mostPassedOver = 1 << 30

  /// - Parameters:
  ///   - known: those of an earlier run, which did not look at them again.
  ///   - isFound: whether this run has found it.
  static func rows(
    _ result: AnalysisResult, known: [UnreadRow], isFound: (String) -> Bool
  ) -> [UnreadRow] {
    let known = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
    var room = mostPassedOver
    func row(_ kind: String, _ problem: CaptureProblem) -> UnreadRow? {
      let name = problem.capture
      guard isFound(name) else {
        // An older form kept nothing of it, and by now it may be another one.
        return known[name].map {
          UnreadRow(kind: $0.kind, name: $0.name, bytes: $0.bytes, sha256: $0.sha256)
        }
      }
      guard let bytes = InputList.size(of: name) else { return UnreadRow(kind: kind, name: name) }
      let isMuch = kind == UnreadRow.passedOver && bytes > room
      if kind == UnreadRow.passedOver && !isMuch { room -= bytes }
      return UnreadRow(
        kind: kind, name: name, bytes: bytes, sha256: isMuch ? nil : FileDigest.sha256(name))
    }
    return result.problems.compactMap { row(UnreadRow.problem, $0) }
      + result.passedOver.compactMap { row(UnreadRow.passedOver, $0) }
  }
}
