/// Packets in a second, of the last few seconds.
struct PacketRate {
  private let clock = ContinuousClock()
  private var marks: [(at: ContinuousClock.Instant, count: Int)] = []
  private static let span = Duration.seconds(3)

  /// - Parameter count: all so far.
  mutating func add(_ count: Int) {
    let now = clock.now
    // A mark in a tenth of a second is enough.
    if let last = marks.last, now - last.at < .milliseconds(100) {
      marks[marks.count - 1].count = count
      return
    }
    marks.append((now, count))
    while let first = marks.first, marks.count > 2, now - first.at > Self.span {
      marks.removeFirst()
    }
  }

  var perSecond: Int {
    guard let first = marks.first, let last = marks.last, last.at > first.at else { return 0 }
    let span = (clock.now - first.at).components
    let seconds = Double(span.seconds) + Double(span.attoseconds) / 1e18
    return Int((Double(last.count - first.count) / seconds).rounded())
  }

  /// Something that is to be done now and then.
  struct Pace {
    private let clock = ContinuousClock()
    private let span: Duration
    private var last: ContinuousClock.Instant

    init(every span: Duration) {
      self.span = span
      last = clock.now
    }

    mutating func isDue() -> Bool {
      let now = clock.now
      guard now - last >= span else { return false }
      last = now
      return true
    }
  }
}
