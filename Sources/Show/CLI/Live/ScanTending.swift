import LiveCapture

/// Keeps a scan of our own going while a live run goes on: controllers come and go, and others scan,
/// too.
final class ScanTending {
  private let name: String
  private let settings: ScanSettings
  private let powersUp: Bool
  private let takesOver: Bool
  private let tell: (String) -> Void
  private var session: ScanSession?
  private var pace = PacketRate.Pace(every: .seconds(1))
  /// What was said last, so that it is said once.
  private var lastProblem: ControllerProblem?

  init(
    _ name: String, _ settings: ScanSettings, powersUp: Bool, takesOver: Bool,
    _ tell: @escaping (String) -> Void
  ) {
    self.name = name
    self.settings = settings
    self.powersUp = powersUp
    self.takesOver = takesOver
    self.tell = tell
  }

  /// Begins. A controller that is not there yet, or scans for somebody else, is no reason not to run:
  /// that is told, and tried again.
  func start() throws(ControllerProblem) {
    do throws(ControllerProblem) {
      session = try begin()
    } catch {
      switch error.kind {
      case .noController, .down, .blocked, .busy, .noAnswer: say(error)
      default: throw error
      }
    }
  }

  private func begin() throws(ControllerProblem) -> ScanSession {
    try ScanSession.start(on: name, settings, powersUp: powersUp, takesOver: takesOver)
  }

  /// To be called some times a second.
  /// - Parameter isGone: the interface is not there just now.
  func tend(isGone: Bool) {
    // A socket on a controller that has gone keeps its number taken: what comes back would have another
    // one, and nothing would be captured any more. Looking closes it.
    guard !isGone else {
      _ = session?.look()
      return
    }
    guard pace.isDue() else { return }
    do throws(ControllerProblem) {
      guard let session else {
        self.session = try begin()
        lastProblem = nil
        return tell("\(name) scans now.")
      }
      guard session.look() != .running else { return }
      try session.resume()
      tell("\(session.name) had stopped scanning; it scans again.")
      lastProblem = nil
    } catch {
      say(error)
    }
  }

  /// Ends the scan where it is ours.
  func end() {
    do throws(ControllerProblem) {
      try session?.stop()
    } catch {
      tell(error.lines())
    }
  }

  private func say(_ problem: ControllerProblem) {
    guard problem != lastProblem else { return }
    lastProblem = problem
    tell(problem.lines("It is tried again every second."))
  }
}
