import Analysis
import CaptureReader
import FrameDecoder
import Testing

@testable import Exports
@testable import Regions

@Suite struct EventsTests {
  private static let beacon =
    #""kind":"ibeacon","id":"f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7","#
    + #""uuid":"f7826da6-4fa2-4e98-8024-bc5b71e0893e","major":1,"minor":7"#
  private static let identity =
    #""address":"c2:35:33:30:25:50","address_type":"random_static","# + beacon

  /// One of each type: its name, the event, what NDJSON says behind `profile`.
  static func all(_ scene: inout TimelineScene) -> [(TimelineEvent, String)] {
    let number = scene.beacon
    scene.timeline.messages = [
      Timeline.Message(beacon: "b", namespace: "promo", type: "offer", content: "=1+1, \"now\"\n")
    ]
    scene.timeline.tracks = ["walk.gpx"]
    let place = #","evidence":[{"capture":"site.pcapng","frame":21877}]"#
    let sender = #","transmitter":{"# + identity + "}"
    func made(_ type: TimelineEventType, _ fill: (inout TimelineEvent) -> Void) -> TimelineEvent {
      var event = scene.event(type)
      event.evidence = [TimelineScene.evidence]
      fill(&event)
      return event
    }
    let entry = RangingEntry(
      transmitter: UInt32(number), identity: 0, address: DeviceAddress(0xC235_3330_2550, .random),
      proximity: .near, accuracy: Distance(metres: 2, interval: 1.5...2.5), rssi: -65.04,
      samples: 4,
      frame: CaptureFrame(capture: 0, frame: 7))
    let unknown = RangingEntry(
      transmitter: UInt32(number), identity: 0, address: .none, proximity: .unknown, accuracy: nil,
      rssi: nil, samples: 0, frame: CaptureFrame(capture: 0, frame: 5))
    return [
      (
        made(.state) {
          $0.state = .outside; $0.evidence = []
        },
        #","state":"outside","evidence":[]"#
      ),
      (
        made(.enter) {
          ($0.state, $0.transmitter, $0.crossedAt) = (.inside, number, TimelineScene.time(60))
        },
        #","state":"inside","crossed_at":"2026-05-19T10:01:00.000000000Z""# + sender + place
      ),
      (
        made(.exit) {
          ($0.state, $0.transmitter, $0.lastSeen) = (.outside, number, TimelineScene.time(31))
          $0.silence = TimelineScene.silence(
            .thin, heard: 50, scanOff: 0, gap: 0, chance: (102_400_000, 0.925, 0.0812))
        },
        #","state":"outside","last_seen":"2026-05-19T10:00:31.000000000Z","grade":"thin","#
          + #""others_heard_at":"2026-05-19T10:00:50.000000000Z","scan_off_s":0.000000,"#
          + #""record_gap_s":0.000000,"interval_ms":102.4,"loss":0.925,"#
          + #""silence_probability":0.081,"silent_transmitters":1"# + sender + place
      ),
      (
        made(.exit) {
          $0.state = .outside
          $0.silence = TimelineScene.silence(.deaf, scanOff: 1_500_000_000, gap: 40_000_000_000)
        },
        #","state":"outside","grade":"deaf","others_heard_at":null,"scan_off_s":1.500000,"#
          + #""record_gap_s":40.000000,"interval_ms":null,"loss":null,"silence_probability":null,"#
          + #""silent_transmitters":0"# + place
      ),
      (
        made(.proximity) {
          ($0.from, $0.to, $0.transmitter, $0.rssi) = (.near, .far, number, -80.25)
          $0.distance = Distance(metres: 11.234, interval: 8...15.5)
        },
        #","from":"near","to":"far","accuracy_m":11.23,"accuracy_min_m":8.00,"#
          + #""accuracy_max_m":15.50,"rssi":-80.3"# + sender + place
      ),
      (
        made(.proximity) { ($0.from, $0.to, $0.transmitter) = (.far, .unknown, number) },
        #","from":"far","to":"unknown","accuracy_m":null"# + sender + place
      ),
      (
        made(.ranging) { ($0.entries, $0.evidence) = ([entry, unknown], []) },
        #","entries":[{"# + identity
          + #","proximity":"near","accuracy_m":2.00,"accuracy_min_m":1.50,"accuracy_max_m":2.50,"#
          + #""rssi":-65.0,"samples":4,"capture":"site.pcapng","frame":7},{"address":null,"address_type":"none","#
          + beacon
          + #","proximity":"unknown","accuracy_m":null,"accuracy_min_m":null,"#
          + #""accuracy_max_m":null,"rssi":null,"samples":0,"capture":"site.pcapng","frame":5}],"evidence":[]"#
      ),
      (
        made(.messageFound) { $0.message = 0 },
        #","message":{"beacon":"b","namespace":"promo","type":"offer","#
          + #""content":"=1+1, \"now\"\n"}"# + place
      ),
      (
        made(.monitoringFailed) {
          $0.state = .unknown; $0.evidence = []
        },
        #","code":"region_monitoring_failure","state":"unknown","evidence":[]"#
      ),
      (
        made(.position) {
          $0.position = .init(
            latitude: 52.52, longitude: -13.405, course: 271.04, cause: .significantChange)
          $0.evidence = [.init(source: .track, file: 0, number: 7)]
        },
        #","latitude":52.5200000,"longitude":-13.4050000,"course_deg":271.0,"cause":"significant","#
          + #""evidence":[{"track":"walk.gpx","line":7}]"#
      ),
    ]
  }

  @Test func everyTypeAsNDJSON() throws {
    var scene = try TimelineScene()
    for (event, expected) in Self.all(&scene) {
      let line =
        #"{"id":"20c4e81f0b37a9d2","type":"\#(event.type.rawValue)","#
        + #""time":"2026-05-19T10:01:01.118000000Z","observer":"hci0","region":"lobby","#
        + #""profile":"site""# + expected + "}\n"
      #expect(try scene.written([event], "ndjson") == line)
    }
  }

  @Test func whatIsAboutNoRegionNamesNone() throws {
    var scene = try TimelineScene()
    var (event, _) = Self.all(&scene)[7]
    event.region = nil
    #expect(try !scene.written([event], "ndjson").contains("\"region\""))
    #expect(try scene.written([event], "csv").contains(",hci0,,site,"))
  }

  /// Cells of a line; quoted ones may hold commas, quotes and ends of lines.
  private static func cells(_ text: String) -> [[String]] {
    var rows: [[String]] = [[]]
    var cell = ""
    var isQuoted = false
    for character in text {
      switch character {
      case "\"":
        if isQuoted || cell.isEmpty { isQuoted.toggle() } else { isQuoted = true; cell += "\"" }
      case "," where !isQuoted: rows[rows.count - 1].append(cell); cell = ""
      case "\r\n" where !isQuoted: rows[rows.count - 1].append(cell); cell = ""; rows.append([])
      default: cell.append(character)
      }
    }
    return rows.dropLast()
  }

  @Test func cellsStandUnderTheirNames() throws {
    var scene = try TimelineScene()
    let events = Self.all(&scene).map(\.0)
    let rows = Self.cells(try scene.written(events, "csv"))
    #expect(rows.count == events.count + 1)
    #expect(rows.allSatisfy { $0.count == rows[0].count })
    func cell(_ row: Int, _ name: String) throws -> String {
      rows[row][try #require(rows[0].firstIndex(of: name))]
    }
    #expect(try cell(1, "state") == "outside")
    #expect(try cell(2, "transmitter_id") == "f7826da6-4fa2-4e98-8024-bc5b71e0893e:1:7")
    #expect(try cell(3, "silence_probability") == "0.081")
    #expect(try cell(4, "others_heard_at") == "")
    #expect(try cell(5, "accuracy_max_m") == "15.50")
    #expect(try cell(7, "entries").hasPrefix("[{\"address\":"))
    #expect(try cell(9, "code") == "region_monitoring_failure")
    #expect(try cell(10, "longitude") == "-13.4050000")
    #expect(try cell(10, "evidence") == #"[{"track":"walk.gpx","line":7}]"#)
  }

  @Test func noCellIsAFormula() throws {
    var scene = try TimelineScene()
    scene.timeline.observers[0].name = "@home"
    scene.timeline.regions[0].identifier = "=cmd|' /C calc'!A0"
    let event = Self.all(&scene)[7].0
    let row = Self.cells(try scene.written([event], "csv"))[1]
    #expect(row.contains("'@home") && row.contains("'=cmd|' /C calc'!A0"))
    #expect(row.contains("'=1+1, \"now\"\n"))
  }

  /// A field that no column bears would be left out without a word.
  @Test func everyFieldHasItsColumnInOrder() throws {
    var scene = try TimelineScene()
    for (event, _) in Self.all(&scene) {
      let places = EventFields(event, scene.names).fields.map {
        EventFields.names.firstIndex(of: "\($0.name)") ?? -1
      }
      #expect(places == places.sorted() && !places.contains(-1), "\(event.type.rawValue)")
    }
  }

  @Test func distancesWithoutBoundStayNumbers() throws {
    var scene = try TimelineScene()
    var event = Self.all(&scene)[4].0
    event.distance = Distance(metres: 1e23, interval: 2...Double.infinity)
    let line = try scene.written([event], "ndjson")
    #expect(line.contains(#""accuracy_m":1e+23,"accuracy_min_m":2.00,"accuracy_max_m":null"#))
  }

  @Test func linesForPeople() throws {
    var scene = try TimelineScene()
    let id = "20c4e81f0b37a9d2  10:01:01.118  "
    let events = Self.all(&scene).map(\.0)
    let text = try scene.written(events, "text")
    #expect(
      text == """
        2026-05-19 UTC
        \(id)state      lobby  outside
        \(id)enter      lobby  crossed 10:01:00.000, c2:35:33:30:25:50
        \(id)exit       lobby  thin, p = 0.081, last seen 10:00:31.000
        \(id)exit       lobby  deaf: the scan was off for 1 s of the exit period, nothing was recorded for 40 s, \
        no advertiser was heard
        \(id)proximity  lobby  near → far, 11 m (8.0–16), c2:35:33:30:25:50
        \(id)proximity  lobby  far → unknown, c2:35:33:30:25:50
        \(id)ranging    lobby  c2:35:33:30:25:50 near 2.0 m (1.5–2.5); none unknown
        \(id)message found  lobby  promo/offer "=1+1, "now"\\u{a}" of b
        \(id)monitoring failed  lobby  past the profile's limit
        \(id)position   lobby  52.52000, -13.40500, course 271°, significant change

        """)
  }

  @Test(arguments: [20, 60, 80, 200])
  func linesForPeopleFitTheTerminal(width: Int) throws {
    var scene = try TimelineScene(
      observers: [("north", 0, 600), ("south", 0, 600)],
      profiles: [Profiles.site, Profiles.ablLegacy])
    let events = Self.all(&scene).map(\.0)
    let text = try scene.written(events, "text", width: width)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= width })
    if width == 200 { #expect(text.contains("at north  site  ")) }
  }

  @Test("Reasons and titles of alerts go on below their line, whole")
  func wholeLines() throws {
    var scene = try AlertTests.scene(title: "Somebody came into the archive at night, and stayed")
    scene.timeline.alerts[0].text = "Call the guard."
    let alert = try #require(scene.timeline.events.last)
    #expect(
      try scene.written([alert], "text", width: 60) == """
        2026-05-19 UTC
        0000000000000001  10:01:01.000  alert      lobby  critical:
                          Somebody came into the archive at night,
                          and stayed (arrivals)
                          Call the guard.

        """)
    let enter = try #require(scene.timeline.events.first)
    #expect(
      try scene.written([enter], "text", width: 56).hasSuffix(
        "  enter      lobby\n                  c2:35:33:30:25:50\n"))
    let exits = Self.all(&scene).map(\.0).filter { $0.type == .exit }
    let text = try scene.written(exits, "text", width: 60)
    #expect(
      text.contains("nothing was recorded for 40 s, no\n                  advertiser was heard\n"),
      "\(text)")
  }
}

/// What happened to observers, in every form.
@Suite struct ObserverEventsTests {
  private static func scene() throws -> TimelineScene {
    var scene = try TimelineScene()
    var lost = scene.event(.observer, 60)
    (lost.deed, lost.packetsLost, lost.region) = (.lost, 12, nil)
    lost.evidence = [TimelineScene.evidence]
    scene.timeline.events.append(lost)
    var off = scene.event(.observer, 61)
    (off.deed, off.region) = (.captureOff, nil)
    scene.timeline.events.append(off)
    var exit = scene.event(.exit, 90)
    exit.silence = TimelineScene.silence(.deaf, heard: 60, captureOff: 20_000_000_000)
    scene.timeline.events.append(exit)
    return scene
  }

  private static func lines(_ form: String) throws -> [String] {
    let scene = try scene()
    let output = JSONWriterTests.Collector()
    var sink = try #require(EventExports.named(form)).open(output, nil)
    try sink.take(scene.timeline.events, scene.names)
    try sink.end()
    return output.string.replacing("\r\n", with: "\n").split(separator: "\n").map(String.init)
  }

  @Test func text() throws {
    let lines = try Self.lines("text")
    #expect(lines.contains { $0.hasSuffix("12 packets lost") && $0.contains("  observer ") })
    #expect(lines.contains { $0.hasSuffix("capturing stopped") })
    #expect(lines.contains { $0.contains("deaf: nothing was captured for 20") })
  }

  @Test func objects() throws {
    let lines = try Self.lines("ndjson")
    #expect(lines[0].contains(#""what":"lost","packets_lost":12,"evidence":[{"#))
    #expect(lines[1].contains(#""what":"capture_off","evidence":[]"#))
    #expect(!lines[1].contains("packets_lost"))
    #expect(lines[2].contains(#""capture_off_s":20"#))
  }

  @Test func columns() throws {
    let lines = try Self.lines("csv")
    #expect(
      lines[0].hasSuffix(
        ",what,packets_lost,capture_off_s,radio_share,radio_share_before,duplicates_filtered_s,"
          + "listed_only_s,entry_doubt,unheard_since,listened_before_s,rule_failures,gate_refused,gate_rssi,gate_refused_at,stamped,quiet_s"
      ))
    let cells = lines.map { $0.split(separator: ",", omittingEmptySubsequences: false).count }
    #expect(lines[1].hasSuffix(",lost,12,,,,,,,,,,,,,,"))
    #expect(lines[2].hasSuffix(",capture_off,,,,,,,,,,,,,,,"))
    #expect(lines[3].hasSuffix(",,20.000000,,,,,,,,,,,,,"), "\(lines[3])")
    #expect(cells[0] == cells[2])
  }

  @Test func chain() throws {
    let scene = try Self.scene()
    let chain = EventChain(scene.timeline.events[0], scene.names, [])
    #expect(chain.title.hasSuffix(": 12 packets lost"))
    #expect(chain.steps().contains(.evidence(label: "nearest frame")))
  }
}
