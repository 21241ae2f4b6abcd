import Analysis
import Beacons
import CaptureReader
import Regions
import Testing

@testable import Exports

@Suite struct AlertTests {
  /// A scene whose rules have said something.
  static func scene(_ count: Int = 1, title: String = "Arrived in lobby") throws -> TimelineScene {
    var scene = try TimelineScene()
    scene.timeline.isJudged = true
    var enter = scene.event(.enter, 60)
    enter.transmitter = scene.beacon
    enter.evidence = [TimelineScene.evidence]
    scene.timeline.events.append(enter)
    for place in 0..<count {
      var alert = Alert(
        time: TimelineScene.time(Double(61 + place)), severity: .critical, title: title,
        rule: Alert.Rule(plugin: "arrivals", version: "1.2", sha256: "00ff"))
      alert.text = "somebody, \"in\""
      alert.region = 0
      alert.transmitter = scene.beacon
      alert.fields = [
        ("count", .int(3)), ("flag", .flag(true)), ("level", .number(2.5)), ("name", .text("x,y")),
      ]
      alert.evidence = [TimelineScene.evidence]
      alert.events = [enter.id]
      alert.heldBack = place
      var event = scene.event(.alert, Double(61 + place))
      event.id = UInt64(place) + 1
      event.alert = place
      event.transmitter = alert.transmitter
      event.evidence = alert.evidence
      scene.timeline.alerts.append(alert)
      scene.timeline.events.append(event)
    }
    return scene
  }

  private static let object =
    #"{"id":"0000000000000001","type":"alert","time":"2026-05-19T10:01:01.000000000Z","#
    + #""region":"lobby","profile":"site","severity":"critical","title":"Arrived in lobby","#
    + #""text":"somebody, \"in\"","plugin":"arrivals","plugin_version":"1.2","#
    + #""plugin_sha256":"00ff","dedupe_key":"Arrived in lobby","held_back":0,"#
    + #""transmitter":{"address":"c2:35:33:30:25:50","address_type":"random_static","#
    + #""kind":"ibeacon","id":"f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7","#
    + #""uuid":"f7826da6-4fa2-4e98-8024-bc5b71e0893e","major":1,"minor":7},"#
    + #""fields":{"count":3,"flag":true,"level":2.5,"name":"x,y"},"#
    + #""events":["20c4e81f0b37a9d2"],"evidence":[{"capture":"site.pcapng","frame":21877}]}"#

  @Test("NDJSON has what a rule said, and whose it is")
  func ndjson() throws {
    let scene = try Self.scene()
    let alert = try #require(scene.timeline.events.last)
    #expect(try scene.written([alert], "ndjson") == Self.object + "\n")
  }

  @Test(
    "line breaks of an alert's text are lines, and no more than a stroke where there is one line")
  func lineBreaks() throws {
    var scene = try Self.scene(title: "Two\nlines")
    scene.timeline.alerts[0].text = "lobby  2\r\nhall\u{7}  1\n"
    let event = try #require(scene.timeline.events.last)
    let told = AlertLines(style: Style(colour: false), showsAll: true, width: 80).lines(
      scene.timeline)
    #expect(
      told.contains { $0.hasSuffix("0000000000000001") && $0.contains("Two / lines (arrivals)") })
    let text = told.drop { !$0.contains("Two / lines") }.dropFirst().map {
      $0.drop { $0 == " " }
    }
    #expect(text == ["lobby  2", "hall\\u{7}  1"])
    let line = try scene.written([event], "text")
    #expect(line.contains("critical: Two / lines (arrivals)\n"))
    #expect(line.contains("lobby  2 / hall\\u{7}  1\n"), "\(line)")
    let steps = EventChain(event, scene.names, []).steps()
    let words = steps.compactMap { step -> String? in
      if case .words("text", let words) = step { words } else { nil }
    }
    #expect(words == ["lobby  2\nhall\\u{7}  1"])
    #expect(
      ExplainText(width: 80).row("text", words[0]).map {
        $0.split(separator: " ").joined(separator: " ")
      }
        == ["text lobby 2", "hall\\u{7} 1"])
  }

  @Test("CSV has columns for alerts behind all others, also where nobody judged")
  func csv() throws {
    let scene = try Self.scene()
    let lines = try scene.written(scene.timeline.events, "csv").split(separator: "\r\n")
    #expect(
      lines[0].contains(
        ",evidence,severity,title,text,plugin,plugin_version,plugin_sha256,dedupe_key,held_back,"
          + "fields,events,what,packets_lost,"))
    // Ten columns of alerts, and sixteen of observers.
    let none = String(repeating: ",", count: 26)
    #expect(lines[1].hasSuffix(#""[{""capture"":""site.pcapng"",""frame"":21877}]""# + none))
    #expect(
      lines[2].hasSuffix(
        #",critical,Arrived in lobby,"somebody, ""in""",arrivals,1.2,00ff,Arrived in lobby,0,"#
          + #""{""count"":3,""flag"":true,""level"":2.5,""name"":""x,y""}","#
          + #""[""20c4e81f0b37a9d2""]""# + none.suffix(16)))
    // As many cells in each line, those in quotes aside.
    let commas = lines[1].count { $0 == "," } - 1
    #expect(lines[0].count { $0 == "," } == commas)
    var plain = scene
    plain.timeline.isJudged = false
    let header = try plain.written([scene.timeline.events[0]], "csv").split(separator: "\r\n")[0]
    #expect(header == lines[0])
  }

  @Test("A line for people")
  func text() throws {
    let scene = try Self.scene(2)
    let lines = try scene.written(scene.timeline.events, "text").split(separator: "\n")
    #expect(
      lines[2] == "0000000000000001  10:01:01.000  alert      lobby  "
        + "critical: Arrived in lobby (arrivals)")
    #expect(lines[3] == "                  somebody, \"in\"")
    #expect(lines[4].hasSuffix("critical: Arrived in lobby (arrivals), 1 held back before it"))
  }

  @Test("An alert of no observer says none, one of an observer which")
  func observers() throws {
    var scene = try Self.scene()
    let alert = try #require(scene.timeline.events.last)
    #expect(try !scene.written([alert], "ndjson").contains("observer"))
    scene.timeline.alerts[0].observer = 0
    #expect(try scene.written([alert], "ndjson").contains(#""observer":"hci0","region""#))
  }

  @Test("ALERTS in 80 columns: the first twenty, all with --all, none")
  func section() throws {
    var scene = try Self.scene()
    scene.timeline.outcomes[0].stays = []
    #expect(
      scene.text().contains(
        "10:01:01  critical  Arrived in lobby (arrivals)                 0000000000000001"))
    #expect(scene.text().contains("ALERTS    2026-05-19, UTC"))
    var many = try Self.scene(23)
    for place in 0..<23 { many.timeline.alerts[place].title = "Arrived \(place)" }
    #expect(many.text().count { $0.contains("(arrivals)") } == 20)
    #expect(many.text().contains("  …3 more: 3 critical (--all)"))
    #expect(many.text(all: true).count { $0.contains("(arrivals)") } == 23)
    scene.timeline.events[1].time = .none
    #expect(scene.text().contains("ALERTS    without a time"))
    #expect(scene.text().contains { $0.hasPrefix("--:--:--  critical  Arrived in lobby") })
    scene.timeline.alerts = []
    scene.timeline.events = []
    #expect(scene.text().contains("ALERTS    none"))
    scene.timeline.isJudged = false
    #expect(!scene.text().contains { $0.hasPrefix("ALERTS") })
  }

  @Test("Long titles are broken, and nothing goes beyond the width", arguments: [40, 80, 200])
  func widths(_ width: Int) throws {
    let scene = try Self.scene(
      title: "A very long title \u{7}" + String(repeating: "word ", count: 30))
    let lines = scene.text(width: width)
    let start = try #require(lines.firstIndex { $0.hasPrefix("ALERTS") })
    #expect(lines[start...].allSatisfy { $0.count <= width && !$0.contains("\u{7}") })
    #expect(lines.contains { $0.hasSuffix("0000000000000001") })
  }

  @Test("Where not all are shown, the severest are, in the order of their time")
  func severest() throws {
    var scene = try Self.scene(30)
    for place in 0..<30 {
      scene.timeline.alerts[place].severity = place % 3 == 0 ? .info : .notice
      scene.timeline.alerts[place].title = "Arrived \(place)"
    }
    scene.timeline.alerts[2].severity = .warning
    scene.timeline.alerts[29].severity = .critical
    let lines = scene.text()
    let shown = lines.filter { $0.contains("(arrivals)") }
    #expect(shown.count == 20)
    #expect(shown.count { $0.contains(" notice ") } == 18)
    #expect(shown.first?.contains("10:01:02  notice") == true)
    #expect(shown[1].contains("warning"))
    #expect(shown.last?.contains("10:01:30  critical") == true)
    #expect(lines.contains("  …10 more: 10 info (--all)"))
  }

  @Test("Where not all are shown, those that say the same are one, and the others have room")
  func alike() throws {
    var scene = try Self.scene(30)
    for place in 24..<30 { scene.timeline.alerts[place].title = "Another \(place)" }
    scene.timeline.alerts[3].severity = .info
    let lines = scene.text()
    // 23 that are critical and say the same, one that is milder, six others.
    #expect(lines.count { $0.contains("(arrivals)") } == 8)
    let first = try #require(lines.firstIndex { $0.hasPrefix("10:01:01  critical  Arrived") })
    #expect(lines[first + 2].hasSuffix("22 more like it, the last at 10:01:24 (--all)"))
    #expect(!lines.contains { $0.contains("…") && $0.contains("(--all)") })
    #expect(scene.text(all: true).count { $0.contains("(arrivals)") } == 30)
  }

  @Test("Its text stands below an alert, wrapped")
  func texts() throws {
    var scene = try Self.scene()
    scene.timeline.alerts[0].text = String(repeating: "silence ", count: 10) + "\u{7}"
    let lines = scene.text()
    let head = try #require(lines.firstIndex { $0.contains("(arrivals)") })
    let indent = String(repeating: " ", count: 20)
    #expect(lines[head + 1] == indent + String(repeating: "silence ", count: 7).dropLast())
    #expect(lines[head + 2] == indent + "silence silence silence \\u{7}")
  }

  @Test("Nothing is said of alerts where only sites were declared")
  func sites() throws {
    var scene = try Self.scene(0)
    var report = JudgeReport(rule: Alert.Rule(plugin: "site", version: "", sha256: ""))
    report.onlyDeclares = true
    scene.timeline.judges = [report]
    #expect(!scene.text().contains { $0.hasPrefix("ALERTS") })
    report.onlyDeclares = false
    scene.timeline.judges.append(report)
    #expect(scene.text().contains("ALERTS    none"))
  }

  @Test("What ended a plugin's calls is said in words")
  func failures() {
    var report = JudgeReport(rule: Alert.Rule(plugin: "p", version: "", sha256: ""))
    report.errors = [("error", 1), ("instructions", 2), ("memory", 1000)]
    #expect(
      ProblemText.line(report) == "plugin p: 1 003 of its calls failed (1 error, 2 at the limit of "
        + "instructions, 1 000 at the limit of memory).")
  }

  @Test("The head of the regions does not hide that some are left at another time")
  func ownExit() throws {
    var scene = try Self.scene(0)
    let head = "REGIONS   profile site, exit after 30 s"
    #expect(scene.text().contains { $0.hasPrefix(head) && !$0.contains("unless") })
    scene.timeline.regions[0].overrides.append(try ProfileOverride(name: "exit_after", "5"))
    #expect(scene.text().contains { $0.hasPrefix(head + " unless a region says otherwise") })
  }

  @Test("JSON of an analysis lists alerts where rules judged the run")
  func json() throws {
    func written(_ scene: TimelineScene) throws -> String {
      let collector = EventCollector()
      var json = JSONWriter(collector, lineDepth: 1)
      try json.timeline(scene.names)
      try json.finish()
      return collector.string
    }
    var scene = try Self.scene()
    #expect(try written(scene).contains(#""alerts": ["# + Self.object + "]"))
    scene.timeline.isJudged = false
    #expect(try !written(scene).contains("alerts"))
  }

  @Test("explain tells the rule, its fields, the frames and the events that it cites")
  func explain() throws {
    var scene = try Self.scene()
    scene.timeline.alerts[0].events.append(9)
    scene.timeline.alerts[0].heldBack = 2
    let alert = try #require(scene.timeline.events.last)
    let lines = ExplainText(width: nil).lines(
      Explanation(alert, scene.names, frames: [], captures: []))
    #expect(
      lines == [
        "critical alert of lobby at 2026-05-19 10:01:01.000 UTC: Arrived in lobby",
        "  rule                     plugin arrivals, version 1.2, sha256 00ff",
        "  text                     somebody, \"in\"",
        "  count                    3",
        "  flag                     yes",
        "  level                    2.5",
        "  name                     x,y",
        "  region                   ibeacon:f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7",
        "  held back before it      2 alerts (once_per, at_most)",
        "  cited frame              frame 21 877 of site.pcapng, which cannot be read",
        "                           again",
        "  cited event              enter of lobby at 2026-05-19 10:01:00.000 UTC by",
        "                           observer hci0 (profile site, exit after 30 s);",
        "                           20c4e81f0b37a9d2",
        "  therefore                the state was outside: this is an entry",
        "  and                      0000000000000009, which is not among the events of",
        "                           this run",
        "  event id                 0000000000000001",
      ])
  }

  private struct Rule: RegionPredicate {
    let text = "lua:crowded"
    func matches(_ candidate: RegionCandidate) -> Bool { false }
  }

  @Test("A region with a rule of its own names it")
  func rules() throws {
    var scene = try Self.scene()
    scene.timeline.regions[0].predicate = Rule()
    let lines = ExplainText(width: nil).lines(
      Explanation(scene.timeline.events[0], scene.names, frames: [], captures: []))
    #expect(lines.contains { $0.hasSuffix("lua:crowded takes this sighting") })
    #expect(lines.contains { $0.contains("contains=lua:crowded") })
  }
}
