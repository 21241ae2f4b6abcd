import Beacons
package import CaptureReader

/// How numbers, times and names look to people. Widths are columns of a terminal.
package enum TextColumns {
  package static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.columns))
  }

  package static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.columns)) + text
  }

  /// A row of a table: each cell ends where the widths up to its own say. One that is too wide takes of the room
  /// of those behind it, and none touches the one before.
  package static func row(_ start: String, _ cells: [String], _ widths: [Int]) -> String {
    var line = start
    var (at, end) = (start.columns, start.columns)
    for (cell, width) in zip(cells, widths) {
      end += width
      let own = cell.columns
      let space = max(at == 0 || own == 0 ? 0 : 1, end - at - own)
      line += String(repeating: " ", count: space) + cell
      at += space + own
    }
    return line
  }

  /// 1234567 → 1 234 567.
  package static func grouped(_ number: Int) -> String {
    var digits = Array(String(number.magnitude))
    var place = digits.count - 3
    while place > 0 {
      digits.insert(" ", at: place)
      place -= 3
    }
    return (number < 0 ? "-" : "") + String(digits)
  }

  /// `1 record`, `1 234 records`.
  /// - Parameter many: the plural where it is not made by an s.
  package static func counted(_ number: Int, _ one: String, _ many: String? = nil) -> String {
    "\(grouped(number)) " + (number == 1 ? one : many ?? one + "s")
  }

  /// Two significant digits from 10 ms on: the median of a histogram knows no more.
  package static func interval(_ nanoseconds: Double) -> String {
    // To the tenth, as JSON and cases keep it, so that all outputs say the same.
    let milliseconds = (nanoseconds / 100_000).rounded() / 10
    if milliseconds < 9.5 { return "\(Int(milliseconds.rounded())) ms" }
    let unit = milliseconds < 99.5 ? 1.0 : 10.0
    if milliseconds < 995 { return "\(Int((milliseconds / unit).rounded() * unit)) ms" }
    let seconds = milliseconds / 1000
    if seconds < 9.95 { return decimal(seconds) + " s" }
    if seconds < 99.5 { return "\(Int(seconds.rounded())) s" }
    return duration(Int64(nanoseconds))
  }

  /// One decimal.
  package static func decimal(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }

  /// From 1/256 °C.
  package static func celsius(_ raw: Int) -> String { decimal(Double(raw) / 256) + " °C" }

  /// 3725 s → 1 h 02 min; 83 s → 1 min 23 s.
  package static func duration(_ nanoseconds: Int64) -> String {
    let seconds = nanoseconds / 1_000_000_000
    if nanoseconds < 1_000_000_000 { return "\(nanoseconds / 1_000_000) ms" }
    if seconds < 60 { return "\(seconds) s" }
    if seconds < 3600 { return "\(seconds / 60) min \(two(seconds % 60)) s" }
    if seconds < 86_400 { return "\(seconds / 3600) h \(two(seconds / 60 % 60)) min" }
    return "\(grouped(Int(seconds / 86_400))) d \(two(seconds / 3600 % 24)) h"
  }

  /// With all its digits: 3607 s → 1 h 7 s; 1700 ms → 1.7 s.
  package static func exactDuration(_ nanoseconds: Int64) -> String {
    if nanoseconds < 86_400_000_000_000, nanoseconds % 60_000_000_000 == 0 {
      return duration(nanoseconds)
    }
    let whole = nanoseconds / 1_000_000_000
    let parts = [
      (whole / 86_400, "d"), (whole / 3600 % 24, "h"), (whole / 60 % 60, "min"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    guard nanoseconds % 60_000_000_000 > 0 else { return parts.joined(separator: " ") }
    var seconds = "\(whole % 60)"
    if case let rest = nanoseconds % 1_000_000_000, rest > 0 {
      var digits = "\(1_000_000_000 + rest)".dropFirst()
      while digits.last == "0" { digits.removeLast() }
      seconds += "." + digits
    }
    return (parts + [seconds + " s"]).joined(separator: " ")
  }

  private static func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }

  /// `2026-05-19`; in UTC but where people asked for another zone, as `clock` and `span`.
  package static func date(_ time: Timestamp) -> String {
    date(ClockZone.shown.moment(time).fields)
  }

  static func date(_ moment: CivilTime) -> String {
    var text = ByteText()
    text.padded(moment.year, 4)
    text.text("-")
    text.padded(moment.month, 2)
    text.text("-")
    text.padded(moment.day, 2)
    return text.string
  }

  /// `10:00:00`.
  package static func clock(_ time: Timestamp) -> String {
    var text = ByteText()
    text.clock(ClockZone.shown.moment(time).fields)
    return text.string
  }

  /// With its zone, where that is not the one of `other`, which stands before it.
  package static func clock(_ time: Timestamp, besides other: Timestamp) -> String {
    clock(time) + ClockZone.shown.label(time, besides: other)
  }

  /// `2026-05-19 10:00:00`
  package static func moment(_ time: Timestamp) -> String { "\(date(time)) \(clockAndZone(time))" }

  /// In a line with no other place for the zone; UTC needs no word.
  package static func clockAndZone(_ time: Timestamp) -> String {
    clock(time) + (ClockZone.shown == .utc ? "" : " " + ClockZone.shown.label(time))
  }

  /// `2026-05-19 10:00:00–10:14:31`, with both dates where they differ.
  package static func span(_ from: Timestamp, _ to: Timestamp) -> String {
    guard from.isKnown, to.isKnown else { return "no times" }
    let second = date(from) == date(to) ? clock(to) : "\(date(to)) \(clock(to))"
    return "\(date(from)) \(clock(from))\(ClockZone.shown.label(from, besides: to))–\(second)"
  }

  /// A span, and its zone behind it.
  package static func spanAndZone(_ from: Timestamp, _ to: Timestamp) -> String {
    guard from.isKnown, to.isKnown else { return span(from, to) }
    return "\(span(from, to)) \(ClockZone.shown.label(to))"
  }

  /// Clock times alone where a day and a zone are understood, both where they are not.
  /// - Parameter known: a time that stands above, with them; none: above stand several days, and perhaps zones.
  package static func span(_ from: Timestamp, _ to: Timestamp, within known: Timestamp) -> String {
    guard from.isKnown, to.isKnown else { return "no times" }
    let isChanged =
      known.isKnown
      ? [from, to].contains { !ClockZone.shown.label($0, besides: known).isEmpty }
      : ClockZone.shown == .local
    let end = isChanged ? " " + ClockZone.shown.label(to) : ""
    let day = known.isKnown ? date(known) : ""
    guard date(from) == day && date(to) == day else { return span(from, to) + end }
    return "\(clock(from))\(ClockZone.shown.label(from, besides: to))–\(clock(to))" + end
  }

  /// What stands above spans that begin on one day, and none where there are several: then each has its own.
  static func known(_ times: [Timestamp]) -> Timestamp {
    let times = times.filter(\.isKnown)
    guard let first = times.min(by: { $0.nanoseconds < $1.nanoseconds }),
      times.allSatisfy({ date($0) == date(first) })
    else { return .none }
    return first
  }

  package static func shortened(_ id: String) -> String { ShortIdentity.text(id) }

  /// Text from a file: control characters, and what turns or hides text, are shown, not sent to
  /// the terminal.
  package static func printable(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if isHarmful(scalar) {
        result += "\\u{" + String(scalar.value, radix: 16) + "}"
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Control characters, and what is not seen, turns text or hides it.
  static func isHarmful(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F, 0x80..<0xA0, 0x061C, 0x200B, 0x200E, 0x200F, 0x2028...0x202E,
      0x2066...0x2069, 0xFEFF, 0xE0000...0xE007F:
      true
    default: false
    }
  }

  /// The same of a text that may have several lines, such as an alert's: each by itself, those that are
  /// empty at its end left out.
  package static func printableLines(_ text: String) -> [String] {
    var lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    while lines.last?.isEmpty == true { lines.removeLast() }
    return lines.map { printable(String($0)) }
  }

  /// Where there is room for one line alone: `the first / the second`.
  package static func printableLine(_ text: String) -> String {
    printableLines(text).filter { !$0.isEmpty }.joined(separator: " / ")
  }

  /// First and last four digits of a digest.
  package static func short(sha256 digest: [UInt8]) -> String {
    let digits = HexText.string(digest)
    return digits.count < 12 ? digits : digits.prefix(4) + "…" + digits.suffix(4)
  }

  /// 712 MB.
  package static func size(_ bytes: Int64) -> String {
    if bytes < 10_000 { return counted(Int(bytes), "byte") }
    if bytes < 10_000_000 { return "\(grouped(Int(bytes / 1000))) kB" }
    if bytes < 10_000_000_000 { return "\(grouped(Int(bytes / 1_000_000))) MB" }
    return "\(grouped(Int(bytes / 1_000_000_000))) GB"
  }
}
