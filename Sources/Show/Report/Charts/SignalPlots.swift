import Exports
import GRDB
import Glibc

/// Bins of one beacon as one observer heard it, as far as charts need them.
struct SignalBins {
  struct Bin {
    let from: Int64
    let to: Int64
    let sightings: Int
    /// dBm; nil where no sighting had one.
    let rssi: (low: Int, middle: Int, high: Int)?
    /// Milliseconds.
    let gap: Double?
  }

  /// Nil in cases of older forms, which have those of all observers in one.
  let observer: Int64?
  let bins: [Bin]
  /// When the strongest sighting was; nil in cases of older forms.
  private let strongest: Int64?

  /// - Parameter together: so many of the case's bins become one, whose line is the median of their
  ///   medians.
  /// - Returns: of each observer, those first that heard it most often.
  static func all(_ database: Database, beacon: Int64, together: Int = 1) throws -> [SignalBins] {
    let observers = try Row.fetchAll(
      database,
      sql: """
        SELECT observer_id FROM signal_bins WHERE beacon_id = ? GROUP BY 1
        ORDER BY sum(sightings) DESC, 1
        """, arguments: [beacon])
    return try observers.map {
      try SignalBins(database, beacon: beacon, observer: $0[0], together: together)
    }
  }

  private init(_ database: Database, beacon: Int64, observer: Int64?, together: Int) throws {
    self.observer = observer
    let fine = try Row.fetchAll(
      database,
      sql: """
        SELECT from_ns, to_ns, sightings, rssi_min, rssi_median, rssi_max, gap_median_ms
        FROM signal_bins WHERE beacon_id = ? AND observer_id IS ? ORDER BY from_ns, id
        """, arguments: [beacon, observer]
    ).map { row in
      let values: (Int?, Int?, Int?) = (row[3], row[4], row[5])
      var rssi: (Int, Int, Int)?
      if case (let low?, let middle?, let high?) = values { rssi = (low, middle, high) }
      return Bin(from: row[0], to: row[1], sightings: row[2], rssi: rssi, gap: row[6])
    }
    strongest = try Int64.fetchOne(
      database,
      sql: "SELECT time_ns FROM strongest WHERE beacon_id = ? AND observer_id IS ? ORDER BY id",
      arguments: [beacon, observer])
    bins = together > 1 ? Self.coarser(fine, together) : fine
  }

  private static func coarser(_ fine: [Bin], _ together: Int) -> [Bin] {
    // Each stretch of time has bins of its own width.
    func width(_ bin: Bin) -> Int64 { max(1, bin.to - bin.from) * Int64(together) }
    var groups: [[Bin]] = []
    for bin in fine {
      if let last = groups.last?.first, width(last) == width(bin),
        span(of: last.from, width(last)) == span(of: bin.from, width(bin))
      {
        groups[groups.count - 1].append(bin)
      } else {
        groups.append([bin])
      }
    }
    return groups.map { group in
      let width = width(group[0])
      let (from, isBefore) = span(of: group[0].from, width).multipliedReportingOverflow(by: width)
      let (to, isBehind) = from.addingReportingOverflow(width)
      let rssi = group.compactMap(\.rssi)
      let medians = rssi.map(\.middle).sorted()
      let gaps = group.compactMap(\.gap).sorted()
      var all: (Int, Int, Int)?
      if let low = rssi.map(\.low).min(), let high = rssi.map(\.high).max() {
        all = (low, medians[medians.count / 2], high)
      }
      return Bin(
        from: isBefore ? .min : from, to: isBefore ? .min + width : isBehind ? .max : to,
        sightings: group.reduce(0) { $0 + $1.sightings }, rssi: all,
        gap: gaps.isEmpty ? nil : gaps[gaps.count / 2])
    }
  }

  /// Which of the spans of that width a time lies in, also before 1970.
  private static func span(of time: Int64, _ width: Int64) -> Int64 {
    time / width - (time % width < 0 ? 1 : 0)
  }

  /// RSSI with the zones that the measured power gives.
  /// - Parameters:
  ///   - least: of all that is drawn beside it, dBm.
  ///   - most: likewise.
  func signal(
    _ scale: TimeScale, _ zones: SignalZones?, title: String, from least: Int, to most: Int,
    height: Int
  ) -> Plot? {
    let heard = bins.filter { $0.rssi != nil }
    let low = heard.compactMap { $0.rssi?.low }.min()
    let high = heard.compactMap { $0.rssi?.high }.max()
    guard let low, let high, let first = bins.first else { return nil }
    let all =
      scale.pieces.count > 1
      ? Words.counted(bins.count, "bin")
      : "\(Words.number(bins.count)) of "
        + Words.counted(
          max(bins.count, Int(scale.length / max(1, first.to - first.from))), "bin")
    let words =
      "\(Words.dBm(low)) to \(Words.dBm(high)), \(best(heard, high, scale)); heard in "
      + "\(all) of \(widths)."
    // Room for one zone more than was heard, at most.
    let bottom = Int((Double(least - 4) / 10).rounded(.down)) * 10
    let top = max(Int((Double(most + 4) / 10).rounded(.up)) * 10, bottom + 30)
    var plot = Plot(
      title: HTMLText(text: title), words: words, height: height, low: bottom, high: top)
    plot.labels = stride(from: bottom, through: top, by: top - bottom > 60 ? 20 : 10).map {
      ($0, Words.minus($0))
    }
    plot.bands = zones?.bands ?? []
    let path = SteppedPath(
      heard.compactMap { bin in
        bin.rssi.map {
          SteppedPath.Bin(
            from: scale.place(bin.from), to: scale.place(bin.to), low: $0.low, middle: $0.middle,
            high: $0.high)
        }
      })
    plot.paths = [("area", path.area), ("line", path.line)]
    return plot
  }

  /// `strongest at 10:05:43.118`; where only its bin is known, from when to when that is.
  private func best(_ heard: [Bin], _ high: Int, _ scale: TimeScale) -> String {
    if let strongest { return "strongest at \(scale.clock(strongest))" }
    guard let bin = heard.first(where: { $0.rssi?.high == high }) else { return "of no known time" }
    return "strongest between \(scale.clock(bin.from)) and \(scale.clock(bin.to))"
  }

  /// `500 ms`; where they differ, the least and the most.
  var widths: String {
    let widths = bins.map { $0.to - $0.from }
    guard let least = widths.min(), let most = widths.max() else { return "" }
    return least == most
      ? Words.seconds(least) : "\(Words.seconds(least)) to \(Words.seconds(most))"
  }

  /// The usual time between two sightings.
  func intervals(_ scale: TimeScale, title: String) -> Plot? {
    let known = bins.compactMap { bin in bin.gap.map { (bin: bin, gap: max($0, 0.1)) } }
    let gaps = known.map(\.gap).sorted()
    guard known.count > 1, let least = gaps.first, let most = gaps.last else { return nil }
    let bottom = Int(log10(least).rounded(.down)) * 100
    let top = max(Int(log10(most).rounded(.up)) * 100, bottom + 100)
    let words =
      "between two sightings of one address, about the median of each bin: \(Self.interval(least)) to "
      + "\(Self.interval(most)), mostly \(Self.interval(gaps[gaps.count / 2]))."
    var plot = Plot(title: HTMLText(text: title), words: words, height: 56, low: bottom, high: top)
    plot.labels = stride(from: bottom, through: top, by: top - bottom > 300 ? 200 : 100).map {
      ($0, Self.powerOfTen($0 / 100))
    }
    let path = SteppedPath(
      known.map { bin, gap in
        let at = Int((100 * log10(gap)).rounded())
        return SteppedPath.Bin(
          from: scale.place(bin.from), to: scale.place(bin.to), low: at, middle: at, high: at)
      })
    plot.paths = [("line second", path.line)]
    return plot
  }

  /// Milliseconds.
  private static func powerOfTen(_ exponent: Int) -> String {
    exponent < 3
      ? "\(Words.decimal(pow(10, Double(exponent))).replacing(".0", with: "")) ms"
      : Words.number(Int(pow(10, Double(exponent - 3)))) + " s"
  }

  private static func interval(_ milliseconds: Double) -> String {
    TextColumns.interval(milliseconds * 1e6)
  }
}
