package import CaptureReader

/// How a live run goes, for programs that watch over it: `--status FILE`.
package struct LiveHealth: Sendable {
  /// A file that the run writes beside its lines.
  package struct Kept: Sendable {
    package let path: String
    /// Why it does not get what it is to have just now, one clause; nil: nothing is wrong.
    package let problem: String?

    package init(_ path: String, problem: String?) {
      self.path = path
      self.problem = problem
    }
  }

  /// Somebody who gets alerts.
  package struct Receiver: Sendable {
    package let name: String
    package let delivered: Int
    package let waiting: Int
    /// How long one of them has waited at most, seconds, and whether that is long.
    package let longestWait: Double
    package let isLate: Bool
    package let undelivered: Int
    /// The last one was not delivered, or some wait for another try: why.
    package let problem: String?

    package init(
      _ name: String, delivered: Int, waiting: Int, isLate: Bool = false, longestWait: Double = 0,
      undelivered: Int, problem: String?
    ) {
      self.name = name
      self.delivered = delivered
      self.waiting = waiting
      self.isLate = isLate
      self.longestWait = longestWait
      self.undelivered = undelivered
      self.problem = problem
    }
  }

  package struct Rule: Sendable {
    package let name: String
    package let isOn: Bool
    package let errors: Int
    /// Why the text that is in its file now is not the one that judges.
    package let notReplaced: String?

    package init(_ name: String, isOn: Bool, errors: Int, notReplaced: String? = nil) {
      self.name = name
      self.isOn = isOn
      self.errors = errors
      self.notReplaced = notReplaced
    }
  }

  package var status = LiveStatus()
  /// When this was so, and when the run began, by the machine's clock.
  package var time: Int64 = 0
  package var since: Int64 = 0
  /// How far the run has come, by the clock of the packets.
  package var reached = Timestamp.none
  /// When somebody was heard last, by the machine's clock; nil: nobody was.
  package var lastHeard: Int64?
  package var process: Int = 0
  package var isRunning = true
  /// Nil: no record says it.
  package var scans: Bool?
  /// Nobody is heard, for longer than is usual here.
  package var isSilent = false
  package var packets = 0
  package var reports = 0
  package var reportsPerSecond = 0
  package var lostInKernel: UInt64 = 0
  package var lostInProgram: UInt64 = 0
  /// Nanoseconds that what is told is behind what is heard; nil where that is not worth a word.
  package var behind: Int64?
  /// The machine's clock was set back, and the run's waits for it.
  package var setBack: LiveClock.SetBack?
  /// Nil where nobody could be too slow for it.
  package var output: LiveReader.Standing?
  package var outputProblem: String?
  package var recording: Kept?
  /// Why older files of the recording stay that were to go.
  package var notRemoved: String?
  package var alertRecording: Kept?
  package var state: Kept?
  package var undelivered: Kept?
  package var receivers: [Receiver] = []
  package var rules: [Rule] = []
  /// Why files that were to be opened anew are not, one clause each.
  package var notReopened: [String] = []

  package init() {}

  /// The interface is there, and up.
  package var isCapturing: Bool { !status.isOff && !status.isDown }

  /// What is wrong just now, in words that never change their meaning; the worst first. A run that has ended
  /// need not hear anything.
  package var problems: [String] {
    let found: [(Bool, String)] = [
      (status.isDown, "controller_down"),
      (status.isOff && !status.isDown, "not_capturing"),
      (isRunning && isCapturing && scans == false, "not_scanning"),
      (isRunning && isSilent, "silent"),
      (setBack != nil, "clock_set_back"),
      (rules.contains { !$0.isOn }, "rule_off"),
      (rules.contains { $0.notReplaced != nil }, "rule_not_replaced"),
      (rules.contains { $0.isOn && $0.errors > 0 }, "rule_failed"),
      (recording?.problem != nil, "not_recorded"),
      (notRemoved != nil, "recordings_not_removed"),
      (alertRecording?.problem != nil, "alerts_not_recorded"),
      (state?.problem != nil, "state_not_kept"),
      (receivers.contains { $0.problem != nil }, "not_delivered"),
      (receivers.contains { $0.isLate }, "delivery_late"),
      (!notReopened.isEmpty, "not_reopened"),
      (undelivered?.problem != nil, "undelivered_not_kept"),
      (outputProblem != nil, "stdout_not_read"),
      (behind != nil, "behind"),
    ]
    return found.filter(\.0).map(\.1)
  }

  /// One line of JSON. The keys are a contract: see FORMATS.md.
  package func json() throws -> [UInt8] {
    let output = HealthText()
    var json = JSONWriter(output, lineDepth: 0)
    try json.object { json in try write(&json) }
    try json.finish()
    return output.bytes
  }

  private func write(_ json: inout JSONWriter) throws {
    json.pair("format", "beacontrace-live-status")
    json.pair("version", 1)
    json.pair("time", Timestamp(nanoseconds: time))
    json.pair("since", Timestamp(nanoseconds: since))
    json.pair("pid", process)
    json.pair("running", isRunning)
    json.pair("ok", problems.isEmpty)
    json.key("problems")
    try json.array { json in for problem in problems { json.string(problem) } }
    json.pair("interface", status.name)
    json.pair("capturing", isCapturing)
    json.pair("scanning", scans)
    json.pair("run_time", reached)
    json.pair("last_report", lastHeard.map { Timestamp(nanoseconds: $0) } ?? .none)
    json.pair("packets", packets)
    json.pair("packets_per_second", status.rate)
    json.pair("reports", reports)
    json.pair("reports_per_second", reportsPerSecond)
    json.pair("beacons", status.beacons)
    json.key("inside")
    try json.array { json in for name in status.inside { json.string(name) } }
    json.key("lost")
    try json.object { json in
      json.pair("kernel", Int(clamping: lostInKernel))
      json.pair("program", Int(clamping: lostInProgram))
    }
    json.pair("behind_s", behind.map { Double($0) / 1e9 }, decimals: 1)
    json.key("clock_set_back")
    if let setBack {
      try json.object { json in
        json.pair("since", Timestamp(nanoseconds: setBack.since))
        json.pair("until", Timestamp(nanoseconds: setBack.until))
        json.pair("by_s", Double(setBack.by) / 1e9, decimals: 1)
      }
    } else {
      json.string(nil)
    }
    json.pair("alerts", status.alerts)
    try writeKept(&json)
  }

  private func writeKept(_ json: inout JSONWriter) throws {
    json.key("receivers")
    try json.array { json in
      for receiver in receivers {
        try json.object { json in
          json.pair("name", receiver.name)
          json.pair("delivered", receiver.delivered)
          json.pair("waiting", receiver.waiting)
          json.pair("waiting_s", receiver.longestWait, decimals: 1)
          json.pair("undelivered", receiver.undelivered)
          json.pair("problem", receiver.problem)
        }
      }
    }
    json.key("not_reopened")
    try json.array { json in for reason in notReopened { json.string(reason) } }
    json.key("rules")
    try json.array { json in
      for rule in rules {
        try json.object { json in
          json.pair("name", rule.name)
          json.pair("on", rule.isOn)
          json.pair("errors", rule.errors)
          json.pair("not_replaced", rule.notReplaced)
        }
      }
    }
    json.key("stdout")
    if let output {
      try json.object { json in
        json.pair("not_shown", output.notShown)
        json.pair("problem", outputProblem)
      }
    } else {
      json.string(nil)
    }
    for (name, kept) in [
      ("recording", recording), ("alert_recording", alertRecording), ("state", state),
      ("undelivered", undelivered),
    ] {
      json.key(name)
      guard let kept else {
        json.string(nil)
        continue
      }
      try json.object { json in
        json.pair("file", kept.path.isEmpty ? nil : kept.path)
        json.pair("problem", kept.problem)
        if name == "recording" { json.pair("not_removed", notRemoved) }
      }
    }
  }
}

private final class HealthText: TextOutput {
  private(set) var bytes: [UInt8] = []

  func write(_ bytes: [UInt8]) throws { self.bytes += bytes }
}
