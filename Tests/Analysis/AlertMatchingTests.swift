import CaptureReader
import Testing

@testable import Analysis

/// Which alerts of two runs are the same.
@Suite struct AlertMatchingTests {
  /// Seconds of the old ones and of the new ones, and who belongs to whom, up to 5 s apart.
  static let cases: [(old: [Int64], new: [Int64], pairs: [Int?])] = [
    ([0, 10], [0, 10], [0, 1]),
    ([0], [5], [0]),
    ([0], [6], [nil]),
    ([6], [0], [nil]),
    // The nearer one takes it.
    ([0, 4], [5], [nil, 0]),
    ([5], [1, 4], [1]),
    ([0, 8, 16], [8, 16], [nil, 0, 1]),
    ([], [1], []),
    // Without a time: the same as one without, and as no other.
    ([.min, 0], [.min], [0, nil]),
    ([.min], [0], [nil]),
  ]

  @Test("pairs what is near, each with the nearest", arguments: cases)
  func pairs(_ old: [Int64], _ new: [Int64], _ pairs: [Int?]) {
    func times(_ seconds: [Int64]) -> [Timestamp] {
      seconds.map { $0 == .min ? .none : Timestamp(nanoseconds: $0 * 1_000_000_000) }
    }
    var matching = AlertMatching(old: times(old), new: times(new))
    let key = AlertContent(subject: AlertSubject(), title: "x")
    matching.pair(old.map { _ in key }, new.map { _ in key }, near: 5_000_000_000)
    #expect(matching.newOfOld == pairs)
    // Other keys do not meet, and what is paired stays so.
    let other = AlertContent(subject: AlertSubject(region: "hall"), title: "x")
    matching.pair(old.map { _ in key }, new.map { _ in other }, near: .max)
    #expect(matching.newOfOld == pairs)
  }

  @Test("times at both ends of time are far apart") func farApart() {
    var matching = AlertMatching(
      old: [Timestamp(nanoseconds: .min + 1)], new: [Timestamp(nanoseconds: .max)])
    let key: [AlertContent?] = [AlertContent(subject: AlertSubject())]
    matching.pair(key, key, near: 5)
    #expect(matching.newOfOld == [nil])
  }

  @Test("a lot depends on seed, capture and frame alone, and is fair") func lots() {
    let one = Disturbance(.loss(percent: 10), seed: 1)
    let same = Disturbance(.duplicates(percent: 90), seed: 1)
    let other = Disturbance(.loss(percent: 10), seed: 2)
    let lots = (1...10_000).map { one.lot(capture: 0, frame: $0) }
    #expect(lots == (1...10_000).map { same.lot(capture: 0, frame: $0) })
    #expect(lots != (1...10_000).map { one.lot(capture: 1, frame: $0) })
    #expect(lots != (1...10_000).map { other.lot(capture: 0, frame: $0) })
    #expect(lots.allSatisfy { (0..<1).contains($0) })
    for tenth in 0..<10 {
      let count = lots.count { Int($0 * 10) == tenth }
      #expect((900...1100).contains(count))
    }
  }
}
