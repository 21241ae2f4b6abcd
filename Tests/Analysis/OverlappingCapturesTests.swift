import Analysis
import CaptureReader
import FrameEncoder
import Testing

/// Captures of one radio that are of the same time.
@Suite struct OverlappingCapturesTests {
  private static let address = Address(0xC000_0000_0001)

  /// Heard each second, from one second to another.
  private static func recording(
    _ name: String, _ seconds: Range<Int64>, scanWindow: Int? = nil, without: Range<Int64> = 0..<0
  ) -> Recording {
    var recording = Recording(name)
    if let scanWindow {
      recording.scan(
        filtersDuplicates: false, interval: 100, window: scanWindow,
        at: seconds.lowerBound * 1000)
    }
    for second in seconds where !without.contains(second) {
      recording.hear(Recording.iBeacon(1), from: address, at: second * 1000)
    }
    return recording
  }

  private static func side(_ recordings: Recording..., limits: TimeLimits? = nil) throws
    -> ComparedSide
  {
    var options = Analysis.Options()
    options.limits = limits
    for place in recordings.indices { options.observerNames[place] = "pi" }
    return try ComparedSide(recordings, options)
  }

  @Test("a time that two captures of a radio have is listened to once")
  func listenedOnce() throws {
    let side = try Self.side(Self.recording("a", 0..<601), Self.recording("b", 300..<901))
    #expect(side.receivers == 1)
    #expect(side.listened == 900_000_000_000 && side.scanned == 900_000_000_000)
    let inside = try Self.side(Self.recording("a", 0..<601), Self.recording("b", 100..<201))
    #expect(inside.listened == 600_000_000_000)
  }

  @Test("captures that follow one another count each")
  func oneAfterAnother() throws {
    let side = try Self.side(Self.recording("a", 0..<301), Self.recording("b", 400..<701))
    #expect(side.listened == 600_000_000_000)
  }

  @Test("what one capture has of another one's pause counts")
  func pauseOfOne() throws {
    let side = try Self.side(
      Self.recording("a", 0..<601, without: 201..<400), Self.recording("b", 250..<351))
    #expect(side.listened == 500_000_000_000)
  }

  @Test("of a radio that listens a part of the time that part is taken out")
  func windows() throws {
    let side = try Self.side(
      Self.recording("a", 0..<601, scanWindow: 50), Self.recording("b", 300..<901, scanWindow: 50))
    #expect(side.scanned == 900_000_000_000 && side.listened == 450_000_000_000)
  }

  @Test("of a part of the time, too")
  func limited() throws {
    let start = Recording.start * 1_000_000
    let side = try Self.side(
      Self.recording("a", 0..<601), Self.recording("b", 300..<901),
      limits: TimeLimits(from: start + 500_000_000_000, to: nil))
    #expect(side.listened == 400_000_000_000)
  }

  @Test("who is silent for four minutes in two captures did not fall silent for eight")
  func silence() throws {
    let all = (UInt16(1)...6).map { Heard(minor: $0, until: $0 == 6 ? 960 : 1200) }
    #expect(try Self.silent(all, ["a"]) == 0)
    #expect(try Self.silent(all, ["a", "b"]) == 0)
    let longer = (UInt16(1)...6).map { Heard(minor: $0, until: $0 == 6 ? 800 : 1200) }
    #expect(try Self.silent(longer, ["a", "b"]) == 1)
  }

  /// What is told of the radio `pi` beside another one.
  private static func receiver(_ recordings: Recording...) throws -> ReceiverSummary {
    var options = Analysis.Options()
    for place in recordings.indices { options.observerNames[place] = "pi" }
    let sources = recordings.map(\.source) + [recording("other", 0..<601).source]
    var sink = NoSink()
    var analysis = Analysis(sources, options: options)
    let result = try analysis.run(into: &sink)
    let all = result.receivers(result.statistics.summaries())
    return try #require(all.first { $0.name == "pi" })
  }

  @Test(
    "a radio whose rotated files overlap for seconds is told with what it recorded and listened")
  func receiverOfOverlappingFiles() throws {
    let pi = try Self.receiver(
      Self.recording("a", 0..<301, scanWindow: 50), Self.recording("b", 280..<601, scanWindow: 50),
      Self.recording("c", 1000..<1301, scanWindow: 50))
    #expect(pi.recorded == 900_000_000_000)
    #expect(pi.listened == 450_000_000_000)
    #expect(pi.pauses && pi.share == 0.5)
  }

  @Test("a case has what its controllers scanned, a time of several files once")
  func scannedOfOverlappingFiles() throws {
    func scanned(_ recordings: Recording...) throws -> Int64? {
      var options = Analysis.Options()
      for place in recordings.indices { options.observerNames[place] = "pi" }
      var sink = NoSink()
      var analysis = Analysis(recordings.map(\.source), options: options)
      return try analysis.run(into: &sink).scanned["pi"]
    }
    let first = Self.recording("a", 0..<601, scanWindow: 50)
    #expect(try scanned(first) == 600_000_000_000)
    #expect(
      try scanned(first, Self.recording("b", 300..<901, scanWindow: 50)) == 900_000_000_000)
    #expect(
      try scanned(first, Self.recording("b", 100..<201, scanWindow: 50)) == 600_000_000_000)
    #expect(
      try scanned(first, Self.recording("b", 1000..<1101, scanWindow: 50)) == 700_000_000_000)
  }

  @Test("what a clock skips that stood in 1970 and was set is no time that was recorded")
  func setClock() throws {
    let boot = -(Recording.start / 1000)
    var setting = Recording("a")
    setting.scan(filtersDuplicates: false, interval: 100, window: 100, at: (boot + 20) * 1000)
    for second in [boot + 20..<boot + 51, 0..<601].joined() {
      setting.hear(Recording.iBeacon(1), from: Self.address, at: second * 1000)
    }
    let pi = try Self.receiver(setting)
    #expect(pi.recorded == 630_000_000_000)
    #expect(pi.pauses && pi.share == 1)
  }

  private struct Heard {
    let minor: UInt16
    /// Seconds.
    let until: Int64
  }

  /// How many fell silent, where the same is in several captures.
  private static func silent(_ all: [Heard], _ names: [String]) throws -> Int {
    var options = Analysis.Options()
    var recordings: [Recording] = []
    for (place, name) in names.enumerated() {
      var recording = Recording(name)
      for second in Int64(0)..<1200 {
        for heard in all where second < heard.until {
          recording.hear(
            Recording.iBeacon(heard.minor), from: Address(0xC000_0000_0000 + UInt64(heard.minor)),
            at: second * 1000 + Int64(heard.minor) * 10 + Int64(place))
        }
      }
      recordings.append(recording)
      options.observerNames[place] = "pi"
    }
    var sink = NoSink()
    var analysis = Analysis(recordings.map(\.source), options: options)
    let result = try analysis.run(into: &sink)
    return SilentBeacons(result, result.statistics.summaries()).all.count
  }
}
