import Analysis
import CaptureReader
import Deliveries
import Exports
import FoundationEssentials
import StateFile
import Synchronization

/// What there is to say of the run itself: lines on standard error, and where that was asked for alerts of
/// the program's own.
final class RunNotices: Sendable {
  private struct State {
    /// Nil: none are open yet; what is told waits for them.
    var receivers: [any Delivery]?
    var observer = ""
    var waiting: [AlertLine] = []
  }

  private let screen: LiveScreen
  private let givesAlerts: Bool
  private let state = Mutex(State())

  /// - Parameter givesAlerts: `--self-alerts`.
  init(_ screen: LiveScreen, givesAlerts: Bool) {
    self.screen = screen
    self.givesAlerts = givesAlerts
  }

  /// Receivers are there; they get what was told before.
  /// - Parameter observer: what the alerts name.
  func begin(_ receivers: [any Delivery], observer: String) {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.receivers = receivers
      state.observer = observer
      return state.waiting
    }
    for line in waiting { Self.send(line, to: receivers) }
  }

  /// What was said of what an earlier run left before there were receivers.
  func alert(of outputs: LiveSession.Outputs) {
    for warning in (outputs.state?.warnings ?? []) + outputs.damages {
      alert("\(warning).", .warning)
    }
  }

  /// A line, and an alert.
  /// - Parameters:
  ///   - line: sentences; a remedy on lines of its own.
  ///   - severity: of the alert; what is well again is a notice.
  ///   - besides: whom it is about, and who does not get it.
  func tell(_ line: String, _ severity: Alert.Severity, besides: (any Delivery)? = nil) {
    screen.tell("beacontrace: \(line)")
    alert(line, severity, besides: besides)
  }

  /// The alert alone, of what is told elsewhere.
  func alert(_ text: String, _ severity: Alert.Severity, besides: (any Delivery)? = nil) {
    send(text, severity) { $0 !== besides }
  }

  /// The alert alone, to one.
  func alert(_ text: String, _ severity: Alert.Severity, only receiver: any Delivery) {
    send(text, severity) { $0 === receiver }
  }

  /// - Parameter isFor: who is to get it, of those that are there; what is told before waits for all.
  private func send(
    _ text: String, _ severity: Alert.Severity, isFor: (any Delivery) -> Bool
  ) {
    guard givesAlerts else { return }
    let lines = text.split(separator: "\n", maxSplits: 1).map(String.init)
    let title = lines.first.map { $0.hasSuffix(".") ? String($0.dropLast()) : $0 } ?? ""
    let now = Timestamp(nanoseconds: Int64(Date().timeIntervalSince1970 * 1e9))
    let receivers: ([any Delivery], AlertLine)? = state.withLock { state in
      let alert = SelfAlert(
        time: now, severity: severity, title: title, text: lines.count > 1 ? lines[1] : nil,
        observer: state.observer)
      let line = AlertLine(bytes: alert.line, severity: severity)
      guard let receivers = state.receivers else {
        state.waiting.append(line)
        return nil
      }
      return (receivers, line)
    }
    guard let (all, line) = receivers else { return }
    Self.send(line, to: all.filter(isFor))
  }

  private static func send(_ line: AlertLine, to receivers: [any Delivery]) {
    for receiver in receivers where line.severity >= receiver.least { receiver.deliver(line) }
  }
}
