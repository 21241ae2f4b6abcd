import CaptureReader

/// A transmitter in a region: what its own matches say of its silence.
struct RegionLink: BitwiseCopyable, Sendable {
  /// Index of the state of the region at the transmitter's observer.
  let state: UInt32
  /// Latest match; `Int64.min` where there was none.
  var last = Int64.min
  /// Advertising events.
  var received: UInt32 = 0
  /// The stay that it was last heard in, and the link before it on that stay's list, + 1; 0: none.
  var stay: UInt32 = 0
  var next: UInt32 = 0
  /// Index + 1 of its gate; 0: none.
  var gate: UInt32 = 0
  var gaps = GapPool.Window()

  init(state: UInt32) { self.state = state }

  /// Sightings that follow each other so soon, nanoseconds, are of one advertising event: of its channels,
  /// or heard by two radios. Events are at least 20 ms apart, each put off by 10 ms at most (Core, Vol 6
  /// Part B 4.4.2.2).
  static let sameEvent: Int64 = 10_000_000

  @inline(__always)
  mutating func note(_ moment: Int64, longestGap: Int64, _ pool: inout GapPool) {
    if last != .min {
      let gap = moment.since(last)
      guard gap > Self.sameEvent else { return last = moment }
      if gap <= longestGap { pool.note(gap, in: &gaps) }
    }
    last = moment
    if received < .max { received += 1 }
  }
}
