import GRDB

/// Battery and temperature of one beacon, bin by bin.
struct TelemetryBins {
  private struct Bin {
    let from: Int64
    let to: Int64
    /// Millivolts.
    let battery: (Int, Int, Int)?
    /// Hundredths of a degree.
    let temperature: (Int, Int, Int)?
  }

  private let bins: [Bin]

  init(_ database: Database, beacon: Int64) throws {
    bins = try Row.fetchAll(
      database,
      sql: """
        SELECT from_ns, to_ns, battery_min_mv, battery_median_mv, battery_max_mv,
          temperature_min_c, temperature_median_c, temperature_max_c
        FROM telemetry_bins WHERE beacon_id = ? ORDER BY from_ns, id
        """, arguments: [beacon]
    ).map { row in
      func hundredths(_ place: Int) -> Int? {
        (row[place] as Double?).map { Int(($0 * 100).rounded()) }
      }
      return Bin(
        from: row[0], to: row[1], battery: Self.all(row[2], row[3], row[4]),
        temperature: Self.all(hundredths(5), hundredths(6), hundredths(7)))
    }
  }

  private static func all(_ low: Int?, _ middle: Int?, _ high: Int?) -> (Int, Int, Int)? {
    guard let low, let middle, let high else { return nil }
    return (low, middle, high)
  }

  func battery(_ scale: TimeScale) -> Plot? {
    plot("Battery", bins.map { ($0, $0.battery) }, least: 100, scale) {
      Words.number($0) + " mV"
    }
  }

  func temperature(_ scale: TimeScale) -> Plot? {
    plot("Temperature", bins.map { ($0, $0.temperature) }, least: 200, scale) {
      Words.decimal(Double($0) / 100) + " °C"
    }
  }

  /// - Parameter least: steps that the chart shows at least.
  private func plot(
    _ title: HTMLText, _ values: [(bin: Bin, value: (Int, Int, Int)?)], least: Int,
    _ scale: TimeScale, _ text: (Int) -> String
  ) -> Plot? {
    let known = values.compactMap { bin, value in value.map { (bin: bin, value: $0) } }
    guard let low = known.map(\.value.0).min(), let high = known.map(\.value.2).max(),
      let last = known.last
    else { return nil }
    let room = max(0, least - (high - low)) / 2 + max(1, (high - low) / 8)
    let words = "\(text(low)) to \(text(high)), \(text(last.value.1)) at the end."
    var plot = Plot(
      title: title, words: words, height: 48, low: low - room, high: high + room)
    plot.labels = high == low ? [(low, text(low))] : [(low, text(low)), (high, text(high))]
    if high - low < least / 2 { plot.labels = [((low + high) / 2, text((low + high) / 2))] }
    let path = SteppedPath(
      known.map { bin, value in
        SteppedPath.Bin(
          from: scale.place(bin.from), to: scale.place(bin.to), low: value.0, middle: value.1,
          high: value.2)
      })
    plot.paths = [("area second", path.area), ("line second", path.line)]
    return plot
  }
}
