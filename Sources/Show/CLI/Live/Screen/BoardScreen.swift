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
  }

  fileprivate struct State {
    var view = BoardView()
    var board = LiveBoard()
    /// What is held still.
    var held: LiveBoard?
    var events: [Told] = []
    var notices: [Told] = []
    /// The lines that stand there, and in what size.
    var drawn: [String] = []
    var size = (columns: 0, rows: 0)
    var lastOffset = 0
    var terminal: BoardTerminal?
  }

  private let state = Mutex(State())
  private let style: Style
  private static let mostEvents = 500
  private static let mostNotices = 200
  fileprivate static let new = Duration.seconds(1)

  init() { style = Style(colour: Terminal.hasColour) }

  /// Takes the terminal.
  /// - Parameter changed: a key was pressed, or the terminal came back: it is to be drawn.
  func begin(changed: @escaping @Sendable () -> Void) {
    Terminal.divert { [weak self] line in
      self?.notice(line)
      changed()
    }
    let terminal = BoardTerminal(
      pressed: { [weak self] bytes in
        if self?.press(bytes) == true { kill(getpid(), SIGINT) }
        changed()
      },
      resumed: { [weak self] in
        self?.state.withLock { $0.drawn = [] }
        changed()
      })
    state.withLock { $0.terminal = terminal }
  }

  /// Gives the terminal back; what was said of the run meanwhile is said again, below what was there.
  func end() {
    let (terminal, notices) = state.withLock { state in
      defer { state.terminal = nil }
      return (state.terminal, state.notices)
    }
    guard let terminal else { return }
    terminal.end()
    Terminal.divert(nil)
    for notice in notices { Terminal.tell(notice.text) }
  }

  /// Lines of events.
  func add(_ bytes: [UInt8]) {
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let now = ContinuousClock.now
    state.withLock { state in
      state.events += lines.map { Told(text: String($0), at: now) }
      state.events.removeFirst(max(0, state.events.count - Self.mostEvents))
    }
  }

  private func notice(_ line: String) {
    state.withLock { state in
      state.notices.append(Told(text: line, at: .now))
      state.notices.removeFirst(max(0, state.notices.count - Self.mostNotices))
    }
  }

  /// - Returns: whether the run is to end.
  private func press(_ bytes: [UInt8]) -> Bool {
    state.withLock { state in
      var ends = false
      for key in BoardKey.keys(bytes) {
        ends = state.view.press(key, lastOffset: state.lastOffset) || ends
      }
      state.held = state.view.isHeld ? state.held ?? state.full : nil
      return ends
    }
  }

  /// What the run is up to now.
  func put(_ board: LiveBoard) { state.withLock { $0.board = board } }

  /// Writes the lines that differ from those that stand there.
  func draw(to output: inout StandardOutput) throws {
    let bytes = state.withLock { state -> [UInt8] in
      guard state.terminal != nil else { return [] }
      let size = Terminal.size
      let board = state.held ?? state.full
      let (lines, lastOffset) = BoardText(
        board, state.view, style: style, width: size.columns, height: size.rows
      ).page
      state.lastOffset = lastOffset
      let isWhole = state.drawn.isEmpty || size != state.size
      var text = isWhole ? "\u{1B}[2J" : ""
      for (row, line) in lines.enumerated() where isWhole || state.drawn[row] != line {
        text += "\u{1B}[\(row + 1);1H\(line)\u{1B}[K"
      }
      (state.drawn, state.size) = (lines, size)
      return Array(text.utf8)
    }
    if !bytes.isEmpty { try output.write(bytes) }
  }
}

extension BoardScreen.State {
  /// The board with what was told.
  fileprivate var full: LiveBoard {
    let now = ContinuousClock.now
    func happening(_ told: BoardScreen.Told) -> LiveBoard.Happening {
      LiveBoard.Happening(told.text, isNew: now - told.at < BoardScreen.new)
    }
    var board = board
    board.events = events.map(happening)
    board.notices = notices.map(happening)
    return board
  }
}
