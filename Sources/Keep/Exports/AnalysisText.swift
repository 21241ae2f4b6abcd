package import Analysis
import Beacons
import CaptureReader
import FrameDecoder

/// `analyze` for people: what was captured, which beacons, and what to mind. 80 columns.
package struct AnalysisText {
  private let style: Style
  /// Show every beacon, not the most frequent ones only.
  private let showsAll: Bool
  /// Columns for the timeline; nil where the output is not a terminal.
  private let timelineWidth: Int?
  package static let width = 80
  static let mostBeacons = 30
  static let mostLabels = 8
  static let mostRemarks = 12

  /// - Parameter width: columns of the terminal, which the timeline fills; nil where the output is
  ///   not one.
  package init(style: Style, showsAll: Bool, width: Int? = nil) {
    self.style = style
    self.showsAll = showsAll
    timelineWidth = width
  }

  package func lines(_ result: AnalysisResult) -> [String] {
    let beacons = result.statistics.summaries()
    var lines: [String] = []
    let told = ToldCaptures(result)
    if told.captures.count > CaptureTable.mostInParagraphs && !showsAll {
      lines += CaptureTable(style: style).lines(told.captures) + [""]
    } else {
      for facts in told.captures {
        lines += capture(facts, isNamed: result.observers.count > 1)
        lines.append("")
      }
    }
    guard !result.captures.isEmpty else { return lines }
    for paragraph in ProblemText.notRead(result.problems, showsAll: showsAll) {
      lines += paragraph + [""]
    }
    lines += told.lines(style)
    guard !told.captures.isEmpty else { return Array(lines.dropLast()) }
    lines += clocks(result)
    lines += ReceiverTable(style: style, showsAll: showsAll).lines(
      result.receivers(beacons), empty: EmptyReceivers(result.captures).all)
    let chains = IdentifierChains(beacons, result)
    lines += BeaconTable(style: style, showsAll: showsAll).lines(beacons, chains, result)
    if let names = EventNames(result) {
      lines += TimelineText(style: style, showsAll: showsAll, width: timelineWidth).lines(names)
    }
    lines += others(result)
    lines += remarks(result, beacons, chains)
    return lines
  }

  /// Whether the clocks of these captures agree, where that is no warning.
  private func clocks(_ result: AnalysisResult) -> [String] {
    Remarks.clocks(result).filter { Remarks.quietClockCodes.contains($0.code) }.flatMap { remark in
      TextLayout.wrap(remark.text, indent: 0).map { style.dim($0) } + [""]
    }
  }

  /// - Parameter isNamed: visits say at which observer they were: which capture is whose has to be said.
  private func capture(_ facts: CaptureFacts, isNamed: Bool) -> [String] {
    let known = facts.span.earliest
    let packing = facts.compression.map { " (\($0.rawValue))" } ?? ""
    let names = facts.links.map { LinkTypes.name($0.link) ?? "link type \($0.link.number ?? 0)" }
    var lines = [style.bold(TextColumns.printable(facts.name))]
    let span = TextColumns.spanAndZone(facts.span.earliest, facts.span.latest)
    let times =
      facts.span.earliest.isKnown
      ? "; \(span)" : facts.accounting.records > 0 ? "; \(span)" : ""
    lines += TextLayout.wrap(
      "\(facts.format)\(packing), \(names.joined(separator: " + "))\(times)", indent: 2)
    let digest =
      facts.sha256.isEmpty
      ? ""
      : ", \(TextColumns.size(facts.bytes)), sha256 \(TextColumns.short(sha256: facts.sha256))"
    lines.append("  \(TextColumns.counted(facts.accounting.records, "record"))\(digest)")
    let listening = facts.observers.filter(\.hasListened)
    for observer in listening {
      let name = isNamed || listening.count > 1 ? TextColumns.printable(observer.name) + " " : ""
      lines += TextLayout.wrap(
        name + ObserverText.listening(observer, of: facts, within: known), indent: 2)
    }
    lines += TextLayout.wrap(accounting(facts), indent: 2)
    return lines
  }

  private func accounting(_ facts: CaptureFacts) -> String {
    let parts = facts.accounting.classes.filter { $0.records > 0 }.map { kind, records in
      let entries = facts.accounting.reasons[kind] ?? []
      let codes = entries.map { entry in
        // What a packet is that is no advertisement is nothing to look up by its frame.
        kind == .other
          ? "\(TextColumns.grouped(entry.count)) \(entry.code.rawValue)"
          : "\(entry.code.rawValue), first in frame \(TextColumns.grouped(entry.firstFrame))"
      }
      let isTold = !codes.isEmpty && (kind == .other || codes.count <= 3)
      let why = isTold ? " (\(codes.joined(separator: "; ")))" : ""
      return "\(TextColumns.grouped(records)) \(Self.name(kind))\(why)"
    }
    let lost =
      facts.lost.packets == 0
      ? "" : " · \(TextColumns.grouped(Int(clamping: facts.lost.packets))) lost"
    return parts.joined(separator: " · ") + lost
  }

  static func name(_ kind: RecordClass) -> String {
    kind == .crcFailed ? "with a wrong CRC" : "\(kind.name)"
  }

  private func others(_ result: AnalysisResult) -> [String] {
    var counts: [String: Int] = [:]
    var reports = 0
    for facts in result.captures {
      for (name, reports) in facts.accounting.labels { counts[name, default: 0] += reports }
      reports += facts.accounting.otherReports
    }
    let unlabelled = result.captures.reduce(0) { $0 + $1.accounting.unlabelledReports }
    guard reports > 0 || !counts.isEmpty else { return [] }
    if result.limits != nil {
      return [
        "",
        style.bold("ALSO HEARD")
          + "  reports without a beacon, which are counted of whole captures alone",
      ]
    }
    let labels = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    let listed = showsAll ? labels[...] : labels.prefix(Self.mostLabels)
    var parts = listed.map {
      "\($0.key.replacing("_", with: " ")) \(TextColumns.grouped($0.value))"
    }
    let more = labels.count - listed.count
    if more > 0 { parts.append("\(more) more with --all") }
    if unlabelled > 0 { parts.append("unlabelled \(TextColumns.grouped(unlabelled))") }
    return [
      "",
      style.bold("ALSO HEARD") + "  " + TextColumns.counted(reports, "report")
        + " without a beacon",
    ] + TextLayout.wrap(parts.joined(separator: " · "), indent: 2)
  }

  private func remarks(
    _ result: AnalysisResult, _ beacons: BeaconSummaries, _ chains: IdentifierChains
  ) -> [String] {
    // Several captures: say which one is meant.
    let naming = result.captures.count > 1
    var alike = AlikeRemarks()
    let moved = MovedTogether(
      result.captures.flatMap { facts in Remarks.moved(facts).map { (facts.name, $0.text) } })
    var lines: [String] = []
    var count = 0
    Remarks.forEach(result, beacons, chains) { remark in
      // It stands further up.
      if Remarks.quietClockCodes.contains(remark.code) { return }
      guard let text = naming ? self.text(remark, &alike, moved) : remark.text else { return }
      count += 1
      guard showsAll || count <= Self.mostRemarks else { return }
      lines += self.lines(text)
      alike.told(remark, upTo: lines.count)
    }
    for (place, text) in alike.rest.reversed() {
      lines.insert(contentsOf: self.lines(text), at: place)
    }
    guard count > 0 else { return [] }
    count += alike.untold
    if !showsAll && count > Self.mostRemarks {
      lines.append("  …and \(TextColumns.grouped(count - Self.mostRemarks)) more (--all)")
    }
    return ["", style.bold("WORTH KNOWING")] + lines
  }

  /// With its capture; nil where another one stands for it.
  private func text(
    _ remark: Remark, _ alike: inout AlikeRemarks, _ moved: MovedTogether
  ) -> String? {
    if !showsAll {
      if remark.code == MovedTogether.code, let capture = remark.capture {
        return moved.told(capture, remark.text).map { "\($0.captures): \($0.text)" }
      }
      guard alike.isToBeTold(remark) else { return nil }
    }
    return (remark.nameToTell.map { $0 + ": " } ?? "") + remark.text
  }

  private func lines(_ remark: String) -> [String] {
    TextLayout.wrap("! " + TextColumns.printable(remark), indent: 2, hanging: 2)
      .map { style.warning($0) }
  }
}

/// Lines of at most 80 columns, or as many as there are.
package enum TextLayout {
  /// No line for no text.
  package static func wrap(
    _ text: String, indent: Int, hanging: Int = 0, width: Int = AnalysisText.width
  ) -> [String] {
    wrap(words(text), indent: indent, hanging: hanging, width: width)
  }

  /// - Parameter breaks: places of words that begin a line whatever stands before them.
  static func wrap(
    _ words: [String], indent: Int, hanging: Int, width: Int, breaks: Set<Int> = []
  ) -> [String] {
    guard words != [""] else { return [] }
    var lines: [String] = []
    var line = String(repeating: " ", count: indent)
    var columns = indent
    var isEmpty = true
    for (place, word) in words.enumerated() {
      let more = word.columns
      if !isEmpty && columns + 1 + more > width || breaks.contains(place) {
        lines.append(line)
        line = String(repeating: " ", count: indent + hanging)
        columns = indent + hanging
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      columns += (isEmpty ? 0 : 1) + more
      isEmpty = false
    }
    return lines + [line]
  }

  /// What stands between blanks; a grouped number ("12 345") is one word, and so is one with its unit, and
  /// what is quoted behind an option: who copies it must not copy a line's end within it.
  static func words(_ text: String) -> [String] {
    var words: [String] = []
    var isQuoted = false
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      let begins =
        (word.hasPrefix("'") || word.hasPrefix("$'")) && words.last?.hasPrefix("--") == true
      if let last = words.last,
        isQuoted || continuesNumber(last, with: word) || isUnit(word, of: last)
      {
        words[words.count - 1] += " \(word)"
      } else {
        words.append(String(word))
      }
      if isQuoted || begins { isQuoted = isQuoted != hasOddQuotes(word) }
    }
    return words
  }

  /// Whether a quotation, as `ShellWord` writes it, begins or ends in it: `'\''` is within one.
  private static func hasOddQuotes(_ word: Substring) -> Bool {
    var isOdd = false
    var before: UInt8 = 0
    for byte in word.utf8 {
      if byte == UInt8(ascii: "'"), before != UInt8(ascii: "\\") { isOdd.toggle() }
      before = byte
    }
    return isOdd
  }

  private static let units: Set<Substring> = [
    "s", "ms", "min", "h", "d", "m", "%", "dBm", "mV", "MB",
  ]

  /// `29 s,`
  private static func isUnit(_ word: Substring, of before: String) -> Bool {
    guard before.utf8.last.map({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) == true
    else { return false }
    return units.contains(word.prefix { $0.isLetter || $0 == "%" })
  }

  /// Three digits, and no letter, behind one to three others.
  private static func continuesNumber(_ before: String, with word: Substring) -> Bool {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let group = word.utf8.prefix { digits.contains($0) }
    let lead = before.utf8.reversed().prefix { digits.contains($0) }
    let isNumber = word.dropFirst(3).first.map { !$0.isLetter } ?? true
    return group.count == 3 && isNumber && (1...3).contains(lead.count)
  }
}
