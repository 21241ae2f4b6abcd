package import Analysis

/// An alert on its way out.
package struct AlertLine: Sendable {
  /// One JSON object, without the line's end.
  package let bytes: [UInt8]
  package let severity: Alert.Severity

  package init(bytes: [UInt8], severity: Alert.Severity) {
    self.bytes = bytes
    self.severity = severity
  }
}

/// What became of the alerts that a receiver was to get.
package struct DeliveryCounts: Equatable, Sendable {
  package var delivered = 0
  /// By reason; each alert is counted once.
  package var undelivered: [UndeliveredReason: Int] = [:]
  /// The same by severity.
  package var lost: [Alert.Severity: Int] = [:]
  /// Tries that failed, and that another one follows; of `retrying` alerts, which wait for it.
  package var missed = 0
  package var retrying = 0
  /// The latest thing that went wrong, in words; nil where nothing did.
  package var problem: String?
  /// Why what was to be opened anew is not, one clause: what was open before is written on; nil: nothing is wrong.
  package var notReopened: String?
  /// Bytes that receivers wrote and nobody was shown.
  package var bytesNotShown = 0

  package init() {}

  package var undeliveredTotal: Int { undelivered.values.reduce(0, +) }

  /// One more that was not delivered.
  mutating func lose(_ alert: AlertLine, _ reason: UndeliveredReason, _ detail: String) {
    undelivered[reason, default: 0] += 1
    lost[alert.severity, default: 0] += 1
    problem = detail
  }
}

/// Why a receiver did not get an alert.
package enum UndeliveredReason: String, CaseIterable, Sendable {
  /// More alerts came than it took, and waiting room is bounded: this one came then, or was the mildest.
  case queueFull = "queue_full"
  /// It could not be started.
  case notStarted = "not_started"
  /// It ended with another status than 0, or by a signal.
  case failed
  /// It was not done in time, and was ended.
  case timeout
  /// The run ended, and with it the time to wait.
  case runEnded = "run_ended"
  /// It could not be written.
  case writeError = "write_error"
}

/// Takes alerts out of the program. Whatever becomes of them, nobody waits for it.
package protocol Delivery: AnyObject, Sendable {
  /// As `Deliveries` names it, and to whom: `exec notify-send --urgency critical`.
  var name: String { get }
  /// Milder alerts are none of its.
  var least: Alert.Severity { get }
  /// Whether an alert that it does not take is given up after some ten minutes, and not at the end alone.
  var givesUp: Bool { get }
  /// Takes an alert; returns at once.
  func deliver(_ alert: AlertLine)
  /// Opens anew what another program may have moved away.
  func reopen()
  /// Nothing follows: waits so long for what is under way, then gives it up. Call once.
  func finish(waiting seconds: Double)
  /// Ends such a waiting, from any thread.
  func giveUp()
  /// Alerts that are on their way. From any thread.
  var waiting: Int { get }
  /// How long the one of them has waited that has waited longest, seconds. From any thread.
  var longestWait: Double { get }
  /// From any thread.
  var counts: DeliveryCounts { get }
}

extension Delivery {
  package var givesUp: Bool { true }
}

/// Why alerts cannot go where they were to.
package struct DeliveryProblem: Error, Equatable, Sendable {
  package let what: String
  /// What to do about it.
  package let remedy: String
  /// Something else is there, and stays as it is.
  package var isForeign = false
}

/// What all deliveries go by.
package struct DeliverySettings: Sendable {
  /// Milder alerts are not for them.
  package var least = Alert.Severity.info
  /// So many receivers run at once. One: of those that wait each gets the most severe first, then in their
  /// order.
  package var mostAtOnce = 1
  /// So many alerts wait.
  package var mostWaiting = 1000
  /// So long a receiver may take for one, seconds.
  package var timeout: Double = 30
  /// So long after a try that failed comes another, seconds: the first after the first, and so on. One that
  /// failed behind the last is given up.
  package var pauses = [1, 5, 15, 30] + [Double](repeating: 60, count: 9)
  package typealias Shower = @Sendable (ArraySlice<UInt8>) -> Void

  /// Whether what receivers write is thrown away.
  package var isQuiet = false
  /// Otherwise it goes there, in pieces as they come: to standard error.
  package var show: Shower = ChildOutput.showOnError
  /// So many bytes of that, of each receiver; the rest is counted.
  package var mostShown = 64 << 10
  /// Keeps what could not be delivered; nil for counting alone.
  package var undelivered: UndeliveredFile?

  package init() {}
}
