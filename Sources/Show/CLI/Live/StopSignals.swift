import Dispatch
import Glibc
import Synchronization

/// What the shell and the keyboard say to a run that has no end of its own.
final class StopSignals {
  private let sources: [any DispatchSourceSignal]

  /// - Parameters:
  ///   - stop: SIGINT, SIGTERM.
  ///   - hurry: a second one of these: nothing is waited for any more. A third one ends the program at
  ///     once.
  ///   - hangUp: SIGHUP.
  init(
    stop: @escaping @Sendable () -> Void, hurry: @escaping @Sendable () -> Void,
    hangUp: @escaping @Sendable () -> Void
  ) {
    let queue = DispatchQueue(label: "beacontrace.signals")
    let asked = Notice()
    let askedAgain = Notice()
    let clock = ContinuousClock()
    let last = LastMoment()
    let onStop: @Sendable () -> Void = {
      // What sends a signal to a program and to its group sends it twice.
      if last.replace(by: clock.now).map({ clock.now - $0 < .milliseconds(300) }) == true { return }
      guard asked.raise() else { return stop() }
      // 128 + SIGINT, as shells count.
      guard !askedAgain.raise() else { exit(130) }
      hurry()
    }
    sources = [(SIGINT, onStop), (SIGTERM, onStop), (SIGHUP, hangUp)].map { number, handler in
      // Dispatch only listens: the default is to die.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler(handler: handler)
      source.resume()
      return source
    }
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
