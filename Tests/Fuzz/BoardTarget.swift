import CaptureReader
import Exports
import Regions

/// The bytes are what happens to a board: beacons that are heard, regions, lines, keys, sizes, and clocks
/// that go anywhere. Whatever it is, a page has as many rows as the terminal, none wider than it.
enum BoardTarget {
  static let target = FuzzTarget(name: "board", seeds: { seeds }) { bytes in
    var scene = Scene(bytes)
    return scene.faults()
  }

  /// Pages of a board, in sizes between nothing and more than there is to show.
  static func faults(_ board: LiveBoard, _ view: BoardView, width: Int, height: Int) -> [String] {
    let page = BoardText(
      board, view, style: Style(colour: false), width: width, height: height
    ).page
    var faults = page.lines.flatMap { OutputCheck.text(Array($0.utf8), "row") }
    if page.lines.count != max(1, height) {
      faults.append("\(page.lines.count) rows of \(height)")
    }
    // Narrower than that the terminal cuts.
    let room = max(20, width)
    faults += page.lines.filter { $0.columns > room }.map {
      "\($0.columns) columns of \(width): \($0)"
    }
    if page.lastOffset < 0 { faults.append("last offset \(page.lastOffset)") }
    return faults
  }

  private static let second: Int64 = 1_000_000_000
  /// Where clocks do not stand, and where they do.
  private static let moments: [Int64] = [
    .min, .min + 1, -second, -1, 0, 1, 1_779_184_800 * second, .max - second, .max - 1, .max,
  ]
  private static let names = [
    "iBeacon b940…fe6d:1:1", "展示室", "cafe\u{301}", "👩\u{200D}🚀 on board",
    "https://museum.example/a-long-way/to/the/last/room", "", " ", "\u{301}",
  ]

  private struct Scene {
    private var rest: ArraySlice<UInt8>
    private var board = LiveBoard()
    private var view = BoardView()
    private var clock = Timestamp(nanoseconds: moments[6])
    private var size = (width: 80, height: 24)
    private var lastOffset = 0

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    private mutating func next() -> UInt8 { rest.popFirst() ?? 0 }
    private mutating func next(below limit: Int) -> Int { Int(next()) % limit }

    private mutating func text() -> String {
      let count = next(below: 64)
      defer { rest = rest.dropFirst(count) }
      return TextColumns.printable(String(decoding: rest.prefix(count), as: UTF8.self))
    }

    /// One of the moments, none, or some way from where the clock stands.
    private mutating func time() -> Timestamp {
      let number = next(below: 140)
      if number < moments.count { return Timestamp(nanoseconds: moments[number]) }
      if number == moments.count { return .none }
      let step = Int64(1) << Int64(number % 63)
      let (sum, isOutside) = clock.nanoseconds.addingReportingOverflow(number < 70 ? step : -step)
      return isOutside ? clock : Timestamp(nanoseconds: sum)
    }

    mutating func faults() -> [String] {
      var faults: [String] = []
      while !rest.isEmpty, faults.isEmpty {
        happen()
        faults += BoardTarget.faults(board, view, width: size.width, height: size.height)
      }
      return faults
    }

    private mutating func happen() {
      switch next(below: 9) {
      case 0, 1: hear()
      case 2:
        let presence: [RegionPresence?] = [.inside, .outside, .unknown, nil]
        board.regions.append(
          LiveBoard.Standing(
            region: text(), observer: names[next(below: names.count)],
            presence: presence[next(below: 4)], since: time(), grade: ["", "deaf"][next(below: 2)]))
      case 3:
        let (isNew, isNotice) = (next(below: 2) == 0, next(below: 2) == 0)
        board.happenings.append(LiveBoard.Happening(text(), isNew: isNew, isNotice: isNotice))
        board.lastAlert = next(below: 2) == 0 ? text() : ""
      case 4: board.deaf.append((time(), time()))
      case 5: press()
      case 6:
        (clock, board.now) = (time(), time())
        board.status.time = board.now.isKnown ? TextColumns.clock(board.now) : ""
      case 7: size = (next(below: 256), next(below: 80))
      default:
        board.status.name = text()
        (board.status.rate, board.status.lost) = (Int(next()), UInt64(next()))
        board.status.recordingProblem = next(below: 2) == 0 ? text() : ""
        board.notTraced = next(below: 2)
      }
    }

    private mutating func hear() {
      let place = next(below: 12)
      if place >= board.beacons.count {
        board.beacons.append(BeaconTrace(name: names[place % names.count]))
      }
      let number = min(place, board.beacons.count - 1)
      board.beacons[number].hear(time(), rssi: Int8(bitPattern: next()))
    }

    private mutating func press() {
      let count = next(below: 16)
      for key in BoardKey.keys(Array(rest.prefix(count))).keys {
        _ = view.press(key, lastOffset: next(below: 20))
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Scenes of a few hundred bytes, the same ones each time.
  private static var seeds: [[UInt8]] {
    var state: UInt64 = 1
    return (1...80).map { number in
      (0..<number * 6).map { _ in
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return UInt8(truncatingIfNeeded: state >> 56)
      }
    }
  }
}
