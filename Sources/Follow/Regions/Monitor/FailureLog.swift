import FrameDecoder

/// On what decoders of plugins failed, and when: what lies further back than a silence can begin is forgotten.
struct FailureLog: Sendable {
  private struct Failure {
    let at: Int64
    let what: Undecoded
    let count: Int64
  }
  /// Ascending.
  private var failures: [Failure] = []
  /// All of them, and until when no more is known than how many.
  private var all = LossCount()
  private var unknownUntil = Int64.min

  /// Beyond that the older half is only counted.
  private static let most = 4096

  /// - Parameter moment: nanoseconds; one before an earlier call's counts as that.
  mutating func add(_ what: Undecoded, _ count: Int64, at moment: Int64) {
    let at = max(moment, failures.last?.at ?? .min)
    if failures.count == Self.most {
      unknownUntil = failures[Self.most / 2 - 1].at
      failures.removeFirst(Self.most / 2)
    }
    failures.append(Failure(at: at, what: what, count: count))
    if what.isFirst { all.add(count, at: at) }
  }

  mutating func forget(upTo limit: Int64) {
    guard let first = failures.first, first.at <= limit else { return }
    failures.removeFirst(failures.firstIndex { $0.at > limit } ?? failures.count)
    all.forget(upTo: limit)
  }

  /// Of those in (from, to] the ones that matter; all of them where too many came to know more.
  func count(
    from: Int64, to: Int64, where matters: (_ what: Undecoded, _ moment: Int64) -> Bool
  ) -> Int64 {
    guard from >= unknownUntil else { return all.count(from: from, to: to) }
    return failures.reduce(0) { sum, failure in
      guard failure.at > from, failure.at <= to, matters(failure.what, failure.at) else {
        return sum
      }
      return sum.later(by: failure.count)
    }
  }
}
