import Analysis
import Plugins
import Testing

/// Another text in the place of a plugin's while the run goes on.
@Suite("A plugin's text that is replaced", .timeLimit(.minutes(60)))
struct ReloadTests {
  /// Heard at 0 to 9 seconds, and half a second behind each: reloads fall in between.
  private static let heard = (0..<10).map { Double($0) + 0.5 }

  /// - Returns: the run, and what became of the text, given after the fifth sighting.
  private static func run(
    _ before: String, _ after: String, settings: [String: [String: String]] = [:],
    mayReload: Bool = true
  ) throws -> (run: ReloadRun, outcome: ReloadOutcome) {
    let file = try ReloadRun.file("p", after)
    var outcome: ReloadOutcome?
    let run = try ReloadRun(
      [("p", before)], heardAt: heard, settings: settings, mayReload: mayReload,
      [(5, { outcome = $0.reload(file) })])
    return (run, try #require(outcome))
  }

  @Test("counts on in `state`, which is there before the text runs")
  func state() throws {
    let (run, outcome) = try Self.run(
      """
      state.seen = { n = 0, who = {} }
      on("sighting", function(s)
        state.seen.n = state.seen.n + 1
        state.seen.who[s.address] = s.rssi + 0.5
      end)
      """,
      """
      plugin { version = "2" }
      state.seen = state.seen or error("nothing was carried over")
      local seen = state.seen
      on("sighting", function(s) seen.n = seen.n + 1 end)
      on("finish", function() print(seen.n, seen.who["c2:35:33:30:25:50"], type(state.save)) end)
      """)
    #expect(run.told.count == 1)
    #expect(run.told.first?.hasPrefix("p: replaced by version 2, SHA-256 ") == true)
    guard case .replaced(let rule, let notes) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(rule.version == "2" && notes.isEmpty)
    #expect(run.printed == ["10\t-59.5\tfunction"])
  }

  @Test("says what plugin check would say of it")
  func mistakes() throws {
    let (run, _) = try Self.run(
      "on('exit', function(e) end)", "on('exit', function(e)\n  print(e.grad)\nend)")
    #expect(
      run.told.suffix(1) == [
        "folder/p.lua:2: unknown field 'grad' in an exit event; did you mean 'grade'?"
      ])
  }

  @Test("names what of `state` is no data, and carries over the rest")
  func leftOut() throws {
    let (run, outcome) = try Self.run(
      """
      state.f, state.co = print, coroutine.create(print)
      state.deep = { 1, { f = print, n = 2 }, 3, [{}] = 1 }
      state.deep.self = state.deep
      state.object = setmetatable({ x = 1 }, { __index = { y = 2 } })
      state.twice, state["a b"] = { "t" }, 4
      state.again = state.twice
      on("sighting", function(s) state.s = s end)
      """,
      """
      on("finish", function()
        local deep = state.deep
        print(state.f, state.co, state.s, state["a b"])
        print(deep[1], deep[2].f, deep[2].n, deep[3], deep.self)
        print(state.object.x, state.object.y, state.twice[1], state.again[1])
      end)
      """)
    #expect(
      run.printed == ["nil\tnil\tnil\t4", "1\tnil\t2\t3\tnil", "1\tnil\tt\tt"])
    guard case .replaced(_, let notes) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(
      notes == [
        "state.co: a coroutine is left out",
        "state.deep[2].f: a function is left out",
        "state.deep.self: left out; the table contains itself",
        "state.deep[a table]: left out; keys are strings, numbers and booleans",
        "state.f: a function is left out",
        "state.s: a sighting is left out; its s:copy() would be kept",
        "state.object: its metatable is left out, what is in it is not",
        "state.twice: the same table as another one; a copy from now on",
      ])
    #expect(Array(run.told.dropFirst()) == notes.map { "p: \($0)" })
  }

  @Test(
    "goes on as it was where the new one does not load",
    arguments: [
      ("on(\"sighting\", function(s)", "p.lua:1: 'end' expected near <eof>"),
      ("local x = nil + 1", "p.lua:1: attempt to perform arithmetic on a nil value"),
      ("on(\"sighted\", print)", "p.lua:1: on: unknown event 'sighted'"),
      (
        "option \"depth\" { default = 5, max = 6 }",
        "p.lua:1: option 'depth': what was set is 7; at most 6"
      ),
      ("option \"height\" { default = 5 }", "--set p.depth: unknown option 'depth'"),
      (" \n", "folder/p.lua: the file is empty"),
      ("while true do end", "p.lua:1: "),
      ("require \"nowhere\"", "p.lua:1: module 'nowhere': "),
    ])
  func broken(_ text: String, _ why: String) throws {
    let (run, outcome) = try Self.run(
      """
      local depth = option "depth" { default = 5 }
      local n = 0
      on("sighting", function(s) n = n + 1 end)
      on("finish", function() print(n, depth) end)
      """, text, settings: ["p": ["depth": "7"]])
    #expect(run.printed == ["10\t7"])
    let sentence = try #require(run.told.first)
    #expect(outcome == .refused(sentence))
    #expect(run.told.count == 1)
    #expect(sentence.hasPrefix("p: not replaced, the text before goes on: \(why)"), "\(sentence)")
    #expect(run.timeline.judges[0].errorCount == 0)
  }

  @Test("is replaced whatever `state` holds, which may be more than one call could walk through")
  func largeState() throws {
    let (run, outcome) = try Self.run(
      """
      state.list = {}
      on("sighting", function()
        for i = 1, 180 do state.list[#state.list + 1] = { i } end
      end)
      """, "on(\"finish\", function() print(#state.list) end)",
      settings: ["p": ["instructions": "12000"]])
    guard case .replaced(_, notes: []) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let kept = try #require(run.printed.first.flatMap { Int($0) })
    #expect(kept > 0 && kept % 180 == 0, "\(run.printed)")
  }

  @Test("is refused for a name that no plugin has")
  func foreign() throws {
    let file = try ReloadRun.file("q", "print(1)")
    let run = try ReloadRun([("p", "print(0)")], heardAt: Self.heard, [(2, { $0.reload(file) })])
    #expect(run.printed == ["0"])
    #expect(
      run.told == [
        "q: not replaced, the text before goes on: unknown plugin 'q'; known are p"
      ])
  }

  @Test("tells nothing again that `once_per` holds back, and new alerts with its own SHA-256")
  func oncePer() throws {
    func text(_ more: String) -> String {
      """
      on("sighting", function(s)
        alert { title = "heard", once_per = 3600, severity = "info" }
        alert { title = "few", at_most = { 3, per = 3600 }, severity = "info" }
        \(more)
      end)
      """
    }
    let (run, outcome) = try Self.run(
      text(""), text("alert { title = 'new', once_per = 3600 }"))
    guard case .replaced(let rule, _) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(run.titles == ["0 heard", "0 few", "1 few", "5 new"])
    #expect(run.alerts.map { $0.rule == rule } == [false, false, false, true])
    let report = run.timeline.judges[0]
    #expect(report.rule == rule)
    #expect(report.alerts == 4 && report.heldBack == 10 + 10 + 5 - 4)
  }

  @Test("is on again after it was switched off; its errors stay counted")
  func switchedOff() throws {
    let loop = "for i = 1, 120 do after(0.001, function() error('x') end) end\n"
    let count = "on('sighting', function() state.n = (state.n or 0) + 1 end)\n"
    let (run, _) = try Self.run(loop + count, count + "on('finish', function() print(state.n) end)")
    #expect(run.told.contains("p: switched off after 100 errors in a row; everything else goes on"))
    #expect(run.printed == ["5"])
    let report = run.timeline.judges[0]
    #expect(report.errorCount == 100 && !report.isSwitchedOff)
  }

  @Test("begins its timers at once, and those of the text before end")
  func timers() throws {
    let (run, _) = try Self.run(
      "every(3, function(now) print('old', now % 100) end) after(7, function() print('late') end)",
      """
      every(2, function(now) print("new", now % 100) end)
      after(1, function(now) print("after", now % 100) end)
      """)
    // It comes into force at 5.5 seconds, as the first record is at 0.
    #expect(run.printed == ["old\t3.0", "after\t6.5", "new\t7.5", "new\t9.5"])
  }

  @Test("is told `start`, with the time of that, before anything else")
  func start() throws {
    let (run, _) = try Self.run(
      "on('start', function(e) print('old', e.time % 100) end)",
      """
      on("start", function(e)
        print("new", e.time % 100, e.captures[1], #e.regions)
        alert { title = "begun" }
      end)
      on("sighting", function(s) print(s.time % 100) end)
      """)
    #expect(run.printed.prefix(3) == ["old\t0.0", "new\t5.5\ta\t0", "5.5"])
    #expect(run.titles == ["5 begun"])
  }
}
