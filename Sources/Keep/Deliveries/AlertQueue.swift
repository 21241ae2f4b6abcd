import Analysis

/// Alerts that wait for a receiver, those that it is to get once more among them: the most severe first,
/// then in the order in which they came.
struct AlertQueue {
  typealias Instant = ContinuousClock.Instant

  struct Entry {
    let alert: AlertLine
    /// In the order in which they came.
    let number: Int
    let arrived: Instant
    /// How often it was tried.
    var tries = 0
    /// Why it was not taken, the last time.
    fileprivate(set) var problem: String?
    /// It failed, and waits for another try.
    var isAgain: Bool { problem != nil }
    /// Not before.
    fileprivate var due: Instant

    fileprivate init(_ alert: AlertLine, _ number: Int, _ now: Instant) {
      (self.alert, self.number, arrived, due) = (alert, number, now, now)
    }

    /// Whether it comes before another one.
    fileprivate func precedes(_ other: Entry) -> Bool {
      alert.severity == other.alert.severity
        ? number < other.number : alert.severity > other.alert.severity
    }
  }

  private var entries: [Entry] = []
  private let most: Int
  private var taken = 0
  /// What was tried last was tried again, and failed again: one that never was tried comes before the
  /// next of its kind, so that those which nobody takes hold up no others.
  private var prefersNew = false

  /// - Parameter most: so many wait.
  init(most: Int) { self.most = most }

  var count: Int { entries.count }
  var isEmpty: Bool { entries.isEmpty }

  /// When the one arrived that has waited longest; nil: none waits.
  var oldest: Instant? { entries.lazy.map(\.arrived).min() }

  /// Takes an alert.
  /// - Returns: the one that there is no room for: the mildest, of several the one that came last.
  mutating func add(_ alert: AlertLine, _ now: Instant) -> Entry? {
    taken += 1
    return put(Entry(alert, taken, now))
  }

  /// Takes one that failed, to be tried again.
  /// - Parameters:
  ///   - problem: why it failed.
  ///   - due: not before.
  /// - Returns: as `add`.
  mutating func addAgain(_ entry: Entry, after problem: String, due: Instant) -> Entry? {
    prefersNew = entry.isAgain
    var entry = entry
    (entry.problem, entry.due) = (problem, due)
    return put(entry)
  }

  private mutating func put(_ entry: Entry) -> Entry? {
    entries.append(entry)
    guard entries.count > most, let last = entries.indices.max(by: { isBefore($0, $1) }) else {
      return nil
    }
    return entries.remove(at: last)
  }

  private func isBefore(_ one: Int, _ other: Int) -> Bool {
    entries[one].precedes(entries[other])
  }

  /// Takes out the next one that may be tried; nil: none may yet.
  mutating func next(_ now: Instant) -> Entry? {
    let due = entries.indices.filter { entries[$0].due <= now }
    let new = prefersNew ? due.filter { !entries[$0].isAgain } : []
    guard let first = (new.isEmpty ? due : new).min(by: { isBefore($0, $1) }) else { return nil }
    prefersNew = false
    return entries.remove(at: first)
  }

  /// All may be tried now: there is little time left.
  mutating func hurry(_ now: Instant) {
    for place in entries.indices { entries[place].due = now }
  }

  /// Takes out all.
  mutating func removeAll() -> [Entry] {
    defer { entries = [] }
    return entries.sorted { $0.precedes($1) }
  }
}
