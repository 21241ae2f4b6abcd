import Dispatch
import Glibc

/// What the shell and the keyboard say to a run that has no end of its own.
final class StopSignals {
  private let sources: [any DispatchSourceSignal]

  /// - Parameters:
  ///   - stop: SIGINT, SIGTERM; a second one ends the program at once.
  ///   - hangUp: SIGHUP.
  init(stop: @escaping @Sendable () -> Void, hangUp: @escaping @Sendable () -> Void) {
    let queue = DispatchQueue(label: "beacontrace.signals")
    let asked = Notice()
    let onStop: @Sendable () -> Void = {
      // 128 + SIGINT, as shells count.
      if asked.raise() { exit(130) }
      stop()
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
