import Dispatch
import Glibc
import Synchronization

/// What the shell and the keyboard say to a run that has no end of its own.
final class StopSignals {
  private let sources: [any DispatchSourceSignal]
  private let state: SignalState

  /// From here on signals end nothing by themselves; `handle` says what they do.
  init() {
    let queue = DispatchQueue(label: "beacontrace.signals")
    let clock = ContinuousClock()
    let last = LastMoment()
    let state = SignalState()
    let onStop: @Sendable () -> Void = {
      // What sends a signal to a program and to its group sends it twice.
      if last.replace(by: clock.now).map({ clock.now - $0 < .milliseconds(300) }) == true { return }
      state.stop()
    }
    self.state = state
    sources = [(SIGINT, onStop), (SIGTERM, onStop), (SIGHUP, { state.hangUp() })].map {
      number, handler in
      // Dispatch only listens: the default is to die.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler(handler: handler)
      source.resume()
      return source
    }
  }

  /// What has come meanwhile is done at once.
  /// - Parameters:
  ///   - stop: SIGINT, SIGTERM.
  ///   - hurry: a second one of these: nothing is waited for any more. A third one ends the program at
  ///     once.
  ///   - hangUp: SIGHUP.
  func handle(
    stop: @escaping @Sendable () -> Void, hurry: @escaping @Sendable () -> Void,
    hangUp: @escaping @Sendable () -> Void
  ) {
    state.handle(SignalHandlers(stop: stop, hurry: hurry, hangUp: hangUp))
  }
}

private struct SignalHandlers: Sendable {
  let stop: @Sendable () -> Void
  let hurry: @Sendable () -> Void
  let hangUp: @Sendable () -> Void
}

/// What has come, and who is told.
private final class SignalState: Sendable {
  private struct State {
    /// Nil: what comes waits for them.
    var handlers: SignalHandlers?
    var stops = 0
    var hangsUp = false
  }

  private let state = Mutex(State())

  func handle(_ handlers: SignalHandlers) {
    let before = state.withLock { state in
      state.handlers = handlers
      return state
    }
    if before.hangsUp { handlers.hangUp() }
    if before.stops > 0 { handlers.stop() }
    if before.stops > 1 { handlers.hurry() }
  }

  func stop() {
    let now = state.withLock { state in
      state.stops += 1
      return state
    }
    switch now.stops {
    case 1: now.handlers?.stop()
    case 2: now.handlers?.hurry()
    // 128 + SIGINT, as shells count.
    default: exit(130)
    }
  }

  func hangUp() {
    let now = state.withLock { state in
      if state.handlers == nil { state.hangsUp = true }
      return state
    }
    now.handlers?.hangUp()
  }
}

/// When something happened last.
private final class LastMoment: Sendable {
  private let moment = Mutex<ContinuousClock.Instant?>(nil)

  /// - Returns: the one before.
  func replace(by new: ContinuousClock.Instant) -> ContinuousClock.Instant? {
    moment.withLock { moment in
      defer { moment = new }
      return moment
    }
  }
}
