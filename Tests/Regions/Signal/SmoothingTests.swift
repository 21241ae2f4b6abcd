import CaptureReader
import Regions
import Testing

@Suite struct SmoothingTests {
  private static let second: Int64 = 1_000_000_000

  /// Feeds samples that stand a tenth of a second apart.
  private static func fed(_ samples: [Int8], _ settings: SmoothingSettings) -> SmoothedRSSI? {
    var signal = SmoothedSignal()
    var now = Timestamp(nanoseconds: 0)
    for (index, rssi) in samples.enumerated() {
      now = Timestamp(nanoseconds: Int64(index) * second / 10)
      signal.add(rssi, at: now, settings)
    }
    return signal.estimate(at: now, settings)
  }

  /// Filter, first and then, what it must come to after 300 of then.
  static let convergences: [(SmoothingFilter, Int8, Int8, Double)] = [
    (.last, -60, -80, -80), (.last, -80, -60, -60),
    (.mean, -60, -80, -80), (.mean, -80, -60, -60),
    (.trimmed, -60, -80, -80), (.trimmed, -80, -60, -60),
    (.ablAverage, -60, -80, -80), (.ablAverage, -80, -60, -60),
    (.kalman, -60, -80, -80), (.kalman, -80, -60, -60),
    // Cut to whole numbers it rises to the value, but a fall ends less than 10 dB before it.
    (.armaABL, -80, -60, -60), (.armaABL, -60, -80, -71), (.armaABL, -75, -80, -75),
  ]

  @Test(arguments: convergences)
  func convergesFromBothSides(
    _ filter: SmoothingFilter, _ first: Int8, _ then: Int8, _ expected: Double
  ) throws {
    let settings = SmoothingSettings(filter: filter)
    var signal = SmoothedSignal()
    for index in 0..<320 {
      let now = Timestamp(nanoseconds: Int64(index) * Self.second / 10)
      signal.add(index < 20 ? first : then, at: now, settings)
      // A list once a second.
      if index % 10 == 9 { signal.beginList(settings) }
    }
    let end = Timestamp(nanoseconds: 320 * Self.second / 10)
    let found = try #require(signal.smoothed(end, settings))
    #expect(abs(found.value - expected) < 1e-3)
  }

  /// What each filter makes of the same samples, worked out by hand.
  static let worked: [(SmoothingFilter, Double, Int)] = [
    (.last, -58, 1),
    (.mean, -65, 8),
    // In order: −90 −70 −66 −62 −60 −58 −57 −57; two go at each end.
    (.trimmed, -61.5, 4),
    // One goes at each end.
    (.ablAverage, -373.0 / 6, 6),
    // −60 −63 −63 −62 −62 −61 −61 −60.
    (.armaABL, -60, 8),
  ]

  @Test(arguments: worked)
  func workedNumbers(_ filter: SmoothingFilter, _ value: Double, _ samples: Int) throws {
    let found = try #require(
      Self.fed([-60, -90, -70, -57, -66, -57, -62, -58], SmoothingSettings(filter: filter)))
    #expect(abs(found.value - value) < 1e-9)
    #expect(found.samples == samples)
  }

  /// Variances: 4, then 4.008 → gain 4.008 / 8.008.
  @Test func kalmanStepsAsItsNoisesSay() throws {
    let found = try #require(Self.fed([-60, -70], SmoothingSettings(filter: .kalman)))
    #expect(abs(found.value - (-60 - 10 * 4.008 / 8.008)) < 1e-12)
  }

  @Test(arguments: SmoothingFilter.all)
  func rssi127IsNoSample(_ filter: SmoothingFilter) {
    let settings = SmoothingSettings(filter: filter)
    #expect(Self.fed([127, 127], settings) == nil)
    var with = SmoothedSignal()
    var without = SmoothedSignal()
    for (index, rssi) in ([-60, 127, -70, 127, -61] as [Int8]).enumerated() {
      let now = Timestamp(nanoseconds: Int64(index))
      with.add(rssi, at: now, settings)
      if rssi != 127 { without.add(rssi, at: now, settings) }
    }
    let now = Timestamp(nanoseconds: 10)
    #expect(with.smoothed(now, settings) == without.smoothed(now, settings))
    #expect(with.listSamples == 3)
  }

  @Test func spreadIsThatOfTheWindowAndNeedsTwoSamples() throws {
    let settings = SmoothingSettings(filter: .trimmed)
    #expect(try #require(Self.fed([-60], settings)).deviation == nil)
    #expect(try #require(Self.fed([-60, -60], settings)).deviation == 0)
    let found = try #require(Self.fed([-62, -64, -64, -64, -65, -65, -67, -69], settings))
    // Mean −65, squares 9+1+1+1+0+0+4+16 = 32.
    #expect(abs(try #require(found.deviation) - (32.0 / 7).squareRoot()) < 1e-12)
  }

  @Test func samplesLeaveTheWindowAtItsLength() throws {
    let settings = SmoothingSettings(filter: .trimmed)
    var signal = SmoothedSignal()
    signal.add(-60, at: Timestamp(nanoseconds: 0), settings)
    signal.add(-70, at: Timestamp(nanoseconds: 1), settings)
    let five = 5 * Self.second
    #expect(signal.smoothed(Timestamp(nanoseconds: five - 1), settings)?.value == -65)
    #expect(signal.smoothed(Timestamp(nanoseconds: five), settings)?.value == -70)
    #expect(signal.smoothed(Timestamp(nanoseconds: five + 1), settings) == nil)
  }

  @Test func theMeanOfTheLastListStandsUntilASampleComes() {
    let settings = SmoothingSettings(filter: .mean)
    var signal = SmoothedSignal()
    signal.add(-60, at: Timestamp(nanoseconds: 0), settings)
    signal.add(-62, at: Timestamp(nanoseconds: 1), settings)
    signal.beginList(settings)
    let now = Timestamp(nanoseconds: 2)
    #expect(signal.listMean == nil)
    #expect(signal.smoothed(now, settings)?.value == -61)
    signal.beginList(settings)
    #expect(signal.smoothed(now, settings)?.value == -61)
    signal.add(-80, at: now, settings)
    #expect(signal.smoothed(now, settings)?.value == -80)
  }

  @Test(arguments: SmoothingFilter.all)
  func beginsAnewAfterALongSilence(_ filter: SmoothingFilter) throws {
    let settings = SmoothingSettings(filter: filter)
    var signal = SmoothedSignal()
    signal.add(-50, at: Timestamp(nanoseconds: 0), settings)
    let later = Timestamp(nanoseconds: settings.forgetAfter)
    signal.add(-90, at: later, settings)
    #expect(try #require(signal.smoothed(later, settings)).value == -90)
  }

  @Test func ofVeryManySamplesTheLatestCount() throws {
    let settings = SmoothingSettings(filter: .ablAverage)
    var signal = SmoothedSignal()
    for index in 0..<5000 {
      signal.add(index < 904 ? -40 : -80, at: Timestamp(nanoseconds: Int64(index)), settings)
    }
    let found = try #require(signal.smoothed(Timestamp(nanoseconds: 5000), settings))
    #expect(found == SmoothedRSSI(value: -80, deviation: 0, samples: 4096 - 2 * 410))
  }

  @Test func namesAreThoseOfTheSemantics() {
    #expect(
      SmoothingFilter.all.map(\.name) == [
        "last", "mean", "trimmed", "abl-average", "arma-abl", "kalman",
      ])
    for filter in SmoothingFilter.all { #expect(SmoothingFilter.named(filter.name) == filter) }
    #expect(SmoothingFilter.named("median") == nil)
  }
}

extension SmoothedSignal {
  /// What it comes to, of a copy: expectations cannot change what they look at.
  fileprivate func smoothed(_ time: Timestamp, _ settings: SmoothingSettings) -> SmoothedRSSI? {
    var copy = self
    return copy.estimate(at: time, settings)
  }
}
