package import Analysis
import CaptureReader

/// What of a capture is not as it was sent and recorded. Captures that this program wrote out of others say so in their
/// first comment, and are read as any other.
extension Remarks {
  static func madeAnew(_ facts: CaptureFacts) -> [Remark] {
    [
      madeOf(facts).map { Remark("frames_cut_out", capture: facts.name, "\(facts.name) \($0)") },
      sharedAs(facts).map { Remark("pseudonyms", capture: facts.name, "\(facts.name) \($0)") },
      badCRC(facts).map { Remark("crc_bad_kept", capture: facts.name, "\(facts.name) \($0)") },
    ].compactMap(\.self)
  }

  /// What commands without remarks tell of a capture, clauses.
  package static func made(_ facts: CaptureFacts) -> [String] {
    [madeOf(facts), sharedAs(facts), badCRC(facts)].compactMap(\.self)
  }

  /// Some frames of captures.
  private static func madeOf(_ facts: CaptureFacts) -> String? {
    let lines = facts.comments.compactMap { comment in
      CutWords.all.contains { comment.hasPrefix($0) }
        ? comment.split(separator: "\n").first.map(String.init) : nil
    }
    guard let line = lines.first else { return nil }
    return
      "is not all that was recorded (\(TextColumns.printable(line))): what was left out is silent in it, and "
      + "exits, gaps and intervals may be of that. Judge by the originals, which its comment names"
      + (lines.count > 1 ? " (\(lines.count) parts are like that)." : ".")
  }

  /// Kept, as somebody asked for it.
  private static func badCRC(_ facts: CaptureFacts) -> String? {
    guard let entry = facts.accounting.warnings.first(where: { $0.code.rawValue == "crc_bad" })
    else { return nil }
    let count = TextColumns.counted(entry.count, "packet")
    return
      "has \(count) with a wrong checksum, first in frame \(TextColumns.grouped(entry.firstFrame)), which "
      + "\(entry.count == 1 ? "is" : "are") read all the same (--keep-bad-crc): beacons, addresses and values of "
      + "\(entry.count == 1 ? "it" : "them") may be nobody's."
  }

  private static func sharedAs(_ facts: CaptureFacts) -> String? {
    guard facts.comments.contains(where: { $0.hasPrefix(CutWords.shared) }) else { return nil }
    return
      "was written by 'beacontrace share': addresses, identifiers and names in it are pseudonyms, which no device "
      + "sent."
  }
}
