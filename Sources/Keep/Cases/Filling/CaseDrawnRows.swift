import Analysis
import CaptureReader
import CaseStore
import Regions

/// What is drawn: signals and telemetry in bins, and ranging at moments.
extension CaseFilling {
  func addSeries(_ tables: CaseTables) throws {
    guard let series = try result.series else { return }
    let wanted = Set(series.beacons.map(\.identity))
    var rows: [UInt32: Int] = [:]
    for place in beacons.indices where wanted.contains(beacons.number(at: place)) {
      rows[beacons.number(at: place)] = place + 1
    }
    let signals = try tables.writer("signal_bins")
    let strongest = try tables.writer("strongest")
    let telemetry = try tables.writer("telemetry_bins")
    for beacon in series.beacons {
      guard let row = rows[beacon.identity] else { continue }
      for heard in beacon.heard {
        let observer = Int(heard.observer) + 1
        for bin in heard.signals { try add(bin, of: row, by: observer, signals) }
        guard let best = heard.strongest else { continue }
        strongest.int(Int64?.none)
        strongest.int(row)
        strongest.int(best.time.nanoseconds)
        strongest.int(best.rssi)
        strongest.int(observer)
        try strongest.end()
      }
      for bin in beacon.telemetry { try add(bin, of: row, telemetry) }
    }
  }

  private func add(
    _ bin: RunSeries.SignalBin, of beacon: Int, by observer: Int, _ writer: TableWriter
  ) throws {
    begin(beacon, bin.from.nanoseconds, bin.width, writer)
    writer.int(bin.sightings)
    writer.int(bin.rssi?.min)
    writer.int(bin.rssi?.median)
    writer.int(bin.rssi?.max)
    writer.real(bin.gap.map { ($0 / 100_000).rounded() / 10 })
    writer.int(observer)
    try writer.end()
  }

  private func add(
    _ bin: RunSeries.TelemetryBin, of beacon: Int, _ writer: TableWriter
  ) throws {
    begin(beacon, bin.from.nanoseconds, bin.width, writer)
    writer.int(bin.count)
    writer.int(bin.battery?.min)
    writer.int(bin.battery?.median)
    writer.int(bin.battery?.max)
    for value in [bin.temperature?.min, bin.temperature?.median, bin.temperature?.max] {
      writer.real(value.map { Double($0) / 256 })
    }
    try writer.end()
  }

  private func begin(_ beacon: Int, _ from: Int64, _ width: Int64, _ writer: TableWriter) {
    writer.int(Int64?.none)
    writer.int(beacon)
    writer.int(from)
    let (to, overflow) = from.addingReportingOverflow(width)
    writer.int(overflow ? .max : to)
  }

  func addRanging(_ timeline: Timeline, _ tables: CaseTables) throws {
    let writer = try tables.writer("ranging")
    for sample in timeline.samples {
      guard let transmitter = transmitterID(Int(sample.transmitter)) else { continue }
      writer.int(Int64?.none)
      writer.int(sample.time.nanoseconds)
      writer.int(sample.observer + 1)
      writer.int(sample.region + 1)
      writer.int(sample.place)
      writer.int(transmitter)
      writer.text("\(sample.proximity.name)")
      writer.real(Self.centimetres(sample.accuracy.metres))
      writer.real(sample.accuracy.interval.map { Self.centimetres($0.lowerBound) })
      writer.real(sample.accuracy.interval.map { Self.centimetres($0.upperBound) })
      writer.real((sample.rssi * 10).rounded() / 10)
      writer.int(sample.others)
      try writer.end()
    }
  }

  /// As other outputs have metres.
  private static func centimetres(_ metres: Double) -> Double { (metres * 100).rounded() / 100 }
}
