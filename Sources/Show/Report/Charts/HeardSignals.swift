import GRDB

/// A beacon's signals, a chart for each observer that heard it: one above the other with the same scale, so that
/// one sees who was nearest, in black and white, too.
struct HeardSignals {
  /// Those that heard it most often first.
  private let observers: [SignalBins]
  /// Of observers, where there are several in the report.
  private let names: [Int64: String]
  /// Charts of one beacon at most.
  private static let most = 6
  /// CSS pixels.
  private static let height = (alone: 132, beside: 84)

  /// - Parameter names: by the observer's number; empty where there is one.
  init(
    _ database: Database, beacon: Int64, together: Int, names: [Int64: String]
  ) throws {
    observers = try SignalBins.all(database, beacon: beacon, together: together)
    self.names = names
  }

  var isEmpty: Bool { observers.isEmpty }

  /// `500 ms`, those of the first; all have the same in the same stretch of time.
  var widths: String { observers.first?.widths ?? "" }

  private func name(_ bins: SignalBins) -> String? { bins.observer.flatMap { names[$0] } }

  /// Signals and distances of one observer after the other.
  /// - Parameters:
  ///   - ranged: by observer.
  ///   - limits: of zones, metres.
  func plots(
    _ scale: TimeScale, _ zones: SignalZones?, _ ranged: [Int64: [RangedMoments.Moment]],
    _ limits: (immediate: Double, near: Double)?
  ) -> [Plot] {
    let shown = observers.prefix(Self.most)
    let values = shown.flatMap { $0.bins.compactMap(\.rssi) }
    let (low, high) = (values.map(\.low).min() ?? 0, values.map(\.high).max() ?? 0)
    return shown.flatMap { bins in
      let place = name(bins).map { " at \($0)" } ?? ""
      // Cases of older forms have the signals of all observers in one.
      let moments =
        bins.observer.map { ranged[$0] ?? [] }
        ?? ranged.values.joined().sorted { $0.time < $1.time }
      return [
        bins.signal(
          scale, zones, title: "Signal\(place)", from: low, to: high,
          height: observers.count > 1 ? Self.height.beside : Self.height.alone),
        RangedMoments.plot(
          moments, title: HTMLText(text: "Distance\(place)"), words: "", scale, limits),
      ].compactMap { $0 }
    }
  }

  /// Of who heard it most often: others miss more of it.
  func intervals(_ scale: TimeScale) -> Plot? {
    observers.first.flatMap { bins in
      bins.intervals(scale, title: name(bins).map { "Interval at \($0)" } ?? "Interval")
    }
  }

  /// Who else heard it; nil where all are drawn.
  var others: String? {
    let rest = observers.dropFirst(Self.most)
    guard !rest.isEmpty else { return nil }
    let sightings = rest.flatMap(\.bins).reduce(0) { $0 + $1.sightings }
    return "Heard less often, and not drawn: by \(Words.counted(rest.count, "more receiver")), "
      + "\(Words.counted(sightings, "sighting"))."
  }
}
