import Dispatch
import Exports
import Glibc
import Synchronization

/// Standard output and the line of status below it, which nothing may tear: lines come out as they are
/// found, and the status keeps itself below the last one.
///
/// Whoever captures must not wait for a terminal that stands still, or a pipe that nobody reads: lines
/// then wait on a queue, so many as fit, and the rest are counted; sightings leave room for what is rarer. What is to
/// be read on standard error does not wait for a reader of standard output.
final class LiveScreen: Sendable {
  private struct State {
    var output: StandardOutput
    /// What stands on standard error now; empty: nothing.
    var status = ""
    /// Nobody takes the lines any more.
    var isMute = false
    /// They could not be written, which is more than that nobody reads them.
    var isLost = false
    /// Nobody read them, and the run is to end.
    var isUnread = false
  }

  private struct Waiting {
    var bytes = 0
    var dropped = 0
    /// Of these.
    var sightings = 0
    /// Since when somebody is being waited for who takes what is written.
    var since: ContinuousClock.Instant?
    /// Lines for standard error, in their order.
    var told: [String] = []
    var shownAt: ContinuousClock.Instant?
    var failure: (any Error)?
    var statusIsWaiting = false
  }

  private let state: Mutex<State>
  /// Of whoever writes to a reader that does not read.
  private let readerPatience = ReaderPatience()
  private let waiting = Mutex(Waiting())
  /// Whether there is a line of status at all.
  let hasStatus: Bool
  /// Whether a run is worth going on with when nobody takes its lines any more: others get what it
  /// finds, too.
  private let outlivesReader: Bool
  /// In place of lines; nil: lines it is.
  private let board: BoardScreen?
  /// Nil: whoever writes waits.
  private let queue: DispatchQueue?
  /// Where the other one is stuck, and standard error is no part of it.
  private let aside = DispatchQueue(label: "beacontrace.screen.error")
  private let clock = ContinuousClock()
  private static let least = Duration.milliseconds(200)
  private static let mostWaiting = 16 << 20
  private static let mostSightingsWaiting = 8 << 20
  /// Nobody takes anything for so long: what is told does not wait any more.
  private static let longStuck = Duration.seconds(1)
  private static let patience = 2.0

  /// - Parameters:
  ///   - board: in place of lines; it takes the terminal when the run begins.
  ///   - mayDrop: nobody waits for whoever takes the lines.
  init(hasStatus: Bool, board: BoardScreen?, outlivesReader: Bool, mayDrop: Bool) {
    self.hasStatus = hasStatus && board == nil && Terminal.errorIsTerminal
    self.board = board
    self.outlivesReader = outlivesReader
    let isBeside = mayDrop || board != nil
    queue = isBeside ? DispatchQueue(label: "beacontrace.screen") : nil
    state = Mutex(
      State(
        output: StandardOutput(endsWithReader: true, patience: isBeside ? nil : readerPatience)))
  }

  /// The run is to end: whoever waits for a reader that does not read waits no longer than that. From any
  /// thread.
  func limitPatience(to most: Duration) { readerPatience.limit(to: most) }

  var hasBoard: Bool { board != nil }

  /// Takes the terminal, where there is a board.
  func begin() {
    board?.begin { [self] in run { self.draw() } }
  }

  private func draw() {
    guard let board else { return }
    state.withLock { state in
      guard !state.isMute else { return }
      do {
        try board.draw(to: &state.output)
      } catch {
        if !outlivesReader { waiting.withLock { $0.failure = error } }
        lose(error, &state)
      }
    }
  }

  /// Shows what the run is up to, a few times a second at most.
  /// - Parameter made: asked only when it is going to be shown.
  func show(board made: () -> LiveBoard) {
    guard let board, isDue() else { return }
    board.put(made())
    run {
      self.draw()
      self.waiting.withLock { $0.statusIsWaiting = false }
    }
  }

  /// Lines, or parts of them that end in one.
  /// - Parameter areSightings: others go before them where there is little room.
  func write(_ bytes: [UInt8], areSightings: Bool = false) throws {
    if let board {
      try check()
      return board.add(bytes)
    }
    guard let queue else { return try put(bytes) }
    try check()
    let fits = waiting.withLock { waiting in
      let most = areSightings ? Self.mostSightingsWaiting : Self.mostWaiting
      guard waiting.bytes + bytes.count <= most else {
        let lines = bytes.count { $0 == UInt8(ascii: "\n") }
        waiting.dropped += lines
        waiting.sightings += areSightings ? lines : 0
        return false
      }
      waiting.bytes += bytes.count
      return true
    }
    guard fits else { return }
    queue.async { [self] in
      let now = clock.now
      waiting.withLock { $0.since = now }
      do { try put(bytes) } catch { waiting.withLock { $0.failure = error } }
      waiting.withLock { waiting in
        waiting.since = nil
        waiting.bytes -= bytes.count
      }
    }
  }

  private func put(_ bytes: [UInt8]) throws {
    try state.withLock { state in
      guard !state.isMute else { return }
      // Only a terminal would be torn.
      let isBelow = !state.status.isEmpty && Terminal.outputIsTerminal
      if isBelow { Terminal.tellInPlace("") }
      do {
        try state.output.write(bytes)
      } catch is OutputUnread {
        (state.isMute, state.isUnread) = (true, true)
      } catch {
        guard outlivesReader else { throw error }
        lose(error, &state)
      }
      if isBelow { Terminal.tellInPlace(state.status) }
    }
  }

  /// Goes on without standard output.
  private func lose(_ error: any Error, _ state: inout State) {
    state.isMute = true
    state.isLost = error is OutputFailed
    let why = (error as? OutputFailed).map { "cannot be written: \($0.reason)" } ?? "was closed"
    Terminal.tell("beacontrace: standard output \(why). The run goes on without it.")
  }

  /// A line on standard error.
  func tell(_ line: String) {
    waiting.withLock { $0.told.append(line) }
    run {
      self.state.withLock { state in
        let lines = self.takeTold()
        guard !lines.isEmpty else { return }
        if !state.status.isEmpty { Terminal.tellInPlace("") }
        for line in lines { Terminal.tell(line) }
        if !state.status.isEmpty { Terminal.tellInPlace(state.status) }
      }
    }
    tellAside()
  }

  private func takeTold() -> [String] {
    waiting.withLock { waiting in
      defer { waiting.told = [] }
      return waiting.told
    }
  }

  /// What waits for standard error behind a standard output that nobody reads. On one terminal both stand still.
  private func tellAside() {
    guard queue != nil, !Terminal.outputIsTerminal, let stuck, stuck >= Self.longStuck else {
      return
    }
    aside.async { for line in self.takeTold() { Terminal.tell(line) } }
  }

  /// How long what is being written has not been taken.
  private var stuck: Duration? {
    let now = clock.now
    return waiting.withLock { $0.since.map { now - $0 } }
  }

  /// How it is with those who take the lines; nil where they are waited for.
  var standing: LiveReader.Standing? {
    guard queue != nil, board == nil else { return nil }
    tellAside()
    let now = clock.now
    return waiting.withLock { waiting in
      var standing = LiveReader.Standing()
      standing.notShown = waiting.dropped
      standing.stuck = waiting.since.map { (now - $0) / .seconds(1) } ?? 0
      return standing
    }
  }

  private func run(_ body: @escaping @Sendable () -> Void) {
    if let queue { queue.async(execute: body) } else { body() }
  }

  /// Shows another status, a few times a second at most.
  /// - Parameter text: asked only when it is going to be shown.
  func show(_ text: () -> String) {
    guard hasStatus, isDue() else { return }
    let new = text()
    run {
      self.state.withLock { state in
        if new != state.status { Terminal.tellInPlace(new) }
        state.status = new
      }
      self.waiting.withLock { $0.statusIsWaiting = false }
    }
  }

  private func isDue() -> Bool {
    waiting.withLock { waiting in
      let now = clock.now
      if waiting.statusIsWaiting { return false }
      if let shown = waiting.shownAt, now - shown < Self.least { return false }
      waiting.shownAt = now
      waiting.statusIsWaiting = true
      return true
    }
  }

  /// Whether everything could be written, and how many lines had no room before, and how many of these are sightings.
  typealias Shown = (isDone: Bool, dropped: Int, sightings: Int)

  /// Takes the status away, and waits a moment for what was not written yet.
  func finish() -> Shown {
    let clear: @Sendable () -> Void = {
      self.state.withLock { state in
        if !state.status.isEmpty { Terminal.tellInPlace("") }
        state.status = ""
      }
      self.board?.end()
    }
    guard let queue else {
      clear()
      return (state.withLock { !$0.isUnread }, 0, 0)
    }
    let group = DispatchGroup()
    queue.async(group: group, execute: clear)
    let isDone = group.wait(timeout: .now() + Self.patience) == .success
    if !isDone { Terminal.divert(nil) }
    return waiting.withLock { (isDone, $0.dropped, $0.sightings) }
  }

  /// Whether lines are missing that somebody was to have.
  var isLost: Bool { state.withLock { $0.isLost } }

  /// Nobody looks any more, and there is no other reason to go on.
  var isFailed: Bool { waiting.withLock { $0.failure != nil } }

  /// Throws what kept lines from going out.
  func check() throws {
    if let failure = waiting.withLock({ $0.failure }) { throw failure }
  }
}

/// Standard output above the status.
struct ScreenOutput: TextOutput {
  let screen: LiveScreen
  var areSightings = false

  mutating func write(_ bytes: [UInt8]) throws {
    try screen.write(bytes, areSightings: areSightings)
  }
}
