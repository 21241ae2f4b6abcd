import Dispatch
import Glibc

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
    let onStop: @Sendable () -> Void = {
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
