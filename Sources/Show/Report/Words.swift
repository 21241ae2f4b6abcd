import CaptureReader
import Exports
import Glibc

/// Numbers and times as the page writes them.
enum Words {
  static func number(_ value: Int) -> String { joined(TextColumns.grouped(value)) }

  static func counted(_ value: Int, _ one: String, _ many: String? = nil) -> String {
    "\(number(value)) \(value == 1 ? one : many ?? one + "s")"
  }

  static func duration(_ nanoseconds: Int64) -> String {
    joined(TextColumns.duration(nanoseconds))
  }

  /// With blanks at which no line ends.
  private static func joined(_ text: String) -> String { text.replacing(" ", with: "\u{A0}") }

  /// `2026-05-19 10:00:00.118`.
  static func moment(_ time: Int64?) -> String {
    guard let time else { return "not known" }
    let stamp = Timestamp(nanoseconds: time)
    return TextColumns.date(stamp) + " " + clock(time)
  }

  /// `10:00:00.118`, with the date where it is another day.
  static func clock(_ time: Int64?, on day: String? = nil) -> String {
    guard let time else { return "not known" }
    let moment = CivilTime(Timestamp(nanoseconds: time))
    var text = ByteText()
    text.clock(moment)
    text.text(".")
    text.padded(moment.nanosecond / 1_000_000, 3)
    let date = TextColumns.date(Timestamp(nanoseconds: time))
    return (day.map { $0 == date } ?? true ? "" : date + " ") + text.string
  }

  /// `2026-05-19`.
  static func day(_ time: Int64) -> String { TextColumns.date(Timestamp(nanoseconds: time)) }

  static func span(_ from: Int64?, _ to: Int64?) -> String {
    guard let from, let to else { return "no times" }
    return TextColumns.span(Timestamp(nanoseconds: from), Timestamp(nanoseconds: to))
  }

  static func dBm(_ value: Int) -> String { minus(value) + "\u{A0}dBm" }

  /// With the sign that is as wide as a digit.
  static func minus(_ value: Int) -> String { (value < 0 ? "−" : "") + String(value.magnitude) }

  /// Power, of which some is more than a milliwatt.
  static func signed(_ value: Int) -> String { value > 0 ? "+\(value)" : minus(value) }

  static func decimal(_ value: Double) -> String {
    TextColumns.decimal(value).replacing("-", with: "−")
  }

  /// Metres with no more digits than they are worth: from centimetres, which the case has, to the same
  /// words as in the other outputs.
  static func metres(_ value: Double) -> String {
    switch value {
    case ..<0.095: return "0.0\(Int((max(0, value) * 100).rounded()))"
    case ..<9.95: return TextColumns.decimal(value)
    case ..<99.5: return String(Int(value.rounded()))
    case ..<1e6:
      // Two digits.
      let unit = pow(10, log10(value).rounded(.down) - 1)
      return number(Int((value / unit).rounded() * unit))
    default: return "over 1\u{A0}000\u{A0}000"
    }
  }

  /// `0.8 m (0.5–1.3)`; nearer than any signal tells: `under 0.1 m`.
  static func distance(_ metres: Double, _ nearest: Double?, _ farthest: Double?) -> String {
    guard metres >= 0.095 else { return joined("under 0.1 m") }
    guard let nearest, let farthest else {
      return joined("\(self.metres(metres)) m") + " (bounds not known)"
    }
    return joined("\(self.metres(metres)) m (\(self.metres(nearest))–\(self.metres(farthest)))")
  }

  /// Two significant digits from 10 ms on.
  static func interval(milliseconds: Double) -> String {
    joined(TextColumns.interval(milliseconds * 1e6))
  }

  /// `3.2 s`.
  static func seconds(_ nanoseconds: Int64) -> String {
    let seconds = Double(nanoseconds) / 1e9
    if seconds < 1 { return interval(milliseconds: seconds * 1000) }
    return seconds < 60 ? decimal(seconds) + "\u{A0}s" : duration(nanoseconds)
  }

  static func list(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Of 0…1, with no "0 %" for what is more than none.
  static func percent(_ share: Double) -> String {
    if share > 0, share < 0.005 { return "under 1\u{A0}%" }
    if share < 1, share > 0.995 { return "over 99\u{A0}%" }
    return "\(Int((share * 100).rounded()))\u{A0}%"
  }

  /// As people name a capture.
  static func quotedName(_ name: String) -> String { name == "-" ? "standard input" : name }

  /// A capture by its own name, without the folders that it lies in.
  static func fileName(_ name: String) -> String {
    quotedName(name.split(separator: "/").last.map { String($0) } ?? name)
  }

  /// A word of a command line as a shell takes it.
  static func quoted(_ word: String) -> String { ShellWord.quoted(word) }
}
