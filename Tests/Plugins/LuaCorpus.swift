import Plugins

/// Texts for the parser.
enum LuaCorpus {
  static let valid: [String] = [
    "", ";;;", "return", "return;", "return 1, 2, ...", "do end", "-- comment",
    "--[[ long\n]] return",
    "--[==[ ]] ]==] return 1", "--[ not long", "local a", "local a, b = 1", "local a <const> = 1",
    "local a <close> = nil", "local a <const>, b <close> = 1, nil", "a = 1", "a, b.c, d[1] = f()",
    "a.b.c = 1", "a:b()", "a.b:c 'x' {1}", "f{}", "f''", "f[[x]]", "f(1)(2)[3].x:y()", "(a).b = 1",
    "(f)()", "('x'):rep(3)", "local t = {1, 2; 3, x = 1, ['y'] = 2, [3] = 4, f(), ...}",
    "local t = {{}, {{}}}", "local t = {a = 1,}", "local t = {;}".replacing(";", with: ""),
    "if a then elseif b then else end", "while a do break end", "repeat local x = 1 until x == 1",
    "for i = 1, 2 do end", "for i = 1, 2, 3 do break end", "for k, v in pairs(t) do end",
    "for a, b, c in f, s, x do goto continue ::continue:: end", "function f() end",
    "function a.b.c:d(x, ...) return ... end", "local function f() return f() end",
    "local f = function(...) return ... end", "goto a ::a::", "::a:: goto a", "do goto a end ::a::",
    "do ::a:: end ::a::", "::a:: ::b:: ;", "do goto a; local x ::a:: end",
    "do goto a; local x ::a:: ; ::b:: end",
    "while true do if x then goto continue end local y = 1 ::continue:: end",
    "x = 1 + 2 - 3 * 4 / 5 // 6 % 7 ^ 8 .. 9", "x = 1 & 2 | 3 ~ 4 << 5 >> 6",
    "x = ~1 + -2 + #t + (not x)",
    "x = not not a == b ~= c <= d >= e < f > g and h or i", "x = 2^-3", "x = -x^2",
    "x = a.b['c']:d()",
    "x = 0", "x = 0xff", "x = 0xA.8p1", "x = 0x.8P-1", "x = 3.", "x = .5", "x = 3e2", "x = 3.1E-2",
    "x = 0x7fffffffffffffffffff", "x = 99999999999999999999",
    "x = 1..2".replacing("..", with: " .. "),
    "x = '\\a\\b\\f\\n\\r\\t\\v\\\\\\'\\\"'", "x = '\\x41\\65\\065\\u{41}\\u{7FFFFFFF}'",
    "x = 'a\\z  \n  b'",
    "x = 'a\\\nb'", "x = [==[ ]] ]=] ]==]", "x = [[\n\nx]]", "x = '\\0'",
    "local a <const> = 1; return a",
    "local function f(a, b, ...) local x = ... end", "return function() return end", "f()\n(g)()",
    "local _ENV = {} x = y", "a = b c = d", "local x = f() local y", "return (...)", "return -1",
    "local goto1 = 1", "x = a..b..c", "x = 1 --[[ x ]] + 2", "\t\u{B}\u{C}x = 1\r\ny = 2\n\rz = 3",
    "for i = 1, 2 do local i = i end", "local a = {f = function() end, [function() end] = 1}",
    "local t = {[1] = 1; 2}", "a[b][c] = d", "a.b, a.c = a.c, a.b", "f{x=1}.y = 2",
    "x = {}.y".replacing("{}", with: "({})"),
    "repeat goto c; ::c:: until true", "do local x <close> = f() end", "if x then return end",
    "while x do goto e end ::e::", "local x = 'ä€😀' -- ä€😀", "x = \"\\u{0}\"", "x = '\\\r\n'",
  ]

  static let invalid: [String] = [
    "x", "x.y", "1", "'x'", "f() = 1", "(a) = 1", "(f())", "a, f() = 1", "local 1", "local a.b = 1",
    "local function a.b() end", "if a end", "if a then", "while a", "while a do", "repeat",
    "repeat until",
    "for", "for i", "for i do end", "for i = 1 do end", "for i = 1, 2, 3, 4 do end",
    "for i in do end",
    "for a.b in x do end", "function", "function f", "function f( end", "function f(a,) end",
    "function f(..., a) end", "function f(1) end", "function a:b:c() end", "function a:b.c() end",
    "local f = function",
    "return return", "return 1 x = 2", "break", "goto", "goto x", "goto 1", "::a:: ::a::", "::a",
    "::1::",
    "do goto a; local x ::a:: x = 1 end", "goto a; local x ::a:: print(x)", "do ::a:: end goto a",
    "function f() goto a end ::a::", "while true do function f() break end end",
    "repeat if x then goto c end local y ::c:: until y", "x = ", "x = 1 +", "x = + 1", "x = 1 2",
    "x = (1",
    "x = {", "x = {1 2}", "x = {,}", "x = {[1]}", "x = {[1 = 2}", "x = {a.b = 1}", "x = a.",
    "x = a:", "x = a:b",
    "x = a.1", "x = a[", "x = a[1", "f(", "f(1", "f(1,)", "f(,)", "x = 'a", "x = \"a\n\"",
    "x = 'a\\q'",
    "x = '\\xg0'", "x = '\\x1'", "x = '\\256'", "x = '\\u{110000000}'", "x = '\\u41'",
    "x = '\\u{g}'", "x = '\\u{41'",
    "x = [[a", "x = [=[a]]", "x = [=a", "--[[ a", "x = 3x", "x = 0x", "x = 0xg", "x = 3e",
    "x = 3e+", "x = 1..2",
    "x = 0x1p", "x = 1.2.3", "x = 08_", "x = 3..2", "x = @", "x = a ! b", "x = a != b", "x += 1",
    "x++", "a ? b", "`a`",
    "local a <const> = 1 a = 2", "local a <close> = nil a = 2",
    "local a <const> = 1 function a() end",
    "local a <const> = 1 local function f() a = 2 end", "local a <foo> = 1", "local a <const = 1",
    "local a <close>, b <close> = nil", "function f() return ... end", "end", "else", "until x",
    "then",
    "local end = 1", "x = and 1", "x = 1 and", "x = not", "x = #", "x = a b",
    "x = function() end()", "'x':rep(3)",
    "{}.x = 1", "local x = {} .y", "x = ...y", "for i = 1, 2 do", "goto continue ::continue",
    "return ::a::",
    "x = } ", "x = ]", ") ", "a..b", "a == b", "\u{FEFF}x = 1", "x = ä", "#!/usr/bin/lua\nx = 1",
    "\\",
    "if x then else elseif y then end", "if x then else else end", "local local", "local x, = 1",
    "local function f() end = 1", "a.b:c = 1", "a:b().c", "f() g", "::a::b", "x = {a=1 b=2}",
    "do do end",
  ]

  /// Text, line, and what is said of it.
  static let messages: [(String, Int, String)] = [
    ("x =", 1, "unexpected symbol near <eof>"),
    ("if a then\nx = 1", 2, "'end' expected (to close 'if' at line 1) near <eof>"),
    ("x = (1", 1, "')' expected near <eof>"),
    ("x = 'abc", 1, "unfinished string near <eof>"),
    ("x = 'abc\n'", 1, "unfinished string near ''abc'"),
    ("x = 3x", 1, "malformed number near '3x'"),
    ("x.y", 1, "syntax error near <eof>"),
    ("for i do end", 1, "'=' or 'in' expected near 'do'"),
    ("local 1", 1, "<name> expected near '1'"),
    ("\nbreak", 2, "break outside a loop at line 2"),
    ("goto x", 1, "no visible label 'x' for goto at line 1"),
    ("::a::\n::a::", 2, "label 'a' already defined on line 2"),
    ("local a <const> = 1 a = 2", 1, "attempt to assign to const variable 'a'"),
    ("local a <foo> = 1", 1, "unknown attribute 'foo'"),
    ("function f() return ... end", 1, "cannot use '...' outside a vararg function near '...'"),
    ("--[[ a\n\n", 3, "unfinished long comment (starting at line 1) near <eof>"),
    ("x = '\\q'", 1, "invalid escape sequence near ''\\q'"),
    ("end", 1, "<eof> expected near 'end'"),
    ("x = a != b", 1, "unexpected symbol near '!'; Lua writes ~= for unequal"),
    ("x = @", 1, "unexpected symbol near '@'"),
    (
      "do goto a; local x ::a:: x = 1 end", 1,
      "<goto a> at line 1 jumps into the scope of local 'x'"
    ),
    ("\u{FEFF}x = 1", 1, "the file begins with a byte order mark; save it as UTF-8 without one"),
  ]

  /// Plugins and tests of the reference.
  static let examples: [String] = Reference.examples.flatMap {
    [$0.example.plugin, $0.example.test]
  }

  /// Numbers that are the same for the same seed.
  struct Draws: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }

  /// Examples in which pieces were taken out, doubled, or replaced by other words of Lua.
  static func mutations(seed: UInt64, count: Int) -> [String] {
    var draws = Draws(state: seed)
    let texts = examples + valid
    let words = [
      "end", "do", "function", "local", "(", ")", "{", "}", "[", "]", "=", ",", "..", "...", "'",
      "\"", "\n",
      "goto a", "::a::", "break", "return", "0x", "1e", "--", "[[", "]]", "\\", "<const>",
      "<close>", ":", ".",
      "until", "repeat", "for", "in", "if", "then", "nil", "~", "//", "_ENV", ";",
    ]
    return (0..<count).map { _ in
      var letters = Array(texts[Int.random(in: texts.indices, using: &draws)].utf8)
      for _ in 0..<Int.random(in: 1...3, using: &draws) {
        let from = Int.random(in: 0...letters.count, using: &draws)
        let to = min(letters.count, from + Int.random(in: 0...4, using: &draws))
        let word = Array(words[Int.random(in: words.indices, using: &draws)].utf8)
        letters.replaceSubrange(from..<to, with: Bool.random(using: &draws) ? word : [])
      }
      return String(decoding: letters, as: UTF8.self)
    }
  }

  static func noise(seed: UInt64, count: Int) -> [[UInt8]] {
    var draws = Draws(state: seed)
    return (0..<count).map { _ in
      (0..<Int.random(in: 0...200, using: &draws)).map { _ in
        UInt8.random(in: .min ... .max, using: &draws)
      }
    }
  }
}
