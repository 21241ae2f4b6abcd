import Plugins
import Testing

/// Lua's compiler names a sign; what somebody meant by it stands behind.
@Suite("Hints at what was meant by what is no Lua")
struct SyntaxHintTests {
  private static func handler(_ body: String) -> String {
    "on('sighting', function(s)\n\(body)\nend)"
  }

  private static let slips: [(String, String)] = [
    ("if s.major != 4 then print(1) end", "Lua writes ~= for unequal"),
    ("if !s.major then print(1) end", "Lua writes not for !"),
    ("if s.major == 4 || s.minor then print(1) end", "Lua writes or for ||"),
    ("if s.major == 4 && s.minor then print(1) end", "Lua writes and for &&"),
    ("local n = s.major > 4 ? 1 : 2", "Lua has no ? and :; write condition and one or other"),
    ("if s.major = 4 then print(1) end", "what is equal is written =="),
    ("if (s.major = 4) then print(1) end", "what is equal is written =="),
    ("alert(title = 'x')", "keys stand in braces, { key = value }; what is equal is written =="),
    ("n += 1", "Lua has no +=; write n = n + …"),
    ("t.n ..= 'x'", "Lua has no ..=; write t.n = t.n .. …"),
    ("n++", "Lua has no ++; write n = n + 1"), ("n == 1", "a value is given with a single ="),
    ("print(1) // once", "a comment begins with --"), ("# once", "a comment begins with --"),
    ("/* once */", "a comment stands between --[[ and ]]"),
    ("alert { title: 'x' }", "a key of a table is written with =, as in { title = … }"),
    ("alert { title: s.id }", "a key of a table is written with =, as in { title = … }"),
    ("alert { 'title': 'x' }", "a key of a table is written with =, as in { title = … }"),
    ("alert { title = 'x' text = 'y' }", "a comma is missing before text"),
    (
      "if (s.major == 4) {\n  print(1)\n}",
      "Lua has words for braces: if … then … end, function(s) … end"
    ),
    (
      "local f = function(x) { print(x) }",
      "Lua has words for braces: if … then … end, function(s) … end"
    ),
    ("print(“seen”)", "a text stands between \" and \", straight ones, not “"),
    ("print(`seen`)", "a text stands between \" and \""),
    ("print(1,\u{A0}2)", "a blank that is none stands there (U+00A0); write an ordinary one"),
    ("var n = 1", "Lua declares a variable with local"),
    ("if s.major then print(1) elif s.minor then print(2) end", "Lua writes elseif"),
    (
      "for i = 1, 3 do if s.major then continue end end",
      "Lua has no continue; write goto next, and ::next:: where the loop ends"
    ),
    ("if s.major then\nprint(1)", "an end is missing: that of line 4 closes the 'if' of line 2"),
    ("for i = 1, 3 do\nprint(i)", "an end is missing: that of line 4 closes the 'for' of line 2"),
    (
      "if s.major then print(1)\nelse if s.minor then print(2) end",
      "an end is missing: 'else if' of line 3 begins an if with an end of its own; write elseif"
    ),
  ]

  @Test("are those of plugin check", arguments: slips)
  func hints(_ body: String, _ hint: String) {
    let said = said(of: Self.handler(body))
    #expect(said.count == 1 && said[0].hasSuffix("; \(hint)"), "\(said)")
  }

  @Test(
    "are not given where nothing is known of a mistake",
    arguments: [
      "print(1))", "if s.major then then print(1) end", "local 4 = n", "local function f = 5",
      "local = 4", "alert { title = }", "x = @",
      "local t = { 1, 2\nprint(t)", "print('a", "for i in do end",
    ])
  func silent(_ body: String) {
    let said = said(of: Self.handler(body))
    #expect(said.count == 1 && !said[0].contains("; "), "\(said)")
  }

  private static let paired = "  if s.major then\n    x = 1\n  else if s.minor then\n    x = 2\n"

  @Test(
    "do not blame an else if that has both its ends",
    arguments: [
      // What is not closed begins behind it, or is closed behind it.
      (
        "\(paired)  end end\n  for i = 1, 3 do\n    x = i\nend)",
        "that of line 9 closes the 'for' of line 7"
      ),
      (
        "\(paired)  end\n  end\n  for i = 1, 3 do\n    x = i\nend)",
        "that of line 10 closes the 'for' of line 8"
      ),
      ("\(paired)  end end\n  for i = 1, 3 do\n    x = i\n", nil),
      // What is not closed is around it.
      ("\(paired)  end end\n  for i = 1, 3 do\n    x = i\n  end\n", nil),
      ("\(paired)  end\n  end\n", nil),
    ] as [(String, String?)])
  func elseIf(_ body: String, _ hint: String?) {
    let said = said(of: "on('sighting', function(s)\n\(body)")
    #expect(said.count == 1, "\(said)")
    guard let hint else { return #expect(said.first?.contains("; ") == false, "\(said)") }
    #expect(said.first?.hasSuffix("; an end is missing: \(hint)") == true, "\(said)")
  }

  @Test("blame one that has a single end, whatever stands behind it")
  func oneEnd() {
    let said = said(
      of: "on('sighting', function(s)\n\(Self.paired)  end\n  for i = 1, 3 do\n  end\nend)")
    #expect(said.first?.contains("'else if' of line 4 begins") == true, "\(said)")
  }

  @Test("stand in what a run says of a file that does not load, too", arguments: slips.prefix(8))
  func runs(_ body: String, _ hint: String) throws {
    let text = Self.handler(body)
    let problem = #expect(throws: PluginProblem.self) { try HostedRun([text], [[]]) }
    #expect(
      problem?.description
        == PluginCheck.findings(in: text, name: "a.lua").first?.line(file: "a.lua"))
  }

  @Test(
    "and the explanation of what fails while it loads",
    arguments: [
      (
        "local f = io.open('x')",
        "a.lua:1: attempt to index a nil value (global 'io'); there is no io in a plugin: nothing of the "
          + "machine can be reached"
      ),
      (
        "every('60s', function() end)",
        "a.lua:1: every: write every(seconds, function(now) … end); seconds in every has to be a number, not a string"
      ),
      (
        "local t\nprint(t.x, unkown)\nprint(1)",
        "a.lua:2: attempt to index a nil value (local 't'); it may be nil: "
          + "ask first whether it is there, if t then … end; unknown global 'unkown'"
      ),
      (
        "local n = 1\nprint(unkown)\nn.x.y = 1",
        "a.lua:3: attempt to index a number value (local 'n'); 'beacontrace plugin check a.lua' says more"
      ),
    ])
  func loading(_ text: String, _ sentence: String) {
    let problem = #expect(throws: PluginProblem.self) { try HostedRun([text], [[]]) }
    #expect(problem?.description == sentence)
  }

  @Test(
    "are those of expressions, too",
    arguments: [
      ("kind == 'a' || rssi", "unexpected symbol near '|'; Lua writes or for ||"),
      ("kind == 'a' && rssi", "unexpected symbol near '&'; Lua writes and for &&"),
      ("rssi != 4", "<eof> expected near '!'; Lua writes ~= for unequal"),
      ("kind = 'a'", "<eof> expected near '='; what is equal is written =="),
    ])
  func expressions(_ text: String, _ said: String) {
    let problem = #expect(throws: PluginProblem.self) {
      try WhereExpression(text, over: .sightings)
    }
    #expect(problem?.description == "--where '\(text)': \(said)")
  }
}

/// What a call failed on, and what to write.
@Suite("Hints behind calls that failed")
struct FailureHintTests {
  private static let place = "a.lua:1: "
  private static let first = "; it may be nil: ask first whether it is there, if "

  @Test(
    "name the field that is nil, and that texts are joined",
    arguments: [
      (
        "if s.battery_mv < 2400 then print(1) end",
        "attempt to compare nil with number; s.battery_mv is nil: ask first whether it is there, "
          + "'s.battery_mv and s.battery_mv < 2400'"
      ),
      (
        "if -60 < s.major and s.battery_mv > s.adv_count then print(1) end",
        "attempt to compare two nil values; s.battery_mv and s.adv_count are nil: ask first, as in "
          + "'s.battery_mv and s.adv_count and s.battery_mv > s.adv_count'"
      ),
      (
        "local n = s.battery_mv if n <= 2.5 then print(1) end",
        "attempt to compare nil with number; n is nil: ask first whether it is there, 'n and n <= 2.5'"
      ),
      (
        "print('battery ' .. s.battery_mv)",
        "attempt to concatenate a nil value (field 'battery_mv')\(first)s.battery_mv then … end"
      ),
      (
        "print('id ' + s.id)", "attempt to add a 'string' with a 'string'; texts are joined with .."
      ),
      (
        "print(s.fields.n)",
        "attempt to index a nil value (field 'fields')\(first)s.fields then … end"
      ),
      ("print(nil + 1)", "attempt to perform arithmetic on a nil value"),
    ])
  func told(_ body: String, _ sentence: String) throws {
    let text = "on('sighting', { kind = 'ibeacon' }, function(s) \(body) end)"
    let run = try HostedRun([text], [[HostedRun.Heard(at: 0)]])
    let line = try #require(run.lines.first)
    #expect(line.hasPrefix(Self.place + sentence + ", during sighting"), "\(line)")
  }
}
