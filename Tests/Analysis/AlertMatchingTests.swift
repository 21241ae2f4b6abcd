import Beacons
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

  /// An alert of one of two runs.
  struct Told: Sendable {
    let at: Int64
    /// Nil: the rule gave none.
    var key: String?
    var title = "x"
    /// Nil: it names no beacon.
    var beacon: UInt8?

    var content: AlertContent {
      var subject = AlertSubject(observer: "hall")
      if let beacon {
        subject.kind = .iBeacon
        subject.identity = [beacon]
      }
      return AlertContent(subject: subject, key: key, title: title)
    }
  }

  static func each(_ moments: [Int64], _ key: String) -> [Told] {
    moments.map { Told(at: $0, key: key) }
  }

  /// Of alerts with keys, who belongs to whom, up to 5 s apart.
  static let keyed: [(why: String, old: [Told], new: [Told], pairs: [Int?])] = [
    ("other keys", [Told(at: 0, key: "1:1")], [Told(at: 0, key: "1:4")], [nil]),
    (
      "other keys, the same beacon", [Told(at: 0, key: "a", beacon: 1)],
      [Told(at: 0, key: "b", beacon: 1)], [nil]
    ),
    (
      "each its own, whoever is nearer", [Told(at: 0, key: "a"), Told(at: 4, key: "b")],
      [Told(at: 0, key: "b"), Told(at: 4, key: "a")], [1, 0]
    ),
    ("another title", [Told(at: 0, key: "a")], [Told(at: 3, key: "a", title: "y")], [0]),
    ("one has no key", [Told(at: 0)], [Told(at: 3, key: "a")], [0]),
    (
      "the key before none", [Told(at: 0, key: "a")],
      [Told(at: 0), Told(at: 3, key: "a", title: "y")], [1]
    ),
    ("no key, another title", [Told(at: 0)], [Told(at: 3, title: "y")], [0]),
    ("no key, far", [Told(at: 0)], [Told(at: 10)], [nil]),
    ("the same key, far", [Told(at: 0, key: "a")], [Told(at: 10, key: "a", title: "y")], [0]),
    (
      "the same key of other beacons", [Told(at: 0, key: "a", beacon: 1)],
      [Told(at: 10, key: "a", beacon: 2)], [nil]
    ),
    (
      "the same key, one without a beacon", [Told(at: 0, key: "a", beacon: 1)],
      [Told(at: 10, key: "a", title: "y")], [0]
    ),
    (
      "the same key, one without a beacon, near", [Told(at: 0, key: "a", title: "y")],
      [Told(at: 3, key: "a", beacon: 1)], [0]
    ),
    // What is told again and again: 20 is not told, and 80 is new.
    ("another one between", each([0, 20, 40], "a"), each([0, 40, 80], "a"), [0, nil, 1]),
    ("each a little later", each([0, 100, 200], "a"), each([10, 110, 210], "a"), [0, 1, 2]),
    ("the nearest first", each([0, 100], "a"), each([60], "a"), [nil, 0]),
    ("what is left then", each([0, 100], "a"), each([60, 110], "a"), [0, 1]),
    ("each once", each([0, 20], "a"), each([10], "a"), [0, nil]),
    (
      "another key between", [Told(at: 0, key: "a")],
      [Told(at: 10, key: "b"), Told(at: 20, key: "a")], [1]
    ),
    ("without a time", [Told(at: .min, key: "a")], [Told(at: 0, key: "a")], [nil]),
  ]

  @Test(
    "alerts of different keys are different, those of one key may be far apart", arguments: keyed)
  func keys(_ why: String, _ old: [Told], _ new: [Told], _ pairs: [Int?]) {
    func times(_ told: [Told]) -> [Timestamp] {
      told.map { $0.at == .min ? .none : Timestamp(nanoseconds: $0.at * 1_000_000_000) }
    }
    var matching = AlertMatching(old: times(old), new: times(new))
    matching.pairAll(old.map(\.content), new.map(\.content), near: 5_000_000_000)
    #expect(matching.newOfOld == pairs, "\(why)")
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
