import GRDB
import Glibc

/// Distances over time, out of ranging lists.
struct RangedMoments {
  struct Moment {
    let time: Int64
    let metres: Double?
    let interval: (nearest: Double, farthest: Double)?
    let proximity: String
  }

  /// The nearest transmitter of each region, by region and observer.
  private(set) var regions: [Pair: [Moment]] = [:]
  /// By beacon, then by observer.
  private(set) var beacons: [Int64: [Int64: [Moment]]] = [:]
  /// Whether the case has more than was read.
  private(set) var isCut = false

  struct Pair: Hashable, Comparable {
    let region: Int64
    let observer: Int64

    static func < (a: Pair, b: Pair) -> Bool {
      (a.region, a.observer) < (b.region, b.observer)
    }
  }

  private static let mostRows = 200_000

  init(_ database: Database, beaconOf transmitters: [Int64: Int64]) throws {
    let rows = try Row.fetchCursor(
      database,
      sql: """
        SELECT time_ns, observer_id, region_id, place, transmitter_id, proximity, accuracy_m,
          accuracy_min_m, accuracy_max_m FROM ranging ORDER BY id LIMIT \(Self.mostRows + 1)
        """)
    var count = 0
    while let row = try rows.next() {
      count += 1
      guard count <= Self.mostRows else {
        isCut = true
        break
      }
      let ends: (Double?, Double?) = (row[7], row[8])
      var interval: (Double, Double)?
      if case (let nearest?, let farthest?) = ends { interval = (nearest, farthest) }
      let moment = Moment(time: row[0], metres: row[6], interval: interval, proximity: row[5])
      if row[3] == 1 { regions[Pair(region: row[2], observer: row[1]), default: []].append(moment) }
      if let beacon = transmitters[row[4]] {
        // One beacon may be ranged for several regions.
        let observer: Int64 = row[1]
        if beacons[beacon]?[observer]?.last?.time != moment.time {
          beacons[beacon, default: [:]][observer, default: []].append(moment)
        }
      }
    }
    for beacon in beacons.keys {
      beacons[beacon] = beacons[beacon]?.mapValues { $0.sorted { $0.time < $1.time } }
    }
    for pair in regions.keys { regions[pair]?.sort { $0.time < $1.time } }
  }

  /// - Parameters:
  ///   - moments: ascending.
  ///   - words: what stands before the figures.
  static func plot(
    _ moments: [Moment], title: HTMLText, words: String, _ scale: TimeScale,
    _ zones: (immediate: Double, near: Double)?
  ) -> Plot? {
    let known = moments.filter { $0.metres != nil }
    guard let nearest = known.min(by: { ($0.metres ?? 0) < ($1.metres ?? 0) }),
      let metres = nearest.metres
    else { return nil }
    let interval = nearest.interval
    let text =
      "\(words)nearest \(Words.distance(metres, interval?.nearest, interval?.farthest)) at "
      + "\(scale.clock(nearest.time)); the band is the distance's interval."
    var plot = Plot(
      title: title, words: text, height: 96, low: step(metres < 0.1 ? 0.01 : 0.1), high: step(100))
    plot.labels = [
      (step(0.1), "0.1 m"), (step(1), "1 m"), (step(10), "10 m"), (step(100), "100 m"),
    ]
    if let zones {
      plot.bands = [
        Plot.Band(
          from: -1000, to: step(zones.immediate), style: "zone1",
          label: "immediate, below \(Words.metres(zones.immediate)) m"),
        Plot.Band(
          from: step(zones.immediate), to: step(zones.near), style: "zone2",
          label: "near, up to \(Words.metres(zones.near)) m"),
        Plot.Band(from: step(zones.near), to: 1000, style: "zone3", label: "far"),
      ]
    }
    let path = SteppedPath(bins(moments, scale))
    plot.paths = [("area", path.area), ("line", path.line)]
    return plot
  }

  /// Each moment lasts until the next one, or as long as the one before it where a pause follows.
  private static func bins(_ moments: [Moment], _ scale: TimeScale) -> [SteppedPath.Bin] {
    // Half as much again must not overflow.
    let steps = zip(moments.dropFirst(), moments)
      .map { $0.time.subtractingReportingOverflow($1.time) }
      .filter { !$0.overflow && $0.partialValue > 0 }
      .map { min($0.partialValue, .max / 2) }
    let usual = steps.isEmpty ? 1_000_000_000 : steps.sorted()[steps.count / 2]
    return moments.indices.compactMap { place in
      let moment = moments[place]
      guard let metres = moment.metres else { return nil }
      let next = place + 1 < moments.count ? moments[place + 1].time : Int64.max
      let (until, isBehind) = moment.time.addingReportingOverflow(usual + usual / 2)
      let end = isBehind || next <= until ? next : moment.time + usual
      return SteppedPath.Bin(
        from: scale.place(moment.time), to: scale.place(end),
        low: step(moment.interval?.nearest ?? metres), middle: step(metres),
        high: step(moment.interval?.farthest ?? metres))
    }
  }

  /// Metres on a logarithmic scale, a hundred steps for each power of ten.
  private static func step(_ metres: Double) -> Int {
    Int((100 * log10(min(max(metres, 0.01), 1000))).rounded())
  }
}
