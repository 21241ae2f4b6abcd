import CaptureReader
import Exports
import Testing

@Suite struct TextColumnsTests {
  @Test(arguments: [
    (0, "0 records"), (1, "1 record"), (2, "2 records"), (1234, "1 234 records"),
    (-1, "-1 records"),
  ])
  func counted(_ number: Int, _ expected: String) {
    #expect(TextColumns.counted(number, "record") == expected)
  }

  @Test func countedWithAPlural() {
    #expect(TextColumns.counted(1, "record has", "records have") == "1 record has")
    #expect(TextColumns.counted(2, "record has", "records have") == "2 records have")
    #expect(TextColumns.size(1) == "1 byte")
    #expect(TextColumns.size(2) == "2 bytes")
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1000, "1 000"), (1_234_567, "1 234 567"), (-1234, "-1 234"),
    (-999, "-999"), (.max, "9 223 372 036 854 775 807"), (.min, "-9 223 372 036 854 775 808"),
  ])
  func grouped(_ value: Int, _ expected: String) {
    #expect(TextColumns.grouped(value) == expected)
  }

  @Test(arguments: [
    (0, "0 ms"), (0.3, "0 ms"), (9.4, "9 ms"), (9.5, "10 ms"), (20.3, "20 ms"), (99.4, "99 ms"),
    (99.6, "100 ms"), (104.9, "100 ms"), (152, "150 ms"), (994, "990 ms"), (995, "1.0 s"),
    (1022, "1.0 s"), (9940, "9.9 s"), (9960, "10 s"), (60_000, "60 s"), (99_600, "1 min 39 s"),
    (3_600_000, "1 h 00 min"),
  ])
  func interval(_ milliseconds: Double, _ expected: String) {
    #expect(TextColumns.interval(milliseconds * 1_000_000) == expected)
  }

  @Test(arguments: [
    (0, "0 ms"), (999_999_999, "999 ms"), (1_000_000_000, "1 s"), (59_999_999_999, "59 s"),
    (83_000_000_000, "1 min 23 s"), (3_725_000_000_000, "1 h 02 min"),
    (90_000_000_000_000, "1 d 01 h"), (.max, "106 751 d 23 h"),
  ])
  func duration(_ nanoseconds: Int64, _ expected: String) {
    #expect(TextColumns.duration(nanoseconds) == expected)
  }

  @Test(arguments: [
    (0, "0 ms"), (1_700_000_000, "1.7 s"), (60_000_000_000, "1 min 00 s"),
    (3_600_000_000_000, "1 h 00 min"), (3_607_000_000_000, "1 h 7 s"), (7, "0.000000007 s"),
    (90_061_250_000_000, "1 d 1 h 1 min 1.25 s"), (172_800_000_000_000, "2 d"),
  ])
  func exactDuration(_ nanoseconds: Int64, _ expected: String) {
    #expect(TextColumns.exactDuration(nanoseconds) == expected)
  }

  @Test(arguments: [
    (0, "0.0 °C"), (5504, "21.5 °C"), (-1, "0.0 °C"), (-384, "-1.5 °C"), (-13, "-0.1 °C"),
    (32767, "128.0 °C"), (-32768, "-128.0 °C"),
  ])
  func celsius(_ raw: Int, _ expected: String) {
    #expect(TextColumns.celsius(raw) == expected)
  }

  @Test(arguments: [
    ("b9407f30-f5f8-466e-aff9-25556b57fe6d:1:2", "b940…fe6d:1:2"),
    ("8b0ca750e54c6e4d1a2f:000000000001", "8b0c…1a2f:000000000001"),
    ("b9407f30f5f8466eaff925556b57fe6d00050001", "b940…0001"),
    ("4144413e45fefa58", "4144413e45fefa58"),
    ("https://museum.example/", "https://museum.example/"), ("", ""),
    ("c0:11:22:33:44:55", "c0:11:22:33:44:55"),
  ])
  func shortened(_ id: String, _ expected: String) {
    #expect(TextColumns.shortened(id) == expected)
  }

  @Test(arguments: [
    ("plain – ünï 🜁", "plain – ünï 🜁"), ("a\u{1B}[31mb", "a\\u{1b}[31mb"),
    ("a\nb\r\n\tc", "a\\u{a}b\\u{d}\\u{a}\\u{9}c"), ("\u{7F}\u{9B}", "\\u{7f}\\u{9b}"),
    ("exe\u{202E}gpj.", "exe\\u{202e}gpj."), ("\u{2066}x\u{2069}", "\\u{2066}x\\u{2069}"),
    ("\u{200E}\u{200F}\u{061C}", "\\u{200e}\\u{200f}\\u{61c}"),
    ("a\u{2028}b\u{2029}", "a\\u{2028}b\\u{2029}"), ("a\u{200B}\u{FEFF}b", "a\\u{200b}\\u{feff}b"),
    ("👩\u{200D}🚀", "👩\u{200D}🚀"), ("a\u{E0041}b\u{E007F}", "a\\u{e0041}b\\u{e007f}"),
  ])
  func printable(_ text: String, _ expected: String) {
    #expect(TextColumns.printable(text) == expected)
    #expect(TextColumns.printable(expected) == expected)
  }

  @Test(arguments: [
    (0, "0 bytes"), (9999, "9 999 bytes"), (10_000, "10 kB"), (9_999_999, "9 999 kB"),
    (712_000_000, "712 MB"), (12_000_000_000, "12 GB"),
  ])
  func size(_ bytes: Int64, _ expected: String) {
    #expect(TextColumns.size(bytes) == expected)
  }

  @Test func columns() {
    #expect(TextColumns.left("ab", 4) == "ab  ")
    #expect(TextColumns.right("ab", 4) == "  ab")
    #expect(TextColumns.left("abcde", 4) == "abcde")
    #expect(TextColumns.right("abcde", 4) == "abcde")
  }

  /// `301 min 49 s` was 30 sightings, every 1 min 49 s.
  @Test("cells of a row never touch, and stand in their columns again behind one that is too wide")
  func row() {
    #expect(
      TextColumns.row("a ", ["30", "1.5 s", "-60"], [9, 10, 8]) == "a        30     1.5 s     -60")
    #expect(
      TextColumns.row("a ", ["30", "1 min 49 s", "-60"], [9, 10, 8])
        == "a        30 1 min 49 s    -60")
    #expect(
      TextColumns.row("a ", ["30", "59 min 49 s", "-60"], [9, 10, 8])
        == "a        30 59 min 49 s   -60")
    #expect(TextColumns.row("name", ["10 000 000"], [9]) == "name 10 000 000")
    #expect(TextColumns.row("", ["exit after", ""], [10, 3]) == "exit after   ")
  }

  @Test func spans() {
    let second: Int64 = 1_000_000_000
    let start = Timestamp(nanoseconds: 1_779_184_800 * second)
    let later = Timestamp(nanoseconds: (1_779_184_800 + 871) * second)
    let nextDay = Timestamp(nanoseconds: (1_779_184_800 + 86_400) * second)
    #expect(TextColumns.span(start, later) == "2026-05-19 10:00:00–10:14:31")
    #expect(
      TextColumns.span(start, nextDay) == "2026-05-19 10:00:00–2026-05-20 10:00:00")
    #expect(TextColumns.span(start, later, within: later) == "10:00:00–10:14:31")
    #expect(
      TextColumns.span(start, later, within: nextDay) == "2026-05-19 10:00:00–10:14:31")
    #expect(TextColumns.span(.none, later) == "no times")
  }

  @Test func aGroupedNumberStaysOnOneLine() {
    // The first group would just fit.
    let filler = String(repeating: "x", count: 76)
    let lines = TextLayout.wrap("\(filler) 1 081 · 3 (12 345 678) 9", indent: 2)
    #expect(lines == ["  " + filler, "  1 081 · 3 (12 345 678) 9"])
  }

  @Test func aNumberAndItsUnitStayOnOneLine() {
    let filler = String(repeating: "x", count: 75)
    #expect(TextLayout.wrap("\(filler) 29 s, no", indent: 2) == ["  " + filler, "  29 s, no"])
    #expect(TextLayout.wrap("\(filler) 29 so", indent: 2) == ["  \(filler) 29", "  so"])
  }

  /// Who copies an option must not copy a line's end within a name.
  @Test func whatIsQuotedBehindAnOptionStaysOnALine() {
    let option = "--observer 'Anna'\\''s phone, 2nd=logs/Anna'\\''s phone, 2nd=new'"
    let filler = String(repeating: "x", count: 50)
    #expect(
      TextLayout.wrap("\(filler) \(option) and 'so on' it's", indent: 2) == [
        "  \(filler) --observer", "  \(option.dropFirst(11)) and 'so on' it's",
      ])
  }

  @Test(arguments: ["2026 100", "1 08", "1 0812", "x 100", "7, 100"])
  func severalNumbersMayStandOnTwoLines(_ several: String) {
    let words = several.split(separator: " ")
    let filler = String(repeating: "x", count: 77 - words[0].count)
    let lines = TextLayout.wrap("\(filler) \(several)", indent: 2)
    #expect(lines == ["  \(filler) \(words[0])", "  \(words[1])"])
  }

  @Test func wrapping() {
    let text = Array(repeating: "word", count: 60).joined(separator: " ")
    let lines = TextLayout.wrap(text, indent: 2, hanging: 2)
    #expect(lines.count == 4)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines[0].hasPrefix("  word"))
    #expect(lines.dropFirst().allSatisfy { $0.hasPrefix("    word") })
    let words = lines.joined(separator: " ").split(separator: " ")
    #expect(words.joined(separator: " ") == text)
    // A word that is too long stays whole.
    let long = String(repeating: "x", count: 100)
    #expect(TextLayout.wrap("a \(long) b", indent: 2) == ["  a", "  " + long, "  b"])
  }
}
