import CLuaGuard
import Testing

/// What a program finds, and that it finds the same each time.
@Suite struct SandboxTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let program: String
    let lines: [String]
    init(_ name: String, _ program: String, _ lines: [String]) {
      self.name = name
      self.program = program
      self.lines = lines
    }
    var testDescription: String { name }
  }

  static let cases = [
    Case(
      "pairs: 1…#t, other numbers, strings by bytes, booleans, then objects as they were made",
      """
      local first, second = {}, function() end
      local t = {b = 1, a = 2, ab = 3, [2.5] = 4, [-1] = 5, [true] = 6, [false] = 7, 10, 20}
      t[second] = "second" t[first] = "first" t[print] = "print"
      for k, v in pairs(t) do print(type(k) == "table" and "t" or type(k) == "function" and "f" or k, v) end
      """,
      [
        "1\t10", "2\t20", "-1\t5", "2.5\t4", "a\t2", "ab\t3", "b\t1", "false\t7", "true\t6",
        "t\tfirst", "f\tsecond", "f\tprint",
      ]),
    Case(
      "next goes the way of pairs",
      """
      local t = {x = 1, 5, [10] = 2, [{}] = 3}
      local k, v = next(t)
      while k do print(type(k) == "table" and "t" or k, v) k, v = next(t, k) end
      print(next({}) == nil)
      """, ["1\t5", "10\t2", "x\t1", "t\t3", "true"]),
    Case(
      "pairs passes over what is removed meanwhile, and does not meet what is added",
      """
      local t = {a = 1, b = 2, c = 3}
      for k in pairs(t) do print(k) t.b = nil t.d = 4 end
      local l = {1, 2, 3}
      for i in pairs(l) do print(i) l[i] = nil end
      """, ["a", "c", "1", "2", "3"]),
    Case(
      "Equal elements keep their order when sorted",
      """
      local t = {}
      for i = 1, 200 do t[i] = {key = i % 3, i = i} end
      table.sort(t, function(a, b) return a.key < b.key end)
      for i = 2, 200 do
        if t[i - 1].key == t[i].key and t[i - 1].i > t[i].i then print "moved" end
      end
      print(t[1].i, t[200].i)
      """, ["3\t200"]),
    Case(
      "A comparison that contradicts itself sorts somehow, and ends",
      """
      local t = {}
      for i = 1, 100 do t[i] = i end
      table.sort(t, function() return true end)
      local sum = 0
      for _, v in ipairs(t) do sum = sum + v end
      print(#t, sum)
      """, ["100\t5050"]),
    Case(
      "Texts of objects are numbered as they are asked for",
      "local a, b = {}, {} print(b, a, b) print(string.format('%s %p|%5s', a, b, true))",
      [
        "table: 0x00000001\ttable: 0x00000002\ttable: 0x00000001",
        "table: 0x00000002 table: 0x00000001| true",
      ]),
    Case(
      "Random numbers are those of the seed",
      """
      local a, b = math.random(1000), math.random(1000)
      math.randomseed()
      print(a == math.random(1000), b == math.random(1000))
      """, ["true\ttrue"]),
    Case(
      "The time is the capture's, in UTC", "print(os.time(), os.date('%F %T'), os.date('!%H', 0))",
      ["1700000000\t2023-11-14 22:13:20\t00"]),
    Case(
      "A time's fraction is no part of its date",
      "print(os.date('%F %T', 1700000000.9), os.date('%F %T', -0.5), os.date('%S', '7.5'))",
      ["2023-11-14 22:13:20\t1969-12-31 23:59:59\t07"]),
    Case(
      "A time without a date is refused",
      "for _, t in ipairs { 1e300, 0/0, 1/0 } do print((pcall(os.date, '%F', t))) end",
      ["false", "false", "false"]),
    Case(
      "Dates out of range are brought into order",
      """
      for _, d in ipairs {
        {2024, 1, 1}, {2024, 14, 1}, {2024, -3, 1}, {2023, 2, 29}, {2024, 3, 0}, {2000, 2, 29},
        {1969, 12, 31}, {1900, 3, 1}, {2100, 2, 29}, {2024, 0, 31}, {2024, 1, -400},
        {2024, 1, 1, 25, 61, 61}, {2024, 1, 1, -1, -1, -1},
      } do
        local t = {year = d[1], month = d[2], day = d[3], hour = d[4], min = d[5], sec = d[6]}
        print(table.concat({os.time(t), t.year, t.month, t.day, t.hour, t.min, t.sec, t.wday, t.yday}, " "))
      end
      """,
      [
        "1704110400 2024 1 1 12 0 0 2 1",
        "1738411200 2025 2 1 12 0 0 7 32",
        "1693569600 2023 9 1 12 0 0 6 244",
        "1677672000 2023 3 1 12 0 0 4 60",
        "1709208000 2024 2 29 12 0 0 5 60",
        "951825600 2000 2 29 12 0 0 3 60",
        "-43200 1969 12 31 12 0 0 4 365",
        "-2203848000 1900 3 1 12 0 0 5 60",
        "4107585600 2100 3 1 12 0 0 2 60",
        "1704024000 2023 12 31 12 0 0 1 365",
        "1669464000 2022 11 26 12 0 0 7 330",
        "1704160921 2024 1 2 2 2 1 3 2",
        "1704063539 2023 12 31 22 58 59 1 365",
      ]),
    Case(
      "A function from outside raises at the line that called it",
      "local t = 1\nprint(pcall(function()\nfail 'no such thing' end))",
      ["false\trule.lua:3: no such thing"]),
    Case(
      "Values go out and come back",
      """
      show(nil, true, 1, 1.5, 'x', {1, 2, a = {b = {}}}, print)
      local t = give {1, {x = 'y'}, [2.5] = false}
      print(t[1], t[2].x, t[2.5], give(math.mininteger), give(function() return 5 end)())
      """,
      [
        "nil true 1 1.5 'x' {1=1, 2=2, 'a'={'b'={}}} function",
        "1\ty\tfalse\t-9223372036854775808\t5",
      ]),
    Case("Global variables come from outside", "print(from_outside)", ["7"]),
    Case(
      "Expressions see the fields, then the libraries",
      """
      keep_expression "rssi == -50 and channel == 37 and time == nil"
      keep_expression "id == 'ibeacon:0' and math.type(frame) == 'integer' -- so it is"
      keep_expression "nothing"
      """, ["yes", "yes", "no"]),
  ]

  @Test("In the sandbox", arguments: cases)
  func sandbox(_ one: Case) {
    let trial = Trial(one.program, limits: Trial.wide)
    #expect(trial.status == GUARD_OK, "\(trial.message)")
    #expect(trial.lines == one.lines)
  }

  @Test(
    "An expression that is none says why",
    arguments: [
      ("rsi < 3", "--where:1: no field 'rsi'"),
      ("rssi = 3", "--where:1: <eof> expected near '='"),
      ("1) or (2", "--where:1: <eof> expected near ')'"),
      ("(function() x = 1 end)()", "--where:1: an expression cannot set 'x'"),
      ("", "it has to be one expression, such as rssi and rssi > -60"),
      ("rssi, id", "it has to be one expression, such as rssi and rssi > -60"),
      ("rssi <", "--where:1: unexpected symbol near <eof>"),
    ])
  func expression(_ text: String, _ message: String) {
    let trial = Trial("keep_expression [[\(text)]]")
    #expect(trial.status == GUARD_ERROR || trial.status == GUARD_SYNTAX)
    #expect(trial.message == message)
  }

  @Test("Fields of a sighting, asked once for a transmitter; copies outlive it")
  func fields() {
    let trial = Trial(
      """
      local kept
      keep(function(s)
        if s.frame > 2 then return end
        print(s.time, s.frame, s.report, s.rssi, s.channel, s.id, s.battery_mv, s.nothing, s.fields.tilt)
        s.fields.tilt = 9
        if kept then print(kept.id, kept.time, kept.nothing) end
        kept = s:copy()
        local names = {}
        for name in pairs(s) do names[#names + 1] = name end
        print(table.concat(names, " "), s)
      end)
      """, sightings: 4)
    #expect(trial.status == GUARD_OK, "\(trial.message)")
    #expect(
      trial.lines == [
        "1700000000.0\t1\t0\t-60\tnil\tibeacon:0\t2001\tnil\t1.5",
        "time frame report rssi id battery_mv fields\tsighting of frame 1",
        "1700000000.5\t2\t0\t-61\tnil\tibeacon:1\t2002\tnil\t1.5",
        "ibeacon:0\t1700000000.0\tnil",
        "time frame report rssi id battery_mv fields\tsighting of frame 2",
      ])
  }

  @Test("Functions that only read see in their tables what the others see in handles")
  func readers() {
    let program = """
      local sums = {}
      local function add(number) sums[#sums % 100 + 1] = (sums[1] or 0) * 31 + number & 0xffffff end
      KEEP(function(s)
        add(s.frame + (s.rssi or 9) + #s.id)
        if s.frame % 50 == 0 then add(s.battery_mv + s.fields.tilt // 1 | 0) end
        if s.frame % 997 == 0 then
          print(s.frame, s.id, s.rssi, s.channel, s.nothing, s.fields.tilt)
        end
      end)
      KEEP(function(s)
        local channel, id = s.channel, s.id
        if s.frame % 613 == 0 then
          show { evidence = s, channel = channel, id = id }
          print(give(s), s.time, s.report, table.concat(sums, " "))
        end
        if s.frame % 2000 < 40 then add((s.rssi or 0) + #s.id) end
      end)
      """
    let turns = Trial(
      program.replacing("KEEP", with: "keep_turns"), sightings: 1000, limits: Trial.wide)
    let readers = Trial(
      program.replacing("KEEP", with: "keep_reader"), sightings: 1000, limits: Trial.wide)
    #expect(turns.status == GUARD_OK, "\(turns.message)")
    #expect(readers.status == GUARD_OK, "\(readers.message)")
    #expect(readers.lines.count == 10 + 2 * 16)
    #expect(readers.lines == turns.lines)
  }

  @Test("A table that stands for a sighting dies with it, and names what it lacks")
  func readersOutOfTime() {
    // Nobody should call them readers; the guard holds all the same.
    let kept = Trial(
      "keep_reader(function(s) if t then print(t.id) end t = s end)", sightings: 1)
    #expect(kept.status == GUARD_OK && kept.lines.first == "ibeacon:1", "\(kept.message)")
    let late = Trial(
      "keep_reader(function(s) t = s end) keep_turns(function(s) print(t.id) end)", sightings: 1)
    #expect(late.status == GUARD_ERROR)
    #expect(late.message.contains("this sighting was over when its handler returned"))
    let meta = Trial("keep_reader(function(s) print(getmetatable(s)) s.x = 1 end)", sightings: 1)
    #expect(meta.lines == ["false"] && meta.message == "rule.lua:1: a sighting cannot be changed")
    let unknown = Trial("keep_reader(function(s)\n  return s.rsi\nend)", sightings: 1)
    #expect(unknown.message == "rule.lua:2: a sighting has no field 'rsi'")
  }

  @Test("An error has file, line and the way there, without C")
  func traceback() {
    let trial = Trial(
      "local function check(s)\n  return s.rssi + nil\nend\nkeep(function(s)\n  local x = check(s)\n  return x\nend)",
      sightings: 1)
    #expect(trial.status == GUARD_ERROR)
    #expect(trial.message == "rule.lua:2: attempt to perform arithmetic on a nil value")
    #expect(
      trial.traceback
        == "rule.lua:2: in upvalue 'check'\nrule.lua:5: in the function of line 4")
  }

  @Test("A text that is no Lua is told as such")
  func syntax() {
    let trial = Trial("local = 5")
    #expect(trial.status == GUARD_SYNTAX)
    #expect(trial.message == "rule.lua:1: <name> expected near '='")
  }

  @Test("The same program prints the same twice")
  func repeats() {
    let program = """
      local t = {}
      for i = 1, 300 do t["k" .. i * 7919 % 1000] = {} t[{}] = i end
      for k, v in pairs(t) do print(k, v) end
      for i = 1, 20 do print(math.random()) end
      """
    let first = Trial(program, limits: Trial.wide), second = Trial(program, limits: Trial.wide)
    #expect(first.lines.count > 500)
    #expect(first.printed == second.printed)
  }
}
