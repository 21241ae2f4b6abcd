import Synth
import Testing

@testable import Analysis

/// Whose clock the others are compared with where nobody says it.
@Suite("The clock that others are compared with") struct MajorityClockTests {
  private static let second: Int64 = 1_000_000_000

  /// Three beacons for ten minutes, heard by clocks that are so many seconds ahead; the first hears most.
  /// - Parameters:
  ///   - reach: which part of the time each hears, in seconds.
  ///   - steps: by how many seconds a clock is set in the middle of it, by place.
  private static func compare(
    _ ahead: [Int64], against: Int? = nil, reach: [Range<Int64>] = [], steps: [Int: Int64] = [:]
  ) -> ClockComparison {
    var random = SplitMix64.stream(seed: 11, 1)
    var sent: [(advertiser: UInt64, time: Int64)] = []
    for (number, interval) in [Int64(100), 320, 500].enumerated() {
      var time = Int64(random.below(1_000_000_000))
      while time < 600 * second {
        sent.append((UInt64(number), time))
        time += interval * 1_000_000 + Int64(random.below(10_000_000))
      }
    }
    let logs = ahead.enumerated().map { place, ahead in
      var heard: [UInt64: [Int64]] = [:]
      let range = reach.isEmpty ? 0..<600 : reach[place]
      for (advertiser, time) in sent where range.contains(time / second) {
        guard random.fraction() >= 0.1 * Double(place + 1) else { continue }
        let step = time > 300 * second ? steps[place] ?? 0 : 0
        heard[advertiser, default: []].append(time + (ahead + step) * second)
      }
      return ArrivalLog(heard)
    }
    return ClockComparison(logs, against: against)
  }

  private static func seconds(_ group: ClockComparison.Group) -> [Int: Int] {
    Dictionary(
      uniqueKeysWithValues: group.captures.map {
        ($0.place, Int((Double($0.ahead) / 1e9).rounded()))
      })
  }

  @Test("is one of the two that agree, and not that which heard most and differs")
  func majority() throws {
    let found = Self.compare([180, 0, 0])
    let group = try #require(found.groups.first)
    #expect(found.groups.count == 1 && group.against == 1)
    #expect(Self.seconds(group) == [0: 180, 2: 0])
    #expect(group.agreeing == [1, 2])
    #expect(group.captures.allSatisfy { $0.through != $0.place })
  }

  @Test("is that which heard most where no more agree otherwise, or where it was said")
  func otherwise() throws {
    let each = try #require(Self.compare([180, 0, 60]).groups.first)
    #expect(each.against == 0 && each.agreeing == nil)
    let halves = try #require(Self.compare([180, 180, 0, 0]).groups.first)
    #expect(halves.against == 0 && halves.agreeing == nil)
    let all = try #require(Self.compare([5, 5, 5]).groups.first)
    #expect(all.against == 0 && all.agreeing == nil)
    let said = try #require(Self.compare([180, 0, 0], against: 0).groups.first)
    #expect(said.against == 0 && Self.seconds(said) == [1: -180, 2: -180])
  }

  @Test(
    "is none that was set while two others went on by one another, though it heard most",
    arguments: [-60, 60, 3600] as [Int64])
  func setClock(_ step: Int64) throws {
    let found = Self.compare([0, 0, 0], steps: [0: step])
    let group = try #require(found.groups.first)
    #expect(found.groups.count == 1 && found.alone.isEmpty && group.against == 1)
    let pieces = Dictionary(
      uniqueKeysWithValues: group.captures.map { ($0.place, $0.track.pieces.map(\.ahead)) })
    #expect(pieces[2]?.count == 1 && group.agreeing == [1, 2])
    let changes = try #require(pieces[0]).map { Int((Double($0) / 1e9).rounded()) }
    #expect(Set(changes) == [0, Int(step)], "\(changes)")
    // Of two nobody can say which was set, and what was said stays.
    #expect(Self.compare([0, 0], steps: [0: step]).groups.first?.against == 0)
    #expect(Self.compare([0, 0, 0], against: 0, steps: [0: step]).groups.first?.against == 0)
    // Nor is it another one that agrees with nobody.
    #expect(Self.compare([0, 0, 0], steps: [1: step]).groups.first?.against == 0)
    #expect(Self.compare([0, 0, 0], steps: [0: step, 1: 90]).groups.first?.against == 0)
  }

  /// The last one shares its time with the second alone, by way of which it is compared.
  @Test("keeps by whose way each was compared")
  func ways() throws {
    let reach = [Int64(0)..<400, 200..<600, 420..<600]
    let group = try #require(Self.compare([180, 0, 0], reach: reach).groups.first)
    #expect(group.against == 1 && Self.seconds(group) == [0: 180, 2: 0])
    #expect(group.captures.map(\.through) == [1, 1])
  }
}
