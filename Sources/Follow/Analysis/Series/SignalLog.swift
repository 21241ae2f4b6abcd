import Beacons
import CaptureReader
import FrameDecoder

/// Who was heard when, how strongly, and what beacons told of themselves: kept aside while the run
/// goes on, made into bins when it is known whom and how long.
final class SignalLog {
  struct Signal: BitwiseCopyable {
    let time: Int64
    let transmitter: UInt32
    let rssi: Int8
  }

  struct Report: BitwiseCopyable {
    let time: Int64
    let transmitter: UInt32
    /// mV; 0: not told.
    let battery: UInt16
    /// In 1/256 °C; `Int16.min`: not told.
    let temperature: Int16
  }

  private var signals: RowLog<Signal>
  private var reports: RowLog<Report>

  init() throws(LogProblem) {
    signals = try RowLog.create()
    reports = try RowLog.create()
  }

  /// Sightings of a run; those without a time have no place in it.
  /// - Parameters: as in `BeaconStatistics.add`.
  func add(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, numbers: Span<UInt32>
  ) throws(LogProblem) {
    for place in run.indices {
      let sighting = run[place]
      guard sighting.time.isKnown else { continue }
      let own = sighting.transmitter
      let number = numbers.isEmpty ? own : numbers[Int(own)]
      try signals.append(
        Signal(time: sighting.time.nanoseconds, transmitter: number, rssi: sighting.rssi))
      guard sighting.whole > 0 else { continue }
      let whole = wholes[Int(sighting.whole) - 1]
      guard whole.kind == .eddystoneTLM, !whole.isRepeat else { continue }
      try reports.append(
        Report(
          time: sighting.time.nanoseconds, transmitter: number,
          battery: EddystoneTLM.battery(whole.extra).map { UInt16(clamping: $0) } ?? 0,
          temperature: EddystoneTLM.temperature(whole.extra).map { Int16(clamping: $0) } ?? .min))
    }
  }

  func series(
    _ statistics: BeaconStatistics, _ settings: SeriesSettings
  ) throws(LogProblem) -> RunSeries {
    var drawing = SeriesDrawing(statistics, settings)
    guard !drawing.isEmpty else { return RunSeries() }
    try signals.forEach { drawing.add($0) }
    try reports.forEach { drawing.add($0) }
    return drawing.series()
  }
}
