import CaseStore

/// Receivers whose records end before those of others: what held then is not known to have held until the end.
struct ReceiverEnds: Sendable {
  /// Nanoseconds. Who stops several recordings does so one after the other.
  private static let slack: Int64 = 60_000_000_000

  /// By observer: its last record, where others have records much later.
  private var early: [Int64: Int64] = [:]
  /// Those whose first record is much later than that of others.
  private var late: Set<Int64> = []

  init(_ receivers: [ObserverRow]) {
    guard let first = receivers.compactMap(\.fromNs).min(),
      let last = receivers.compactMap(\.toNs).max()
    else { return }
    for receiver in receivers {
      guard let id = receiver.id else { continue }
      if let to = receiver.toNs, Self.isLonger(last, to) { early[id] = to }
      if let from = receiver.fromNs, Self.isLonger(from, first) { late.insert(id) }
    }
  }

  private static func isLonger(_ time: Int64, _ other: Int64) -> Bool {
    let (length, overflow) = time.subtractingReportingOverflow(other)
    return overflow || length >= slack
  }

  /// When the records of an observer end; nil where they go on about as long as anybody's.
  func early(_ observer: Int64) -> Int64? { early[observer] }

  /// Whether its records are about as long as all of them together.
  func isWhole(_ observer: Int64) -> Bool { early[observer] == nil && !late.contains(observer) }
}
