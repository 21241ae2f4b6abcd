/// How many packets an observer lost, and when that was found out: what lies further back than a silence
/// can begin is forgotten.
struct LossCount: Sendable {
  /// Ascending; `sum`: of all until then.
  private var losses: [(at: Int64, sum: Int64)] = []
  /// Of what has been forgotten.
  private var before: Int64 = 0

  /// Beyond that the moments of every other one are given up; what was lost counts with the next.
  private static let most = 4096

  /// - Parameter moment: nanoseconds; one before an earlier call's counts as that.
  mutating func add(_ count: Int64, at moment: Int64) {
    let sum = (losses.last?.sum ?? before).later(by: count)
    if let last = losses.last, last.at >= moment {
      losses[losses.count - 1].sum = sum
      return
    }
    if losses.count == Self.most {
      losses = losses.indices.filter { $0 % 2 == 1 }.map { losses[$0] }
    }
    losses.append((moment, sum))
  }

  mutating func forget(upTo limit: Int64) {
    guard let first = losses.first, first.at <= limit else { return }
    let end = losses.firstIndex { $0.at > limit } ?? losses.count
    before = losses[end - 1].sum
    losses.removeFirst(end)
  }

  /// In (from, to].
  func count(from: Int64, to: Int64) -> Int64 { sum(upTo: to) - sum(upTo: from) }

  private func sum(upTo moment: Int64) -> Int64 {
    losses.last { $0.at <= moment }?.sum ?? before
  }
}
