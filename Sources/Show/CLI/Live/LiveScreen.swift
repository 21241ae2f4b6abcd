import Exports
import Glibc
import Synchronization

/// Standard output and the line of status below it, which nothing may tear: lines come out as they are
/// found, and the status keeps itself below the last one.
final class LiveScreen: Sendable {
  private struct State {
    var output = StandardOutput()
    /// What stands on standard error now; empty: nothing.
    var status = ""
    var shownAt: ContinuousClock.Instant?
    /// Nobody takes the lines any more.
    var isMute = false
  }

  private let state = Mutex(State())
  /// Whether there is a line of status at all.
  let hasStatus: Bool
  /// Whether a run is worth going on with when nobody takes its lines any more: others get what it
  /// finds, too.
  let outlivesReader: Bool
  private let clock = ContinuousClock()
  private static let least = Duration.milliseconds(200)

  init(hasStatus: Bool, outlivesReader: Bool) {
    self.hasStatus = hasStatus && Terminal.errorIsTerminal
    self.outlivesReader = outlivesReader
  }

  /// Lines, or parts of them that end in one.
  func write(_ bytes: [UInt8]) throws {
    try state.withLock { state in
      guard !state.isMute else { return }
      // Only a terminal would be torn.
      let isBelow = !state.status.isEmpty && Terminal.outputIsTerminal
      if isBelow { Terminal.tellInPlace("") }
      do {
        try state.output.write(bytes)
      } catch {
        guard outlivesReader else { throw error }
        state.isMute = true
        let why = (error as? OutputFailed).map { "cannot be written: \($0.reason)" } ?? "was closed"
        Terminal.tell("beacontrace: standard output \(why). The run goes on without it.")
      }
      if isBelow { Terminal.tellInPlace(state.status) }
    }
  }

  /// A line on standard error.
  func tell(_ line: String) {
    state.withLock { state in
      if !state.status.isEmpty { Terminal.tellInPlace("") }
      Terminal.tell(line)
      if !state.status.isEmpty { Terminal.tellInPlace(state.status) }
    }
  }

  /// Shows another status, a few times a second at most.
  /// - Parameter text: asked only when it is going to be shown.
  func show(_ text: () -> String) {
    guard hasStatus else { return }
    state.withLock { state in
      let now = clock.now
      if let shown = state.shownAt, now - shown < Self.least { return }
      state.shownAt = now
      let new = text()
      if new != state.status { Terminal.tellInPlace(new) }
      state.status = new
    }
  }

  /// Takes the status away.
  func finish() {
    state.withLock { state in
      if !state.status.isEmpty { Terminal.tellInPlace("") }
      state.status = ""
    }
  }
}

/// Standard output above the status.
struct ScreenOutput: TextOutput {
  let screen: LiveScreen

  mutating func write(_ bytes: [UInt8]) throws { try screen.write(bytes) }
}
