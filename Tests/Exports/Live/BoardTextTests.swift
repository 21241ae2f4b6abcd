import CaptureReader
import Regions
import Testing

@testable import Exports

@Suite("A board of a live run") struct BoardTextTests {
  private static let start: Int64 = 1_779_184_800_000_000_000
  private static func at(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: start + Int64(seconds * 1e9))
  }

  private static func trace(_ name: String, _ heard: [(Double, Int8)]) -> BeaconTrace {
    var trace = BeaconTrace(name: name)
    for (seconds, rssi) in heard { trace.hear(at(seconds), rssi: rssi) }
    return trace
  }

  private static func standing(
    _ name: String, _ presence: RegionPresence?, _ since: Double, grade: String = "",
    observer: String = ""
  ) -> LiveBoard.Standing {
    LiveBoard.Standing(
      region: name, observer: observer, presence: presence, since: at(since), grade: grade)
  }

  private static var board: LiveBoard {
    let rising = (0..<30).map { (place: Int) -> (Double, Int8) in
      (Double(place) * 2, Int8(-100 + place * 2))
    }
    var board = LiveBoard()
    board.status.name = "bluetooth0"
    board.status.time = "10:01:00"
    board.status.rate = 412
    board.now = at(59.9)
    board.beacons = [
      trace("iBeacon b940…fe6d:1:2", rising),
      trace("Eddystone-URL https://example.com/a-long-way", [(20, -70)]),
      trace("iBeacon b940…fe6d:1:1", [(59.5, 127)]),
    ]
    board.regions = [
      standing("hall", .inside, 2), standing("yard", .outside, 30, grade: "deaf"),
      standing("cellar", nil, 0),
    ]
    board.happenings = [
      LiveBoard.Happening("64be01ea24d07192  10:00:02.034  enter  hall", isNew: false),
      LiveBoard.Happening("966e350f72476f2d  10:00:30.600  exit   yard  deaf", isNew: true),
    ]
    return board
  }

  private static func lines(
    _ board: LiveBoard, keys: String = "", width: Int = 80, height: Int = 18, colour: Bool = false
  ) -> [String] {
    var view = BoardView()
    for key in BoardKey.keys(Array(keys.utf8)).keys { _ = view.press(key, lastOffset: 99) }
    return BoardText(
      board, view, style: Style(colour: colour), width: width, height: height
    ).page.lines
  }

  @Test("shows beacons with their traces, regions, and what happened")
  func whole() {
    let page = """
      bluetooth0  10:01:00  412/s

      BEACONS  3, by name                                                the last 44 s
        Eddystone-URL https://example.com…  -70 dBm   39 s ago  ··▅···················
        iBeacon b940…fe6d:1:1                     –        now  ·····················?
        iBeacon b940…fe6d:1:2               -42 dBm        now  ▃▃▃▃▄▄▄▅▅▅▅▆▆▆▆▇▇▇▇███

      REGIONS  inside 1
        hall    inside for 57 s
        yard    outside for 29 s (deaf)
        cellar  not known yet

      EVENTS
      64be01ea24d07192  10:00:02.034  enter  hall
      966e350f72476f2d  10:00:30.600  exit   yard  deaf


      q end   / filter   s sort   space hold   ? help
      """
    #expect(Self.lines(Self.board).joined(separator: "\n") == page)
  }

  @Test(
    "shows the digits that tell beacons of one place apart, and whole names where there is room")
  func namesInTheMiddle() {
    var board = Self.board
    board.beacons = (1...2).map {
      Self.trace("Eddystone-UID 8b0c…1a2f:00000000000\($0)", [(50, -60)])
    }
    let narrow = Self.lines(board)[3...4]
    #expect(narrow.first?.contains(":00000…0001 ") == true, "\(narrow)")
    #expect(narrow.last?.contains(":00000…0002 ") == true, "\(narrow)")
    let wide = Self.lines(board, width: 200)[3...4]
    #expect(wide.last?.contains("Eddystone-UID 8b0c…1a2f:000000000002 ") == true, "\(wide)")
    for width in 20...130 {
      #expect(Self.lines(board, width: width).allSatisfy { $0.columns <= width })
    }
  }

  @Test("shows of a long alert when it came and what it is, not its end alone")
  func longAlert() {
    var board = Self.board
    board.beacons = (1...20).map { Self.trace("iBeacon b940…fe6d:1:\($0)", [(50, -60)]) }
    let text = (1...80).map { "word\($0)" }.joined(separator: " ")
    board.happenings.append(
      LiveBoard.Happening("0123456789abcdef  10:00:40.000  alert  Title  \(text)", isNew: true))
    let lines = Self.lines(board, height: 24)
    let place = lines.firstIndex { $0.hasPrefix("EVENTS") }
    let events = lines[((place ?? 0) + 1)...].dropLast()
    #expect(
      events.first?.hasPrefix("0123456789abcdef  10:00:40.000  alert  Title") == true, "\(events)")
    #expect(events.last?.hasSuffix(" …") == true, "\(events)")
    #expect(lines.count == 24)
  }

  @Test("shows who was heard before the run says how late it is")
  func beforeTheClock() {
    var board = Self.board
    board.now = .none
    let rows = Self.lines(board)[3...5]
    #expect(rows.map { $0.hasSuffix("·") } == [true, false, false])
    #expect(rows.allSatisfy { !$0.contains("no time") } && rows[4].contains("   now  "))
  }

  @Test("stands in its columns whatever the letters of names")
  func letters() {
    var board = Self.board
    let names = ["展示室", "cafe\u{301}", "ガイド 🦖", "hall"]
    board.beacons = names.map { Self.trace($0, [(50, -60)]) }
    board.regions = names.map { Self.standing($0, .inside, 2) }
    board.happenings = [
      LiveBoard.Happening(String(repeating: "展示室の案内", count: 30), isNew: false)
    ]
    for width in [20, 41, 60, 80, 81] {
      let lines = Self.lines(board, width: width, height: 30)
      #expect(lines.allSatisfy { $0.columns <= width }, "\(lines)")
      for what in ["-60 dBm", "inside for"] where width >= 41 {
        let places = lines.compactMap { line in
          line.firstRange(of: what).map { line[..<$0.lowerBound].columns }
        }
        #expect(places.count == 4 && Set(places).count == 1, "\(lines)")
      }
    }
  }

  @Test("leaves blank what a radio that did not listen could not hear")
  func deaf() {
    var board = Self.board
    // The last one goes on.
    board.deaf = [(Self.at(30), Self.at(40)), (Self.at(52), Timestamp(nanoseconds: .max))]
    let traces = Self.lines(board)[3...5].map { String($0.suffix(22)) }
    #expect(traces[0] == "··▅····     ······    ")
    #expect(traces[1] == "·······     ······   ?")
  }

  @Test("stands at the ends of time", arguments: [Int64.max, .max - 1, .min, .min + 1, 0])
  func ends(_ time: Int64) {
    var board = Self.board
    board.now = Timestamp(nanoseconds: time)
    var trace = BeaconTrace(name: "late")
    trace.hear(board.now, rssi: -60)
    board.beacons.append(trace)
    board.deaf = [(Timestamp(nanoseconds: .min), Timestamp(nanoseconds: .max))]
    #expect(Self.lines(board).contains { $0.contains("late") })
  }

  @Test(
    "fills the terminal to the last row and no column beyond",
    arguments: [1, 2, 5, 15, 16, 17, 24, 60], [20, 40, 59, 60, 80, 200])
  func size(_ height: Int, _ width: Int) {
    var board = Self.board
    for number in 0..<50 { board.beacons.append(Self.trace("iBeacon \(number)", [(50, -60)])) }
    for number in 0..<20 {
      board.regions.append(Self.standing("room \(number)", .inside, 3, observer: "gateway-4"))
      board.happenings.append(LiveBoard.Happening(String(repeating: "x ", count: 70), isNew: false))
    }
    for keys in ["", "s", "?", "/room", " ", "jjjj"] {
      let lines = Self.lines(board, keys: keys, width: width, height: height)
      #expect(lines.count == height)
      #expect(lines.allSatisfy { $0.count <= width }, "\(lines)")
    }
  }

  @Test("moves through beacons that have no room, and says which they are")
  func moving() {
    var board = Self.board
    board.beacons = (10..<60).map { Self.trace("iBeacon \($0)", [(50, -60)]) }
    func heading(_ keys: String) -> String { Self.lines(board, keys: keys)[2] }
    #expect(heading("").hasPrefix("BEACONS  1–6 of 50, by name  "))
    #expect(heading("jj").hasPrefix("BEACONS  3–8 of 50, by name  "))
    #expect(Self.lines(board, keys: "jj")[3].hasPrefix("  iBeacon 12 "))
    // Not beyond the last one.
    #expect(heading(String(repeating: "j", count: 99)).hasPrefix("BEACONS  45–50 of 50"))
  }

  @Test("shows what changed last where not all regions have room, and which alert was the last")
  func manyRegions() {
    var board = Self.board
    board.regions = (0..<20).map {
      Self.standing("room \($0)", $0 % 5 == 4 ? .inside : .outside, Double($0 % 7))
    }
    board.lastAlert = "10:00:30 warning: the cellar is empty"
    let lines = Self.lines(board)
    let heading = lines.firstIndex { $0.hasPrefix("REGIONS") } ?? 0
    #expect(lines[heading] == "REGIONS  inside 4 of 20; the 5 that changed last")
    #expect(
      lines[(heading + 1)...(heading + 5)].map { $0.split(separator: " ")[1] }
        == ["6", "13", "5", "12", "19"])
    #expect(lines.contains("EVENTS  last alert: 10:00:30 warning: the cellar is empty"))
  }

  @Test("sorts beacons by what keys ask for", arguments: ["", "s", "ss", "sss", "ssss"])
  func sorting(_ keys: String) {
    var board = Self.board
    board.beacons = [
      Self.trace("a", [(0, -50), (52, -80), (59, -90)]), Self.trace("b", [(1, -60), (58, -61)]),
      Self.trace("c", [(30, -40)]),
    ]
    let names = Self.lines(board, keys: keys)[3...5].map { $0.split(separator: " ")[0] }
    let wanted = ["": "abc", "s": "bac", "ss": "abc", "sss": "bac", "ssss": "cab"][keys]
    // a came back at 52, b at 58, c at 30.
    #expect(names.joined() == wanted, "\(keys)")
  }

  @Test("shows only what has the filter's text in it")
  func filter() {
    let lines = Self.lines(Self.board, keys: "/HALL\r")
    #expect(lines.contains("  none with this text"))
    #expect(lines.contains("  hall  inside for 57 s"))
    #expect(!lines.contains { $0.contains("yard") || $0.contains("iBeacon") })
    #expect(lines.last == "q end   only \"HALL\" (Esc: all)   s sort   space hold   ? help")
  }

  @Test("makes bold what is new, and nothing else that changes")
  func bold() {
    var board = Self.board
    board.beacons[2] = Self.trace("new", [(59.5, -60)])
    board.regions[0] = Self.standing("hall", .inside, 59.5)
    let bold = Self.lines(board, colour: true).filter { $0.hasPrefix("\u{1B}[1m") }
    let rows = bold.filter { $0.contains("new ") || $0.contains("hall") || $0.contains("966e") }
    #expect(rows.count == 3)
    // The rest: the four headings.
    #expect(bold.count == 7)
  }

  @Test(
    "says that it is held; what is said of the run stands among the events, whatever the filter")
  func held() {
    var board = Self.board
    board.happenings += (0..<50).map { LiveBoard.Happening("event \($0)", isNew: false) }
    board.happenings.append(
      LiveBoard.Happening("beacontrace: bluetooth0 is gone", isNew: true, isNotice: true))
    let lines = Self.lines(board, keys: " ")
    #expect(lines[0] == "HELD  bluetooth0  10:01:00  412/s")
    #expect(lines.contains("beacontrace: bluetooth0 is gone"))
    #expect(lines.last?.contains("space go on") == true)
    let filtered = Self.lines(board, keys: "/hall\r")
    #expect(filtered.contains("beacontrace: bluetooth0 is gone"))
    board.happenings.removeLast()
    #expect(
      Self.lines(board, keys: "/nothing like that\r").contains { $0 == "  none with this text" })
  }

  @Test("has words for nothing at all")
  func empty() {
    let lines = Self.lines(LiveBoard())
    #expect(lines.contains("  none heard") && lines.count { $0 == "  none yet" } == 2)
  }
}
