package import Analysis
import Dispatch
import Foundation
import Glibc
import Synchronization

/// Starts a program for each alert, with the alert as a line on its standard input. Where it fails it is
/// started again with the same alert, after pauses that grow; others go on meanwhile.
package final class ExecDelivery: Delivery {
  private struct State {
    var counts = DeliveryCounts()
    var queue: AlertQueue
    /// Lanes that have nothing to do.
    var free: [Int]
    /// By lane: the program under way, and why it was ended if it was.
    var running: [Int: Run] = [:]
    var runs = 0
    /// Nothing follows: what fails is tried once more, soon.
    var isEnding = false
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
  private let clock = ContinuousClock()

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
    state = Mutex(
      State(queue: AlertQueue(most: settings.mostWaiting), free: Array((0..<count).reversed())))
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
    let (isOver, refused) = state.withLock { state -> (Bool, AlertQueue.Entry?) in
      state.isOver ? (true, nil) : (false, state.queue.add(alert, clock.now))
    }
    if isOver { return fail(alert, tries: 0, .runEnded, "it came when the run had ended") }
    if let refused { failForRoom(refused, alert.severity) }
    startWork()
  }

  /// There is no room for one, as another one came.
  private func failForRoom(_ entry: AlertQueue.Entry, _ severity: Alert.Severity) {
    let why = entry.alert.severity < severity ? ", and a severer one came" : ""
    fail(entry, .queueFull, "\(settings.mostWaiting) alerts wait at most\(why)")
  }

  private func startWork() {
    guard let lane = state.withLock({ $0.queue.isEmpty ? nil : $0.free.popLast() }) else { return }
    lanes[lane].async(group: group) { self.work(lane) }
  }

  /// Takes one alert after the other until none may be tried.
  private func work(_ lane: Int) {
    while true {
      let next = state.withLock { state -> AlertQueue.Entry? in
        let next = state.queue.next(clock.now)
        if next == nil { state.free.append(lane) }
        return next
      }
      guard let next else { return }
      run(next, lane)
    }
  }

  private func run(_ entry: AlertQueue.Entry, _ lane: Int) {
    do throws(DeliveryProblem) {
      var output = ChildOutput(name, settings)
      let child = try ChildProcess.run(
        program, words, input: entry.alert.bytes + [UInt8(ascii: "\n")], output: &output,
        started: { start($0, lane) })
      let notShown = output.notShown
      if notShown > 0 { state.withLock { $0.counts.bytesNotShown += notShown } }
      // From here on nobody signals it; only then its number may go to another.
      let ended = state.withLock { $0.running.removeValue(forKey: lane)?.ended }
      judge(entry, child.reap(), ended)
    } catch {
      var entry = entry
      entry.tries += 1
      miss(entry, .notStarted, error.what)
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
    _ entry: AlertQueue.Entry, _ ending: ChildProcess.Ending, _ ended: UndeliveredReason?
  ) {
    var entry = entry
    entry.tries += 1
    switch (ended, ending) {
    // Done at the last moment is done.
    case (_, .exited(0)):
      state.withLock { state in
        state.counts.delivered += 1
        if entry.isAgain { state.counts.retrying -= 1 }
      }
    case (.timeout, _):
      miss(entry, .timeout, String(format: "not done after %g s", settings.timeout))
    case (let reason?, _): fail(entry, reason, "not done at the end of the run")
    case (nil, .exited(let status)): miss(entry, .failed, "exit status \(status)")
    case (nil, .signalled(let signal)): miss(entry, .failed, "ended by signal \(signal)")
    }
  }

  /// It was not taken: it is tried again after a while, unless that was the last time.
  private func miss(_ entry: AlertQueue.Entry, _ reason: UndeliveredReason, _ detail: String) {
    let (pause, refused) = state.withLock { state -> (Double?, AlertQueue.Entry?) in
      let pauses = state.isEnding ? settings.pauses.prefix(1) : settings.pauses[...]
      guard !state.isOver, entry.tries <= pauses.count else { return (nil, nil) }
      let pause = pauses[entry.tries - 1]
      state.counts.missed += 1
      state.counts.problem = detail
      if !entry.isAgain { state.counts.retrying += 1 }
      let due = clock.now + .seconds(pause)
      return (pause, state.queue.addAgain(entry, after: detail, due: due))
    }
    guard let pause else { return fail(entry, reason, detail) }
    // A little later than it is due, by whichever clock.
    timers.asyncAfter(deadline: .now() + pause + 0.001) { self.startWork() }
    if let refused { failForRoom(refused, entry.alert.severity) }
  }

  private func fail(
    _ entry: AlertQueue.Entry, _ reason: UndeliveredReason, _ detail: String
  ) {
    if entry.isAgain { state.withLock { $0.counts.retrying -= 1 } }
    fail(entry.alert, tries: entry.tries, reason, detail)
  }

  /// - Parameter tries: how often it was tried.
  private func fail(
    _ alert: AlertLine, tries: Int, _ reason: UndeliveredReason, _ detail: String
  ) {
    state.withLock { $0.counts.lose(alert, reason, detail) }
    settings.undelivered?.keep(alert, receiver: name, tries: tries, reason: reason, detail: detail)
  }

  package func finish(waiting seconds: Double) {
    let deadline = DispatchTime.now() + seconds
    state.withLock { state in
      state.isEnding = true
      state.queue.hurry(clock.now)
    }
    for _ in lanes { startWork() }
    while group.wait(timeout: min(deadline, .now() + 0.1)) == .timedOut || !isQueueEmpty {
      if DispatchTime.now() >= deadline || state.withLock({ $0.isGivenUp }) { return endAll() }
      // What is to be tried again may have its turn in a while only.
      usleep(10_000)
    }
    state.withLock { $0.isOver = true }
  }

  private var isQueueEmpty: Bool { state.withLock { $0.queue.isEmpty } }

  package func giveUp() { state.withLock { $0.isGivenUp = true } }

  package var waiting: Int { state.withLock { $0.queue.count + $0.running.count } }

  package var longestWait: Double {
    guard let oldest = state.withLock({ $0.queue.oldest }) else { return 0 }
    return (clock.now - oldest) / .seconds(1)
  }

  private func endAll() {
    let (rest, runs) = state.withLock { state in
      state.isOver = true
      return (state.queue.removeAll(), state.running.map { ($0.key, $0.value.number) })
    }
    for entry in rest {
      let why = entry.problem.map { "the run ended before another try; the last: \($0)" }
      fail(entry, .runEnded, why ?? "the run ended before its turn")
    }
    for (lane, number) in runs { end(lane, number, .runEnded) }
    // What cannot even be killed is left behind.
    _ = group.wait(timeout: .now() + 2 * Self.grace)
  }
}
