/// Which part of its time a radio listens, 0…1, by the window and the interval of its scans; that holds
/// until the next scan begins. When a scan is off is no matter of this (`ObserverActivity.scanOff`).
struct ScanShares: Sendable {
  private var changes: [(at: Int64, share: Double?)] = []

  /// The latest changes; phones change their scans every few seconds at most.
  private static let most = 256

  /// - Parameter share: nil: not known from here on.
  mutating func set(_ share: Double?, at moment: Int64) {
    guard changes.last.map({ $0.share != share }) ?? (share != nil) else { return }
    if changes.count == Self.most { changes.removeFirst(Self.most / 2) }
    changes.append((moment, share))
  }

  /// The mean over a time; nil where it is not known for all of it.
  func mean(from: Int64, to: Int64) -> Double? {
    guard from < to, let first = changes.lastIndex(where: { $0.at <= from }) else { return nil }
    var sum = 0.0
    for place in first..<changes.count where changes[place].at < to {
      guard let share = changes[place].share else { return nil }
      let end = place + 1 < changes.count ? min(changes[place + 1].at, to) : to
      sum += share * Double(end.since(max(changes[place].at, from)))
    }
    return sum / Double(to.since(from))
  }
}
