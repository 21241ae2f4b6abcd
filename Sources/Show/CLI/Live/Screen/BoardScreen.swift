import Dispatch
import Exports
import Glibc
import Synchronization

/// A board on the terminal: what the run tells is put on it, keys change how it is looked at.
///
/// It draws from one queue only, which its owner has: `changed` asks for it.
final class BoardScreen: Sendable {
  /// What the run tells, with the moment when it did.
  fileprivate struct Told {
    let text: String
    let at: ContinuousClock.Instant
    let isNotice: Bool
  }

  fileprivate struct State {
    var view = BoardView()
    var board = LiveBoard()
    /// What is held still, and since when.
    var held: (board: LiveBoard, at: ContinuousClock.Instant)?
    var events: [Told] = []
    var notices: [Told] = []
    /// Notices that are not kept any more.
    var dropped = 0
    /// The lines that stand there, and in what size.
    var drawn: [String] = []
    var size = (columns: 0, rows: 0)
    var lastOffset = 0
    /// The beginning of a key's sequence.
    var unfinished: [UInt8] = []
    var terminal: BoardTerminal?
  }

  private let state = Mutex(State())
  private let style: Style
  private static let mostEvents = 500
  private static let mostNotices = 1000
  fileprivate static let new = Duration.seconds(1)
  /// Behind that an escape is a key, not the beginning of a sequence: milliseconds.
  private static let patience = 50

  init() { style = Style(colour: Terminal.hasColour) }

  /// Takes the terminal.
  /// - Parameter changed: a key was pressed, or the terminal came back: it is to be drawn.
  func begin(changed: @escaping @Sendable () -> Void) {
    Terminal.divert { [weak self] line in
      self?.notice(line)
      changed()
    }
    let terminal = BoardTerminal(
      pressed: { [weak self] bytes in self?.press(bytes, changed) },
      disturbed: { [weak self] in
        self?.state.withLock { $0.drawn = [] }
        changed()
      })
    state.withLock { $0.terminal = terminal }
  }

  /// Gives the terminal back; what was said of the run meanwhile is said again, below what was there.
  func end() {
    let (terminal, notices, dropped) = state.withLock { state in
      defer { state.terminal = nil }
      return (state.terminal, state.notices, state.dropped)
    }
    guard let terminal else { return }
    terminal.end()
    Terminal.divert(nil)
    if dropped > 0 { Terminal.tell("…\(TextColumns.counted(dropped, "line")) before these") }
    for notice in notices { Terminal.tell(notice.text) }
  }

  /// Lines of events.
  func add(_ bytes: [UInt8]) {
    let lines = Self.lines(bytes)
    let now = ContinuousClock.now
    state.withLock { state in
      state.events += lines.map { Told(text: $0, at: now, isNotice: false) }
      state.events.removeFirst(max(0, state.events.count - Self.mostEvents))
    }
  }

  private func notice(_ line: String) {
    // How wide a tab is depends on where it stands.
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
    let lines = Self.lines(Array(parts.joined(separator: "  ").utf8))
    let now = ContinuousClock.now
    state.withLock { state in
      state.notices += lines.map { Told(text: $0, at: now, isNotice: true) }
      let more = max(0, state.notices.count - Self.mostNotices)
      state.notices.removeFirst(more)
      state.dropped += more
    }
  }

  /// Without what moves the cursor.
  private static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n")).map { line in
      let text = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      return TextColumns.printable(String(decoding: text, as: UTF8.self))
    }
  }

  private func press(_ bytes: [UInt8], _ changed: @escaping @Sendable () -> Void) {
    let (keys, rest) = state.withLock { state in
      let (keys, rest) = BoardKey.keys(state.unfinished + bytes)
      state.unfinished = rest
      return (keys, rest)
    }
    press(keys)
    changed()
    guard rest.first == BoardKey.escapeByte else { return }
    DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Self.patience)) {
      [weak self] in
      let isKey = self?.state.withLock { state in
        defer { if state.unfinished == rest { state.unfinished = [] } }
        return state.unfinished == rest
      }
      guard isKey == true else { return }
      self?.press([.escape])
      changed()
    }
  }

  private func press(_ keys: [BoardKey]) {
    let ends = state.withLock { state in
      var ends = false
      for key in keys { ends = state.view.press(key, lastOffset: state.lastOffset) || ends }
      state.held = state.view.isHeld ? state.held ?? (state.board, .now) : nil
      return ends
    }
    // As Ctrl-C does.
    if ends { kill(getpid(), SIGINT) }
  }

  /// What the run is up to now.
  func put(_ board: LiveBoard) { state.withLock { $0.board = board } }

  /// Writes the lines that differ from those that stand there. Called from one queue at a time.
  func draw(to output: inout StandardOutput) throws {
    let (board, view, terminal) = state.withLock { ($0.shown, $0.view, $0.terminal) }
    guard let terminal else { return }
    let size = Terminal.size
    let (lines, lastOffset) = BoardText(
      board, view, style: style, width: size.columns, height: size.rows
    ).page
    try terminal.whileOnPage {
      let text = state.withLock { state in
        let isWhole = state.drawn.isEmpty || size != state.size
        var text = isWhole ? "\u{1B}[2J" : ""
        for (row, line) in lines.enumerated() where isWhole || state.drawn[row] != line {
          // Cleared first: behind a line as wide as the terminal its end would go, too.
          text += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)"
        }
        (state.drawn, state.size, state.lastOffset) = (lines, size, lastOffset)
        return text
      }
      if !text.isEmpty { try output.write(Array(text.utf8)) }
    }
  }
}

extension BoardScreen.State {
  /// The board with what was told. What is said of the run itself is never held back.
  fileprivate var shown: LiveBoard {
    let now = ContinuousClock.now
    let told = events.filter { $0.at <= (held?.at ?? now) } + notices
    var shown = held?.board ?? board
    // Those of one moment stay in their order.
    shown.happenings = told.enumerated()
      .sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map {
        LiveBoard.Happening(
          $0.element.text, isNew: now - $0.element.at < BoardScreen.new,
          isNotice: $0.element.isNotice)
      }
    return shown
  }
}
