package import Analysis
import CaptureReader
import FrameDecoder

/// What of a capture is not as it was sent and recorded, or is not read. Captures that this program wrote out of others say so in their
/// first comment, and are read as any other.
extension Remarks {
  private static let sorts: [(code: String, tell: @Sendable (CaptureFacts) -> String?)] = [
    ("frames_cut_out", madeOf), ("pseudonyms", sharedAs), ("crc_bad_kept", badCRC),
    ("packets_cut_short", cutShort), ("periodic_not_read", periodic),
  ]

  /// Codes of these remarks.
  package static let codesOfMade = Set(sorts.map(\.code))

  static func madeAnew(_ facts: CaptureFacts) -> [Remark] {
    sorts.compactMap { sort in
      sort.tell(facts).map { Remark(sort.code, capture: facts.name, "\(facts.name) \($0)") }
    }
  }

  /// What commands without remarks tell of a capture, clauses.
  package static func made(_ facts: CaptureFacts) -> [String] {
    sorts.compactMap { $0.tell(facts) }
  }

  /// Who writes a capture anew says so in a line of its comment, and hands on what it said of itself.
  private static func lines(_ facts: CaptureFacts) -> [String] {
    facts.comments.flatMap { $0.split(separator: "\n").map(String.init) }
  }

  /// Lines for the comment of a capture that is made of others, of whom they have none of their own.
  /// - Parameter isNamed: what frames were chosen by may be told.
  static func handedOn(_ facts: [CaptureFacts], isNamed: Bool) -> [String] {
    let all = facts.flatMap(lines)
    let cut = all.first { line in CutWords.all.contains { line.hasPrefix($0) } }
    let shared = all.first { $0.hasPrefix(CutWords.shared) }
    return [cut.map { isNamed ? $0 : CutWords.chosen + "by what is not told here" }, shared]
      .compactMap(\.self)
  }

  /// Some frames of captures.
  @Sendable private static func madeOf(_ facts: CaptureFacts) -> String? {
    let lines = lines(facts).filter { line in CutWords.all.contains { line.hasPrefix($0) } }
    guard let line = lines.first else { return nil }
    return
      "is not all that was recorded (\(TextColumns.printable(line))): what was left out is silent in it, and "
      + "exits, gaps and intervals may be of that. Judge by the originals"
      + (lines.count > 1 ? " (\(lines.count) parts are like that)." : ".")
  }

  /// By a snap length: one record in a hundred at least, and not one or two, which may be of something else.
  @Sendable private static func cutShort(_ facts: CaptureFacts) -> String? {
    let accounting = facts.accounting
    let whole = accounting.classes.first { $0.kind == .truncated }?.records ?? 0
    // The first of their reports are read.
    let partly = accounting.cutOff
    let count = whole + partly.count
    guard count > 2, count * 100 >= accounting.records else { return nil }
    let frames = accounting.reasons[.truncated]?.map(\.firstFrame) ?? []
    let first = (frames + (partly.count > 0 ? [partly.firstFrame] : [])).min() ?? 0
    let read = TextColumns.counted(partly.count, "of these is", "of these are")
    return
      "has \(TextColumns.grouped(count)) of \(TextColumns.counted(accounting.records, "record")) cut short, first "
      + "frame \(TextColumns.grouped(first))"
      + (partly.count > 0 ? " (\(read) read up to the cut)" : "")
      + ": whoever was in what is cut off is not heard in it, and was there all the same; exits may be of that. "
      + "Record whole packets (tcpdump -s 0; Android's HCI snoop log in full)."
  }

  /// Periodic advertising on the air; what a controller reports of it is read.
  @Sendable private static func periodic(_ facts: CaptureFacts) -> String? {
    guard let entry = facts.accounting.periodic else { return nil }
    let isOne = entry.count == 1
    return
      "has \(TextColumns.counted(entry.count, "packet")) of periodic advertising on the air, first in frame "
      + "\(TextColumns.grouped(entry.firstFrame)), which \(isOne ? "is" : "are") not read: beacons in "
      + "\(isOne ? "it" : "them") are not found."
  }

  /// Kept, as somebody asked for it.
  @Sendable private static func badCRC(_ facts: CaptureFacts) -> String? {
    guard let entry = facts.accounting.warnings.first(where: { $0.code.rawValue == "crc_bad" })
    else { return nil }
    let count = TextColumns.counted(entry.count, "packet")
    return
      "has \(count) with a wrong checksum, first in frame \(TextColumns.grouped(entry.firstFrame)), which "
      + "\(entry.count == 1 ? "is" : "are") read all the same (--keep-bad-crc): beacons, addresses and values of "
      + "\(entry.count == 1 ? "it" : "them") may be nobody's."
  }

  @Sendable private static func sharedAs(_ facts: CaptureFacts) -> String? {
    guard lines(facts).contains(where: { $0.hasPrefix(CutWords.shared) }) else { return nil }
    return
      "was written by 'beacontrace share': addresses, identifiers and names in it are pseudonyms, which no device "
      + "sent."
  }
}
