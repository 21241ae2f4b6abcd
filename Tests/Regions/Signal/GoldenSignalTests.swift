import CaptureReader
import Regions
import Testing

/// The golden cases of distances, zones and filters.
@Suite struct GoldenSignalTests {
  @Test func everyKindHasItsCases() {
    let counts = GoldenSignalCase.kinds.map { GoldenSignalCase.cases($0).count }
    #expect(counts == [17, 6, 8, 5])
  }

  @Test(arguments: GoldenSignalCase.cases("distance"))
  func distance(_ testCase: GoldenSignalCase) throws {
    let input = testCase.input
    var settings = DistanceSettings(
      model: try #require(
        ["log_distance": .pathLoss, "curve": .abl][input.formula ?? ""] as DistanceModel?))
    if let n = input.n { settings.pathLoss.exponent = n }
    if let a = input.a, let b = input.b, let c = input.c {
      (settings.abl.a, settings.abl.b, settings.abl.c) = (a, b, c)
    }
    let found = settings.metres(rssi: input.rssi, power: try #require(input.power_1m))
    let tolerance = try #require(testCase.tolerance)
    #expect((found == nil) == (testCase.expect.metres == nil))
    if let found, let expected = testCase.expect.metres {
      #expect(abs(found - expected) <= tolerance)
    }
  }

  @Test(arguments: GoldenSignalCase.cases("proximity"))
  func proximity(_ testCase: GoldenSignalCase) {
    let zone = ProximityZones().zone(metres: testCase.input.metres)
    #expect("\(zone.name)" == testCase.expect.zone)
  }

  @Test(arguments: GoldenSignalCase.cases("running_average"))
  func runningAverage(_ testCase: GoldenSignalCase) throws {
    let settings = SmoothingSettings(filter: .ablAverage)
    var signal = SmoothedSignal()
    for sample in testCase.input.samples ?? [] {
      signal.add(sample.rssi ?? 127, at: Timestamp(nanoseconds: sample.time), settings)
    }
    let now = try #require(testCase.input.now_ms) * 1_000_000
    let found = signal.estimate(at: Timestamp(nanoseconds: now), settings)
    #expect(found?.samples ?? 0 == testCase.expect.samples_used)
    #expect((found == nil) == (testCase.expect.average == nil))
    if let found, let expected = testCase.expect.average {
      #expect(abs(found.value - expected) <= 1e-9)
    }
  }

  @Test(arguments: GoldenSignalCase.cases("arma"))
  func movingAverage(_ testCase: GoldenSignalCase) throws {
    let settings = SmoothingSettings(filter: .armaABL)
    var signal = SmoothedSignal()
    let outputs = try (testCase.input.samples ?? []).enumerated().map { index, sample in
      let time = Timestamp(nanoseconds: Int64(index))
      signal.add(try #require(sample.rssi), at: time, settings)
      return signal.estimate(at: time, settings)?.value
    }
    #expect(outputs == testCase.expect.outputs?.map { $0 })
  }
}
