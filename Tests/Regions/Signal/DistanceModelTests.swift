import Beacons
import Regions
import Testing

@Suite struct DistanceModelTests {
  /// The numbers of the table in the library's documentation, at a power of −59.
  @Test(arguments: [(-59.0, 0.97), (-70, 1.93), (-80, 4.04), (-90, 8.46)])
  func ablCurve(_ rssi: Double, _ expected: Double) throws {
    let found = try #require(DistanceSettings(model: .abl).metres(rssi: rssi, power: -59))
    #expect(abs(found - expected) < 0.005)
  }

  @Test(arguments: DistanceModel.all)
  func noRSSINoDistance(_ model: DistanceModel) {
    #expect(DistanceSettings(model: model).metres(rssi: nil, power: -59) == nil)
  }

  @Test(arguments: DistanceModel.all)
  func fartherWhereItIsWeaker(_ model: DistanceModel) throws {
    let settings = DistanceSettings(model: model)
    let metres = try stride(from: -100.0, through: -30, by: 1).map {
      try #require(settings.metres(rssi: $0, power: -59))
    }
    for (weaker, stronger) in zip(metres, metres.dropFirst()) { #expect(weaker > stronger) }
  }

  @Test(arguments: [
    (-101, false), (-100, true), (-59, true), (-20, true), (-19, false), (-3, false), (0, false),
    (127, false),
  ])
  func powerOutsideItsRangeIsNotUsed(_ power: Int, _ usable: Bool) {
    for model in DistanceModel.all {
      #expect((DistanceSettings(model: model).metres(rssi: -70, power: power) != nil) == usable)
    }
  }

  @Test func intervalIsOneDeviationToEitherSide() throws {
    let settings = DistanceSettings()
    let one = try #require(
      settings.distance(SmoothedRSSI(value: -79, deviation: 20, samples: 9), power: -59))
    #expect(abs(one.metres - 10) < 1e-9)
    let interval = try #require(one.interval)
    #expect(abs(interval.lowerBound - 1) < 1e-9)
    #expect(abs(interval.upperBound - 100) < 1e-9)
    let alike = settings.distance(SmoothedRSSI(value: -79, deviation: 0, samples: 9), power: -59)
    #expect(try #require(alike).interval == nil)
    let single = settings.distance(SmoothedRSSI(value: -79, deviation: nil, samples: 1), power: -59)
    #expect(try #require(single).interval == nil)
  }

  /// Eddystone says its power at 0 m; telemetry says none.
  @Test(arguments: [
    (IBeacon.kind, 0), (AltBeacon.kind, 0), (EddystoneUID.kind, 41), (EddystoneURL.kind, 41),
    (EddystoneEID.kind, 41), (EddystoneTLM.kind, nil), (EddystoneETLM.kind, nil),
  ])
  func lossToOneMetre(_ kind: BeaconKind, _ loss: Int?) {
    #expect(MeasuredPower.lossToOneMetre(kind) == loss)
  }

  @Test func namesAreThoseOfTheSemantics() {
    #expect(DistanceModel.all.map(\.name) == ["path-loss", "abl"])
    for model in DistanceModel.all { #expect(DistanceModel.named(model.name) == model) }
    #expect(DistanceModel.named("log") == nil)
  }

  @Test func zonesHaveTheirOwnThresholds() {
    var zones = ProximityZones()
    (zones.immediateBelow, zones.nearUpTo) = (1, 2)
    #expect([0.9, 1, 2, 2.1].map { zones.zone(metres: $0) } == [.immediate, .near, .near, .far])
  }

  static let mistakes: [(String, @Sendable (inout RangingSettings) -> Void)] = [
    (
      "smoothing window 0.0 s; allowed is more than 0 s, at most 3600 s",
      { $0.smoothing.window = 0 }
    ),
    (
      "process noise -1.0; allowed is 0 dB² or more",
      { $0.smoothing.processNoise = -1 }
    ),
    (
      "measurement noise 0.0; allowed is more than 0 dB²",
      { $0.smoothing.measurementNoise = 0 }
    ),
    ("path loss exponent 0.0; allowed is 0.5 to 10", { $0.distance.pathLoss.exponent = 0 }),
    ("path loss exponent nan; allowed is 0.5 to 10", { $0.distance.pathLoss.exponent = .nan }),
    ("abl coefficient B -1.0; allowed is more than 0", { $0.distance.abl.b = -1 }),
    ("abl coefficient C inf; allowed is any number", { $0.distance.abl.c = .infinity }),
    (
      "proximity zones 5.0 m and 4.0 m; allowed are two distances above 0 m, the first not above the"
        + " second", { $0.zones.immediateBelow = 5 }
    ),
    ("ranging period 0.0 s; allowed is 0.001 s to 86400 s", { $0.period = .every(0) }),
    (
      "silence until unknown and until dropped 2.0 s and 1.0 s; allowed are two periods above 0 s, the"
        + " first not above the second, at most 86400 s", { $0.dropAfter = 1_000_000_000 }
    ),
  ]

  @Test(arguments: mistakes.indices)
  func settingsThatCannotBeAreRefusedInASentence(_ index: Int) {
    var settings = RangingSettings()
    Self.mistakes[index].1(&settings)
    let error = #expect(throws: SettingProblem.self) { try Ranger(settings) }
    #expect(error?.description == Self.mistakes[index].0)
  }
}
