import Analysis
import CaptureReader
import Regions

/// Holds alerts of one plugin back that would say the same again, or too much at once.
struct AlertGate {
  /// As `alert` says.
  struct Rule {
    /// Nanoseconds.
    var oncePer: Int64?
    var atMost: (count: Int, per: Int64)?
  }

  /// When an alert was told last, by key.
  private var last: [String: Int64] = [:]
  /// Times of those told, oldest first.
  private var told: [Int64] = []
  private var waiting: [String: Int] = [:]
  /// All that were held back.
  private(set) var heldBack = 0

  private static let mostKept = 10_000

  /// - Returns: how many were held back under this key since the last one told; nil where this one is
  ///   held back, too.
  mutating func pass(_ key: String, at time: Int64, _ rule: Rule) -> Int? {
    if let span = rule.oncePer, let before = last[key], time.since(before) < span {
      return hold(key)
    }
    if let most = rule.atMost {
      let recent = told.reversed().prefix { time.since($0) < most.per }.count
      if recent >= most.count { return hold(key) }
    }
    last[key] = time
    told.append(time)
    if told.count > Self.mostKept { told.removeFirst(told.count / 2) }
    return waiting.removeValue(forKey: key) ?? 0
  }

  private mutating func hold(_ key: String) -> Int? {
    waiting[key, default: 0] += 1
    heldBack += 1
    return nil
  }
}
