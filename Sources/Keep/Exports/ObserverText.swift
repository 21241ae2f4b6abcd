import Analysis
import CaptureReader
import FrameDecoder
import Regions

/// What an observer was listening to, in words.
package enum ObserverText {
  /// Scan windows listed in JSON; the total stands beside them.
  package static let mostWindows = 10_000

  /// One line: `scanning 10:00:01–10:14:31 (passive, window 30 of 30 ms), duplicates kept`.
  static func listening(
    _ observer: ObserverFacts, of facts: CaptureFacts, within known: Timestamp
  ) -> String {
    guard observer.carriesHCI else {
      let parts =
        observer.firstReport.isKnown && observer.lastReport.isKnown
        ? observer.scan.gaps.parts(
          from: observer.firstReport.nanoseconds, to: observer.lastReport.nanoseconds) : []
      return "an air sniffer: the capture does not tell when it could not hear"
        + without(
          parts, isComplete: observer.scan.gaps.notListed == 0, of: facts, within: known)
    }
    let scan = observer.scan
    let total = scan.windows.count + scan.windowsNotListed
    guard let first = scan.windows.first, let last = scan.windows.last else {
      return observer.reports == 0
        ? "no scan was seen, and no reports" : "scan start not captured; reports without times"
    }
    if first.isInferred, total == 1 {
      return "scan start not captured; reports "
        + TextColumns.span(first.start, first.end, within: known)
        + without(scan, of: facts, within: known) + contentFilter(scan)
    }
    let (start, end) = reach(scan.windows) ?? (first.start, last.end)
    var text = "scanning " + TextColumns.span(start, end, within: known)
    if total > 1 {
      text += " in \(TextColumns.grouped(total)) windows, \(TextColumns.duration(scan.listening))"
    }
    text +=
      parameters(scan) + part(observer)
      + without(scan, of: facts, within: known)
    // Of one whose start was not captured nobody knows it.
    let known = first.isInferred ? total - 1 : total
    switch (scan.filteredWindows, known) {
    case (0, _): text += ", duplicates kept"
    case (known, known): text += ", duplicates filtered"
    default: text += ", duplicates filtered in \(TextColumns.grouped(scan.filteredWindows))"
    }
    text += contentFilter(scan)
    return text + (first.isInferred ? "; the first began before the capture" : "")
  }

  /// `, content filter on for 3 min 21 s`: Android's.
  private static func contentFilter(_ scan: ScanState) -> String {
    guard scan.contentFiltered > 0 else { return "" }
    let isAll = Double(scan.contentFiltered) >= allButAll * Double(scan.listening)
    return ", content filter on"
      + (isAll ? "" : " for \(TextColumns.duration(scan.contentFiltered))")
  }

  /// From the earliest beginning or end to the latest: where a clock was set back they are not those of the first and
  /// the last. Nil where none has a time.
  private static func reach(_ windows: [ScanState.Window]) -> (Timestamp, Timestamp)? {
    let times = windows.flatMap { [$0.start, $0.end] }.filter(\.isKnown).map(\.nanoseconds)
    guard let first = times.min(), let last = times.max() else { return nil }
    return (Timestamp(nanoseconds: first), Timestamp(nanoseconds: last))
  }

  /// `, listening for 39 s of 6 min 34 s`: where the windows of its scans are a part of the time only.
  private static func part(_ observer: ObserverFacts) -> String {
    guard Double(observer.listened) < allButAll * Double(observer.scanned) else { return "" }
    return ", listening for \(TextColumns.duration(observer.listened)) of "
      + TextColumns.duration(observer.scanned)
  }
  private static let allButAll = 0.99

  /// What lies between scans is nothing of theirs.
  private static func without(
    _ scan: ScanState, of facts: CaptureFacts, within known: Timestamp
  ) -> String {
    let parts = scan.windows.filter { $0.start.isKnown && $0.end.isKnown }
      .flatMap { scan.gaps.parts(from: $0.start.nanoseconds, to: $0.end.nanoseconds) }
    return without(
      parts, scan.unrecorded,
      isComplete: scan.windowsNotListed == 0 && scan.gaps.notListed == 0, of: facts,
      within: known)
  }

  /// `, 2 h 00 min of it without any record (08:40:00–10:40:00)`; of several gaps the longest.
  /// - Parameter length: of all; nil: of those that are listed.
  private static func without(
    _ parts: [RecordGaps.Span], _ length: Int64? = nil, isComplete: Bool,
    of facts: CaptureFacts, within known: Timestamp
  ) -> String {
    let length = length ?? parts.reduce(0) { $0.later(by: $1.to.since($1.from)) }
    guard length > 0 else { return "" }
    // Where times step back another part of the file may be of that time.
    let words =
      ", \(TextColumns.duration(length)) of it without any record"
      + (facts.clockWasSetBack ? " as they follow one another" : "")
    guard let longest = RecordGaps.longest(of: parts) else { return words }
    let isOne = parts.count == 1 && isComplete
    let others = facts.clockWasSetBack ? RecordsElsewhere(facts, in: longest) : nil
    return words
      + " (\(isOne ? "" : "the longest time ")\(span(of: longest, within: known))"
      + (others.map { "; \($0.words) of that time stand elsewhere in the file" } ?? "") + ")"
  }

  static func span(of gap: RecordGaps.Span, within known: Timestamp) -> String {
    TextColumns.span(
      Timestamp(nanoseconds: gap.from), Timestamp(nanoseconds: gap.to), within: known)
  }

  /// ` (active, window 500 of 5000 ms for 5 min 21 s, 5000 of 5000 ms for 1 min 06 s)`; what lasts next to
  /// nothing is how phones change their mind.
  private static func parameters(_ scan: ScanState) -> String {
    let all = scan.byParameters.compactMap { entry in
      entry.parameters.map {
        (parameters: $0, rhythm: entry.rhythm, listening: entry.listening)
      }
    }
    let long = all.filter { $0.listening >= scan.listening / 100 }
    let shown = (long.isEmpty ? all : long).prefix(mostParameters)
    guard let first = shown.first?.parameters else { return rests(scan) }
    let isMixed = shown.contains { $0.parameters.isActive != first.isActive }
    let words = shown.map { own, rhythm, listening in
      let kind = isMixed ? (own.isActive ? "active " : "passive ") : ""
      let duration = shown.count > 1 ? " for \(TextColumns.duration(listening))" : ""
      return "\(kind)\(milliseconds(own.window)) of \(milliseconds(own.interval)) ms\(duration)"
        + (rest(rhythm).map { ", " + $0 } ?? "")
        + (own.hearsListedOnly ? ", listed advertisers only" : "")
    }
    let kind = isMixed ? "windows: " : first.isActive ? "active, window " : "passive, window "
    return " (\(kind)\(words.joined(separator: ", "))\(shown.count < long.count ? ", …" : ""))"
  }

  /// ` (for 10 s of each 30.7 s)`, where that is all that is known.
  private static func rests(_ scan: ScanState) -> String {
    let all = scan.byParameters.compactMap { rest($0.rhythm) }.prefix(mostParameters)
    return all.isEmpty ? "" : " (\(all.joined(separator: ", ")))"
  }

  private static func rest(_ rhythm: ScanState.Rhythm) -> String? {
    rhythm.share.map { _ in
      "for \(seconds(rhythm.duration, 10)) of each \(seconds(rhythm.period, 1280))"
    }
  }

  private static let mostParameters = 3

  static func info(_ observer: ObserverFacts, of facts: CaptureFacts) -> [String] {
    let column = 14
    var lines = ["  observer    \(TextColumns.printable(observer.name))"]
    if let controller = observer.controller {
      var text = ByteText()
      text.address(controller.address)
      lines.append("              controller \(text.string)")
    }
    lines.append("              " + TextColumns.counted(observer.reports, "report"))
    let scan = listening(observer, of: facts, within: observer.firstReport)
    return lines + TextLayout.wrap(scan, indent: column)
  }

  /// `10 s`, `30.7 s`.
  /// - Parameter unit: milliseconds.
  private static func seconds(_ count: UInt16, _ unit: Int) -> String {
    let value = Double(Int(count) * unit) / 1000
    return (value == value.rounded() ? "\(Int(value))" : TextColumns.decimal(value)) + " s"
  }

  /// Units of 0.625 ms.
  private static func milliseconds(_ units: UInt16) -> String {
    let value = Double(units) * 0.625
    return value == value.rounded() ? "\(Int(value))" : TextColumns.decimal(value)
  }
}
