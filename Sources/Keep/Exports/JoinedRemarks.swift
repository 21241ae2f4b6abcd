import Analysis
import CaptureReader

extension Remarks {
  /// Several captures in one file, which nothing but their headers tells apart.
  static func joined(_ facts: CaptureFacts) -> [Remark] {
    facts.accounting.warnings.filter { $0.code == .capturesJoined }.map { entry in
      let count = TextColumns.counted(entry.count, "more capture")
      return Remark(
        entry.code.rawValue, capture: facts.name,
        "\(count) \(entry.count == 1 ? "begins" : "begin") within the file"
          + "\(entry.count == 1 ? ", at" : ", the first at") frame \(TextColumns.grouped(entry.firstFrame)): "
          + "what was joined counts as one receiver's.\(cutting(facts, at: entry.firstOffset, joined: entry.count))"
      )
    }
  }

  /// How a file that others were joined to is read as what it was made of.
  private static func cutting(_ facts: CaptureFacts, at byte: Int64?, joined: Int) -> String {
    // What came once is not there to be cut.
    guard facts.name != "-", !facts.name.hasPrefix("/dev/fd/"), !facts.name.hasPrefix("/proc/"),
      facts.compression == nil, let byte, byte > 0
    else { return "" }
    let rest = joined > 1 ? ", the second of which still has several" : ""
    let path = ShellWord.quoted(facts.name.hasPrefix("-") ? "./\(facts.name)" : facts.name)
    return
      " To have them apart: head -c \(byte) \(path) >part1; tail -c +\(byte + 1) \(path) >part2; "
      + "and give both\(rest)."
  }
}
