import Analysis
import Beacons
import CaptureReader
import FrameEncoder
import Regions
import Testing

extension RunSeries.Beacon {
  /// Of all observers, one after the other.
  fileprivate var signals: [RunSeries.SignalBin] { heard.flatMap(\.signals) }
}

/// What is drawn is what was heard.
@Suite("Signals over time") struct SeriesTests {
  /// Two observers, beacons that differ in how often they are heard, telemetry, an RSSI that is not
  /// available, and a clock that steps back.
  private static func recordings() -> [Recording] {
    var first = Recording("first")
    var second = Recording("second")
    var noise: UInt64 = 7
    for moment in stride(from: Int64(0), to: 300_000, by: 90) {
      noise = noise &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let rssi = Int8(-95 + Int(noise >> 59))
      let back: Int64 = moment > 200_000 ? 4000 : 0
      first.hear(
        Recording.iBeacon(1), from: Address(1, isRandom: true), at: moment - back, rssi: rssi)
      if moment % 180 == 0 {
        second.hear(
          Recording.iBeacon(1), from: Address(9, isRandom: true), at: moment + 3,
          rssi: moment % 1080 == 0 ? 127 : rssi)
      }
      if moment % 270 == 0 {
        first.hear(Recording.eddystone, from: Address(3, isRandom: true), at: moment - back + 1)
      }
      if moment % 900 == 0 {
        first.hear(
          Recording.telemetry(
            millivolts: UInt16(3000 - moment / 1000), count: UInt32(moment)),
          from: Address(3, isRandom: true), at: moment - back + 2)
      }
    }
    return [first, second]
  }

  /// Every sighting by its identity, written down one by one.
  private struct Listener: FindingSink {
    struct Heard {
      let time: Int64
      let rssi: Int8
      let observer: String
    }
    var heard: [BeaconIdentity: [Heard]] = [:]

    mutating func take(_ sightings: Span<Sighting>, of capture: CaptureContext) {
      for place in sightings.indices {
        let sighting = sightings[place]
        heard[capture.identities[sighting.identity], default: []].append(
          Heard(
            time: sighting.time.nanoseconds, rssi: sighting.rssi,
            observer: ObserverNames.stem(of: capture.name)))
      }
    }
    mutating func pause() {}
  }

  private static func run(
    _ settings: SeriesSettings?, _ recordings: [Recording] = recordings(), samples: Bool = false,
    lists: Bool = false, _ names: String = "site"
  ) throws -> AnalysisResult {
    var options = Analysis.Options()
    options.series = settings
    var follow = FollowSettings()
    follow.profiles = [try Profiles.named(names)]
    follow.wantsSamples = samples
    follow.wantsLists = lists
    options.follow = follow
    var analysis = Analysis(recordings.map(\.source), options: options)
    var none = NoSink()
    return try analysis.run(into: &none)
  }

  @Test(
    "each bin has the lowest, middle and highest of its sightings", arguments: [40, 400, 60_000])
  func binsAreExact(bins: Int) throws {
    var settings = SeriesSettings()
    settings.bins = bins
    let result = try Self.run(settings)
    let series = try #require(try result.series)
    #expect(series.beacons.count == 2)
    var listener = Listener()
    var analysis = Analysis(Self.recordings().map(\.source))
    _ = try analysis.run(into: &listener)
    for beacon in series.beacons {
      let identity = result.statistics.identities[beacon.identity]
      let heard = try #require(listener.heard[identity])
      let observers = beacon.heard.map { result.observers[Int($0.observer)] }
      #expect(observers == Set(heard.map(\.observer)).sorted())
      for (line, observer) in zip(beacon.heard, observers) {
        try Self.check(line, heard.filter { $0.observer == observer })
      }
    }
    // The beacon with most sightings comes first.
    let totals = series.beacons.map { $0.signals.reduce(0) { $0 + $1.sightings } }
    #expect(totals == totals.sorted(by: >))
  }

  private static func check(_ line: RunSeries.Heard, _ heard: [Listener.Heard]) throws {
    let known = heard.filter { $0.rssi != 127 }
    let best = known.map(\.rssi).max()
    let first = known.filter { $0.rssi == best }.map(\.time).min()
    #expect(line.strongest?.time.nanoseconds == first.map { $0 / 1000 * 1000 })
    #expect(line.strongest?.rssi == best.map { Int($0) })
    let width = try #require(line.signals.first).width
    #expect(line.signals.allSatisfy { $0.width == width })
    let byBin = Dictionary(grouping: heard) { $0.time / width * width }
    #expect(line.signals.map(\.from.nanoseconds) == byBin.keys.sorted())
    for bin in line.signals {
      let mine = try #require(byBin[bin.from.nanoseconds])
      #expect(bin.sightings == mine.count)
      let sorted = mine.map { Int($0.rssi) }.filter { $0 != 127 }.sorted()
      let expected =
        sorted.isEmpty
        ? nil : [sorted[0], sorted[(sorted.count - 1) / 2], sorted[sorted.count - 1]]
      #expect(bin.rssi.map { [$0.min, $0.median, $0.max] } == expected)
    }
  }

  @Test("a beacon that is near one and far from another has the signals of each") func apart()
    throws
  {
    var (near, far) = (Recording("near"), Recording("far"))
    for time in stride(from: Int64(0), to: 60_000, by: 500) {
      near.hear(Recording.iBeacon(1), from: Address(1, isRandom: true), at: time, rssi: -50)
      far.hear(Recording.iBeacon(1), from: Address(1, isRandom: true), at: time + 1, rssi: -90)
    }
    let result = try Self.run(SeriesSettings(), [near, far])
    let beacon = try #require(try result.series?.beacons.first)
    #expect(beacon.heard.map { result.observers[Int($0.observer)] } == ["near", "far"])
    #expect(beacon.heard[0].signals.allSatisfy { $0.rssi?.median == -50 })
    #expect(beacon.heard[1].signals.allSatisfy { $0.rssi?.median == -90 })
    #expect(beacon.heard.map { $0.strongest?.rssi } == [-50, -90])
    #expect(beacon.heard.allSatisfy { $0.signals.reduce(0) { $0 + $1.sightings } == 120 })
  }

  @Test("gaps are those of one device at one observer") func gaps() throws {
    var recording = Recording("one")
    for moment in stride(from: Int64(0), to: 60_000, by: 500) {
      recording.hear(Recording.iBeacon(1), from: Address(1, isRandom: true), at: moment)
      recording.hear(Recording.iBeacon(1), from: Address(2, isRandom: true), at: moment + 10)
    }
    let series = try #require(try Self.run(SeriesSettings(), [recording]).series)
    let gaps = series.beacons[0].signals.compactMap(\.gap)
    #expect(gaps.count > 100)
    #expect(gaps.allSatisfy { abs($0 / 500_000_000 - 1) < 1.0 / 16 })
  }

  @Test("telemetry belongs to the beacon of its address") func telemetry() throws {
    let result = try Self.run(SeriesSettings())
    let series = try #require(try result.series)
    let eddystone = try #require(
      series.beacons.first {
        result.statistics.identities[$0.identity].kind == EddystoneUID.kind
      })
    let values = eddystone.telemetry.compactMap(\.battery)
    #expect(eddystone.telemetry.reduce(0) { $0 + $1.count } == 334)
    #expect(values.map(\.max).max() == 3000)
    #expect(values.map(\.min).min() == 2701)
    #expect(values.allSatisfy { $0.min <= $0.median && $0.median <= $0.max })
    #expect(eddystone.telemetry.compactMap(\.temperature).allSatisfy { $0.median == -384 })
    let other = try #require(series.beacons.first { $0.identity != eddystone.identity })
    #expect(other.telemetry.isEmpty)
  }

  @Test("of many beacons the most heard are drawn") func mostHeard() throws {
    var recording = Recording("many")
    for minor in UInt16(1)...30 {
      for time in 0..<Int64(minor) {
        recording.hear(
          Recording.iBeacon(minor), from: Address(UInt64(minor), isRandom: true),
          at: time * 1000 + Int64(minor))
      }
    }
    var settings = SeriesSettings()
    settings.beacons = 5
    let series = try #require(try Self.run(settings, [recording]).series)
    #expect(
      series.beacons.map { $0.signals.reduce(0) { $0 + $1.sightings } } == [30, 29, 28, 27, 26])
  }

  @Test("hours of silence and steps of the clock are kept") func farApart() throws {
    var recording = Recording("sparse")
    let times: [Int64] = [0, 10, 9_000_000, 9_000_050, 3_600_000, 40_000_000, 100, 105, 40_000_100]
    for time in times {
      recording.hear(Recording.iBeacon(1), from: Address(1, isRandom: true), at: time)
    }
    let series = try #require(try Self.run(SeriesSettings(), [recording]).series)
    let found = series.beacons[0].signals
    let starts = found.map(\.from.nanoseconds)
    #expect(starts == starts.sorted() && starts.allSatisfy { $0 > 0 })
    for bin in found {
      let heard = times.count { time in
        let after = (Recording.start + time) * 1_000_000 - bin.from.nanoseconds
        return after >= 0 && after < bin.width
      }
      #expect(bin.sightings == heard)
    }
    #expect(found.reduce(0) { $0 + $1.sightings } == times.count)
  }

  @Test("bins of a few minutes are as narrow as if nothing else had been recorded")
  func monthsApart() throws {
    func recording(_ name: String, _ start: Int64) -> Recording {
      var recording = Recording(name)
      for time in stride(from: start, to: start + 60_000, by: 250) {
        recording.hear(Recording.iBeacon(1), from: Address(1, isRandom: true), at: time)
      }
      return recording
    }
    let march = recording("march", 0)
    let alone = try #require(try Self.run(SeriesSettings(), [march]).series?.beacons.first).signals
    let june = recording("june", 8_000_000_000)
    let both = try #require(
      try Self.run(SeriesSettings(), [march, june]).series?.beacons.first
    ).signals
    #expect(Array(both.prefix(alone.count)) == alone)
    #expect(both.count > alone.count)
    #expect(both.allSatisfy { $0.width == alone[0].width })
    // Nor is the time between counted as an interval.
    let gaps = both.compactMap(\.gap)
    #expect(gaps.allSatisfy { $0 < 300_000_000 })
  }

  @Test("nothing is drawn of nothing, and nothing unasked") func none() throws {
    #expect(try Self.run(SeriesSettings(), [Recording("empty")]).series?.beacons.isEmpty == true)
    #expect(try Self.run(nil).series == nil)
  }

  @Test(
    "samples of ranging are the nearest of its lists", arguments: ["site", "core-location"])
  func samples(profile: String) throws {
    let sampled = try #require(try Self.run(nil, samples: true, profile).timeline)
    let listed = try #require(try Self.run(nil, lists: true, profile).timeline)
    var lists: [String: [RangingEntry]] = [:]
    func key(_ time: Timestamp, _ observer: Int, _ region: Int) -> String {
      "\(time.nanoseconds) \(observer) \(region)"
    }
    try listed.forEachBatch { events in
      for event in events where event.type == .ranging {
        lists[key(event.time, event.observer, event.region ?? -1)] = event.entries
      }
    }
    #expect(sampled.samples.count > 200)
    for sample in sampled.samples {
      let entries = try #require(lists[key(sample.time, sample.observer, sample.region)])
      let entry = entries[sample.place - 1]
      #expect(entry.transmitter == sample.transmitter)
      #expect(entry.proximity == sample.proximity)
      #expect(entry.accuracy == sample.accuracy)
    }
    #expect("\(sampled.outcomes.map(\.stays))" == "\(listed.outcomes.map(\.stays))")
    #expect(sampled.events.map(\.id) == listed.events.map(\.id))
  }

  @Test("a long run has no more samples than there is room for, evenly apart") func thinning()
    throws
  {
    var recording = Recording("long")
    for moment in stride(from: Int64(0), to: 60_000_000, by: 1500) {
      recording.hear(Recording.iBeacon(1), from: Address(1, isRandom: true), at: moment)
      recording.hear(Recording.iBeacon(2), from: Address(2, isRandom: true), at: moment)
    }
    let timeline = try #require(try Self.run(nil, [recording], samples: true).timeline)
    let times = Set(timeline.samples.map(\.time.nanoseconds)).sorted()
    #expect(timeline.samples.count > 20_000 && timeline.samples.count <= 40_001)
    let apart = Set(zip(times, times.dropFirst()).map { $1 - $0 })
    #expect(apart.count <= 2, "\(apart)")
  }
}
