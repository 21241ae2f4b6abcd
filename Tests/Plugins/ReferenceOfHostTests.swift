import Plugins
import Regions
import Testing

/// What the reference says there is, and what the program takes: nobody can mend one alone.
@Suite("The reference and what plugins can do")
struct ReferenceOfHostTests {
  /// Calls with a key that nobody has: the refusal lists those that there are.
  static let calls: [(text: String, record: String)] = [
    ("plugin { qqqqqqqq = 1 }", "plugin"),
    ("option 'a' { qqqqqqqq = 1 }", "option"),
    ("message { qqqqqqqq = 1 }", "message"),
    ("subscribe { qqqqqqqq = 1 }", "subscription"),
    ("region 'a' { qqqqqqqq = 1 }", "region"),
    ("region 'a' { ibeacon = { qqqqqqqq = 1 } }", "region.ibeacon"),
    ("region 'a' { eddystone = { qqqqqqqq = 1 } }", "region.eddystone"),
    ("region 'a' { altbeacon = { qqqqqqqq = 1 } }", "region.altbeacon"),
    ("region 'a' { circle = { qqqqqqqq = 1 } }", "region.circle"),
    ("region 'a' { decoder = { qqqqqqqq = 1 } }", "region.decoder"),
    ("decoder 'a' { qqqqqqqq = 1 }", "decoder"),
    ("on('sighting', function(s) alert { qqqqqqqq = 1 } end)", "alert"),
  ]

  /// Words behind `known are` in what a plugin is told.
  static func known(_ text: String) throws -> Set<String> {
    var said = ""
    do throws(PluginProblem) {
      said = try HostedRun.lines([text], [[HostedRun.Heard(at: 0)]]).joined(separator: "\n")
    } catch {
      said = error.description
    }
    let line = try #require(
      said.split(separator: "\n").first { $0.contains("known are ") }, "\(said)")
    // An error in a handler says behind it when it was.
    let words = line.split(separator: " ").prefix { $0 != "during" }
    let start = try #require(words.firstIndex(of: "known")) + 2
    return Set(
      words[start...].joined().split { ",;".contains($0) }.map { word in
        String(word.prefix { $0.isLetter || $0.isNumber || $0 == "_" })
      })
  }

  @Test("have the same keys of each table", arguments: calls)
  func keys(_ call: (text: String, record: String)) throws {
    let record = try #require(Reference.record(call.record))
    #expect(try Self.known(call.text) == Set(record.fields.map(\.name)))
  }

  @Test("have the same keys of filters")
  func filters() throws {
    var taken: Set<String> = []
    for event in Reference.events {
      let text = "on('\(event.name)', { qqqqqqqq = 1 }, function(e) end)"
      // Nothing of an event that has no such key can be filtered.
      taken.formUnion((try? Self.known(text)) ?? [])
    }
    let record = try #require(Reference.record("filter"))
    #expect(taken == Set(record.fields.map(\.name)))
  }

  @Test("have the same events, severities and reserved options")
  func words() throws {
    #expect(
      try Self.known("on('qqqqqqqq', function(e) end)") == Set(Reference.events.map(\.name)))
    for name in Reference.reservedOptions {
      #expect(throws: PluginProblem.self) {
        try HostedRun(["option '\(name)' { default = 1 }"], [[]])
      }
    }
    let alert = "on('sighting', function(s) alert { title = 'a', severity = 'qqqqqqqq' } end)"
    let severity = try #require(Reference.record("alert")?.fields.first { $0.name == "severity" })
    #expect(
      severity.type
        == .words(
          try ["info", "notice", "warning", "critical"].filter {
            try Self.known(alert).contains($0)
          }))
  }

  @Test("have the same functions and fields of sightings")
  func names() throws {
    let functions = Reference.functions.filter { $0.place != .tests }.map(\.name)
    let missing = try HostedRun.lines(
      [
        functions.map { "if type(\($0)) ~= 'function' then print('\($0)') end\n" }.joined()
          + "on('sighting', function(s)\n"
          + Reference.sightingFields.map { "local _ = s.\($0.name)\n" }.joined() + "end)"
      ], [[HostedRun.Heard(at: 0)]])
    #expect(missing == [])
  }

  @Test("have the same fields of events")
  func eventFields() throws {
    let names = ["enter", "exit", "state", "observer", "start", "finish"]
    let handlers = names.map {
      "on('\($0)', function(e) for name in pairs(e) do print('\($0)', name) end end)\n"
    }
    let region = "hall=ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f:1:1,exit_after=2"
    let lines = try HostedRun(
      [handlers.joined()], [[0, 9000, 20_000].map { HostedRun.Heard(at: $0) }], regions: [region]
    ).lines
    for name in ["enter", "exit", "state", "start", "finish"] {
      let told = Set(
        lines.filter { $0.hasPrefix("a: \(name)\t") }.map { String($0.dropFirst(name.count + 4)) })
      let fields = try #require(Reference.event(name)).fields
      #expect(!told.isEmpty)
      #expect(told.subtracting(fields.map(\.name)) == [], "\(name)")
      let needed = fields.filter { !$0.isOptional }.map(\.name)
      #expect(Set(needed).subtracting(told) == [], "\(name)")
    }
  }
}
