import CaptureReader

/// How much a plugin may print: a megabyte, and 10 kB more for each second of the run's clock. What goes
/// beyond is counted.
struct PrintBudget {
  static let most = 1_000_000
  private static let perSecond = 10_000.0

  /// Bytes.
  private var room = Double(most)
  private var since = Timestamp.none
  /// Lines since the last one that was printed.
  private(set) var leftOut = 0

  mutating func takes(_ count: Int, at now: Timestamp) -> Bool {
    if now.isKnown {
      if since.isKnown, now.nanoseconds > since.nanoseconds {
        let passed = (Double(now.nanoseconds) - Double(since.nanoseconds)) / 1e9
        room = min(Double(Self.most), room + passed * Self.perSecond)
      }
      since = now
    }
    guard Double(count) <= room else {
      leftOut += 1
      return false
    }
    room -= Double(count)
    leftOut = 0
    return true
  }

  /// How many those were, which are told now.
  mutating func takeLeftOut() -> Int {
    defer { leftOut = 0 }
    return leftOut
  }

  static func sentence(_ lines: Int) -> String {
    "\(lines) \(lines == 1 ? "line" : "lines") that it printed \(lines == 1 ? "was" : "were") left out: "
      + "print may write a megabyte, and 10 kB more a second"
  }
}
