import CaptureReader
import FrameDecoder
import Testing

/// Times of a recording without any record, which nobody listened in.
@Suite struct RecordGapTests {
  private static let enable = Hex.bytes("010c20020100")
  private static let enabled = Hex.bytes("040e04010c2000")
  private static let report = Hex.bytes("043e0f0201000055443322110003020106d4")

  private static func time(_ seconds: Double) -> Timestamp {
    Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(seconds * 1e9))
  }

  /// A scan from the beginning on, and reports at seconds.
  private static func feeding(_ seconds: [Double]) -> Feeding {
    var feeding = Feeding()
    feeding.feed(enable, at: 0)
    feeding.feed(enabled, at: 0)
    for second in seconds { feeding.feed(report, at: Int64(second * 1000)) }
    return feeding
  }

  @Test func aLongTimeWithoutARecordIsNoListening() {
    var feeding = Self.feeding([10, 20, 7200, 7210])
    feeding.decoder.finish(at: Self.time(7210))
    let scan = feeding.decoder.observers[0].scan
    #expect(scan.listening == 30_000_000_000 && scan.unrecorded == 7_180_000_000_000)
    #expect(scan.byParameters.map(\.listening) == [30_000_000_000])
    #expect(scan.gaps.spans.map(\.from) == [Self.time(20).nanoseconds])
  }

  /// Who was told of once is not told of again: that nothing is recorded says nothing then.
  @Test func whileDuplicatesAreFilteredItIsListening() {
    var feeding = Feeding()
    feeding.feed(Hex.bytes("010c20020101"), at: 0)
    feeding.feed(Self.enabled, at: 0)
    for second in [10, 20, 100] { feeding.feed(Self.report, at: Int64(second * 1000)) }
    feeding.decoder.finish(at: Self.time(100))
    let scan = feeding.decoder.observers[0].scan
    #expect(scan.listening == 100_000_000_000 && scan.unrecorded == 80_000_000_000)
    let (from, to) = (Self.time(50).nanoseconds, Self.time(60).nanoseconds)
    #expect(scan.windows[0].listening(from: from, to: to, scan.gaps) == 10_000_000_000)
  }

  /// Scans and recordings as long as times can say.
  @Test func theLongestScansAddUp() {
    var feeding = Feeding()
    for (order, time) in [
      ("010c20020101", -4_600_000_000_000), ("010c20020101", 4_600_000_000_000),
      ("010c20020101", -4_600_000_000_000), ("010c20020000", 4_600_000_000_000),
    ] as [(String, Int64)] {
      feeding.feed(Hex.bytes(order), at: time)
      feeding.feed(Self.enabled, at: time)
    }
    feeding.decoder.finish(at: Self.time(4_600_000_000))
    let scan = feeding.decoder.observers[0].scan
    #expect(scan.windows.count == 3)
    #expect(scan.byParameters.map(\.listening) == [.max])
  }

  @Test func whatIsNotCapturedIsNoListeningWithAFilterEither() {
    var feeding = Feeding()
    feeding.feed(Hex.bytes("010c20020101"), at: 0)
    feeding.feed(Self.enabled, at: 0)
    feeding.feed(Self.report, at: 10_000)
    for (kind, second) in [(CaptureMark.Kind.off, 20.0), (.on, 80.0)] {
      feeding.decoder.take(
        CaptureMark(kind, interface: 0, time: Self.time(second), frame: 3, isBehind: true))
    }
    feeding.feed(Self.report, at: 100_000)
    feeding.decoder.finish(at: Self.time(100))
    #expect(feeding.decoder.observers[0].scan.listening == 40_000_000_000)
  }

  @Test func aShortOneIs() {
    var feeding = Self.feeding([29.9, 59.8])
    feeding.decoder.finish(at: Self.time(59.8))
    #expect(feeding.decoder.observers[0].scan.listening == 59_800_000_000)
    #expect(feeding.decoder.observers[0].scan.gaps.spans.isEmpty)
  }

  @Test func whatTheRecorderSaysThatItDidNotCaptureIsNone() {
    var feeding = Self.feeding([10])
    for (kind, second) in [(CaptureMark.Kind.off, 12.0), (.on, 17.0)] {
      feeding.decoder.take(
        CaptureMark(
          kind, interface: 0, time: Self.time(second), frame: 3, isBehind: true))
    }
    feeding.feed(Self.report, at: 20_000)
    feeding.decoder.finish(at: Self.time(20))
    #expect(feeding.decoder.observers[0].scan.listening == 15_000_000_000)
  }

  /// A gap in which the recorder says the same is one gap.
  @Test func bothTogetherAreOne() {
    var feeding = Self.feeding([10])
    for (kind, second) in [(CaptureMark.Kind.off, 12.0), (.on, 90.0)] {
      feeding.decoder.take(
        CaptureMark(kind, interface: 0, time: Self.time(second), frame: 3, isBehind: true))
    }
    feeding.feed(Self.report, at: 100_000)
    feeding.decoder.finish(at: Self.time(100))
    let gaps = feeding.decoder.observers[0].scan.gaps
    #expect(gaps.spans.count == 1)
    #expect(
      gaps.length(from: Self.time(0).nanoseconds, to: Self.time(50).nanoseconds) == 40_000_000_000)
    #expect(
      gaps.rest(from: Self.time(0).nanoseconds, to: Self.time(110).nanoseconds).map {
        ($0.to - $0.from) / 1_000_000_000
      } == [10, 10])
  }

  /// A clock that jumps ahead and back again takes no more away than the scan lasted.
  @Test func aClockThatComesBackLeavesNothingBelowZero() {
    var feeding = Self.feeding([10, 7200, 20, 40])
    feeding.decoder.finish(at: Self.time(40))
    let scan = feeding.decoder.observers[0].scan
    #expect(scan.listening >= 0 && scan.listening + scan.unrecorded <= 7_200_000_000_000)
  }

  @Test func reportsAreCountedFromTimeToTime() {
    // A report a second, then one in five, with an hour in between that has no record.
    let seconds = (0..<100).map(Double.init) + stride(from: 3700, to: 3800, by: 5).map(Double.init)
    var feeding = Self.feeding(seconds)
    feeding.finish()
    let pace = feeding.decoder.observers[0].pace
    #expect(pace.bins.reduce(0) { $0 + $1.reports } == 120)
    #expect(pace.bins.count == 20, "\(pace.bins.count)")
    #expect(pace.bins[2..<9].allSatisfy { (9...11).contains($0.reports) })
    #expect(pace.bins[12..<19].allSatisfy { (1...3).contains($0.reports) })
    #expect(pace.bins[12].start.nanoseconds > Self.time(3600).nanoseconds)
  }
}
