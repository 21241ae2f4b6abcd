import Analysis
import CaptureReader
import FrameDecoder

/// What an observer was listening to, in words.
enum ObserverText {
  /// Scan windows listed in JSON; the total stands beside them.
  static let mostWindows = 10_000

  /// One line: `scanning 10:00:01–10:14:31 (passive, window 30 of 30 ms), duplicates kept`.
  static func listening(_ observer: ObserverFacts, within known: Timestamp) -> String {
    guard observer.carriesHCI else { return "listening all the time (an air sniffer)" }
    let scan = observer.scan
    let total = scan.windows.count + scan.windowsNotListed
    guard let first = scan.windows.first, let last = scan.windows.last else {
      return observer.reports == 0
        ? "no scan was seen, and no reports" : "scan start not captured; reports without times"
    }
    if first.isInferred {
      return "scan start not captured; reports "
        + TextColumns.span(first.start, first.end, within: known)
    }
    var text = "scanning " + TextColumns.span(first.start, last.end, within: known)
    if total > 1 {
      text += " in \(TextColumns.grouped(total)) windows, \(TextColumns.duration(scan.listening))"
    }
    if let parameters = last.parameters {
      let kind = parameters.isActive ? "active" : "passive"
      text +=
        " (\(kind), window \(milliseconds(parameters.window))"
        + " of \(milliseconds(parameters.interval)) ms)"
    }
    switch (scan.filteredWindows, total) {
    case (0, _): text += ", duplicates kept"
    case (total, total): text += ", duplicates filtered"
    default: text += ", duplicates filtered in \(TextColumns.grouped(scan.filteredWindows))"
    }
    return text
  }

  static func info(_ observer: ObserverFacts) -> [String] {
    let column = 14
    var lines = ["  observer    \(TextColumns.printable(observer.name))"]
    if let controller = observer.controller {
      var text = ByteText()
      text.address(controller.address)
      lines.append("              controller \(text.string)")
    }
    lines.append("              " + TextColumns.counted(observer.reports, "report"))
    let scan = listening(observer, within: observer.firstReport)
    return lines + TextLayout.wrap(scan, indent: column)
  }

  /// Units of 0.625 ms.
  private static func milliseconds(_ units: UInt16) -> String {
    let value = Double(units) * 0.625
    return value == value.rounded() ? "\(Int(value))" : TextColumns.decimal(value)
  }
}
