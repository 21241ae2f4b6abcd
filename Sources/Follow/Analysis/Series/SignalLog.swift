import Beacons
import CaptureReader
import FrameDecoder

/// Who was heard when, how strongly, and what beacons told of themselves: kept aside while the run
/// goes on, made into bins when it is known whom and how long.
final class SignalLog {
  /// A sighting in eight bytes: who and how strongly, and when within its stretch.
  struct Signal: BitwiseCopyable {
    /// Microseconds from the beginning of the stretch.
    let after: UInt32
    /// The transmitter above, the RSSI in the lowest byte.
    private let rest: UInt32

    /// Transmitters with higher numbers do not fit: they are heard too late to be among the most heard.
    static let mostTransmitters = 1 << 24

    init(after: UInt32, transmitter: UInt32, rssi: Int8) {
      self.after = after
      rest = transmitter << 8 | UInt32(UInt8(bitPattern: rssi))
    }

    var transmitter: Int { Int(rest >> 8) }
    var rssi: Int8 { Int8(truncatingIfNeeded: rest) }
  }

  /// Signals one behind the other whose times are near each other.
  private struct Stretch {
    /// Nanoseconds.
    let start: Int64
    /// Of its first signal.
    let place: Int
  }

  struct Report: BitwiseCopyable {
    let time: Int64
    let transmitter: UInt32
    /// mV; 0: not told.
    let battery: UInt16
    /// In 1/256 °C; `Int16.min`: not told.
    let temperature: Int16
  }

  private static let isPlainTelemetry = BeaconKindTable(otherwise: false) {
    $0.telemetry == .plain
  }

  private var signals: RowLog<Signal>
  private var reports: RowLog<Report>
  private var stretches: [Stretch] = []
  private var count = 0
  /// Of the latest stretch; before the first one no time fits.
  private var start = Int64.max

  init() throws(LogProblem) {
    signals = try RowLog.create()
    reports = try RowLog.create()
  }

  /// Sightings of a run; those without a time have no place in it.
  /// - Parameters: as in `BeaconStatistics.add`.
  func add(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, numbers: Span<UInt32>
  ) throws(LogProblem) {
    var done = 0
    while done < run.count {
      let end = min(run.count, done + RowLog<Signal>.chunk)
      try addSignals(run.extracting(done..<end), numbers)
      done = end
    }
    for place in run.indices where run[place].whole > 0 {
      let sighting = run[place]
      let whole = wholes[Int(sighting.whole) - 1]
      guard !whole.isRepeat, Self.isPlainTelemetry[whole.kind], sighting.time.isKnown else {
        continue
      }
      let told = TelemetryReading(whole.extra)
      try reports.append(
        Report(
          time: sighting.time.nanoseconds, transmitter: Self.number(sighting, numbers),
          battery: told.battery.map { UInt16(clamping: $0) } ?? 0,
          temperature: told.temperature.map { Int16(clamping: $0) } ?? .min))
    }
  }

  @inline(__always)
  private static func number(_ sighting: BriefSighting, _ numbers: Span<UInt32>) -> UInt32 {
    numbers.isEmpty ? sighting.transmitter : numbers[Int(sighting.transmitter)]
  }

  private func addSignals(
    _ run: Span<BriefSighting>, _ numbers: Span<UInt32>
  ) throws(LogProblem) {
    let before = count
    var (start, added) = (self.start, 0)
    var begun: [Stretch] = []
    try signals.append(most: run.count) { rows, first in
      for place in run.indices {
        let sighting = run[place]
        guard sighting.time.isKnown else { continue }
        let number = Self.number(sighting, numbers)
        guard number < Signal.mostTransmitters else { continue }
        let time = sighting.time.nanoseconds
        var (after, overflow) = time.subtractingReportingOverflow(start)
        if overflow || after < 0 || after >= Int64(UInt32.max) * 1000 {
          // A time that does not fit into the stretch begins one.
          let rest = time % 1000
          start = time &- (rest < 0 ? rest + 1000 : rest)
          begun.append(Stretch(start: start, place: before + added))
          after = 0
        }
        rows[first + added] = Signal(
          after: UInt32(after / 1000), transmitter: number, rssi: sighting.rssi)
        added += 1
      }
      return first + added
    }
    self.start = start
    stretches += begun
    count += added
  }

  /// Goes through the signals of one stretch after the other.
  private func forEachStretch(
    _ body: (_ start: Int64, _ signals: Span<Signal>) -> Void
  ) throws(LogProblem) {
    var (place, next) = (0, 0)
    var start: Int64 = 0
    try signals.forEach { rows in
      var first = 0
      while first < rows.count {
        while next < stretches.count, stretches[next].place <= place {
          start = stretches[next].start
          next += 1
        }
        let end = next < stretches.count ? stretches[next].place - place + first : rows.count
        let last = min(end, rows.count)
        body(start, rows.extracting(first..<last))
        place += last - first
        first = last
      }
    }
  }

  func series(
    _ statistics: BeaconStatistics, _ settings: SeriesSettings, _ stretches: [Stretches.Span]
  ) throws(LogProblem) -> RunSeries {
    var drawing = SeriesDrawing(statistics, settings, stretches)
    guard !drawing.isEmpty else { return RunSeries() }
    try forEachStretch { drawing.add($1, from: $0) }
    try reports.forEach { drawing.add($0) }
    return drawing.series()
  }
}
