import Beacons
import CaptureReader
import FrameDecoder

/// Puts signals and telemetry of the beacons with most sightings into bins.
struct SeriesDrawing {
  private let settings: SeriesSettings
  private let statistics: BeaconStatistics
  /// Numbers of the identities, most sightings first.
  private var chosen: [UInt32] = []
  /// Each of the chosen as each observer heard it: by beacon, then by observer.
  private var lines: [Line] = []
  /// By transmitter: place of its line, −1 where its identity is none of the chosen.
  private var places: [Int32]
  /// By transmitter: nanoseconds.
  private var latest: [Int64]
  private var bins: BinTable?
  /// Bins of each beacon.
  private var binCount = 0
  /// By line and bin.
  private var sightings: [UInt32] = []
  private var strengths: [SamplePool.Window] = []
  private var gaps: [SamplePool.Window] = []
  /// By line; −128 dBm where none has been heard.
  private var strongest: [(rssi: Int8, time: Int64)] = []
  // Windows that hold what is usual in a bin, so that few have to be widened.
  private var strengthPool = SamplePool(first: 32)
  private var gapPool = SamplePool(first: 32)
  /// By transmitter of telemetry: places of the beacons of its address.
  private var owners: [UInt32: [Int]] = [:]
  private var told: [Told] = []

  private struct Line: Hashable {
    /// Place among the chosen.
    let beacon: Int
    let observer: UInt32
  }

  /// Telemetry of a beacon in a bin.
  private struct Told {
    /// By beacon and bin.
    let cell: Int
    let battery: UInt16
    let temperature: Int16
  }

  /// - Parameter stretches: of the run's time, ascending.
  init(
    _ statistics: BeaconStatistics, _ settings: SeriesSettings, _ stretches: [Stretches.Span]
  ) {
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
    draw { placeOf[$0].map { Int($0) } }
    findOwners()
    setBins(stretches)
  }

  /// - Parameter placeOf: of an identity among the chosen.
  private mutating func draw(_ placeOf: (UInt32) -> Int?) {
    var known: Set<Line> = []
    let ofTransmitters = places.indices.map { number -> Line? in
      let transmitter = statistics.transmitters[UInt32(number)]
      return placeOf(transmitter.identity).map { Line(beacon: $0, observer: transmitter.observer) }
    }
    for line in ofTransmitters { if let line { known.insert(line) } }
    lines = known.sorted { ($0.beacon, $0.observer) < ($1.beacon, $1.observer) }
    let placeOfLine = Dictionary(
      uniqueKeysWithValues: lines.enumerated().map { ($1, Int32($0)) })
    for (number, line) in ofTransmitters.enumerated() {
      places[number] = line.flatMap { placeOfLine[$0] } ?? -1
    }
  }

  var isEmpty: Bool { binCount == 0 }

  /// As narrow as there is room for, from the first of their sightings to the last.
  private mutating func setBins(_ stretches: [Stretches.Span]) {
    var (first, last) = (Int64.max, Int64.min)
    for number in places.indices where places[number] >= 0 {
      let begin = statistics.rests[number].first
      guard begin.isKnown else { continue }
      first = min(first, begin.nanoseconds)
      last = max(last, statistics.last(of: number).nanoseconds)
    }
    guard first <= last else { return }
    // Of several observers each bin is drawn more than once: twice as many in all are room enough.
    let table = BinTable(
      from: first, to: last, stretches, settings, beacons: max(chosen.count, (lines.count + 1) / 2))
    (bins, binCount) = (table, table.count)
    let all = lines.count * binCount
    sightings = [UInt32](repeating: 0, count: all)
    strengths = [SamplePool.Window](repeating: SamplePool.Window(), count: all)
    gaps = strengths
    strongest = [(rssi: Int8, time: Int64)](repeating: (.min, .max), count: lines.count)
  }

  /// - Parameter start: of their stretch, nanoseconds.
  mutating func add(_ signals: Span<SignalLog.Signal>, from start: Int64) {
    for place in signals.indices {
      let signal = signals[place]
      let line = places[signal.transmitter]
      let time = start &+ Int64(signal.after) * 1000
      guard line >= 0, let bin = bins?.bin(time) else { continue }
      let cell = Int(line) * binCount + bin
      sightings[cell] += 1
      if signal.rssi != 127 {
        strengthPool.add(SignalScale.bucket(signal.rssi), to: &strengths[cell])
        let best = strongest[Int(line)]
        if signal.rssi > best.rssi || (signal.rssi == best.rssi && time < best.time) {
          strongest[Int(line)] = (signal.rssi, time)
        }
      }
      let before = latest[signal.transmitter]
      latest[signal.transmitter] = time
      let (gap, overflow) = time.subtractingReportingOverflow(before)
      guard before != .min, gap > 0, !overflow, bins?.isCut(before, time) == false else { continue }
      gapPool.add(GapScale.bucket(nanoseconds: gap), to: &gaps[cell])
    }
  }

  mutating func add(_ reports: Span<SignalLog.Report>) {
    for place in reports.indices {
      let report = reports[place]
      guard let owners = owners[report.transmitter], let bin = bins?.bin(report.time) else {
        continue
      }
      for beacon in owners {
        told.append(
          Told(
            cell: beacon * binCount + bin, battery: report.battery,
            temperature: report.temperature))
      }
    }
  }

  /// Telemetry belongs to every beacon of its address.
  private mutating func findOwners() {
    let transmitters = statistics.transmitters
    var beacons: [DeviceAddress: [Int]] = [:]
    for number in places.indices where places[number] >= 0 {
      let address = transmitters[UInt32(number)].address
      let beacon = lines[Int(places[number])].beacon
      if beacons[address]?.contains(beacon) != true { beacons[address, default: []].append(beacon) }
    }
    for number in places.indices {
      let transmitter = transmitters[UInt32(number)]
      let kind = statistics.identities[transmitter.identity].kind
      guard BeaconFormats.format(kind).telemetry == .plain else { continue }
      owners[UInt32(number)] = beacons[transmitter.address]
    }
  }

  mutating func series() -> RunSeries {
    var series = RunSeries()
    orderTold()
    var (next, line) = (0, 0)
    var distribution = Distribution()
    for (place, identity) in chosen.enumerated() {
      var beacon = RunSeries.Beacon(identity: identity)
      while line < lines.count, lines[line].beacon == place {
        beacon.heard.append(heard(line, &distribution))
        line += 1
      }
      while next < told.count, told[next].cell < (place + 1) * binCount {
        let end = told[next...].firstIndex { $0.cell != told[next].cell } ?? told.count
        beacon.telemetry.append(bin(of: told[next..<end], place))
        next = end
      }
      series.beacons.append(beacon)
    }
    return series
  }

  private func heard(_ line: Int, _ distribution: inout Distribution) -> RunSeries.Heard {
    var heard = RunSeries.Heard(observer: lines[line].observer)
    if strongest[line].time != .max {
      heard.strongest = RunSeries.Strongest(
        time: Timestamp(nanoseconds: strongest[line].time), rssi: Int(strongest[line].rssi))
    }
    for bin in 0..<binCount {
      let cell = line * binCount + bin
      guard sightings[cell] > 0 else { continue }
      distribution.clear()
      distribution.add(strengths[cell], of: strengthPool)
      let rssi = SignalScale.summary(distribution).map {
        RunSeries.Values(min: $0.min, median: $0.median, max: $0.max)
      }
      distribution.clear()
      distribution.addGaps(gaps[cell], of: gapPool)
      heard.signals.append(
        RunSeries.SignalBin(
          from: start(bin), width: width(bin), sightings: Int(sightings[cell]), rssi: rssi,
          gap: GapScale.median(distribution)))
    }
    return heard
  }

  /// By beacon and bin.
  private mutating func orderTold() {
    var places = [Int](repeating: 0, count: chosen.count * binCount + 1)
    for report in told { places[report.cell + 1] += 1 }
    for cell in 1..<places.count { places[cell] += places[cell - 1] }
    guard let first = told.first else { return }
    var ordered = [Told](repeating: first, count: told.count)
    for report in told {
      ordered[places[report.cell]] = report
      places[report.cell] += 1
    }
    told = ordered
  }

  private func bin(of told: ArraySlice<Told>, _ beacon: Int) -> RunSeries.TelemetryBin {
    let bin = told[told.startIndex].cell - beacon * binCount
    return RunSeries.TelemetryBin(
      from: start(bin), width: width(bin), count: told.count,
      battery: RunSeries.Values(
        told.filter { $0.battery > 0 }.map { Int($0.battery) }),
      temperature: RunSeries.Values(
        told.filter { $0.temperature != .min }.map { Int($0.temperature) }))
  }

  private func start(_ bin: Int) -> Timestamp {
    Timestamp(nanoseconds: bins?.span(bin).from ?? 0)
  }

  private func width(_ bin: Int) -> Int64 { bins?.span(bin).width ?? 1 }
}
