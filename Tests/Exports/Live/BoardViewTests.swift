import Testing

@testable import Exports

@Suite("Keys on a board") struct BoardViewTests {
  struct Typed: Sendable {
    let bytes: String
    let keys: [BoardKey]
  }

  static let typed = [
    Typed(bytes: "", keys: []),
    Typed(bytes: "q", keys: [.character("q")]),
    Typed(bytes: "aé", keys: [.character("a"), .character("é")]),
    // May be the beginning of one.
    Typed(bytes: "\u{1B}", keys: []), Typed(bytes: "\u{1B}\u{1B}", keys: [.escape]),
    // q with Alt held ends nothing.
    Typed(bytes: "\u{1B}qs", keys: [.character("s")]),
    Typed(bytes: "\u{1B}[A\u{1B}OB", keys: [.up, .down]),
    Typed(bytes: "\u{1B}[5~\u{1B}[6~\u{1B}[H", keys: [.pageUp, .pageDown, .home]),
    // What means nothing here is no text either: F5, and up with Ctrl held.
    Typed(bytes: "\u{1B}[15~x\u{1B}[1;5A", keys: [.character("x")]),
    Typed(bytes: "\u{1B}[", keys: []), Typed(bytes: "展é🦖", keys: "展é🦖".map { .character($0) }),
    Typed(
      bytes: "a\r\u{7F}\u{08}\n\u{01}",
      keys: [.character("a"), .enter, .backspace, .backspace, .enter]),
  ]

  @Test("are told apart in what a terminal sends", arguments: typed)
  func parsing(_ typed: Typed) {
    #expect(BoardKey.keys(Array(typed.bytes.utf8)).keys == typed.keys)
  }

  @Test("are the same in however many pieces they are read")
  func pieces() {
    let bytes = Array("aé展🦖\u{1B}[A\u{1B}OB\u{1B}[15~/x\r\u{1B}[6~".utf8)
    let whole = BoardKey.keys(bytes).keys
    for length in 1...bytes.count {
      var keys: [BoardKey] = []
      var rest: [UInt8] = []
      for start in stride(from: 0, to: bytes.count, by: length) {
        let found = BoardKey.keys(rest + bytes[start..<min(start + length, bytes.count)])
        keys += found.keys
        rest = found.rest
      }
      #expect(keys == whole && rest.isEmpty)
    }
  }

  @Test("are found in any bytes at all")
  func anyBytes() {
    // The same ones each time: what fails is seen again.
    var state: UInt64 = 17
    func next(_ below: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % below
    }
    for _ in 0..<2000 {
      let bytes = (0..<next(20)).map { _ in
        [0x1B, UInt8(ascii: "["), UInt8(next(256))][Int(next(3))]
      }
      let (keys, rest) = BoardKey.keys(bytes)
      #expect(keys.count + rest.count <= bytes.count && rest.count < 40)
    }
  }

  private func view(_ keys: String, last: Int = 5) -> BoardView {
    var view = BoardView()
    for key in BoardKey.keys(Array(keys.utf8)).keys { _ = view.press(key, lastOffset: last) }
    return view
  }

  @Test("end the run with q, but not within a filter")
  func end() {
    var view = BoardView()
    let ends = "q/q".map { view.press(.character($0), lastOffset: 0) }
    #expect(ends == [true, false, false])
    #expect(view.filter == "q" && view.isWriting)
  }

  @Test("write a filter, keep it, and take it away")
  func filter() {
    #expect(view("/hal\u{7F}ll").filter == "hall")
    #expect(view("/hall\r").isWriting == false)
    #expect(view("/hall\r").shows("The Hall") && !view("/hall\r").shows("yard"))
    #expect(view("/hall\u{1B}\u{1B}\r").filter.isEmpty)
    #expect(view("/hall\r").filter == "hall")
    var kept = view("/hall\r")
    _ = kept.press(.escape, lastOffset: 0)
    #expect(kept.filter.isEmpty && kept.shows("anything"))
    #expect(view("/" + String(repeating: "x", count: 99)).filter.count == 40)
  }

  @Test("sort in a circle")
  func order() {
    #expect(view("s").order == .signal && view("ss").order == .heard)
    #expect(view("sss").order == .appeared && view("ssss").order == .silent)
    #expect(view("sssss").order == .name)
  }

  @Test("move no farther than there is something to see")
  func moving() {
    #expect(view("jj").offset == 2 && view("jjk").offset == 1 && view("k").offset == 0)
    #expect(view(String(repeating: "j", count: 9)).offset == 5)
    #expect(view("\u{1B}[6~").offset == 5 && view("\u{1B}[6~\u{1B}[H").offset == 0)
    // The list has become shorter: the next key moves from where it ends now.
    var view = view("jjjj")
    _ = view.press(.up, lastOffset: 2)
    #expect(view.offset == 1)
  }

  @Test("hold still, help, and go back")
  func toggles() {
    #expect(view(" ").isHeld && !view("  ").isHeld)
    #expect(view("?").showsHelp && !view("??").showsHelp && !view("?\u{1B}\u{1B}").showsHelp)
  }
}
