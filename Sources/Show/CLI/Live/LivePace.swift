import Analysis
import CaptureReader
import Exports

/// How a live run's clock stands to the machine's: whether the rules are behind, and whether somebody has set
/// the clock.
struct LivePace {
  private let name: String
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var lag: LiveLag
  private var steps: LiveClock
  /// Of two looks at one clock with one at the other between them: what lies further apart says nothing.
  private static let mostBetween = Duration.milliseconds(100)

  /// - Parameters:
  ///   - name: of what is heard with.
  ///   - stateIsGoodFor: nanoseconds; nil: no state is kept.
  init(_ name: String, hasRules: Bool, stateIsGoodFor: Int64?) {
    self.name = TextColumns.printable(name)
    start = clock.now
    lag = LiveLag(hasRules: hasRules)
    steps = LiveClock(stateIsGoodFor: stateIsGoodFor)
  }

  /// Nanoseconds that what is told is behind what is heard; nil where that is not worth a word.
  var behind: Int64? { lag.behind }

  /// What a line of status says of it; nil: nothing.
  var words: String? {
    steps.words ?? lag.behind.map { "\(TextColumns.duration($0)) BEHIND" }
  }

  /// Nil: the clock was not set back, or has caught up.
  var setBack: LiveClock.SetBack? { steps.setBack }

  /// - Parameter reached: how far the run has come.
  /// - Returns: what there is to say now.
  mutating func next(reached: Timestamp) -> [(text: String, severity: Alert.Severity)] {
    let before = clock.now
    let wall = LiveStanding.wallClock
    let after = clock.now
    guard after - before < Self.mostBetween else { return [] }
    var remarks: [(text: String, severity: Alert.Severity)] = []
    let passed = (before - start).components
    let even = passed.seconds * 1_000_000_000 + passed.attoseconds / 1_000_000_000
    if let remark = steps.next(wall: wall, even: even, reached: reached) {
      let severity: Alert.Severity =
        switch remark.weight {
        case .grave: .critical
        case .odd: .warning
        case .well: .notice
        }
      remarks.append(("\(name): \(remark.text)", severity))
    }
    if let remark = lag.next(at: reached, now: steps.wall(wall, for: reached)) {
      remarks.append((remark, lag.behind != nil ? .warning : .notice))
    }
    return remarks
  }
}
