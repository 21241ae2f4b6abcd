/// Records by class, reasons and warnings by code, each with the first frame that shows it.
package struct FrameTally: Sendable {
  package struct Count: Sendable {
    package var count = 0
    /// 0 where there is none.
    package var firstFrame = 0

    package init() {}

    @inlinable @inline(__always)
    package mutating func add(_ frame: Int) {
      count += 1
      if firstFrame == 0 { firstFrame = frame }
    }
  }

  /// By `RecordClass.rawValue`.
  package var classes = [Int](repeating: 0, count: RecordClass.allCases.count)
  /// By class, then reason: a reason may make a frame `malformed` or `truncated`.
  package var reasons = [[Count]](
    repeating: [Count](repeating: Count(), count: FrameReason.names.count),
    count: RecordClass.allCases.count)
  /// By bit of `FrameWarnings`.
  package var warnings = [Count](repeating: Count(), count: FrameWarnings.names.count)
  /// Reports handed on.
  package var reports = 0

  package init() {}

  package mutating func warn(_ set: FrameWarnings, frame: Int) {
    var bits = set.rawValue
    while bits != 0 {
      let bit = bits.trailingZeroBitCount
      bits &= bits - 1
      if bit < warnings.count { warnings[bit].add(frame) }
    }
  }

  package var records: Int { classes.reduce(0, +) }

  package func count(_ kind: RecordClass) -> Int { classes[Int(kind.rawValue)] }
}
