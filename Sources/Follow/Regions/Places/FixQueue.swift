import CaptureReader
import TrackReader

/// Fixes still to come, in the order of time; a capture may have millions, so those done with go.
struct FixQueue: Sendable {
  private var fixes: [Fix] = []
  private var head = 0
  private var latest = Int64.min
  /// Fixes whose time was not later than that of the fix before, or unknown.
  private(set) var refused = 0

  var isEmpty: Bool { head == fixes.count }
  var first: Fix? { isEmpty ? nil : fixes[head] }

  /// Whether it was taken.
  mutating func append(_ fix: Fix) -> Bool {
    guard fix.time.isKnown, fix.time.nanoseconds > latest else {
      refused += 1
      return false
    }
    latest = fix.time.nanoseconds
    fixes.append(fix)
    return true
  }

  mutating func removeFirst() {
    head += 1
    guard head >= 4096, head * 2 > fixes.count else { return }
    fixes.removeFirst(head)
    head = 0
  }
}
