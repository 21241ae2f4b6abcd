package import Analysis
import Dispatch
import Synchronization

/// Alerts to a file, a line each, in the order in which they came. What cannot be written waits until it can be, or
/// until the run ends. Another program may move the file away (logrotate): `reopen`.
package final class AlertFile: Delivery {
  private struct Entry {
    let alert: AlertLine
    let arrived = ContinuousClock.now
    /// How often the file had been asked to be opened anew when it came: it is for the file of that time.
    let openings: Int
    /// How often it was tried, and why it could not be written the last time.
    var tries = 0
    var problem = ""
  }

  private struct State {
    var counts = DeliveryCounts()
    var waiting: [Entry] = []
    /// Not before: the file could not be written.
    var due = ContinuousClock.now
    /// How often the file was to be opened anew, and how often that was tried.
    var openingsAsked = 0
    var openingsDone = 0
    /// Nothing follows: what fails now is given up.
    var isEnding = false
    var isOver = false

    /// The last try: but for what a new opening may still mend.
    var isLastTry: Bool { isEnding && openingsAsked == openingsDone }
  }

  package let name: String
  /// What a power cut took from the file that was there, a clause.
  package let damage: String?
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
    let lines = try LineFile(path)
    damage = lines.damage
    file = Mutex(lines)
  }

  package var least: Alert.Severity { settings.least }

  package var givesUp: Bool { false }

  package var counts: DeliveryCounts { state.withLock { $0.counts } }

  package var waiting: Int { state.withLock { $0.waiting.count } }

  package var longestWait: Double {
    state.withLock {
      $0.waiting.first.map { (ContinuousClock.now - $0.arrived) / .seconds(1) } ?? 0
    }
  }

  package func deliver(_ alert: AlertLine) {
    let refused = state.withLock { state -> Entry? in
      state.waiting.append(Entry(alert: alert, openings: state.openingsAsked))
      guard state.waiting.count > settings.mostWaiting else { return nil }
      // The mildest, of several the one that came last. The first may be on its way.
      let others = state.waiting.indices.dropFirst()
      let place = others.min {
        let (one, other) = (state.waiting[$0].alert.severity, state.waiting[$1].alert.severity)
        return one == other ? $0 > $1 : one < other
      }
      return state.waiting.remove(at: place ?? 0)
    }
    if let refused { fail(refused, .queueFull, "\(settings.mostWaiting) alerts wait at most") }
    queue.async { self.work() }
  }

  /// Writes one after the other until none waits, or one cannot be written.
  private func work() {
    while let entry = next() {
      if state.withLock({ $0.isOver }) {
        remove()
        if entry.tries > 0 { state.withLock { $0.counts.retrying -= 1 } }
        let why =
          entry.tries == 0
          ? "the file did not keep up"
          : "the run ended before another try; the last: \(entry.problem)"
        fail(entry, .runEnded, why)
      } else if let problem = file.withLock({ $0.append(entry.alert.bytes) }) {
        guard miss(entry, problem) else { return }
      } else {
        remove()
        state.withLock { state in
          state.counts.delivered += 1
          if entry.tries > 0 { state.counts.retrying -= 1 }
        }
      }
    }
  }

  private func next() -> Entry? {
    state.withLock { state in
      guard state.isLastTry || state.isOver || ContinuousClock.now >= state.due else { return nil }
      // What came behind a request to open the file anew is written when that has been tried.
      return state.waiting.first.flatMap { $0.openings > state.openingsDone ? nil : $0 }
    }
  }

  /// The first of those that wait: only the queue takes it out.
  private func remove() { state.withLock { _ = $0.waiting.removeFirst() } }

  /// The first could not be written: it is tried again after a while, unless nothing follows.
  /// - Returns: whether others may be tried.
  private func miss(_ entry: Entry, _ problem: String) -> Bool {
    var entry = entry
    entry.tries += 1
    entry.problem = problem
    let pause = state.withLock { state -> Double? in
      if entry.tries == 1, !state.isLastTry { state.counts.retrying += 1 }
      guard !state.isLastTry, let last = settings.pauses.last else { return nil }
      let pause = settings.pauses.dropFirst(entry.tries - 1).first ?? last
      state.counts.missed += 1
      state.counts.problem = problem
      state.waiting[0] = entry
      state.due = .now + .seconds(pause)
      return pause
    }
    guard let pause else {
      remove()
      if entry.tries > 1 { state.withLock { $0.counts.retrying -= 1 } }
      fail(entry, .writeError, problem)
      return true
    }
    // A little later than it is due, by whichever clock.
    queue.asyncAfter(deadline: .now() + pause + 0.001) { self.work() }
    return false
  }

  private func fail(_ entry: Entry, _ reason: UndeliveredReason, _ detail: String) {
    state.withLock { $0.counts.lose(entry.alert, reason, detail) }
    settings.undelivered?.keep(
      entry.alert, receiver: name, tries: entry.tries, reason: reason, detail: detail)
  }

  package func reopen() {
    state.withLock { $0.openingsAsked += 1 }
    queue.async {
      let problem = self.file.withLock { $0.reopen() }
      self.state.withLock { state in
        state.openingsDone += 1
        state.counts.notReopened = problem
        if problem == nil { state.due = .now }
      }
      self.work()
    }
  }

  /// What waits is told as not delivered: the disk is not asked again.
  package func giveUp() { state.withLock { $0.isOver = true } }

  package func finish(waiting seconds: Double) {
    state.withLock { $0.isEnding = true }
    let group = DispatchGroup()
    queue.async(group: group) { self.work() }
    guard group.wait(timeout: .now() + seconds) == .timedOut else { return }
    state.withLock { $0.isOver = true }
  }
}
