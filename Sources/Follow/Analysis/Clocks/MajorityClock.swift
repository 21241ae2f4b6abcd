import Regions

/// Whose clock the others of a group are compared with, where nobody says it: one of the most that agree. Packets
/// do not tell which clock is right, but where two of three agree it is the third that differs; and where two go
/// steadily by one another, and not by the third, it is that which was set (`Search.settle`).
extension ClockComparison.Group {
  /// Clocks that are apart by no more than that go alike, nanoseconds.
  private static let alike: Int64 = 1_000_000_000

  /// The clocks that go as the group's own, with it, in their order; nil where no more of them do than as
  /// others do that differ, or all do.
  package var agreeing: [Int]? {
    let alike = steady.filter { $0.ahead.magnitude <= Self.alike.magnitude }.map(\.place)
    let others = Self.mostAlike(steady.filter { !alike.contains($0.place) })
    guard alike.count > others.count, alike.count <= captures.count else { return nil }
    return alike.sorted()
  }

  /// Those that were not set, each with nanoseconds ahead of the group's own, which is the first.
  private var steady: [(place: Int, ahead: Int64)] {
    [(against, 0)]
      + captures.filter { $0.track.pieces.count == 1 }.map { ($0.place, $0.ahead) }
  }

  /// The most of them that lie together; of as many those farthest behind.
  private static func mostAlike(_ clocks: [(place: Int, ahead: Int64)]) -> [Int] {
    let sorted = clocks.sorted { ($0.ahead, $0.place) < ($1.ahead, $1.place) }
    var (best, start) = (0..<0, 0)
    for end in sorted.indices {
      while sorted[end].ahead.since(sorted[start].ahead) > alike { start += 1 }
      if end + 1 - start > best.count { best = start..<(end + 1) }
    }
    return sorted[best].map(\.place)
  }

  /// By a clock of the most that agree, where those are more than go as the group's own: that of whoever heard
  /// most of them.
  /// - Parameter heard: by place.
  func byMajority(_ heard: (Int) -> Int) -> Self {
    let own = steady.filter { $0.ahead.magnitude <= Self.alike.magnitude }
    let most = Self.mostAlike(steady)
    guard most.count > own.count,
      let place = most.max(by: { (heard($0), $1) < (heard($1), $0) })
    else { return self }
    return by(place)
  }

  /// The same by the clock of another one of it.
  private func by(_ place: Int) -> Self {
    guard let chosen = captures.first(where: { $0.place == place }),
      let piece = chosen.track.reversed().pieces.first
    else { return self }
    // The way from it to the old one goes back: each was compared with the one behind it.
    var way: [Int: Int] = [:]
    var next = chosen
    while true {
      way[next.through] = next.place
      guard next.through != against,
        let following = captures.first(where: { $0.place == next.through })
      else { break }
      next = following
    }
    var group = ClockComparison.Group(against: place, captures: [])
    group.take(
      ClockComparison.Capture(
        place: against, track: chosen.track.reversed(), through: way[against] ?? place))
    for capture in captures where capture.place != place {
      group.take(
        ClockComparison.Capture(
          place: capture.place, track: capture.track.by(piece),
          through: way[capture.place] ?? capture.through))
    }
    return group
  }
}
