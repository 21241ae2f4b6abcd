import CaptureReader
import FrameDecoder
import Testing

/// Notes of malformed records and of steps of clocks.
@Suite struct RemarkTests {
  private static let report = Hex.bytes("043e0f0201000055443322110003020106d4")
  /// An event of no reports.
  private static let empty = Hex.bytes("043e020200")
  private static let other = Hex.bytes("0240000800040004000a0b0c0d")
  private static let minute: Int64 = 60_000

  private static func options(malformed: Bool = true, clock: Bool = true) -> FrameDecoder.Options {
    var options = FrameDecoder.Options()
    options.notesMalformed = malformed
    options.notesClock = clock
    return options
  }

  /// A note as text, with its time in milliseconds; ticks and ends left out.
  private static func text(_ note: ObserverNote) -> String? {
    let time = (note.time.nanoseconds - 1_700_000_000_000_000_000) / 1_000_000
    let what = "frame \(note.frame), observer \(note.observer), at \(time)"
    switch note.kind {
    case .malformed: return "\(note.reason.name): \(what)"
    case .clock: return "\(note.step / 1_000_000) ms: \(what)"
    case .reset: return "reset: \(what)"
    case .tick, .scanOn, .scanOff, .end, .lost, .captureOff, .captureOn, .silence, .undecoded,
      .scanLimits:
      return nil
    }
  }

  private static func texts(_ feeding: borrowing Feeding) -> [String] {
    feeding.decoder.notes.compactMap(text)
  }

  @Test func eachMalformedRecordIsNotedWithItsReason() {
    var feeding = Feeding(Self.options())
    var found: [String] = []
    for (time, bytes) in [(0, Self.report), (5, Self.empty), (9, [4]), (10, Self.other)] {
      feeding.feed(bytes, at: Int64(time))
      found += Self.texts(feeding)
    }
    #expect(
      found == [
        "num_reports_zero: frame 2, observer 0, at 5", "event_too_short: frame 3, observer 0, at 9",
      ])
    #expect(feeding.count(.malformed) == 2)
  }

  @Test func whatTheRecorderCutOrTheRadioGarbledIsNotMalformed() {
    var feeding = Feeding(Self.options())
    feeding.feed(Array(Self.report.prefix(8)), original: Self.report.count)
    #expect(feeding.count(.truncated) == 1)
    #expect(Self.texts(feeding).isEmpty)
    var garbled = Air.withHeader([0x42, 0x06, 1, 2, 3, 4, 5, 6], rf: 0)
    garbled[garbled.count - 1] ^= 1
    garbled[9] = 0
    feeding.feed(garbled, .leLinkLayerWithHeader, interface: 1)
    #expect(feeding.count(.crcFailed) == 1)
    #expect(Self.texts(feeding).isEmpty)
  }

  @Test func recordsOfNobodyAreLeftOut() {
    var feeding = Feeding(Self.options())
    feeding.feed(Self.empty, .hciH4, at: 0, interface: 0)
    for link in [LinkType.pcap(1), .leLinkLayerWithHeader] {
      feeding.feed([1, 2], link, at: 0, interface: 1)
      #expect(Self.texts(feeding).isEmpty)
      feeding.feed([1, 2], link, at: -60_000, interface: 1)
      #expect(Self.texts(feeding).isEmpty)
    }
    #expect(feeding.count(.malformed) == 3)
  }

  @Test func aRecordTooShortForAnObserverBelongsToTheOneHeardLastOnItsInterface() {
    var feeding = Feeding(Self.options())
    for adapter in [0, 1, 0] as [UInt8] {
      feeding.feed([0, adapter, 0, 3] + Self.report.dropFirst(), .linuxMonitor, at: 1)
    }
    feeding.feed([0, 1], .linuxMonitor, at: 2)
    #expect(Self.texts(feeding) == ["phdr_truncated: frame 4, observer 0, at 2"])
  }

  /// Milliseconds of records of one interface, and the notes expected.
  @Test(arguments: [
    ([0, 1, 1, 600_001], []), ([0, 600_001], ["600001 ms: frame 2, observer 0, at 600001"]),
    ([5, 4, 5], ["-1 ms: frame 2, observer 0, at 5"]),
    (
      [9000, 0, 0, 700_000],
      ["-9000 ms: frame 2, observer 0, at 9000", "700000 ms: frame 4, observer 0, at 700000"]
    ),
  ])
  func stepsOfAClockAreNoted(_ times: [Int64], _ expected: [String]) {
    var feeding = Feeding(Self.options())
    var found: [String] = []
    for time in times {
      feeding.feed(Self.report, at: time)
      found += Self.texts(feeding)
    }
    #expect(found == expected)
  }

  @Test func interfacesHaveClocksOfTheirOwn() {
    var feeding = Feeding(Self.options())
    for (time, interface) in [(5000, 0), (0, 1), (5001, 0), (1, 1), (0, 1)] as [(Int64, UInt16)] {
      #expect(Self.texts(feeding).isEmpty)
      feeding.feed(Self.report, at: time, interface: interface)
    }
    #expect(Self.texts(feeding) == ["-1 ms: frame 5, observer 1, at 1"])
  }

  @Test func aStepIsNotedBeforeWhatElseItsRecordTells() {
    var feeding = Feeding(Self.options())
    feeding.feed([0, 7, 0, 3] + Self.report.dropFirst(), .linuxMonitor, at: 0)
    feeding.feed([0, 7, 0, 9], .linuxMonitor, at: 20 * Self.minute)
    #expect(feeding.decoder.notes.map(\.kind) == [.clock, .tick, .reset])
    #expect(feeding.decoder.notes.map(\.frame) == [2, 2, 2])
    feeding.feed([0, 7, 0, 3, 0x3E], .linuxMonitor, at: 0)
    #expect(feeding.decoder.notes.map(\.kind) == [.clock, .malformed])
    #expect(feeding.decoder.notes.first?.lastRecord == feeding.decoder.notes.first?.time)
  }

  @Test func nothingIsNotedThatNobodyAskedFor() {
    var feeding = Feeding()
    for time in [0, 5000, 0, 900_000] as [Int64] {
      feeding.feed(Self.empty, at: time)
      #expect(Self.texts(feeding).isEmpty)
    }
    var malformed = Feeding(Self.options(clock: false))
    var clock = Feeding(Self.options(malformed: false))
    for time in [1, 0] as [Int64] {
      malformed.feed(Self.empty, at: time)
      clock.feed(Self.empty, at: time)
    }
    #expect(malformed.decoder.notes.map(\.kind) == [.malformed])
    #expect(clock.decoder.notes.map(\.kind) == [.clock])
  }
}
