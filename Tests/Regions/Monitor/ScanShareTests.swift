import Testing

@testable import Regions

private let s = second

/// Which part of its time a radio listened: what an exit is worth depends on it.
@Suite struct ScanShareTests {
  private static func shares(_ changes: [(Int64, Double?)]) -> ScanShares {
    var shares = ScanShares()
    for (at, share) in changes { shares.set(share, at: at * s) }
    return shares
  }

  @Test func isTheMeanOverATime() {
    let shares = Self.shares([(0, 1), (10, 0.1), (30, 0.1), (40, 0.5)])
    #expect(shares.mean(from: 0, to: 10 * s) == 1)
    #expect(abs((shares.mean(from: 5 * s, to: 15 * s) ?? 0) - 0.55) < 1e-12)
    #expect(abs((shares.mean(from: 30 * s, to: 50 * s) ?? 0) - 0.3) < 1e-12)
    #expect(shares.mean(from: 100 * s, to: 101 * s) == 0.5)
    #expect(shares.mean(from: 5 * s, to: 5 * s) == nil)
  }

  @Test func isNotKnownBeforeTheFirstScanNorWithoutParameters() {
    let shares = Self.shares([(10, 1), (20, nil), (30, 0.5)])
    #expect(shares.mean(from: 9 * s, to: 15 * s) == nil)
    #expect(shares.mean(from: 10 * s, to: 20 * s) == 1)
    #expect(shares.mean(from: 19 * s, to: 21 * s) == nil)
    #expect(shares.mean(from: 30 * s, to: 31 * s) == 0.5)
    #expect(ScanShares().mean(from: 0, to: s) == nil)
  }

  @Test func forgetsTheOldestOfVeryMany() {
    var shares = ScanShares()
    for place in 0..<10_000 { shares.set(place % 2 == 0 ? 1 : 0.5, at: Int64(place) * s) }
    #expect(shares.mean(from: 9_998 * s, to: 9_999 * s) == 1)
    #expect(shares.mean(from: 0, to: 10 * s) == nil)
  }

  @Test(
    "less is heard of what is sent where the radio listens less: 1 − (1 − loss) × share is lost",
    arguments: [(1.0, 0.1, 0.1, 30, 0.0423911582752), (1.0, 0.5, 0.25, 10, 0.0563135147095)])
  func probability(_ received: Double, _ share: Double, _ ratio: Double, _ count: Int, _ p: Double)
  {
    // Regular: nothing is lost. Gaps of a second.
    let regularity = Regularity(gaps: [UInt32](repeating: 1_000_000, count: 20))
    let listened = Silence.Listened(share: share, before: share / ratio)
    let found = regularity?.probability(ofSilence: Int64(count) * s, listened)
    #expect(abs((found ?? 0) - p) < 1e-6)
    #expect(regularity?.probability(ofSilence: Int64(count) * s) == 0)
  }
}
