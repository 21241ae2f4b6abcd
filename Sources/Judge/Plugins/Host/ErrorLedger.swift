import CaptureReader

/// The errors of a plugin's text: which are told, and when it is enough.
struct ErrorLedger {
  /// All of them.
  private(set) var total = 0
  private var inARow = 0
  /// How often by message.
  private var known: [String: Int] = [:]
  /// When the plugin was switched off; none: it is not.
  private(set) var switchedOff = Timestamp.none
  private(set) var isSwitchedOff = false

  /// As many one behind the other switch a plugin off.
  static let mostInARow = 100
  /// Messages that are told apart; the rest counts as one.
  private static let mostKnown = 1000

  mutating func succeeded() {
    if inARow > 0 { inARow = 0 }
  }

  /// - Returns: how often it has come now, where that is to be told: the 1st, 2nd, 4th, 8th… time.
  mutating func note(_ problem: LuaProblem, at time: Timestamp) -> Int? {
    total += 1
    inARow += 1
    if inARow >= Self.mostInARow && !isSwitchedOff {
      isSwitchedOff = true
      switchedOff = time
    }
    let key = known.count < Self.mostKnown || known[problem.message] != nil ? problem.message : ""
    let times = known[key, default: 0] + 1
    known[key] = times
    return times & (times - 1) == 0 ? times : nil
  }
}
