/// How many events there are that only their ordinal tells apart: those of the same moment, too.
struct EventOrdinals {
  private var counts: [UInt64: Int] = [:]
  /// Those of events some time ago.
  private var earlier: [UInt64: Int] = [:]
  private let isBounded: Bool
  private static let most = 10_000

  init(isBounded: Bool) { self.isBounded = isBounded }

  /// Counts from 0.
  mutating func next(of identity: UInt64) -> Int {
    let count = counts[identity] ?? earlier[identity] ?? 0
    counts[identity] = count + 1
    if isBounded, counts.count >= Self.most { (earlier, counts) = (counts, [:]) }
    return count
  }
}
