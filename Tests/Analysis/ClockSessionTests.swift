import Synth
import Testing

@testable import Analysis

/// Receivers that recorded on several days: how their clocks go by one another on each of them.
@Suite("Clocks of recordings with days between") struct ClockSessionTests {
  private static let second: Int64 = 1_000_000_000
  private static let day = 86_400 * second

  /// When it recorded, and by how much its clock was ahead then: nanoseconds, and parts in a million that count
  /// from the first moment of all.
  private struct Session {
    var start: Int64
    var length: Int64 = 3600 * second
    var ahead: Int64 = 0
    var ppm = 0.0
  }

  /// Each session is a capture of its own, by its place among them.
  private static func hear(
    _ sessions: [Session], seed: UInt64, from place: Int = 0, intervals: [Int64] = [300, 500, 1000]
  ) -> ArrivalLog {
    var random = SplitMix64.stream(seed: seed, 2)
    var parts: [(place: Int, heard: [UInt64: [Int64]])] = []
    for (number, session) in sessions.enumerated() {
      // What is sent is the same for all who hear that day.
      var air = SplitMix64.stream(seed: UInt64(session.start / day), 1)
      var heard: [UInt64: [Int64]] = [:]
      for (advertiser, interval) in intervals.enumerated() {
        var time = session.start + Int64(air.below(1_000_000_000))
        while time < session.start + session.length {
          let late = Int64(random.below(1_000_000))
          if random.fraction() >= 0.3 {
            let drift = Int64(Double(time) * session.ppm / 1e6)
            heard[UInt64(advertiser), default: []].append(time + late + session.ahead + drift)
          }
          time += interval * 1_000_000 + Int64(air.below(10_000_000))
        }
      }
      parts.append((place + number, heard))
    }
    return ArrivalLog(captures: parts)
  }

  private static func compare(_ one: [Session], _ other: [Session]) throws -> (
    comparison: ClockComparison, pieces: [ClockTrack.Piece]
  ) {
    let logs = [hear(one, seed: 1), hear(other, seed: 2, from: one.count)]
    let comparison = ClockComparison(logs, against: 0)
    let group = try #require(comparison.groups.first)
    return (comparison, try #require(group.captures.first).track.pieces)
  }

  @Test("a day on which one is minutes off is found, whichever it is", arguments: 0..<4)
  func oneDayOff(off: Int) throws {
    let days: [Int64] = [0, 4, 12, 20]
    let right = days.map { Session(start: $0 * Self.day) }
    var wrong = right
    wrong[off].ahead = 420 * Self.second
    let (comparison, pieces) = try Self.compare(right, wrong)
    #expect(comparison.notCompared.isEmpty)
    for (number, day) in days.enumerated() {
      let points = pieces.flatMap(\.points).filter { abs($0.time - day * Self.day) < Self.day / 2 }
      let expected = number == off ? 420 * Self.second : 0
      #expect(points.count >= 12 && points.allSatisfy { abs($0.ahead - expected) < 3_000_000 })
    }
  }

  @Test("a drift that goes on over the days between is one", arguments: [50.0, 20, -8])
  func drift(ppm: Double) throws {
    let days: [Int64] = [0, 4, 12]
    let (comparison, pieces) = try Self.compare(
      days.map { Session(start: $0 * Self.day) },
      days.map { Session(start: $0 * Self.day, ahead: 420 * Self.second, ppm: ppm) })
    #expect(comparison.notCompared.isEmpty && pieces.count == 1)
    let piece = try #require(pieces.first)
    #expect(abs((piece.rate ?? 0) * 1e6 - ppm) < 0.1)
    #expect(piece.first < Self.day && piece.last > 12 * Self.day)
    for point in piece.points {
      #expect(abs(piece.ahead(at: point.time) - point.ahead) < 5_000_000)
    }
  }

  @Test("what no line goes through is not joined to one") func steps() throws {
    let days: [Int64] = [0, 4]
    let (_, pieces) = try Self.compare(
      days.map { Session(start: $0 * Self.day) },
      [Session(start: 0), Session(start: 4 * Self.day, ahead: Self.second)])
    #expect(pieces.map { (Double($0.ahead) / 1e9).rounded() } == [0, 1])
  }

  @Test("a drift is followed through days at a stretch") func days() throws {
    let length = 3 * Self.day
    func log(_ seed: UInt64, ppm: Double) -> ArrivalLog {
      Self.hear(
        [Session(start: 0, length: length, ppm: ppm)], seed: seed, intervals: [1000, 1500])
    }
    let comparison = ClockComparison([log(1, ppm: 0), log(2, ppm: 50)], against: 0)
    let pieces = try #require(comparison.groups.first?.captures.first).track.pieces
    #expect(pieces.count == 1)
    let piece = try #require(pieces.first)
    #expect(abs((piece.rate ?? 0) * 1e6 - 50) < 0.1 && piece.last > length - Self.day / 24)
  }

  @Test("where most sessions have nothing in common, it is known that not all were looked through")
  func hardlyEver() throws {
    // Of the same advertisers, on the same day once, and then by turns.
    func compare(_ days: Int64) throws -> ClockComparison {
      let turns = (0..<days).map { Session(start: $0 * 2 * Self.day, length: 300 * Self.second) }
      let others = turns.enumerated().map { number, session in
        Session(start: session.start + (number > 0 ? Self.day : 0), length: session.length)
      }
      return try Self.compare(turns, others).comparison
    }
    #expect(try compare(8).isComplete)
    let many = try compare(40)
    #expect(!many.isComplete && many.notCompared.count == 78)
  }

  @Test("a capture of which no packet is in another one is named") func notCompared() throws {
    let days: [Int64] = [0, 4, 12]
    let (comparison, pieces) = try Self.compare(
      days.map { Session(start: $0 * Self.day) },
      [0, 5, 12].map { Session(start: Int64($0) * Self.day) })
    #expect(pieces.count == 1)
    #expect(comparison.notCompared == [1, 4])
  }
}
