import Analysis
import LiveCapture

/// Keeps a scan of our own going while a live run goes on: controllers come and go, and others scan,
/// too.
final class ScanTending {
  /// The controller that is to scan; nil: any that is there.
  private let fixed: String?
  private let settings: ScanSettings
  private let powersUp: Bool
  private let takesOver: Bool
  private let tell: (String, Alert.Severity) -> Void
  private var session: ScanSession?
  private var pace = PacketRate.Pace(every: .seconds(1))
  /// What was said last, so that it is said once.
  private var lastProblem: ControllerProblem?
  /// Nobody scans on the controller, as far as is known: it cannot be begun, and is tried again.
  var isFailing: Bool { lastProblem.map { $0.kind != .busy } ?? false }

  /// - Parameter name: the controller that is to scan; nil: any that is there, and another one where it goes.
  init(
    _ name: String?, _ settings: ScanSettings, powersUp: Bool, takesOver: Bool,
    _ tell: @escaping (String, Alert.Severity) -> Void
  ) {
    fixed = name
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
    let any = (try? Controller.all()).flatMap(Controller.toScan)?.name ?? "hci0"
    return try ScanSession.start(
      on: fixed ?? any, settings, powersUp: powersUp, takesOver: takesOver)
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
        return try beginAnew()
      }
      guard session.look() != .running else { return }
      do throws(ControllerProblem) { try session.resume() } catch {
        guard fixed == nil, error.kind == .noController else { throw error }
        self.session = nil
        return try beginAnew(inPlaceOf: session.name)
      }
      tell("\(session.name) had stopped scanning; it scans again.", .notice)
      lastProblem = nil
    } catch {
      say(error)
    }
  }

  /// - Parameter gone: the controller that scanned before.
  private func beginAnew(inPlaceOf gone: String? = nil) throws(ControllerProblem) {
    let new = try begin()
    session = new
    lastProblem = nil
    if let gone {
      tell("\(gone) has gone: \(new.name) scans now.", .warning)
    } else {
      tell("\(new.name) scans now.", .notice)
    }
  }

  /// Ends the scan where it is ours.
  func end() {
    do throws(ControllerProblem) {
      try session?.stop()
    } catch {
      tell(error.lines(), .warning)
    }
  }

  private func say(_ problem: ControllerProblem) {
    guard problem != lastProblem else { return }
    lastProblem = problem
    tell(problem.lines("It is tried again every second."), .critical)
  }
}
