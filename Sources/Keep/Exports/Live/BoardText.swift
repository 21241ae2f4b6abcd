import Analysis
import CaptureReader
import Regions

/// A board as lines of a terminal: what the run is up to, beacons with a trace each, regions, what happened
/// last, and the keys. What is new within the last second is bold, and nothing else moves.
package struct BoardText {
  private let style: Style
  private let width: Int
  private let height: Int
  private let board: LiveBoard
  private let view: BoardView
  /// How far the run has come; before it says so, as far as a beacon does.
  private let now: Timestamp

  private static let widestName = 34
  private static let widestRegion = 18
  private static let signalWidth = 9
  private static let heardWidth = 11
  private static let shortestTrace = 8
  /// Narrower than that the terminal cuts.
  private static let leastWidth = 20
  private static let second: Int64 = 1_000_000_000
  /// Before what goes on below an event's line: behind its id.
  private static let hanging = 18
  /// Below so many rows there is room for beacons alone.
  private static let leastForAll = 14

  package init(_ board: LiveBoard, _ view: BoardView, style: Style, width: Int, height: Int) {
    self.board = board
    self.view = view
    let heard = board.beacons.map(\.last).filter(\.isKnown).max { $0.nanoseconds < $1.nanoseconds }
    now = board.now.isKnown ? board.now : heard ?? .none
    self.style = style
    self.width = max(Self.leastWidth, width)
    self.height = max(1, height)
  }

  /// As many lines as the terminal has rows, none wider than it, and how far one can move down.
  package var page: (lines: [String], lastOffset: Int) {
    let (sections, lastOffset) = self.sections
    let body = view.showsHelp ? help : sections
    let room = max(0, height - 2)
    let shown = body.prefix(room)
    let blanks = [String](repeating: "", count: room - shown.count)
    return (Array(([heading] + shown + blanks + [keys]).suffix(height)), lastOffset)
  }

  private var heading: String {
    let held = view.isHeld ? "HELD  " : ""
    return style.bold(held + board.status.line(max(1, width - held.columns), tellsInside: false))
  }

  private var keys: String {
    if view.isWriting {
      return cut("/" + TextColumns.printable(view.filter) + "▏  Enter keeps it, Esc takes it away")
    }
    let filter =
      view.filter.isEmpty ? "/ filter" : "only \"\(TextColumns.printable(view.filter))\" (Esc: all)"
    let hold = view.isHeld ? "space go on" : "space hold"
    return style.dim(cut("q end   \(filter)   s sort   \(hold)   ? help"))
  }

  private func cut(_ text: String) -> String { TextFit.cut(text, width) }

  // MARK: Room

  private var sections: (lines: [String], lastOffset: Int) {
    let beacons = shownBeacons
    let regions = board.regions.filter { view.shows($0.region) }
    let events = happenings
    let room = height - 2
    guard room >= Self.leastForAll else {
      let rows = max(0, room - 1)
      return (beaconLines(beacons, rows: rows), max(0, beacons.count - rows))
    }
    // Three headings, and a blank before each.
    let rows = Self.share(
      room - 6,
      [max(1, beacons.count), max(1, regions.count), max(1, events.reduce(0) { $0 + $1.count })])
    let lines =
      [""] + beaconLines(beacons, rows: rows[0]) + [""] + regionLines(regions, rows: rows[1]) + [""]
      + eventLines(events, rows: rows[2])
    return (lines, max(0, beacons.count - rows[0]))
  }

  /// Rows for each, of those there are: half of them for the first, and what some do not want for the
  /// others.
  static func share(_ rows: Int, _ wanted: [Int]) -> [Int] {
    let fair = [rows - rows / 4 * 2, rows / 4, rows / 4]
    var shares = zip(fair, wanted).map { min($0, $1) }
    for place in shares.indices {
      let left = rows - shares.reduce(0, +)
      shares[place] += min(left, wanted[place] - shares[place])
    }
    return shares
  }

  // MARK: Beacons

  private var shownBeacons: [BeaconTrace] {
    let named = board.beacons.filter { view.shows($0.name) }.sorted { $0.name < $1.name }
    switch view.order {
    case .name: return named
    case .signal:
      return Self.sorted(named) { $0.steadySignal(at: now) ?? -.infinity }
    case .heard: return Self.sorted(named) { BeaconTrace.column($0.last) }
    case .appeared: return Self.sorted(named) { $0.appeared.nanoseconds }
    case .silent: return Self.sorted(named) { -BeaconTrace.column($0.last) }
    }
  }

  /// The greatest first; equal ones stay in their order.
  private static func sorted<Key: Comparable>(
    _ beacons: [BeaconTrace], by key: (BeaconTrace) -> Key
  ) -> [BeaconTrace] {
    beacons.map { (key: key($0), beacon: $0) }.enumerated()
      .sorted { ($1.element.key, $0.offset) < ($0.element.key, $1.offset) }
      .map(\.element.beacon)
  }

  private func beaconLines(_ beacons: [BeaconTrace], rows: Int) -> [String] {
    let offset = max(0, min(view.offset, beacons.count - rows))
    let shown = beacons[offset..<min(beacons.count, offset + max(0, rows))]
    let name = shown.map(\.name.columns).max() ?? 0
    let most = width - 2 - Self.signalWidth - Self.heardWidth - 2 - Self.shortestTrace
    // Behind the longest trace there is room for more of it.
    let free = most + Self.shortestTrace - BeaconTrace.columns
    let nameWidth = max(min(name, max(Self.widestName, free), most), 8)
    let trace = max(
      0,
      min(BeaconTrace.columns, width - 2 - nameWidth - Self.signalWidth - Self.heardWidth - 2))
    guard !beacons.isEmpty else {
      let why = board.beacons.isEmpty ? "none heard" : "none with this text"
      return [style.bold("BEACONS"), cut("  " + why)]
    }
    return [beaconHeading(shown.count, from: offset, of: beacons.count, trace)]
      + shown.map { row($0, nameWidth, deafness(of: trace)) }
  }

  /// For each column of a trace whether the radio did not listen in its middle.
  private func deafness(of trace: Int) -> [Bool] {
    guard now.isKnown, !board.deaf.isEmpty else {
      return Array(repeating: false, count: trace)
    }
    let first = BeaconTrace.column(now) - Int64(trace) + 1
    return (0..<Int64(trace)).map { place in
      let middle = Int128(first + place) * Int128(BeaconTrace.step) + Int128(BeaconTrace.step / 2)
      return board.deaf.contains {
        Int128($0.from.nanoseconds) <= middle && middle < Int128($0.to.nanoseconds)
      }
    }
  }

  private func beaconHeading(_ shown: Int, from: Int, of all: Int, _ trace: Int) -> String {
    let which = shown < all ? "\(from + 1)–\(from + shown) of \(all)" : "\(all)"
    let more = board.notTraced > 0 ? ", others find no room" : ""
    let text = "  \(which), \(view.order.rawValue)\(more)"
    let span = TextColumns.duration(Int64(trace) * BeaconTrace.step)
    let right = "the last \(span)"
    let gap = width - 7 - text.columns - right.columns
    return style.bold("BEACONS")
      + (gap >= 2
        ? text + String(repeating: " ", count: gap) + right : TextFit.cut(text, width - 7))
  }

  private func row(_ beacon: BeaconTrace, _ name: Int, _ deaf: [Bool]) -> String {
    let levels = zip(beacon.levels(until: now, count: deaf.count), deaf)
    let signal = beacon.signal.map { Remarks.signed($0) + " dBm" } ?? "–"
    let text =
      TextColumns.row(
        "  " + TextColumns.left(TextFit.beacon(beacon.name, name), name),
        [signal, heard(beacon)], [Self.signalWidth, Self.heardWidth])
      + "  " + levels.map { Self.glyph($0, isDeaf: $1) }.joined()
    let age = age(beacon.appeared)
    return age.map { $0 < Self.second } == true ? style.bold(cut(text)) : cut(text)
  }

  /// Nanoseconds since a time; nil: it is not known.
  private func age(_ time: Timestamp) -> Int64? {
    guard time.isKnown, now.isKnown else { return nil }
    return max(0, now.nanoseconds.since(time.nanoseconds))
  }

  private func heard(_ beacon: BeaconTrace) -> String {
    guard let age = age(beacon.last) else { return "no time" }
    if age < 2 * Self.second { return "now" }
    if age < 60 * Self.second { return "\(age / Self.second) s ago" }
    return "\(age / (60 * Self.second)) min ago"
  }

  private static let glyphs = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  private static let weakest = -100
  private static let strongest = -40

  /// A column between the weakest and the strongest signal that one meets.
  static func glyph(_ level: BeaconTrace.Level, isDeaf: Bool) -> String {
    switch level {
    case .silent: return isDeaf ? " " : "·"
    case .heard: return "?"
    case .signal(let dBm):
      let place = (dBm - weakest) * glyphs.count / (strongest - weakest)
      return glyphs[max(0, min(glyphs.count - 1, place))]
    }
  }

  // MARK: Regions

  /// In the order of their definition; where not all have room, those that changed last come first.
  private func regionLines(_ regions: [LiveBoard.Standing], rows: Int) -> [String] {
    let inside = regions.count { $0.presence == .inside }
    guard !regions.isEmpty else {
      let why = board.regions.isEmpty ? "none yet" : "none with this text"
      return [style.bold("REGIONS"), cut("  " + why)]
    }
    let isCut = regions.count > rows
    let ordered =
      isCut ? regions.sorted { $0.since.nanoseconds > $1.since.nanoseconds } : regions
    let shown = ordered.prefix(rows)
    let name = shown.map { TextFit.name($0.region, Self.widestRegion).columns }.max() ?? 0
    let more = isCut ? " of \(regions.count); the \(rows) that changed last" : ""
    return [style.bold("REGIONS") + TextFit.cut("  inside \(inside)\(more)", width - 7)]
      + shown.map { row($0, name) }
  }

  private func row(_ standing: LiveBoard.Standing, _ name: Int) -> String {
    let age = age(standing.since)
    let since = age.map { " for " + TextColumns.duration($0) } ?? ""
    let state =
      switch standing.presence {
      case .inside: "inside" + since
      case .outside: "outside" + since + (standing.grade.isEmpty ? "" : " (\(standing.grade))")
      default: "not known yet"
      }
    let observer =
      standing.observer.isEmpty ? "" : "  at " + TextFit.observer(standing.observer, 18)
    let text = cut(
      "  " + TextColumns.left(TextFit.name(standing.region, Self.widestRegion), name) + "  " + state
        + observer)
    let isNew = standing.presence != nil && age.map { $0 < Self.second } == true
    return isNew ? style.bold(text) : text
  }

  // MARK: What happened

  /// The latest happenings, a few lines each, as many as there may be room for.
  private var happenings: [[LiveBoard.Happening]] {
    var found: [[LiveBoard.Happening]] = []
    var lines = 0
    for happening in board.happenings.reversed() where lines < height {
      guard happening.isNotice || view.shows(happening.text) else { continue }
      let wrapped = TextFit.wrap(
        happening.text, indent: 0, hanging: min(Self.hanging, width / 2), width: width)
      found.append(wrapped.map { LiveBoard.Happening($0, isNew: happening.isNew) })
      lines += wrapped.count
    }
    return found.reversed()
  }

  private func eventLines(_ happenings: [[LiveBoard.Happening]], rows: Int) -> [String] {
    let alert = board.lastAlert.isEmpty ? "" : "  last alert: " + board.lastAlert
    let heading = style.bold("EVENTS") + TextFit.cut(alert, width - 6)
    guard !happenings.isEmpty else {
      return [heading, cut(board.happenings.isEmpty ? "  none yet" : "  none with this text")]
    }
    return [heading]
      + latest(happenings, rows: rows).map {
        $0.isNew ? style.bold(cut($0.text)) : cut($0.text)
      }
  }

  /// The lines of those that come last. Of one that has not enough room its beginning, which says when and
  /// what it was.
  private func latest(
    _ happenings: [[LiveBoard.Happening]], rows: Int
  ) -> [LiveBoard.Happening] {
    var lines: [LiveBoard.Happening] = []
    for happening in happenings.reversed() where lines.count < rows {
      var shown = Array(happening.prefix(rows - lines.count))
      if let last = shown.last, shown.count < happening.count {
        shown[shown.count - 1] = LiveBoard.Happening(
          last.text.prefix(columns: width - 2) + " …", isNew: last.isNew)
      }
      lines = shown + lines
    }
    return lines
  }

  // MARK: Help

  private var help: [String] {
    let keys = [
      ("q", "ends the run, as Ctrl-C does: all is written, the summary follows"),
      ("/", "shows only what has this text in it; Esc shows all again"),
      ("s", "sorts beacons: by name, strongest, heard last, newest, silent longest"),
      ("space", "holds the screen still; the run goes on meanwhile"),
      ("↑ ↓", "move through the beacons; PgUp and PgDn by ten, Home to the first"),
      ("?", "this, and back"),
    ]
    let trace =
      "A beacon's trace: a column for 2 s, the latest at the right, its mean signal from "
      + "▁ (−93 dBm or less) to █ (−47 dBm or more); · not heard; ? heard without a signal; blank: "
      + "the radio did not listen. "
      + "Beacons leave the list when they were not heard for an hour. Bold is what is new within "
      + "the last second."
    return ["", style.bold("KEYS")]
      + keys.map { cut("  " + TextColumns.left($0.0, 8) + $0.1) } + [""]
      + TextFit.wrap(trace, indent: 0, width: width)
  }
}
