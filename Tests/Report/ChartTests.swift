import Analysis
import CaseStore
import GRDB
import Testing

@testable import Report

@Suite("Charts") struct ChartTests {
  private static let minute: Int64 = 60_000_000_000

  @Test("places times on a million steps, and what lies outside at the ends") func scale() throws {
    let scale = try #require(TimeScale(from: 1000, to: 3000))
    #expect(
      [999, 1000, 1001, 2000, 3000, .max].map { scale.place($0) } == [
        0, 0, 500, 500_000, 1_000_000, 1_000_000,
      ])
    #expect(scale.share(1001).markup == ".000500")
    #expect(scale.share(3000).markup == "1")
    #expect(TimeScale(from: 5, to: 5)?.to == 6)
    #expect(TimeScale(from: nil, to: 5) == nil)
    #expect(TimeScale(from: .min, to: .max)?.place(0) == 500_000)
    // The last moment that there is has a length of nothing.
    let last = [Stretches.Span(from: 0, to: 10), Stretches.Span(from: .max, to: .max)]
    #expect(TimeScale(from: 0, to: .max, stretches: last)?.place(.max) ?? 0 > 500_000)
  }

  private static let rulers: [(from: Int64, to: Int64, labels: [String])] = [
    (
      minute, 5 * minute,
      [
        "00:01:00", "00:01:30", "00:02:00", "00:02:30", "00:03:00", "00:03:30", "00:04:00",
        "00:04:30", "00:05:00",
      ]
    ),
    (
      30_000_000_001, 2 * minute,
      [
        "00:00:40", "00:00:50", "00:01:00", "00:01:10", "00:01:20", "00:01:30", "00:01:40",
        "00:01:50", "00:02:00",
      ]
    ),
    (
      -240 * minute, 240 * minute,
      ["20:00", "21:00", "22:00", "23:00", "01-01", "01:00", "02:00", "03:00", "04:00"]
    ),
    (0, 4320 * minute, ["01-01", "12:00", "01-02", "12:00", "01-03", "12:00", "01-04"]),
  ]

  @Test("have times at round moments", arguments: rulers)
  func ticks(_ from: Int64, _ to: Int64, _ labels: [String]) throws {
    #expect(try #require(TimeScale(from: from, to: to)).ticks().map(\.label) == labels)
  }

  @Test("draw bins that touch as one area, and leave out where there is none") func steps() {
    let path = SteppedPath([
      .init(from: 0, to: 10, low: -90, middle: -80, high: -70),
      .init(from: 10, to: 20, low: -85, middle: -80, high: -75),
      .init(from: 40, to: 50, low: -60, middle: -60, high: -60),
    ])
    #expect(path.line == "M0 80h10h10M40 60h10")
    #expect(path.area == "M0 70h10v5h10V85H10v5H0zM40 60h10V60H40z")
    #expect(SteppedPath([]).area.isEmpty)
  }

  @Test("say where zones end, by the profile's model and the beacon's power") func zones() throws {
    let row = ProfileRow(
      name: "site",
      numbers:
        #"{"distance_model":"path-loss","path_loss_exponent":2.0,"immediate_below_m":0.5,"near_up_to_m":4.0}"#
    )
    let numbers = try #require(RangingNumbers(row))
    let zones = try #require(SignalZones(Self.beacon(power: -59, at: 1), numbers))
    #expect(zones.immediate == -53)
    #expect(zones.near == -71)
    // What leaves an Eddystone is 41 dB less a metre on.
    #expect(try #require(SignalZones(Self.beacon(power: -18, at: 0), numbers)).power == -59)
    #expect(SignalZones(Self.beacon(power: 12, at: 1), numbers) == nil)
    #expect(SignalZones(Self.beacon(power: nil, at: nil), numbers) == nil)
  }

  @Test("zones follow the numbers that a run was given") func ownNumbers() throws {
    let row = ProfileRow(
      name: "site", numbers: #"{"path_loss_exponent":4,"immediate_below_m":1,"near_up_to_m":10}"#)
    let numbers = try #require(RangingNumbers(row))
    let zones = try #require(SignalZones(Self.beacon(power: -59, at: 1), numbers))
    #expect(zones.immediate == -59)
    #expect(zones.near == -99)
    #expect(RangingNumbers(ProfileRow(name: "of another time", numbers: "{}")) == nil)
  }

  private static func beacon(power: Int?, at metres: Int?) -> BeaconRow {
    BeaconRow(
      kind: "ibeacon", kindName: "iBeacon", identity: "1", groupName: "", shortName: "",
      sightings: 1, powerMin: power, powerMax: power, powerAtM: metres, encryptedTelemetry: 0,
      companions: 0)
  }

  @Test("bins at either end of time are drawn together without a trap") func ends() throws {
    let file = try Cases.small()
    let width: Int64 = 500_000_000
    let starts: [Int64] = [Int64.min + 300_000_000, -width, 0, .max - 400_000_000]
    try file.database.write { database in
      for start in starts {
        let (end, overflow) = start.addingReportingOverflow(width)
        try database.execute(
          sql: """
            INSERT INTO signal_bins (beacon_id, from_ns, to_ns, sightings, rssi_min, rssi_median,
              rssi_max) VALUES (1, ?, ?, 1, -70, -60, -50)
            """, arguments: [start, overflow ? Int64.max : end])
      }
    }
    try file.database.read { database in
      let fine = try SignalBins.all(database, beacon: 1)[0].bins
      #expect(fine.map(\.from) == starts)
      let coarse = try SignalBins.all(database, beacon: 1, together: 2)[0].bins
      #expect(coarse.count == 4)
      #expect(
        coarse.allSatisfy {
          $0.from < $0.to && $0.to.subtractingReportingOverflow($0.from).overflow == false
        })
      #expect(coarse[1].from == -2 * width && coarse[2].from == 0)
    }
  }

  /// The bin begins 40 s before the beacon was heard best.
  private static func bins(strongest: Int64?) throws -> String {
    let file = try Cases.small()
    let start = Cases.start + 1000 * Cases.second
    try file.insert([
      SignalBinRow(
        beaconId: 1, fromNs: start, toNs: start + 60 * Cases.second, sightings: 3, rssiMin: -90,
        rssiMedian: -70, rssiMax: -60)
    ])
    if let strongest {
      try file.insert([StrongestRow(beaconId: 1, timeNs: start + strongest, rssi: -60)])
    }
    return try Cases.page(file)
  }

  @Test("a beacon's strongest sighting has its own time, or the span in which it lies")
  func strongest() throws {
    let exact = try Self.bins(strongest: 40_118_000_000)
    #expect(exact.contains("strongest at 10:17:20.118; heard in"))
    let older = try Self.bins(strongest: nil)
    #expect(older.contains("strongest between 10:16:40.000 and 10:17:40.000; heard in"))
  }
}
