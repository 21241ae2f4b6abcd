import Regions
import Testing

@testable import Exports

@Suite struct FiguresTests {
  @Test(arguments: [
    (0.0, "0"), (0.123, "0.12"), (0.0999, "0.10"), (0.05, "0.050"), (0.00034, "0.00034"),
    (0.000034, "3.4e-5"), (1e-20, "1.0e-20"), (1, "1.0"), (9.96, "10"), (123, "120"),
    (0.995, "1.0"), (-0.25, "-0.25"), (1e18, "1.0e18"), (.infinity, "null"), (.nan, "null"),
  ])
  func twoSignificantDigits(value: Double, expected: String) {
    #expect(Figures.significant(value) == expected)
  }

  @Test(arguments: [
    (0.001, "0.00"), (0.0512, "0.05"), (0.83, "0.8"), (9.94, "9.9"), (9.96, "10"), (11.2, "11"),
    (99.6, "100"), (1312, "1 300"), (2e6, "over 1 000 000"), (1e30, "over 1 000 000"),
  ])
  func metres(value: Double, expected: String) {
    #expect(Figures.metres(value) == expected)
  }

  @Test func aDistanceStandsWithItsInterval() {
    #expect(Figures.distance(Distance(metres: 0.83, interval: 0.51...1.31)) == "0.8 m (0.5–1.3)")
    #expect(Figures.distance(Distance(metres: 4, interval: nil)) == "4.0 m (bounds not known)")
  }

  @Test(arguments: [
    (0.1234, "p = 0.12"), (0.9e-6, "p < 10⁻⁶"), (0, "p < 10⁻⁶"), (0.994, "p = 0.99"),
    (0.9951, "p > 0.99"), (1, "p = 1.0"),
  ])
  func probability(value: Double, expected: String) {
    #expect(Figures.probability(value) == expected)
  }

  @Test(arguments: [
    ("lobby", 18, "lobby"), ("a\u{1B}[31m", 18, "a\\u{1b}[31m"),
    ("f7826da6-4fa2-4e98-8024-bc5b71e0893e", 18, "f782…893e"),
    ("edd1ebeac04e5defa017", 18, "edd1…a017"),
    ("Museum, main entrance hall", 18, "Museum, m…nce hall"),
    ("", 18, "\"\""), (" x", 18, "\" x\""), ("a  b", 18, "\"a  b\""),
  ])
  func identifiersAreEscapedShortenedAndQuoted(name: String, width: Int, expected: String) {
    #expect(TextFit.name(name, width) == expected)
  }

  @Test(arguments: [
    ("monitor/hci0", 16, "monitor/hci0"), ("ext-mgmt-scan/system", 16, "ext-…scan/system"),
    ("anna west/btsnoop_hci", 16, "anna west/bts…ci"), ("anna/btsnoop_hci", 13, "anna/btsn…hci"),
    ("evidence-2026-05-19-anna/btsnoop_hci", 24, "evidence…19-anna/bts…hci"),
    ("abc\u{7}", 16, "abc\\u{7}"), ("abcdef", 2, "a…"),
  ])
  func observersKeepTheirEnds(name: String, width: Int, expected: String) {
    #expect(TextFit.observer(name, width) == expected)
  }

  @Test(
    "observers that would be cut to one name keep what differs",
    arguments: [
      (["anna/btsnoop_hci", "gate"], 24, ["anna/btsnoop_hci", "gate"]),
      (
        ["aufnahme vom Montag, Überwachung/system", "aufnahme vom Dienstag, Überwachung/system"],
        24,
        ["aufnah…Montag, Übe…ystem", "aufnah…Dienstag, Ü…ystem"]
      ),
      (["site-1-of-the-north/hci0", "site-2-of-the-north/hci0"], 16, []),
      (["xxxxxxxxxx1yyyyyyyyyyyyyyyyyyyy", "xxxxxxxxxx2yyyyyyyyyyyyyyyyyyyy"], 3, []),
    ] as [([String], Int, [String])])
  func observersAreNeverAlike(_ names: [String], _ width: Int, _ expected: [String]) {
    let labels = ObserverLabels(names, width)
    let told = names.map { labels[$0] }
    #expect(Set(told).count == names.count, "\(told)")
    #expect(told.allSatisfy { $0.columns <= width }, "\(told)")
    if !expected.isEmpty { #expect(told == expected) }
  }

  @Test func manyObserversAreNeverAlike() {
    let names = (0..<500).map {
      "recording \($0 / 50) of the receiver \($0) in the long corridor/system"
    }
    let labels = ObserverLabels(names, 16)
    #expect(Set(names.map { labels[$0] }).count == names.count)
    #expect(names.allSatisfy { labels[$0].columns <= 16 })
  }

  @Test func wordsLongerThanTheLineAreCut() {
    let lines = TextFit.wrap("ab " + String(repeating: "x", count: 50), indent: 4, width: 20)
    #expect(lines.allSatisfy { $0.count <= 20 })
    #expect(lines.joined().filter { $0 == "x" }.count == 50)
  }

  @Test(arguments: [
    ("20c4e81f0b37a9d2", UInt64(0x20C4_E81F_0B37_A9D2)),
    ("20C4E81F0B37A9D2", 0x20C4_E81F_0B37_A9D2),
    ("0000000000000001", 1), ("20c4e81f0b37a9d", nil), ("+0c4e81f0b37a9d2", nil),
    ("20c4e81f0b37a9dg", nil), ("", nil), ("20c4e81f0b37a9d2 ", nil),
  ])
  func eventIdsAreSixteenHexadecimalDigits(text: String, id: UInt64?) {
    #expect(EventReference.id(text) == id)
    if let id { #expect(EventReference.text(id) == text.lowercased()) }
  }
}
