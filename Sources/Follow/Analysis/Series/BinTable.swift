/// The bins of a run's time, numbered: in each stretch they are as narrow as there is room for.
struct BinTable {
  /// Bins of one width.
  private struct Part {
    /// Nanoseconds, no later than what it is made for.
    let start: Int64
    let width: Int64
    /// Number of its first bin.
    let first: Int
    let count: Int
    /// Where the next one begins; what is heard before that is of this part.
    let next: Int64

    func bin(_ time: Int64) -> Int {
      let after = time < start ? 0 : UInt64(bitPattern: time &- start) / UInt64(width)
      return first + min(count - 1, Int(clamping: after))
    }
  }

  private var parts: [Part] = []
  private(set) var count = 0
  /// The part that was asked for last: most sightings are of the same one.
  private var current = 0

  /// Bins of pauses, each: a clock that stepped back may have sightings in one.
  private static let binsOfPause: Int64 = 4

  /// - Parameters:
  ///   - first: time of the first sighting, nanoseconds.
  ///   - last: of the last one.
  ///   - stretches: ascending.
  ///   - beacons: how many are drawn.
  init(
    from first: Int64, to last: Int64, _ stretches: [Stretches.Span], _ settings: SeriesSettings,
    beacons: Int
  ) {
    let heard = stretches.filter { $0.to >= first && $0.from <= last }
    guard heard.count > 1 else {
      let width = settings.width(span: Self.span(first, last), beacons: beacons)
      append(first, last, next: .max, width)
      return
    }
    var at = first
    for (place, stretch) in heard.enumerated() {
      // Before it, and in the pause behind the one before.
      if stretch.from > at {
        append(
          at, stretch.from - 1, next: stretch.from,
          Self.span(at, stretch.from) / Self.binsOfPause + 1, isAligned: false)
      }
      let (from, to) = (max(at, stretch.from), place == heard.count - 1 ? last : stretch.to)
      let (end, isLast) = to.addingReportingOverflow(1)
      append(
        from, to, next: isLast || place == heard.count - 1 ? .max : end,
        settings.width(span: Self.span(from, to), beacons: beacons, stretches: heard.count))
      at = isLast ? to : end
    }
  }

  private static func span(_ from: Int64, _ to: Int64) -> Int64 {
    let (span, overflow) = to.subtractingReportingOverflow(from)
    return overflow ? .max : max(0, span)
  }

  /// - Parameter isAligned: bins begin at whole multiples of their width.
  private mutating func append(
    _ from: Int64, _ to: Int64, next: Int64, _ width: Int64, isAligned: Bool = true
  ) {
    let rest = isAligned ? from % width : 0
    let start = from &- (rest < 0 ? rest + width : rest)
    let bins = Int((UInt64(bitPattern: to &- start)) / UInt64(width)) + 1
    parts.append(Part(start: start, width: width, first: count, count: bins, next: next))
    count += bins
  }

  /// - Returns: nil for a time before all of them.
  mutating func bin(_ time: Int64) -> Int? {
    guard let first = parts.first, time >= first.start else { return nil }
    move(to: time)
    let part = parts[current]
    // Behind the last one nothing is drawn.
    if current == parts.count - 1,
      UInt64(bitPattern: time &- part.start) / UInt64(part.width) >= UInt64(part.count)
    {
      return nil
    }
    return part.bin(time)
  }

  /// Whether a pause that is left out lies between two times.
  mutating func isCut(_ before: Int64, _ time: Int64) -> Bool {
    guard parts.count > 1 else { return false }
    move(to: before)
    let part = current
    move(to: time)
    return part != current
  }

  private mutating func move(to time: Int64) {
    while current > 0, parts[current - 1].next > time { current -= 1 }
    while parts[current].next <= time, current + 1 < parts.count { current += 1 }
  }

  /// When a bin begins and how long it is, nanoseconds.
  func span(_ bin: Int) -> (from: Int64, width: Int64) {
    let part = parts.last { $0.first <= bin } ?? parts[0]
    return (part.start &+ Int64(bin - part.first) &* part.width, part.width)
  }
}
