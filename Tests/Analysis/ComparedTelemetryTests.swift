import Analysis
import Beacons
import CaptureReader
import FrameEncoder
import Testing

/// What telemetry of two recordings tells, one against the other.
@Suite struct ComparedTelemetryTests {
  private struct Told {
    var millivolts: UInt16 = 3000
    var temperature: Int16 = 0x1600
    /// Tenths of a second that it has been on at the beginning, and that its uptime counts in a second.
    var uptime: UInt32 = 1
    var pace = 10.0
    /// The second from which on its uptime begins anew.
    var startsAnew = Int64.max
    var seconds: Int64 = 600
    /// Frames of telemetry with the same in them, and how often they are filled, seconds.
    var copies = 1
    var filled: Int64 = 10
  }

  /// A beacon whose every tenth frame is telemetry, or more of them.
  private static func side(_ told: Told, hour: Int64 = 0) throws -> ComparedSide {
    var recording = Recording("hall")
    let address = Address(0xC000_0000_0001)
    for second in 0..<told.seconds {
      let since = second >= told.startsAnew ? second - told.startsAnew : second
      let start = second >= told.startsAnew ? 1 : told.uptime
      let data =
        second % 10 > 9 - told.copies
        ? Payload.eddystoneTLM(
          millivolts: told.millivolts, temperature: told.temperature,
          count: UInt32(second / told.filled),
          uptime: start
            + UInt32(Double(since / told.filled * told.filled + told.filled - 1) * told.pace))
        : Recording.eddystone
      recording.hear(data, from: address, at: hour * 3_600_000 + second * 1000)
    }
    return try ComparedSide([recording])
  }

  private static func changes(_ before: Told, _ now: Told) throws -> [BeaconChange] {
    Comparison(before: try side(before), now: try side(now, hour: 1)).changed
      .flatMap(\.changes)
  }

  @Test func whoStartedAnewIsTold() throws {
    let changes = try Self.changes(Told(), Told())
    guard changes.count == 1, case .restarted(let time) = changes[0] else {
      return #expect(Bool(false), "\(changes)")
    }
    #expect(abs(time.nanoseconds / 1_000_000 - Recording.start - 3_600_000) < 2000)
    #expect(try Self.changes(Told(), Told(uptime: 36_001)).isEmpty)
  }

  /// Its uptime may be one that began a minute ago, or one that counts seconds for tenths.
  @Test(arguments: [1.0, 5.0, 8.5])
  func anUptimeThatGoesTooSlowlyTellsNoStart(_ pace: Double) throws {
    let told = Told(pace: pace)
    let changes = try Self.changes(told, Told(uptime: UInt32(pace * 360), pace: pace))
    guard changes.count == 1, case .uptimeRate(let before?, let now?) = changes[0] else {
      return #expect(Bool(false), "\(changes)")
    }
    #expect(abs(before - pace / 10) < 0.01 && abs(now - pace / 10) < 0.01, "\(before) \(now)")
  }

  /// They are filled every ten seconds, and sent several times.
  @Test func framesThatAreSentAgainDoNotHurryIt() throws {
    let changes = try Self.changes(Told(copies: 5), Told(copies: 5))
    guard changes.count == 1, case .restarted = changes[0] else {
      return #expect(Bool(false), "\(changes)")
    }
  }

  @Test(arguments: [170, 600] as [Int64])
  func framesThatAreFilledEachMinuteGoAsTimeDoes(_ seconds: Int64) throws {
    let told = Told(seconds: seconds, copies: 9, filled: 60)
    let changes = try Self.changes(told, told)
    guard changes.count == 1, case .restarted = changes[0] else {
      return #expect(Bool(false), "\(changes)")
    }
  }

  @Test func anUptimeThatStandsStillTellsNoStart() throws {
    let changes = try Self.changes(Told(uptime: 7, pace: 0), Told(uptime: 7, pace: 0))
    guard changes.count == 1, case .uptimeRate(0, 0) = changes[0] else {
      return #expect(Bool(false), "\(changes)")
    }
  }

  /// A clock of a beacon may be wrong by some per cent, and is right all the same.
  @Test func anUptimeThatGoesNearlyAsTimeDoesTellsTheStart() throws {
    let changes = try Self.changes(Told(pace: 9.5), Told(pace: 9.5))
    guard changes.count == 1, case .restarted = changes[0] else {
      return #expect(Bool(false), "\(changes)")
    }
  }

  /// What passed between two readings of which the later one is smaller is no pace.
  @Test func whoStartsAnewWithinARecordingGoesAsTimeDoes() throws {
    let changes = try Self.changes(Told(uptime: 500), Told(uptime: 500, startsAnew: 120))
    guard changes.count == 1, case .restarted(let time) = changes[0] else {
      return #expect(Bool(false), "\(changes)")
    }
    #expect(abs(time.nanoseconds / 1_000_000 - Recording.start - 3_720_000) < 2000)
  }

  /// One that went right goes wrong now, by whatever firmware.
  @Test func anUptimeThatGoesWrongNowIsToldWithoutAStart() throws {
    let changes = try Self.changes(Told(uptime: 10_000), Told(uptime: 1_000_000, pace: 1000))
    guard changes.count == 1, case .uptimeRate(let before?, let now?) = changes[0] else {
      return #expect(Bool(false), "\(changes)")
    }
    #expect(abs(before - 1) < 0.01 && abs(now - 100) < 1)
    // It went wrong before, too, and nothing else was told.
    let same = Told(uptime: 1_000_000, pace: 1000)
    #expect(try Self.changes(same, Told(uptime: 4_600_000, pace: 1000)).isEmpty)
  }

  /// Telemetry of a minute does not tell how its uptime goes; that of the other side may.
  @Test func aShortSideGoesByTheOtherOne() throws {
    let short = Told(uptime: 361, pace: 1, seconds: 60)
    let changes = try Self.changes(Told(pace: 1), short)
    guard changes.count == 1, case .uptimeRate(let before?, nil) = changes[0] else {
      return #expect(Bool(false), "\(changes)")
    }
    #expect(abs(before - 0.1) < 0.01)
  }

  @Test func whatIsNoLongerMeasuredIsTold() throws {
    let on = Told(uptime: 36_001)
    var now = on
    (now.millivolts, now.temperature) = (0, .min)
    let changes = try Self.changes(Told(), now)
    guard changes.count == 2, case .battery(3000, nil) = changes[0],
      case .temperature(0x1600, nil) = changes[1]
    else { return #expect(Bool(false), "\(changes)") }
    var before = Told()
    (before.millivolts, before.temperature) = (0, .min)
    let back = try Self.changes(before, on)
    guard back.count == 2, case .battery(nil, 3000) = back[0],
      case .temperature(nil, 0x1600) = back[1]
    else { return #expect(Bool(false), "\(back)") }
    now.uptime = 36_001
    #expect(try Self.changes(before, now).isEmpty)
  }
}
