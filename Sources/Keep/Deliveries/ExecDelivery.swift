package import Analysis
import Dispatch
import Foundation
import Glibc
import Synchronization

/// Starts a program for each alert, with the alert as a line on its standard input.
package final class ExecDelivery: Delivery {
  private struct State {
    var counts = DeliveryCounts()
    var waiting: [AlertLine] = []
    /// Lanes that have nothing to do.
    var free: [Int]
    /// By lane: the program under way, and why it was ended if it was.
    var running: [Int: Run] = [:]
    var runs = 0
    var isOver = false
    var isGivenUp = false
  }

  private struct Run {
    let number: Int
    let child: ChildProcess
    var ended: UndeliveredReason?
  }

  /// Between asking a program to end and ending it.
  private static let grace = 2.0

  package let name: String
  private let program: String
  private let words: [String]
  private let settings: DeliverySettings
  private let state: Mutex<State>
  private let lanes: [DispatchQueue]
  private let timers = DispatchQueue(label: "deliveries.exec.timers")
  private let group = DispatchGroup()

  /// - Parameter command: words as of `CommandWords`; its program is looked for on the path.
  package init(_ command: String, _ settings: DeliverySettings = DeliverySettings())
    throws(DeliveryProblem)
  {
    words = try CommandWords.split(command)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
    program = try CommandWords.find(words[0], path: path)
    name = "exec \(command)"
    self.settings = settings
    let count = max(1, settings.mostAtOnce)
    // One thread for each program: it waits for it.
    lanes = (0..<count).map { DispatchQueue(label: "deliveries.exec.\($0)") }
    state = Mutex(State(free: Array((0..<count).reversed())))
  }

  /// A word that a shell would have understood, and that goes to the program as it is.
  package var shellSign: String? {
    let signs = ["|", "||", "&", "&&", ";", ">", ">>", "<", "2>", "2>>", "2>&1", "&>"]
    return words.dropFirst().first { signs.contains($0) }
  }

  package var least: Alert.Severity { settings.least }

  package var counts: DeliveryCounts { state.withLock { $0.counts } }

  package func reopen() {}

  package func deliver(_ alert: AlertLine) {
    let (refused, lane) = state.withLock { state -> (Refused?, Int?) in
      if state.isOver { return (Refused(alert, .runEnded, "it came when the run had ended"), nil) }
      guard state.waiting.count >= settings.mostWaiting else {
        state.waiting.append(alert)
        return (nil, state.free.popLast())
      }
      let words = "\(settings.mostWaiting) alerts wait at most"
      guard let place = Self.mildest(of: state.waiting, below: alert.severity) else {
        return (Refused(alert, .queueFull, words), nil)
      }
      let other = state.waiting.remove(at: place)
      state.waiting.append(alert)
      return (Refused(other, .queueFull, words + ", and a severer one came"), nil)
    }
    if let refused { fail(refused.alert, refused.reason, refused.detail) }
    guard let lane else { return }
    lanes[lane].async(group: group) { self.work(lane) }
  }

  /// An alert that there is no room for.
  private struct Refused {
    let alert: AlertLine
    let reason: UndeliveredReason
    let detail: String

    init(_ alert: AlertLine, _ reason: UndeliveredReason, _ detail: String) {
      (self.alert, self.reason, self.detail) = (alert, reason, detail)
    }
  }

  /// The place of the mildest alert, of several the one that came last; nil where all are as severe.
  private static func mildest(of alerts: [AlertLine], below severity: Alert.Severity) -> Int? {
    var found: Int?
    for place in alerts.indices where alerts[place].severity < severity {
      if let other = found, alerts[other].severity < alerts[place].severity { continue }
      found = place
    }
    return found
  }

  /// Takes one alert after the other until none waits.
  private func work(_ lane: Int) {
    while true {
      let next = state.withLock { state -> AlertLine? in
        guard !state.waiting.isEmpty else {
          state.free.append(lane)
          return nil
        }
        return state.waiting.removeFirst()
      }
      guard let next else { return }
      run(next, lane)
    }
  }

  private func run(_ alert: AlertLine, _ lane: Int) {
    do throws(DeliveryProblem) {
      var output = ChildOutput(name, settings)
      let child = try ChildProcess.run(
        program, words, input: alert.bytes + [UInt8(ascii: "\n")], output: &output,
        started: { start($0, lane) })
      let notShown = output.notShown
      if notShown > 0 { state.withLock { $0.counts.bytesNotShown += notShown } }
      // From here on nobody signals it; only then its number may go to another.
      let ended = state.withLock { $0.running.removeValue(forKey: lane)?.ended }
      judge(alert, child.reap(), ended)
    } catch {
      fail(alert, .notStarted, error.what)
    }
  }

  private func start(_ child: ChildProcess, _ lane: Int) {
    let (number, isOver) = state.withLock { state in
      state.runs += 1
      state.running[lane] = Run(number: state.runs, child: child)
      return (state.runs, state.isOver)
    }
    if isOver { return end(lane, number, .runEnded) }
    timers.asyncAfter(deadline: .now() + settings.timeout) {
      self.end(lane, number, .timeout)
    }
  }

  /// Asks a program to end, and ends it where it does not.
  private func end(_ lane: Int, _ number: Int, _ reason: UndeliveredReason) {
    signal(lane, number, SIGTERM, reason)
    timers.asyncAfter(deadline: .now() + Self.grace) {
      self.signal(lane, number, SIGKILL, reason)
    }
  }

  private func signal(_ lane: Int, _ number: Int, _ signal: Int32, _ reason: UndeliveredReason) {
    state.withLock { state in
      guard let run = state.running[lane], run.number == number else { return }
      if run.ended == nil { state.running[lane]?.ended = reason }
      run.child.signal(signal)
    }
  }

  private func judge(
    _ alert: AlertLine, _ ending: ChildProcess.Ending, _ ended: UndeliveredReason?
  ) {
    switch (ended, ending) {
    // Done at the last moment is done.
    case (_, .exited(0)): state.withLock { $0.counts.delivered += 1 }
    case (.timeout, _):
      fail(alert, .timeout, String(format: "not done after %g s", settings.timeout))
    case (let reason?, _): fail(alert, reason, "not done at the end of the run")
    case (nil, .exited(let status)): fail(alert, .failed, "exit status \(status)")
    case (nil, .signalled(let signal)): fail(alert, .failed, "ended by signal \(signal)")
    }
  }

  private func fail(_ alert: AlertLine, _ reason: UndeliveredReason, _ detail: String) {
    state.withLock { state in
      state.counts.undelivered[reason, default: 0] += 1
      state.counts.problem = detail
    }
    settings.undelivered?.keep(alert, receiver: name, reason: reason, detail: detail)
  }

  package func finish(waiting seconds: Double) {
    let deadline = DispatchTime.now() + seconds
    while group.wait(timeout: min(deadline, .now() + 0.1)) == .timedOut {
      if DispatchTime.now() < deadline && !state.withLock({ $0.isGivenUp }) { continue }
      return endAll()
    }
    state.withLock { $0.isOver = true }
  }

  package func giveUp() { state.withLock { $0.isGivenUp = true } }

  package var waiting: Int { state.withLock { $0.waiting.count + $0.running.count } }

  private func endAll() {
    let (rest, runs) = state.withLock { state in
      defer { state.waiting.removeAll() }
      state.isOver = true
      return (state.waiting, state.running.map { ($0.key, $0.value.number) })
    }
    for alert in rest { fail(alert, .runEnded, "the run ended before its turn") }
    for (lane, number) in runs { end(lane, number, .runEnded) }
    // What cannot even be killed is left behind.
    _ = group.wait(timeout: .now() + 2 * Self.grace)
  }
}
