package import Analysis
import Dispatch
import Synchronization

/// Alerts to a file, a line each. Another program may move the file away (logrotate): `reopen`.
package final class AlertFile: Delivery {
  private struct State {
    var counts = DeliveryCounts()
    /// When those arrived that wait.
    var waiting: [ContinuousClock.Instant] = []
    var isOver = false
  }

  package let name: String
  private let settings: DeliverySettings
  private let file: Mutex<LineFile>
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "deliveries.file")

  /// Opens the file; what is in it stays.
  package init(_ path: String, _ settings: DeliverySettings = DeliverySettings())
    throws(DeliveryProblem)
  {
    name = "file \(path)"
    self.settings = settings
    file = Mutex(try LineFile(path))
  }

  package var least: Alert.Severity { settings.least }

  package var counts: DeliveryCounts { state.withLock { $0.counts } }

  package var waiting: Int { state.withLock { $0.waiting.count } }

  package var longestWait: Double {
    state.withLock { $0.waiting.first.map(Self.seconds(since:)) ?? 0 }
  }

  private static func seconds(since start: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - start) / .seconds(1)
  }

  package func deliver(_ alert: AlertLine) {
    let hasRoom = state.withLock { state in
      guard state.waiting.count < settings.mostWaiting else { return false }
      state.waiting.append(.now)
      return true
    }
    guard hasRoom else {
      return fail(alert, tries: 0, .queueFull, "\(settings.mostWaiting) alerts wait at most")
    }
    queue.async {
      let isLate = self.state.withLock { state in
        state.waiting.removeFirst()
        return state.isOver
      }
      if isLate { return self.fail(alert, tries: 0, .runEnded, "the file did not keep up") }
      if let problem = self.file.withLock({ $0.append(alert.bytes) }) {
        return self.fail(alert, tries: 1, .writeError, problem)
      }
      self.state.withLock { $0.counts.delivered += 1 }
    }
  }

  private func fail(
    _ alert: AlertLine, tries: Int, _ reason: UndeliveredReason, _ detail: String
  ) {
    state.withLock { $0.counts.lose(alert, reason, detail) }
    settings.undelivered?.keep(alert, receiver: name, tries: tries, reason: reason, detail: detail)
  }

  package func reopen() {
    queue.async {
      let problem = self.file.withLock { $0.reopen() }
      self.state.withLock { $0.counts.notReopened = problem }
    }
  }

  /// What waits is told as not delivered: the disk is not asked again.
  package func giveUp() { state.withLock { $0.isOver = true } }

  package func finish(waiting seconds: Double) {
    let group = DispatchGroup()
    queue.async(group: group) {}
    guard group.wait(timeout: .now() + seconds) == .timedOut else { return }
    state.withLock { $0.isOver = true }
  }
}
