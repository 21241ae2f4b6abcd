import CaptureReader
import TestSupport
import Testing

@testable import Plugins

/// What plugins save beyond a run, as text and back.
@Suite("State that is saved", .timeLimit(.minutes(60)))
struct SavedStateTests {
  private static let heard = (0..<4).map { Double($0) }
  private static let counter = """
    state.save("n", "list")
    state.n = (state.n or 0) + 1
    state.list = state.list or {}
    state.other = state.other or "not saved"
    on("sighting", function(s) state.list[#state.list + 1] = s.rssi end)
    on("start", function() print(state.n, #state.list, state.other) state.other = 1 end)
    """

  private static func read(_ bytes: [UInt8]) throws(PluginProblem) -> SavedStates {
    try SavedStates(reading: bytes, name: "saved.json")
  }

  @Test("is there in the next run before the plugin's text runs; other keys are not")
  func survives() throws {
    let first = try ReloadRun([("p", Self.counter)], heardAt: Self.heard)
    let text = first.host.savedState()
    #expect(
      String(decoding: text, as: UTF8.self).hasSuffix(
        #"""
        "plugins":[
        {"name":"p","state":{"pairs":[["list",[-60,-60,-60,-60]],["n",1]]}}]}

        """#))
    #expect(first.host.savedState() == text)
    let second = try ReloadRun(
      [("p", Self.counter)], heardAt: Self.heard, saved: try Self.read(text))
    #expect(first.printed == ["1\t0\tnot saved"])
    #expect(second.printed == ["2\t4\tnot saved"])
    #expect(first.told == [] && first.host.notSaved == 0)
  }

  @Test("may be more than one call of a rule could walk through") func many() throws {
    let rule = """
      state.save("many")
      state.many = state.many or {}
      local n = #state.many
      on("sighting", function()
        for _ = 1, 8000 do
          n = n + 1
          state.many[n] = { id = "beacon " .. n, seen = { n, n + 1 }, last = { time = n } }
        end
      end)
      on("start", function() print(#state.many) end)
      """
    let first = try ReloadRun([("p", rule)], heardAt: Self.heard)
    let saved = try Self.read(first.host.savedState())
    #expect(first.told == [] && first.host.notSaved == 0 && first.host.savingProblem == nil)
    let second = try ReloadRun([("p", rule)], heardAt: [], saved: saved)
    #expect(second.printed == ["32000"], "\(second.told)")
  }

  @Test("holds back in the next run what has been told in this one")
  func gates() throws {
    let rule = """
      on('sighting', function(s)
        alert { title = 'again', once_per = 60 }
        alert { title = 'seldom', at_most = { 2, per = 60 } }
      end)
      """
    let first = try ReloadRun([("p", rule)], heardAt: Self.heard)
    #expect(first.titles == ["0 again", "0 seldom"])
    let saved = try Self.read(first.host.savedState())
    let second = try ReloadRun(
      [("p", rule)], heardAt: [20, 30, 59, 61, 62], saved: saved)
    #expect(second.titles == ["61 again", "61 seldom"])
    // A clock that was ahead is no reason to be silent for ever.
    let ahead = try ReloadRun([("p", rule)], heardAt: [9000])
    let earlier = try ReloadRun(
      [("p", rule)], heardAt: Self.heard, saved: try Self.read(ahead.host.savedState()))
    #expect(earlier.titles == ["0 again", "0 seldom"])
    // Nothing is kept of what holds nobody back any more.
    let last = try ReloadRun([("p", rule)], heardAt: [400], saved: saved)
    #expect(last.titles == ["400 again", "400 seldom"])
    guard case .table(let told)? = try Self.read(last.host.savedState()).gates["p"]?["told"] else {
      Issue.record("nothing is kept")
      return
    }
    #expect(
      told.list
        == [Int64](repeating: ReloadRun.start + 400, count: 2).map {
          .integer($0 * 1_000_000_000)
        })
  }

  @Test("may be large: of a place where thousands pass by")
  func large() throws {
    let many = """
      state.save("seen")
      state.seen = state.seen or {}
      on("start", function()
        local count = 0
        for _ in pairs(state.seen) do count = count + 1 end
        print(count)
        for i = 1, 20000 do state.seen["address " .. i] = { first = i, last = i, told = true } end
      end)
      """
    let first = try ReloadRun([("p", many)], heardAt: Self.heard)
    let saved = try Self.read(first.host.savedState())
    #expect(first.told == [] && first.host.notSaved == 0)
    let second = try ReloadRun([("p", many)], heardAt: Self.heard, saved: saved)
    #expect(first.printed == ["0"])
    #expect(second.printed == ["20000"])
  }

  @Test("of plugins that do not run is kept; of one that saves nothing any more it goes")
  func others() throws {
    let both = try ReloadRun(
      [("p", Self.counter), ("q", "state.save('x') state.x = 5")], heardAt: Self.heard)
    let saved = try Self.read(both.host.savedState())
    let alone = try ReloadRun([("p", "print(1)")], heardAt: Self.heard, saved: saved)
    let rest = try Self.read(alone.host.savedState())
    #expect(rest.tables.keys.sorted() == ["q"])
    #expect(rest.tables["q"] == saved.tables["q"])
  }

  @Test("names what cannot be saved once, and counts it")
  func leftOut() throws {
    let run = try ReloadRun(
      [("p", "state.save('f', 'n') state.n = 1 state.f = { print, 2, print } state.g = print")],
      heardAt: Self.heard)
    for _ in 0..<2 {
      #expect(
        try Self.read(run.host.savedState()).tables["p"]?["f"]
          == .table(
            {
              var table = LuaTable()
              table.append(.integer(2), .integer(2))
              return table
            }()))
      #expect(run.host.notSaved == 2)
    }
    #expect(
      run.told == [
        "p: not saved: state.f[1]: a function is left out",
        "p: not saved: state.f[3]: a function is left out",
      ])
  }

  @Test("stays what it was where `state` cannot be taken out")
  func tooLarge() throws {
    let small = try ReloadRun([("p", "state.save('l') state.l = 7")], heardAt: Self.heard)
    let run = try ReloadRun(
      [("p", "state.save('l') on('sighting', function() state.l = { state.l, state.l } end)")],
      heardAt: (0..<26).map(Double.init), saved: try Self.read(small.host.savedState()))
    let saved = try Self.read(run.host.savedState())
    #expect(saved.tables["p"]?["l"] == .integer(7))
    #expect(run.host.notSaved == 1)
    #expect(run.told.count == 1 && run.told[0].hasPrefix("p: state cannot be saved: "))
  }

  @Test("is kept in tables up to 28 deep, and what is deeper is named")
  func nesting() throws {
    func saved(_ depth: Int) throws -> (text: [UInt8], missing: Int, printed: [String]) {
      let run = try ReloadRun(
        [("p", "state.save('t') local t = 0 for i = 1, \(depth) do t = { x = t } end state.t = t")],
        heardAt: Self.heard)
      let text = run.host.savedState()
      let next = try ReloadRun(
        [
          (
            "p",
            "local n, t = 0, state.t while t do n, t = n + 1, type(t) == 'table' and t.x end print(n)"
          )
        ],
        heardAt: Self.heard, saved: try Self.read(text))
      return (text, run.host.notSaved, next.printed)
    }
    let deep = try saved(28)
    #expect(deep.missing == 0 && deep.printed == ["29"])
    let deeper = try saved(29)
    #expect(deeper.missing == 1 && deeper.printed == ["28"])
  }

  @Test("that its plugin cannot load with is an error that says so")
  func unfit() throws {
    let run = try ReloadRun([("p", "state.save('n') state.n = 1")], heardAt: Self.heard)
    let saved = try Self.read(run.host.savedState())
    #expect {
      _ = try ReloadRun(
        [("p", "state.n = #(state.n or {})")], heardAt: Self.heard, saved: saved)
    } throws: {
      "\($0)".hasPrefix("p.lua:1: attempt to get length of a number value")
        && "\($0)".hasSuffix("(loading with the state that it saved in an earlier run)")
    }
  }

  // MARK: The text

  /// Any value that Lua can have as data.
  private static func value(_ random: inout Seeded, depth: Int) -> LuaValue {
    switch random.below(depth > 0 ? 9 : 7) {
    case 0: return .flag(random.once(in: 2))
    case 1: return .integer(Int64(bitPattern: random.next()))
    case 2: return .integer(random.pick([.max, .min, 0, -1, 1 << 53, (1 << 53) + 1]))
    case 3: return .number(Double(bitPattern: random.next()))
    case 4:
      return .number(
        random.pick([
          0, -0.0, 1, 1e16, .leastNonzeroMagnitude, .infinity, -.infinity, .nan, 0.1, 1.5e300,
        ]))
    case 5: return .bytes(random.bytes(random.below(12)))
    case 6: return .text(random.pick(["", "a\"\\\n\u{7F}", "ü€🂡", "\u{0}", "é", "e\u{301}"]))
    default: return .table(table(&random, depth: depth - 1))
    }
  }

  private static func table(_ random: inout Seeded, depth: Int) -> LuaTable {
    let count = random.below(6)
    if random.once(in: 3) {
      return LuaTable(list: (0..<count).map { _ in value(&random, depth: depth) })
    }
    var table = LuaTable()
    for _ in 0..<count {
      let key = value(&random, depth: 0)
      // Lua has integers for numbers without a fraction, and no key that is not a number.
      if let number = key.number, case .number = key {
        if number.isNaN || Int64(exactly: number) != nil { continue }
      }
      if !table.pairs.contains(where: { $0.key == key }) {
        table.append(key, value(&random, depth: depth))
      }
    }
    return table
  }

  @Test("comes back from its text, and through Lua, as it was", arguments: 0..<20)
  func roundTrip(_ seed: Int) throws {
    var random = Seeded(seed)
    for _ in 0..<50 {
      var states = SavedStates()
      var table = LuaTable()
      table.set("v", Self.value(&random, depth: 4))
      states.tables["p"] = table
      let text = states.text
      let back = try Self.read(text)
      #expect(back.text == text)
      // NaN is equal to nothing: its bits are.
      if !String(decoding: text, as: UTF8.self).contains("{\"bits\":\"") {
        let sorted = try Self.read(back.text)
        #expect(sorted == back)
      }
      let host = try PluginHost(
        [(try ReloadRun.file("p", "state.save('v')"), false)], saved: back, tell: { _ in })
      #expect(host.savedState() == text)
      #expect(host.notSaved == 0)
    }
  }

  @Test(
    "is written in one way",
    arguments: [
      (.integer(1), "1"), (.number(1), "1.0"), (.number(-0.0), "-0.0"), (.number(1e20), "1e+20"),
      (.number(.infinity), #"{"bits":"7ff0000000000000"}"#),
      (.bytes([0xFF, 1]), #"{"hex":"ff01"}"#),
      (.text("a\n\"ü"), #""a\u000a\"ü""#), (.table(LuaTable()), "[]"),
      (.table(LuaTable(list: [.flag(true), .table(LuaTable(list: [.integer(2)]))])), "[true,[2]]"),
    ] as [(LuaValue, String)])
  func written(_ value: LuaValue, _ expected: String) {
    var text = StateText()
    text.write(value)
    #expect(String(decoding: text.bytes, as: UTF8.self) == expected)
  }

  @Test("writes the keys of a table in one order, whatever came first")
  func order() {
    let keys: [LuaValue] = [
      .integer(-1), .integer(2), .number(2.5), .integer(3), .integer(.max), .number(0x1p63),
      .bytes([]), .text("a"), .text("b"), .bytes([0xFF]), .flag(false), .flag(true),
    ]
    var expected: [UInt8] = []
    for seed in 0..<20 {
      var random = Seeded(seed)
      var table = LuaTable()
      for key in keys.shuffled(using: &random) { table.append(key, .integer(0)) }
      var text = StateText()
      text.write(.table(table))
      if seed == 0 { expected = text.bytes }
      #expect(text.bytes == expected)
    }
    #expect(
      String(decoding: expected, as: UTF8.self)
        == #"{"pairs":[[-1,0],[2,0],[2.5,0],[3,0],[9223372036854775807,0],[9.223372036854776e+18,0],"#
        + #"["",0],["a",0],["b",0],[{"hex":"ff"},0],[false,0],[true,0]]}"#)
  }

  @Test("that is cut short, or in which a byte is another, is refused or the same")
  func damage() throws {
    var states = SavedStates()
    states.tables["p"] = LuaTable()
    states.tables["p"]?.append(.text("k"), .table(LuaTable(list: [.number(1.5), .bytes([0xFE])])))
    states.tables["p"]?.append(.number(0.5), .text("é\n"))
    let text = states.text
    for end in 0..<(text.count - 1) {
      #expect(throws: PluginProblem.self) { try Self.read(Array(text[..<end])) }
    }
    var random = Seeded(1)
    for place in text.indices {
      for _ in 0..<8 {
        var other = text
        other[place] ^= UInt8(1 + random.below(255))
        guard let read = try? Self.read(other) else { continue }
        #expect(read.text == text, "byte \(place)")
      }
    }
  }

  @Test(
    "that is something else is refused in words",
    arguments: [
      ("", "the saved state is damaged: byte 1: the text ends too early"),
      ("{}", "this is no saved state of plugins"),
      ("[1, 2", "the saved state is damaged: byte 6: ',' or ']' is needed"),
      ("{\"a\": 1, \"a\": 2}", "the saved state is damaged: byte 16: 'a' comes twice"),
      ("{\"format\":\"beacontrace\"}", "this is no saved state of plugins"),
      (
        "{\"format\":\"beacontrace-state\",\"version\":2}",
        "the saved state is of another version of beacontrace: this one reads version 1"
      ),
      (
        "{\"format\":\"beacontrace-state\",\"version\":1,\"plugins\":[]}",
        "the saved state is damaged: plugins or sha256 is missing"
      ),
      (
        "99999999999999999999",
        "the saved state is damaged: byte 21: '99999999999999999999' is no number, or too large"
      ),
      ("\u{22}\\x\u{22}", "the saved state is damaged: byte 4: an escape that is not written so"),
      (
        String(repeating: "[", count: 5000), "the saved state is damaged: byte 129: nested too deep"
      ),
    ])
  func foreign(_ text: String, _ why: String) {
    #expect {
      _ = try Self.read(Array(text.utf8))
    } throws: {
      "\($0)" == "saved.json: \(why); nothing is restored from it. Remove it to begin anew"
    }
  }

  @Test("state.save stays the function that it is") func saveIsNoTable() {
    #expect {
      try ReloadRun([("p", "state.save = { 'a' }")], heardAt: [0])
    } throws: { error in
      "\(error)".contains(
        "p.lua:1: state.save is a function that names what survives a restart: state.save(\"seen\")"
      )
    }
  }
}
