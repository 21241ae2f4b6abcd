package import CaptureReader
import FrameDecoder

/// What beacons sent over time, in bins of equal width in each stretch of it (`Stretches`): enough to draw,
/// however many sightings there were.
package struct RunSeries: Sendable {
  /// Of the beacons with most sightings, most first; the same number as `BeaconSummaries` gives them.
  package var beacons: [Beacon] = []

  package struct Beacon: Sendable {
    /// Number of the identity in the run's table.
    package let identity: UInt32
    /// By each who heard it, in the order of the run's observers. What several hear is not mixed: a middle
    /// of what is near one and far from another is nobody's signal.
    package var heard: [Heard] = []
    package var telemetry: [TelemetryBin] = []
  }

  /// A beacon as one observer heard it.
  package struct Heard: Sendable {
    /// The run's number.
    package let observer: UInt32
    /// Ascending; bins without a sighting are not among them.
    package var signals: [SignalBin] = []
    /// Nil where the receiver told no strength.
    package var strongest: Strongest?
  }

  /// The sighting that was heard best, the first one where there are several.
  package struct Strongest: Sendable, Equatable {
    /// To the microsecond, rounded down.
    package let time: Timestamp
    /// dBm.
    package let rssi: Int
  }

  package struct SignalBin: Sendable, Equatable {
    package let from: Timestamp
    /// Nanoseconds.
    package let width: Int64
    package let sightings: Int
    /// dBm, exact; nil where the receiver told none.
    package let rssi: Values?
    /// Nanoseconds between sightings of one device that ended here, the median: off
    /// by a sixteenth at most; nil where none did.
    package let gap: Double?
  }

  /// Lowest, middle (the lower of two), highest.
  package struct Values: Sendable, Equatable {
    package let min: Int
    package let median: Int
    package let max: Int
  }

  package struct TelemetryBin: Sendable, Equatable {
    package let from: Timestamp
    /// Nanoseconds.
    package let width: Int64
    /// Telemetry that said something new.
    package let count: Int
    /// mV.
    package let battery: Values?
    /// In 1/256 °C.
    package let temperature: Values?
  }
}

extension RunSeries.Values {
  /// - Parameter values: in any order; nil where there are none.
  init?(_ values: [Int]) {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    self.init(
      min: sorted[0], median: sorted[(sorted.count - 1) / 2], max: sorted[sorted.count - 1])
  }
}

/// How much is drawn.
package struct SeriesSettings: Sendable {
  /// Beacons at most.
  package var beacons = 200
  /// Bins of all of them together, about.
  package var bins = 60_000
  /// Bins of one beacon at most.
  package var binsOfOne = 1000

  package init() {}

  /// Widths that people can read, in nanoseconds: the narrowest that needs no more bins than there is
  /// room for.
  /// - Parameters:
  ///   - span: of all that is drawn, nanoseconds, not negative.
  ///   - count: of the beacons that are drawn.
  ///   - stretches: that have the bins of all of them together.
  func width(span: Int64, beacons count: Int, stretches: Int = 1) -> Int64 {
    let room = Int64(max(10, min(binsOfOne, bins / max(1, stretches) / max(1, count))))
    let second: Int64 = 1_000_000_000
    var width = second / 10
    for factor: Int64 in [
      2, 5, 10, 20, 50, 100, 150, 300, 600, 1200, 3000, 6000, 9000, 18_000, 36_000,
    ] {
      if span / width < room { return width }
      width = second / 10 * factor
    }
    while span / width >= room, width < .max / 2 { width *= 2 }
    return width
  }
}
