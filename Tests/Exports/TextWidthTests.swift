import Testing

@testable import Exports

@Suite("Columns of a terminal") struct TextWidthTests {
  @Test(
    "are two for East Asian letters and pictures, none for marks, one for all else",
    arguments: [
      ("", 0), ("hall", 4), ("Café – ünï · █▁│", 16), ("cafe\u{301}", 4), ("展示室", 6), ("ガイド", 6),
      ("한국어", 6), ("\u{1112}\u{1161}\u{11AB}", 2), ("ＡＢ", 4), ("ｱｲ", 2), ("🦖", 2), ("☕", 2),
      ("✓", 1),
      ("👩\u{200D}🚀", 4), ("❤\u{FE0F}", 1), ("שָׁלוֹם", 4), ("สวัสดี", 4), ("नमस्ते", 4), ("\u{AD}", 1),
      ("𠀀", 2), ("🇩🇪", 2),
    ])
  func columns(_ text: String, _ columns: Int) {
    #expect(text.columns == columns)
    #expect(text.unicodeScalars.map(ScalarWidth.of).reduce(0, +) == columns)
  }

  @Test("are counted for each letter alone: the table is in order")
  func table() {
    let wide = (0x300...0x3FFFF as ClosedRange<UInt32>).compactMap { Unicode.Scalar($0) }
      .filter { ScalarWidth.of($0) == 2 }
    // The first and the last of them, and how many: EastAsianWidth.txt 16.0.0, marks aside.
    #expect(wide.first == "\u{1100}" && wide.last == "\u{3FFFD}")
    #expect(wide.count == 182_712)
  }

  @Test(
    "are what a text is cut to: no letter is halved",
    arguments: [
      ("展示室", 6, "展示室"), ("展示室", 5, "展示…"), ("展示室", 4, "展…"), ("展示室", 1, "…"), ("ab展", 3, "ab…"),
      ("cafe\u{301} x", 5, "cafe\u{301}…"), ("cafe\u{301}", 4, "cafe\u{301}"), ("", 0, ""),
      ("ab", 0, "…"),
    ])
  func cutting(_ text: String, _ width: Int, _ expected: String) {
    #expect(TextFit.cut(text, width) == expected)
  }

  @Test(
    "are what the middle is cut to",
    arguments: [("受信機/hci0", 11, "受信機/hci0"), ("受信機/hci0", 8, "受信…ci0"), ("展示室展示室", 7, "展…室")])
  func cuttingTheMiddle(_ text: String, _ width: Int, _ expected: String) {
    #expect(TextFit.cutMiddle(text, width) == expected)
    #expect(TextFit.cutMiddle(text, width).columns <= width)
  }

  @Test("are what is filled, at either side")
  func filling() {
    #expect(TextColumns.left("展示室", 8) == "展示室  ")
    #expect(TextColumns.right("cafe\u{301}", 6) == "  cafe\u{301}")
    #expect(TextColumns.left("展示室", 5) == "展示室")
  }

  @Test("are what lines are broken at, words without blanks, too")
  func wrapping() {
    let text = "展示室 " + String(repeating: "案内", count: 20) + " cafe\u{301} ok"
    for width in 10...60 {
      let lines = TextFit.wrap(text, indent: 2, hanging: 2, width: width)
      #expect(lines.allSatisfy { $0.columns <= width }, "\(width): \(lines)")
      #expect(lines.joined().filter { $0 != " " } == text.filter { $0 != " " })
    }
    // It fills them.
    #expect(TextLayout.wrap("展示室 展示室 展示室", indent: 0, width: 13) == ["展示室 展示室", "展示室"])
    // A letter wider than there is room stands alone.
    #expect(TextFit.wrap("展示", indent: 0, width: 1) == ["展", "示"])
  }
}
