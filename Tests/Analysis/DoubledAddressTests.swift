import Synth
import Testing

@testable import Analysis

/// Two devices with one address, as two receivers tell them that hear everybody else at the same moments.
@Suite("Addresses that two devices send from") struct DoubledAddressTests {
  private static let second: Int64 = 1_000_000_000

  /// Advertising events at an interval and up to 10 ms more (Core 5.4, Vol 6 B 4.4.2.2.1).
  private static func sent(_ seed: UInt64, every interval: Int64, for length: Int64 = 600)
    -> [Int64]
  {
    var random = SplitMix64.stream(seed: seed, 1)
    var time = Int64(random.below(Int(second)))
    var sent: [Int64] = []
    while time < length * second {
      sent.append(time)
      time += interval * 1_000_000 + Int64(random.below(10_000_000))
    }
    return sent
  }

  private static let suspect: UInt64 = 7

  private static func others(_ seed: UInt64) -> [UInt64: [Int64]] {
    Dictionary(
      uniqueKeysWithValues: [100, 250, 300, 500].enumerated().map {
        (UInt64($0.offset), sent(seed &* 10 &+ UInt64($0.offset), every: $0.element))
      })
  }

  /// - Parameters:
  ///   - ahead: of the clock, nanoseconds.
  ///   - hears: the part of the packets at a time.
  private static func ear(
    _ sent: [UInt64: [Int64]], _ seed: UInt64, ahead: Int64 = 0, ppm: Double = 0,
    hears: (UInt64, Int64) -> Double
  ) -> ArrivalLog {
    var random = SplitMix64.stream(seed: seed, 2)
    var heard: [UInt64: [Int64]] = [:]
    for advertiser in sent.keys.sorted() {
      for time in sent[advertiser] ?? [] where random.fraction() < hears(advertiser, time) {
        let late = Int64(random.below(2_000_000))
        heard[advertiser, default: []].append(
          time + late + ahead + Int64(Double(time) * ppm / 1e6))
      }
    }
    return ArrivalLog(heard)
  }

  private static func found(_ logs: [ArrivalLog]) -> [DoubledAddress] {
    DoubledAddresses.all(ClockComparison(logs, against: nil), logs)
  }

  @Test("a copy with the address of its beacon is told by receivers near one of them each")
  func copied() {
    for seed in UInt64(1)...3 {
      var (shop, yard) = (Self.others(seed), Self.others(seed))
      shop[Self.suspect] = Self.sent(seed &+ 1_000, every: 300)
      yard[Self.suspect] = Self.sent(seed &+ 2_000, every: 300)
      let all = Self.found([
        Self.ear(shop, seed) { _, _ in 0.6 },
        Self.ear(yard, seed &+ 1, ahead: 87 * Self.second, ppm: 12) { _, _ in 0.5 },
      ])
      #expect(all.map(\.address) == [Self.suspect], "seed \(seed)")
      guard let one = all.first else { continue }
      #expect(one.heard.most > 500 && one.heard.other > 500, "seed \(seed): \(one)")
      #expect(one.expected > 400 && one.common * 4 < one.expected, "seed \(seed): \(one)")
    }
  }

  @Test("one device whose channel two radios take turns on may be all; two that are heard well not")
  func oneChannel() {
    let turn: Int64 = 70_000_000
    for seed in UInt64(1)...3 {
      var site = Self.others(seed)
      site[Self.suspect] = Self.sent(seed &+ 1_000, every: 300)
      let turns = (0...1).map { place in
        Self.ear(site, seed &+ UInt64(place)) { who, time in
          who == Self.suspect && time / turn % 2 != place ? 0 : 0.8
        }
      }
      #expect(Self.found(turns).map(\.mayTakeTurns) == [true], "seed \(seed)")
      var yard = site
      yard[Self.suspect] = Self.sent(seed &+ 2_000, every: 300)
      let two = [site, yard].enumerated().map { place, sent in
        Self.ear(sent, seed &+ UInt64(place)) { _, _ in 0.8 }
      }
      #expect(Self.found(two).map(\.mayTakeTurns) == [false], "seed \(seed)")
    }
  }

  @Test("one beacon is none, however badly it is heard, or carried about")
  func honest() {
    for seed in UInt64(1)...4 {
      var sent = Self.others(seed)
      sent[Self.suspect] = Self.sent(seed &+ 1_000, every: seed % 2 == 0 ? 300 : 1000, for: 2_000)
      for number in 0..<4 {
        sent[UInt64(number)] = Self.sent(seed &* 100 &+ UInt64(number), every: 250, for: 2_000)
      }
      // Heard by both, by hardly any, by one or the other as it is carried.
      let ways: [(Bool) -> (UInt64, Int64) -> Double] = [
        { _ in { _, _ in 0.7 } },
        { _ in { who, _ in who == Self.suspect ? 0.15 : 0.8 } },
        { isFirst in
          { who, time in
            guard who == Self.suspect else { return 0.7 }
            return (time / (20 * Self.second) % 2 == 0) == isFirst ? 0.9 : 0.1
          }
        },
      ]
      for (number, way) in ways.enumerated() {
        let all = Self.found([
          Self.ear(sent, seed, hears: way(true)),
          Self.ear(sent, seed &+ 1, ahead: -3 * Self.second, ppm: -20, hears: way(false)),
        ])
        #expect(all.isEmpty, "seed \(seed), way \(number): \(all)")
      }
    }
  }

  @Test("who is heard by one receiver alone, or seldom, is not judged")
  func littleHeard() {
    var (shop, yard) = (Self.others(5), Self.others(5))
    shop[Self.suspect] = Self.sent(1_000, every: 300)
    yard[8] = Self.sent(2_000, every: 300)
    yard[Self.suspect] = Array(Self.sent(3_000, every: 300).prefix(40))
    #expect(
      Self.found([Self.ear(shop, 1) { _, _ in 0.9 }, Self.ear(yard, 2) { _, _ in 0.9 }]).isEmpty)
  }
}
