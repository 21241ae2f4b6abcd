import Dispatch
import Exports
import Synchronization

/// Keeps alerts that could not be delivered: `{"receiver":"exec notify --loud",
/// "reason":"timeout","detail":"…","tries":14,"alert":{…}}`, a line each. Several deliveries may have one.
package final class UndeliveredFile: Sendable {
  private struct State {
    var waiting = 0
    var lost = 0
    var problem: String?
    var isFailing = false
    var notReopened: String?
  }

  /// Lines that may wait for the disk.
  private static let mostWaiting = 10_000

  package let path: String
  /// What a power cut took from the file that was there, a clause.
  package let damage: String?
  private let file: Mutex<LineFile>
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "deliveries.undelivered")

  package init(_ path: String) throws(DeliveryProblem) {
    self.path = path
    let lines = try LineFile(path)
    damage = lines.damage
    file = Mutex(lines)
  }

  /// Alerts that could not even be kept.
  package var lost: Int { state.withLock { $0.lost } }
  /// The latest.
  package var problem: String? { state.withLock { $0.problem } }
  /// The latest could not be kept.
  package var isFailing: Bool { state.withLock { $0.isFailing } }

  /// Why it is not opened anew, as of a delivery.
  package var notReopened: String? { state.withLock { $0.notReopened } }

  /// Takes an alert; returns at once.
  /// - Parameter tries: how often the receiver was to take it.
  func keep(
    _ alert: AlertLine, receiver: String, tries: Int, reason: UndeliveredReason, detail: String
  ) {
    let hasRoom = state.withLock { state in
      guard state.waiting < Self.mostWaiting else {
        state.lost += 1
        return false
      }
      state.waiting += 1
      return true
    }
    guard hasRoom else { return }
    queue.async {
      let line = Self.line(alert, receiver, tries, reason, detail)
      let problem = self.file.withLock { $0.append(line) }
      self.state.withLock { state in
        state.waiting -= 1
        state.isFailing = problem != nil
        guard let problem else { return }
        state.lost += 1
        state.problem = problem
      }
    }
  }

  private static func line(
    _ alert: AlertLine, _ receiver: String, _ tries: Int, _ reason: UndeliveredReason,
    _ detail: String
  ) -> [UInt8] {
    var text = ByteText()
    text.text("{\"receiver\":")
    text.jsonString(receiver)
    text.text(",\"reason\":")
    text.jsonString(reason.rawValue)
    text.text(",\"detail\":")
    text.jsonString(detail)
    text.text(",\"tries\":")
    text.int(tries)
    text.text(",\"alert\":")
    text.append(alert.bytes)
    text.text("}")
    return text.bytes
  }

  package func reopen() {
    queue.async {
      let problem = self.file.withLock { $0.reopen() }
      self.state.withLock { $0.notReopened = problem }
    }
  }

  /// Waits until everything is written. Call behind the deliveries' `finish`.
  package func finish() { queue.sync {} }
}
