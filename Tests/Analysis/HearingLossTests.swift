import Analysis
import CaptureReader
import FrameEncoder
import Testing

/// Radios that hear far less from one moment on, and those of whom that may not be said.
@Suite struct HearingLossTests {
  private typealias Heard = (minor: UInt16, spans: [(times: Range<Int64>, every: Int)])

  private static let half: Int64 = 900
  private static let end: Int64 = 1800

  private static func losses(_ beacons: [Heard]) throws -> [HearingLoss] {
    var all: [(time: Int64, minor: UInt16)] = []
    for (minor, spans) in beacons {
      for (times, every) in spans {
        all += stride(from: times.lowerBound, to: times.upperBound, by: every)
          .map { ($0 * 1000 + Int64(minor), minor) }
      }
    }
    var recording = Recording("hall")
    for (time, minor) in all.sorted(by: { $0.time < $1.time }) {
      recording.hear(
        Recording.iBeacon(minor), from: Address(0xC000_0000_0000 + UInt64(minor)), at: time)
    }
    let result = try Analysis.result(recording)
    return HearingLoss.all(result, result.statistics.summaries())
  }

  /// Half of ten are heard no more from the middle on, the others seldom.
  private static let carriedOff: [Heard] = (UInt16(1)...10).map { minor in
    let rest = (times: half..<(minor <= 5 ? half + 60 : end), every: 8)
    return (minor, [(0..<half, 1), rest])
  }

  @Test func aRadioThatIsCarriedOffIsTold() throws {
    let loss = try #require(try Self.losses(Self.carriedOff).first)
    #expect(loss.beacons == 10 && loss.lost == 5)
    #expect(abs(loss.before - 10) < 0.5 && loss.now < 2)
    let moment = loss.from.nanoseconds / 1_000_000_000 - Recording.start / 1000
    #expect((Self.half - 20...Self.half + 20).contains(moment), "\(moment)")
  }

  @Test func somebodyWhoWalksMeetsNewOnes() throws {
    let newcomers: [Heard] = (UInt16(20)..<25).map { ($0, [(Self.half..<Self.end, 8)]) }
    #expect(try Self.losses(Self.carriedOff + newcomers).isEmpty)
  }

  @Test func advertisersThatLeaveAreNoLossWhileBeaconsAreHeard() throws {
    // Heard less often, and heard to the end.
    let quieter: [Heard] = (UInt16(1)...10).map { minor in
      (minor, [(0..<Self.half, 1), (Self.half..<Self.end, 8)])
    }
    #expect(try Self.losses(quieter).isEmpty)
  }

  @Test func beaconsThatFallSilentOneAfterTheOtherAreBeacons() throws {
    let dying: [Heard] = (UInt16(1)...10).map { minor in
      (minor, [(0..<Int64(minor) * 180, 1)])
    }
    #expect(try Self.losses(dying).isEmpty)
  }
}
