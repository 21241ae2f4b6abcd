import Analysis
import Regions

/// Where two profiles disagree on a state, and by how long.
struct ProfileDifferences {
  struct Difference {
    let span: StateLine.Span
    let observer: Int
    let region: Int
    let main: StateLine.State
    let other: StateLine.State

    static func comesBefore(_ a: Difference, _ b: Difference) -> Bool {
      (a.span.from, a.observer, a.region) < (b.span.from, b.observer, b.region)
    }
  }

  let region: Int
  /// Nanoseconds, all observers together.
  let total: Int64
  let count: Int
  /// By observer, then by time.
  let spans: [Difference]

  /// In order of definition; regions without a difference are not among them.
  static func between(_ main: PresenceHistory, _ other: PresenceHistory) -> [ProfileDifferences] {
    main.timeline.regions.indices.compactMap { region in
      var spans: [Difference] = []
      for observer in main.timeline.observers.indices {
        guard let a = main.line(region, at: observer, deafness: .ignored),
          let b = other.line(region, at: observer, deafness: .ignored)
        else { continue }
        for (span, first, second) in StateLine.both(a, b) where first != second {
          spans.append(
            Difference(
              span: span, observer: observer, region: region, main: first, other: second))
        }
      }
      guard !spans.isEmpty else { return nil }
      let total = StateLine.Span.sum(spans.map(\.span))
      return ProfileDifferences(region: region, total: total, count: spans.count, spans: spans)
    }
  }
}
