import Analysis
import CaptureReader
import FrameDecoder

/// CAPTURES: many of them, a line each instead of a paragraph; what holds for all stands once above.
struct CaptureTable {
  let style: Style

  /// More than so many would hide behind paragraphs what was heard in them.
  static let mostInParagraphs = 6
  private static let mostRows = 20
  private static let widestName = 28
  /// Of a name its end tells the files of a recorder apart.
  private static let narrowestName = 12

  func lines(_ captures: [CaptureFacts]) -> [String] {
    let folder = Self.folder(captures)
    let shown = captures.prefix(Self.mostRows)
    let known = TextColumns.known(captures.map(\.span.earliest))
    let spans = shown.map {
      TextColumns.span($0.span.earliest, $0.span.latest, within: known)
    }
    let times = max(9, spans.map(\.columns).max() ?? 0)
    // Beside it: records, size and digest.
    let room = AnalysisText.width - 2 - (times + 2) - 10 - 12 - 11
    let whole = shown.map { TextColumns.printable(String($0.name.dropFirst(folder.count))) }
    let cut = whole.map {
      TextFit.cutMiddle($0, max(Self.narrowestName, min(Self.widestName, room)))
    }
    // Names that are alike when they are cut stand whole above their figures.
    let isAbove = Set(cut).count < Set(whole).count
    let names = isAbove ? whole.map { _ in "" } : cut
    let name = max(7, names.map(\.columns).max() ?? 0)
    var lines = heading(captures, folder)
    lines.append(
      "  " + TextColumns.left("capture", name + 2) + TextColumns.left("from, to", times)
        + TextColumns.right("records", 10) + TextColumns.right("size", 12) + "  sha256")
    for (place, facts) in shown.enumerated() {
      let digest = facts.sha256.isEmpty ? "" : "  \(TextColumns.short(sha256: facts.sha256))"
      let isSound = !facts.isDamaged && facts.lost.packets == 0
      let mark = isSound ? "  " : "! "
      if isAbove { lines.append(mark + TextFit.cutMiddle(whole[place], AnalysisText.width - 2)) }
      lines.append(
        TextColumns.row(
          (isAbove ? "  " : mark) + TextColumns.left(names[place], name + 2)
            + TextColumns.left(spans[place], times),
          [TextColumns.grouped(facts.accounting.records), TextColumns.size(facts.bytes)],
          [10, 12]) + digest)
    }
    if shown.count < captures.count {
      lines.append("  …\(TextColumns.grouped(captures.count - shown.count)) more (--all)")
    }
    return lines
  }

  /// How many, of which forms and time, what is in them, and how the radios listened.
  private func heading(_ captures: [CaptureFacts], _ folder: String) -> [String] {
    let records = captures.reduce(0) { $0 + $1.accounting.records }
    let bytes = captures.reduce(Int64(0)) { $0 + $1.bytes }
    let known = captures.map(\.span).filter { $0.earliest.isKnown }
    var text = "\(TextColumns.grouped(captures.count))"
    if !folder.isEmpty { text += " in \(TextColumns.printable(String(folder.dropLast())))" }
    text += ": \(TextColumns.counted(records, "record")), \(TextColumns.size(bytes))"
    if let first = known.map(\.earliest).min(by: { $0.nanoseconds < $1.nanoseconds }),
      let last = known.map(\.latest).max(by: { $0.nanoseconds < $1.nanoseconds })
    {
      text += "; \(TextColumns.spanAndZone(first, last))"
    }
    var lines = TextLayout.wrap("CAPTURES  " + text, indent: 0, hanging: 10)
    lines[0] = style.bold("CAPTURES") + lines[0].dropFirst(8)
    for sentence in [forms(captures), contents(captures), listening(captures)] {
      lines += TextLayout.wrap(sentence, indent: 10)
    }
    return lines + [""]
  }

  /// `28 btsnoop, HCI H4 · 2 pcapng (gzip), HCI H4`
  private func forms(_ captures: [CaptureFacts]) -> String {
    counts(captures) { facts in
      let packing = facts.compression.map { " (\($0.rawValue))" } ?? ""
      let links = facts.links.map { LinkTypes.name($0.link) ?? "link type \($0.link.number ?? 0)" }
      return "\(facts.format)\(packing), \(links.joined(separator: " + "))"
    }
  }

  private func contents(_ captures: [CaptureFacts]) -> String {
    var sums: [(name: String, records: Int)] = []
    for facts in captures {
      for (place, entry) in facts.accounting.classes.enumerated() {
        if place == sums.count { sums.append((AnalysisText.name(entry.kind), 0)) }
        sums[place].records += entry.records
      }
    }
    let lost = captures.reduce(0) { $0 + Int(clamping: $1.lost.packets) }
    return (sums + [("lost", lost)]).filter { $0.records > 0 }
      .map { "\(TextColumns.grouped($0.records)) \($0.name)" }.joined(separator: " · ")
  }

  private func listening(_ captures: [CaptureFacts]) -> String {
    counts(captures.filter { $0.observers.contains(where: \.hasListened) }) { facts in
      let observers = facts.observers.filter(\.hasListened)
      if observers.contains(where: { !$0.carriesHCI }) { return "of air sniffers" }
      let isSeen = observers.contains { $0.scan.windows.first?.isInferred == false }
      return isSeen ? "with the scan's commands" : "whose scan start was not captured"
    }
  }

  /// How many are alike, in the order in which they are met.
  private func counts(_ captures: [CaptureFacts], _ word: (CaptureFacts) -> String) -> String {
    var counts: [(word: String, count: Int)] = []
    for facts in captures {
      let word = word(facts)
      if let place = counts.firstIndex(where: { $0.word == word }) {
        counts[place].count += 1
      } else {
        counts.append((word, 1))
      }
    }
    return counts.map { "\(TextColumns.grouped($0.count)) \($0.word)" }.joined(separator: " · ")
  }

  /// What the names begin with up to a slash; empty where they lie in several folders.
  private static func folder(_ captures: [CaptureFacts]) -> String {
    guard let first = captures.first?.name else { return "" }
    var end = first.utf8.lastIndex(of: UInt8(ascii: "/"))
    while let slash = end {
      let folder = first[...slash]
      if captures.allSatisfy({ $0.name.hasPrefix(folder) }) { return String(folder) }
      end = first[..<slash].utf8.lastIndex(of: UInt8(ascii: "/"))
    }
    return ""
  }
}
