package import Analysis
import Beacons
import CaptureReader
import FrameDecoder

/// `info` for people.
package enum InfoText {
  /// - Parameter showsAll: every input that could not be read, where there are many.
  package static func lines(_ result: AnalysisResult, showsAll: Bool = false) -> [String] {
    var lines: [String] = []
    let copies = CopiesOfCaptures(result.captures)
    for (place, facts) in result.captures.enumerated() {
      if !lines.isEmpty { lines.append("") }
      lines += capture(facts, copyOf: copies.first(of: place))
    }
    // Why there is nothing is told elsewhere.
    guard !lines.isEmpty else { return lines }
    for paragraph in ProblemText.notRead(result.problems, showsAll: showsAll) {
      lines += [""] + paragraph
    }
    if result.captures.count > 1 { lines += [""] + together(result.captures, copies: copies.count) }
    return lines
  }

  /// What all of them come to.
  private static func together(_ captures: [CaptureFacts], copies: Int) -> [String] {
    var lines = [TextColumns.counted(captures.count, "capture") + " together"]
    func row(_ name: String, _ value: String) {
      lines.append("  " + TextColumns.left(name, 12) + value)
    }
    if copies > 0 {
      row("copies", "\(TextColumns.counted(copies, "capture")), counted here like the others")
    }
    row("size", TextColumns.size(captures.reduce(0) { $0 + $1.bytes }))
    row("records", TextColumns.grouped(captures.reduce(0) { $0 + $1.accounting.records }))
    row("reports", TextColumns.grouped(captures.reduce(0) { $0 + $1.accounting.reports }))
    let timed = captures.filter(\.span.earliest.isKnown)
    let first = timed.map(\.span.earliest).min { $0.nanoseconds < $1.nanoseconds }
    let last = timed.map(\.span.latest).max { $0.nanoseconds < $1.nanoseconds }
    if let first, let last {
      row("from", exact(first))
      row("to", exact(last))
    }
    let damaged = captures.count(where: \.isDamaged)
    if damaged > 0 { row("damaged", TextColumns.counted(damaged, "capture")) }
    return lines
  }

  private static func capture(_ facts: CaptureFacts, copyOf first: String?) -> [String] {
    let packing = facts.compression.map { ", \($0.rawValue)" } ?? ""
    let links = facts.links.map { LinkText.describe($0.link, records: $0.records) }
    var lines = [TextColumns.printable(facts.name)]
    func row(_ name: String, _ value: String) {
      lines.append("  " + TextColumns.left(name, 12) + value)
    }
    row("container", "\(facts.format)\(packing), \(TextColumns.size(facts.bytes))")
    row("sha256", HexText.string(facts.sha256))
    if let first {
      row(
        "copy", "of \(TextColumns.printable(first)), byte for byte: a run over both leaves it out")
    }
    for (place, link) in links.enumerated() { row(place == 0 ? "link type" : "", link) }
    row("records", TextColumns.grouped(facts.accounting.records))
    if facts.span.earliest.isKnown {
      row("from", exact(facts.span.earliest))
      row("to", exact(facts.span.latest))
      let length = facts.span.latest.nanoseconds.subtractingReportingOverflow(
        facts.span.earliest.nanoseconds)
      if !length.overflow && length.partialValue > 0 {
        row("lasts", TextColumns.duration(length.partialValue))
      }
    } else if facts.accounting.records > 0 {
      row("times", "none")
    }
    for made in Remarks.made(facts) { lines += TextLayout.wrap("it \(made)", indent: 14) }
    for moved in Remarks.moved(facts) {
      lines += TextLayout.wrap(moved.text, indent: 14)
    }
    for observer in facts.observers where observer.hasListened {
      lines += ObserverText.info(observer, of: facts)
    }
    lines += accounting(facts)
    return lines
  }

  private static func exact(_ time: Timestamp) -> String {
    var text = ByteText()
    text.time(time)
    return text.string
  }

  private static func accounting(_ facts: CaptureFacts) -> [String] {
    var lines = facts.accounting.records > 0 ? ["  accounting"] : []
    for (kind, records) in facts.accounting.classes where records > 0 {
      lines.append(count(records, "\(kind.name)"))
      for entry in facts.accounting.reasons[kind] ?? [] {
        lines.append("    " + count(entry.count, entry.code.rawValue) + first(entry))
      }
    }
    if !facts.accounting.warnings.isEmpty { lines.append("  warnings") }
    for entry in facts.accounting.warnings {
      lines.append(count(entry.count, entry.code.rawValue) + first(entry))
      if !entry.detail.isEmpty {
        lines += TextLayout.wrap(TextColumns.printable(entry.detail), indent: 18)
      }
    }
    if !facts.damage.isEmpty { lines.append("  damage") }
    for gap in facts.damage {
      let after =
        gap.resumedAtFrame.map { "frame \(TextColumns.grouped($0)) follows" } ?? "to the end"
      lines.append(
        "    byte \(TextColumns.grouped(Int(gap.offset))): "
          + "\(TextColumns.counted(Int(gap.bytes), "byte")), \(after)")
      lines += TextLayout.wrap(TextColumns.printable(gap.detail), indent: 6)
      if let times = DamageText.times(gap) { lines.append("      " + times) }
    }
    return lines
  }

  private static func count(_ number: Int, _ name: String) -> String {
    TextColumns.right(TextColumns.grouped(number), 14) + "  " + name
  }

  private static func first(_ entry: Accounting.Entry) -> String {
    entry.firstFrame > 0 ? ", first in frame \(TextColumns.grouped(entry.firstFrame))" : ""
  }
}

enum LinkText {
  /// `1002 (HCI H4)`, and the number of records where there are several types.
  static func describe(_ link: LinkType, records: Int? = nil) -> String {
    let name = LinkTypes.name(link) ?? LinkNames.other(link) ?? "not one that can be read"
    let number = link.number.map { "\($0) (\(name))" } ?? name
    return records.map { "\(number), \(TextColumns.counted($0, "record"))" } ?? number
  }
}
