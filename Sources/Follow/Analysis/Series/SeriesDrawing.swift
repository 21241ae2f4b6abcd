import Beacons
import CaptureReader
import FrameDecoder

/// Puts signals and telemetry of the beacons with most sightings into bins.
struct SeriesDrawing {
  private let settings: SeriesSettings
  private let statistics: BeaconStatistics
  /// Numbers of the identities, most sightings first.
  private var chosen: [UInt32] = []
  /// By transmitter: place of its identity among the chosen, −1 where it is none of them.
  private var places: [Int32]
  /// By transmitter: nanoseconds.
  private var latest: [Int64]
  private var (first, last) = (Int64.max, Int64.min)
  private var width: Int64 = 1
  /// Bins of each beacon.
  private var binCount = 0
  /// By beacon and bin.
  private var sightings: [UInt32] = []
  private var strengths: [SamplePool.Window] = []
  private var gaps: [SamplePool.Window] = []
  private var strengthPool = SamplePool()
  private var gapPool = SamplePool()
  /// Telemetry by beacon, then by bin.
  private var told: [[Int: (battery: [Int], temperature: [Int], count: Int)]] = []

  init(_ statistics: BeaconStatistics, _ settings: SeriesSettings) {
    self.settings = settings
    self.statistics = statistics
    let count = statistics.transmitters.count
    latest = [Int64](repeating: .min, count: count)
    places = [Int32](repeating: -1, count: count)
    var totals = [Int](repeating: 0, count: statistics.identities.count)
    for number in 0..<count {
      let identity = statistics.transmitters[UInt32(number)].identity
      guard !BeaconFormats.format(statistics.identities[identity].kind).isTelemetry else {
        continue
      }
      totals[Int(identity)] += statistics.sightings(of: number)
    }
    let ordered = totals.indices.filter { totals[$0] > 0 }
      .sorted { (totals[$1], $0) < (totals[$0], $1) }
    chosen = ordered.prefix(settings.beacons).map { UInt32($0) }
    let placeOf = Dictionary(
      uniqueKeysWithValues: chosen.enumerated().map { ($1, Int32($0)) })
    for number in 0..<count {
      let identity = statistics.transmitters[UInt32(number)].identity
      places[number] = placeOf[identity] ?? -1
    }
    told = [[Int: (battery: [Int], temperature: [Int], count: Int)]](
      repeating: [:], count: chosen.count)
    setWidth()
  }

  var isEmpty: Bool { binCount == 0 }

  /// As narrow as there is room for, from the first of their sightings to the last.
  private mutating func setWidth() {
    for number in places.indices where places[number] >= 0 {
      let begin = statistics.rests[number].first
      guard begin.isKnown else { continue }
      first = min(first, begin.nanoseconds)
      last = max(last, statistics.last(of: number).nanoseconds)
    }
    guard first <= last else { return }
    let (span, overflow) = last.subtractingReportingOverflow(first)
    width = settings.width(span: overflow ? .max : span, beacons: chosen.count)
    // Bins begin at whole multiples of their width.
    let rest = first % width
    first = first &- (rest < 0 ? rest + width : rest)
    binCount = Int((UInt64(bitPattern: last &- first)) / UInt64(width)) + 1
    let all = chosen.count * binCount
    sightings = [UInt32](repeating: 0, count: all)
    strengths = [SamplePool.Window](repeating: SamplePool.Window(), count: all)
    gaps = strengths
  }

  private func bin(_ time: Int64) -> Int? {
    guard time >= first else { return nil }
    let bin = Int(UInt64(bitPattern: time &- first) / UInt64(width))
    return bin < binCount ? bin : nil
  }

  /// - Parameter start: of their stretch, nanoseconds.
  mutating func add(_ signals: Span<SignalLog.Signal>, from start: Int64) {
    for place in signals.indices {
      let signal = signals[place]
      let beacon = places[signal.transmitter]
      let time = start &+ Int64(signal.after) * 1000
      guard beacon >= 0, let bin = bin(time) else { continue }
      let cell = Int(beacon) * binCount + bin
      sightings[cell] += 1
      if signal.rssi != 127 {
        strengthPool.add(SignalScale.bucket(signal.rssi), to: &strengths[cell])
      }
      let before = latest[signal.transmitter]
      latest[signal.transmitter] = time
      let (gap, overflow) = time.subtractingReportingOverflow(before)
      guard before != .min, gap > 0, !overflow else { continue }
      gapPool.add(GapScale.bucket(nanoseconds: gap), to: &gaps[cell])
    }
  }

  /// Telemetry belongs to every beacon of its address.
  mutating func add(_ reports: Span<SignalLog.Report>) {
    let owners = owners()
    for place in reports.indices {
      let report = reports[place]
      let address = statistics.transmitters[report.transmitter].address
      guard let bin = bin(report.time) else { continue }
      for beacon in owners[address] ?? [] {
        var values = told[beacon][bin] ?? ([], [], 0)
        values.count += 1
        if report.battery > 0 { values.battery.append(Int(report.battery)) }
        if report.temperature != .min { values.temperature.append(Int(report.temperature)) }
        told[beacon][bin] = values
      }
    }
  }

  /// Places of the chosen by the addresses that send them.
  private func owners() -> [DeviceAddress: [Int]] {
    var owners: [DeviceAddress: [Int]] = [:]
    for number in places.indices where places[number] >= 0 {
      let address = statistics.transmitters[UInt32(number)].address
      let beacon = Int(places[number])
      if owners[address]?.contains(beacon) != true { owners[address, default: []].append(beacon) }
    }
    return owners
  }

  func series() -> RunSeries {
    var series = RunSeries()
    series.width = width
    var distribution = Distribution()
    for (place, identity) in chosen.enumerated() {
      var beacon = RunSeries.Beacon(identity: identity)
      for bin in 0..<binCount {
        let cell = place * binCount + bin
        guard sightings[cell] > 0 else { continue }
        distribution.clear()
        distribution.add(strengths[cell], of: strengthPool)
        let rssi = SignalScale.summary(distribution)
        distribution.clear()
        distribution.add(gaps[cell], of: gapPool)
        beacon.signals.append(
          RunSeries.SignalBin(
            from: start(bin), sightings: Int(sightings[cell]), rssi: rssi,
            gap: GapScale.quantile(0.5, distribution)))
      }
      for (bin, values) in told[place].sorted(by: { $0.key < $1.key }) {
        beacon.telemetry.append(
          RunSeries.TelemetryBin(
            from: start(bin), count: values.count,
            battery: RunSeries.TelemetryBin.Values(values.battery),
            temperature: RunSeries.TelemetryBin.Values(values.temperature)))
      }
      series.beacons.append(beacon)
    }
    return series
  }

  private func start(_ bin: Int) -> Timestamp {
    Timestamp(nanoseconds: first &+ Int64(bin) &* width)
  }
}
