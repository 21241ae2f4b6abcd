import Analysis
import CaptureReader
import FrameEncoder
import Testing

/// Radios that hear far less from one moment on, and those of whom that may not be said.
@Suite struct HearingLossTests {
  private typealias Heard = (minor: UInt16, spans: [(times: Range<Int64>, every: Int)])

  private static let half: Int64 = 900
  private static let end: Int64 = 1800

  /// - Parameter scan: seconds at which a command switches the scan on, or off.
  private static func losses(_ beacons: [Heard], scan: [(second: Int64, isOn: Bool)] = []) throws
    -> [HearingLoss]
  {
    var all: [(time: Int64, minor: UInt16)] = []
    for (minor, spans) in beacons {
      for (times, every) in spans {
        all += stride(from: times.lowerBound, to: times.upperBound, by: every)
          .map { ($0 * 1000 + Int64(minor), minor) }
      }
    }
    var recording = Recording("hall")
    var commands = scan[...]
    for (time, minor) in all.sorted(by: { $0.time < $1.time }) {
      while let next = commands.first, next.second * 1000 <= time {
        recording.scan(filtersDuplicates: false, isOn: next.isOn, at: next.second * 1000)
        commands.removeFirst()
      }
      recording.hear(
        Recording.iBeacon(minor), from: Address(0xC000_0000_0000 + UInt64(minor)), at: time)
    }
    for (second, isOn) in commands {
      recording.scan(filtersDuplicates: false, isOn: isOn, at: second * 1000)
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

  /// Ten that are heard until the middle.
  private static let cut: [Heard] = (UInt16(1)...10).map { ($0, [(0..<half, 1)]) }

  private static func every10s(from second: Int64, isOn: Bool) -> [(second: Int64, isOn: Bool)] {
    stride(from: second, to: end, by: 10).map { ($0, isOn) }
  }

  @Test func aScanThatWasSwitchedOffIsNoLossOfHearing() throws {
    let off = [(0, true)] + Self.every10s(from: Self.half, isOn: false)
    #expect(try Self.losses(Self.cut, scan: off).isEmpty)
    // Some reports were on their way.
    let late = Self.cut + [(11, [(0..<Self.half + 1, 1)])]
    #expect(try Self.losses(late, scan: off).isEmpty)
  }

  @Test func aRadioThatHearsNobodyWhileItScansIsTold() throws {
    let scan = [(0, true)] + Self.every10s(from: Self.half, isOn: true)
    let loss = try #require(try Self.losses(Self.cut, scan: scan).first)
    #expect(loss.beacons == 10 && loss.lost == 10 && loss.now < 0.1)
    #expect(loss.silence > 200_000_000_000)
  }

  @Test func aScanThatIsOffForMostOfTheTimeFromThereOnIsNoLossOfHearing() throws {
    // Two seconds of ten are left.
    let rest: [(second: Int64, isOn: Bool)] = stride(from: Self.half, to: Self.end, by: 10)
      .flatMap { [($0, false), ($0 + 8, true)] }
    let seldom: [Heard] = (UInt16(1)...10).map { minor in
      (minor, [(0..<Self.half, 1), (Self.half + 8..<(minor <= 5 ? Self.half + 60 : Self.end), 10)])
    }
    #expect(try Self.losses(seldom, scan: [(0, true)] + rest).isEmpty)
  }

  @Test func whoWasGoneBeforeIsNotOfThoseThatTheRadioLost() throws {
    let gone: [Heard] = [(11, [(0..<Self.half - 120, 1)])]
    let loss = try #require(try Self.losses(Self.carriedOff + gone).first)
    #expect(loss.lost == 5)
  }
}
