import CaptureReader
import FrameDecoder
import Testing

/// What observers did beside handing on reports.
@Suite struct ObserverNoteTests {
  private static let report = Hex.bytes("043e0f0201000055443322110003020106d4")
  private static let other = Hex.bytes("0240000800040004000a0b0c0d")
  private static let enable = Hex.bytes("010c20020100")
  private static let disable = Hex.bytes("010c20020000")
  private static let done = Hex.bytes("040e04010c2000")
  private static let refused = Hex.bytes("040e04010c200c")
  private static let reset = Hex.bytes("01030c00")
  private static let wasReset = Hex.bytes("040e0401030c00")
  private static let timeout = Hex.bytes("043e0111")

  /// A note as text; times in milliseconds behind the first feeding's zero.
  private static func text(_ note: ObserverNote) -> String {
    let times = [note.time, note.lastRecord, note.lastReport].map {
      $0.isKnown ? "\(($0.nanoseconds - 1_700_000_000_000_000_000) / 1_000_000)" : "-"
    }
    return "\(note.kind) \(times[0]) after \(times[1]), report \(times[2]) (\(note.reports))"
  }

  private static func notes(_ records: [(Int64?, [UInt8])]) -> [String] {
    var feeding = Feeding()
    var found: [String] = []
    for (time, bytes) in records {
      feeding.feed(bytes, at: time)
      found += feeding.decoder.notes.map(text)
    }
    feeding.finish()
    return found + feeding.decoder.notes.map(text)
  }

  @Test func theFirstRecordAndThoseBehindASecondAreNoted() {
    let found = Self.notes([
      (0, Self.other), (400, Self.report), (999, Self.report), (1000, Self.report),
      (1999, Self.other), (2000, Self.other),
    ])
    #expect(
      found == [
        "tick 0 after -, report - (0)", "tick 1000 after 999, report 999 (2)",
        "tick 2000 after 1999, report 1000 (3)", "end 2000 after 2000, report 1000 (3)",
      ])
  }

  @Test func aPauseEndsWithANoteThatTellsWhenItBegan() {
    let found = Self.notes([(0, Self.report), (900, Self.report), (1900, Self.other)])
    #expect(found[1] == "tick 1900 after 900, report 900 (2)")
  }

  /// Who is heard at the end of a silence is known before the second is over.
  @Test func theReportThatEndsASilenceIsSoonKnown() {
    let found = Self.notes([
      (0, Self.report), (5, Self.other), (1500, Self.other), (1505, Self.report),
      (1509, Self.other), (1510, Self.other), (1511, Self.other), (1600, Self.report),
    ])
    #expect(
      found == [
        "tick 0 after -, report - (0)", "tick 1500 after 5, report 0 (1)",
        "tick 1510 after 1509, report 1505 (2)", "end 1600 after 1600, report 1600 (3)",
      ])
  }

  @Test func aStepBackwardsDoesNotMoveTheClock() {
    let found = Self.notes([
      (5000, Self.report), (1000, Self.report), (5999, Self.report), (6000, Self.report),
    ])
    #expect(
      found == [
        "tick 5000 after -, report - (0)", "tick 6000 after 5999, report 5999 (3)",
        "end 6000 after 6000, report 6000 (4)",
      ])
  }

  /// What comes with a record from before the clock happens at the clock.
  @Test func aRecordFromBeforeTheClockIsNotedWhereTheClockHasNotBeenTold() {
    let found = Self.notes([
      (0, Self.report), (400, Self.other), (700, Self.report), (650, Self.report),
      (640, Self.report), (690, Self.other), (800, Self.report), (799, Self.other),
      (1800, Self.other),
    ])
    #expect(
      found == [
        "tick 0 after -, report - (0)", "tick 700 after 700, report 700 (2)",
        "tick 800 after 800, report 800 (5)", "tick 1800 after 800, report 800 (5)",
        "end 1800 after 1800, report 800 (5)",
      ])
  }

  /// It happens at the clock, too: a second before it, a region may have been left that it is in.
  @Test func aRecordWithoutATimeIsNotedWhereTheClockHasNotBeenTold() {
    let found = Self.notes([
      (nil, Self.report), (0, Self.report), (900, Self.other), (nil, Self.report),
      (nil, Self.report), (1000, Self.report),
    ])
    #expect(
      found == [
        "tick 0 after -, report - (1)", "tick 900 after 900, report 0 (2)",
        "end 1000 after 1000, report 1000 (5)",
      ])
  }

  @Test func secondsAreShorterWhereThatIsAskedFor() {
    var options = FrameDecoder.Options()
    options.tick = 50_000_000
    var feeding = Feeding(options)
    var found: [String] = []
    for time in stride(from: Int64(0), through: 120, by: 30) {
      feeding.feed(Self.report, at: time)
      found += feeding.decoder.notes.map(Self.text)
    }
    #expect(
      found == [
        "tick 0 after -, report - (0)", "tick 60 after 30, report 30 (2)",
        "tick 120 after 90, report 90 (4)",
      ])
  }

  @Test func scanningThatSucceededIsNoted() {
    let found = Self.notes([
      (0, Self.enable), (1, Self.refused), (2, Self.enable), (3, Self.done), (4, Self.disable),
      (5, Self.done), (6, Self.reset), (7, Self.wasReset), (8, Self.timeout),
    ])
    #expect(
      found.dropFirst().map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        == ["scanOn 3", "scanOff 5", "reset 7", "scanOff 8", "end 8"])
  }

  /// Two seconds, which are over a second later; 3500 ms is the first record behind that.
  @Test func aScanEndsWithItsDurationWhereNoTimeoutIsTold() {
    let enable = Hex.bytes("01422006" + "0100" + "c8000000")
    let done = Hex.bytes("040e0401422000")
    let told: [(Int64?, [UInt8])] = [(0, enable), (1, done), (1500, Self.report)]
    func notes(_ rest: [(Int64?, [UInt8])]) -> [String] {
      Self.notes(told + rest).map { $0.split(separator: " ").prefix(2).joined(separator: " ") }
        .filter { !$0.hasPrefix("tick") }
    }
    #expect(
      notes([(2900, Self.other), (3500, Self.other)]) == ["scanOn 1", "scanOff 2900", "end 3500"])
    #expect(notes([(90_000, Self.other)]) == ["scanOn 1", "scanOff 2001", "end 90000"])
    #expect(
      notes([(2010, Self.timeout), (3500, Self.other)]) == ["scanOn 1", "scanOff 2010", "end 3500"])
    #expect(notes([(2950, Self.other)]) == ["scanOn 1", "end 2950"])
    var feeding = Feeding()
    for (time, bytes) in told + [(90_000, enable), (90_001, done), (95_000, Self.other)] {
      feeding.feed(bytes, at: time)
    }
    feeding.finish()
    let windows = feeding.decoder.observers[0].scan.windows
    #expect(windows.map(\.endReason) == [.timeout, .timeout])
    #expect(
      windows.map { $0.end.nanoseconds - $0.start.nanoseconds } == [2_000_000_000, 2_000_000_000])
  }

  /// By the commands that began it, legacy and extended ones.
  @Test func whomAScanLeavesOutIsNoted() {
    func limits(_ commands: [[UInt8]]) -> [ScanLimits] {
      var feeding = Feeding()
      var found: [ScanLimits] = []
      for (place, command) in commands.enumerated() {
        feeding.feed(command, at: Int64(2 * place))
        feeding.feed([4, 0x0E, 4, 1, command[1], command[2], 0], at: Int64(2 * place + 1))
        found += feeding.decoder.notes.filter { $0.kind == .scanOn }.map(\.scanLimits)
      }
      return found
    }
    func parameters(_ policy: UInt8) -> [UInt8] {
      Hex.bytes("010b2007" + "0010001000" + "00") + [policy]
    }
    let filtering = Hex.bytes("010c20020101")
    #expect(limits([Self.enable, filtering]) == [[], .duplicates])
    #expect(
      limits([parameters(1), Self.enable, parameters(3), filtering, parameters(2), Self.enable])
        == [.unlisted, [.unlisted, .duplicates], []])
    func extended(_ policy: UInt8) -> [UInt8] {
      Hex.bytes("01412008" + "00") + [policy] + Hex.bytes("01" + "0010001000")
    }
    let extendedOn = Hex.bytes("01422006" + "010000000000")
    let extendedFiltering = Hex.bytes("01422006" + "010100000000")
    #expect(
      limits([extended(0), extendedOn, extended(1), extendedFiltering])
        == [[], [.unlisted, .duplicates]])
  }

  @Test func eachAdapterOfAMonitorHasItsOwnClock() {
    var feeding = Feeding()
    var found: [String] = []
    for (time, adapter) in [(0, 0), (500, 1), (1000, 0), (1400, 1), (1500, 1), (9000, 0)] {
      feeding.feed(
        [0, UInt8(adapter), 0, 3] + Self.report.dropFirst(), .linuxMonitor, at: Int64(time))
      found += feeding.decoder.notes.map { "\($0.observer): \(Self.text($0))" }
    }
    #expect(
      found == [
        "0: tick 0 after -, report - (0)", "1: tick 500 after -, report - (0)",
        "0: tick 1000 after 0, report 0 (1)", "1: tick 1500 after 1400, report 1400 (2)",
        "0: tick 9000 after 1000, report 1000 (2)",
      ])
  }

  @Test func aRemovedAdapterIsNoted() {
    var feeding = Feeding()
    feeding.feed([0, 0, 0, 3] + Self.report.dropFirst(), .linuxMonitor, at: 0)
    feeding.feed([0, 0, 0, 1], .linuxMonitor, at: 10)
    #expect(feeding.decoder.notes.map(Self.text) == ["reset 10 after 10, report 0 (1)"])
  }
}

extension ObserverNoteTests {
  @Test func reportsWhileTheScanIsOffAreCounted() {
    var feeding = Feeding()
    let packets = [
      Self.report, Self.enable, Self.done, Self.report, Self.disable, Self.done, Self.report,
      Self.report, Self.disable, Self.done, Self.report, Self.enable, Self.done, Self.report,
      Self.reset, Self.wasReset, Self.report,
    ]
    for (time, bytes) in packets.enumerated() { feeding.feed(bytes, at: Int64(time)) }
    #expect(feeding.decoder.observers[0].reportsWhileOff == 3)
    feeding.finish()
    #expect(feeding.decoder.observers[0].reportsWhileOff == 4)
    #expect(feeding.decoder.observers[0].reports == 7)
  }
}
