import CaptureReader

/// How long identifiers of a key last, by the clock of who hears them: from one change to a later one, where each of the
/// identifiers between them was heard in its turn.
public struct IdentifierPace: Sendable {
  /// Of the most changes in a row: how many behind the first one, and nanoseconds from that to the last.
  public private(set) var changes = 0
  public private(set) var length: Int64 = 0
  private var run: Run?

  private struct Run {
    var slot: UInt32
    /// Latest time, nanoseconds.
    var heard: Int64
    /// Of its first change.
    var start: Int64?
    var changes = 0
  }

  /// Frames may come late, and times be whole seconds; nanoseconds.
  private static let slack: Int64 = 2_000_000_000

  /// - Parameter period: seconds that an identifier should last.
  mutating func take(_ moment: HeardIdentifiers.Moment, period: Int64) {
    let now = moment.time.nanoseconds
    guard var run, isSteady(now, behind: run, period) else { return begin(moment) }
    if moment.slot != run.slot {
      // Another device with the key, a recording, or identifiers that nobody heard.
      guard Int64(moment.slot) == Int64(run.slot) + period else { return begin(moment) }
      run.slot = moment.slot
      if let start = run.start {
        run.changes += 1
        if run.changes > changes { (changes, length) = (run.changes, now - start) }
      } else {
        run.start = now
      }
    }
    run.heard = max(run.heard, now)
    self.run = run
  }

  private mutating func begin(_ moment: HeardIdentifiers.Moment) {
    run = Run(slot: moment.slot, heard: moment.time.nanoseconds)
  }

  /// Without a time in which nobody heard it, in which the receiver's clock may have been set.
  private func isSteady(_ now: Int64, behind run: Run, _ period: Int64) -> Bool {
    let (pause, isTooFar) = now.subtractingReportingOverflow(run.heard)
    return !isTooFar && pause >= -Self.slack && pause <= 2 * period * 1_000_000_000
  }

  /// How long its identifiers last, nanoseconds, where that is off by more than what chance and a crystal do: the moment
  /// of change is drawn within an identifier's time, it may be heard later, and a pause within what is steady may be a
  /// clock that was set. Nil where it is not.
  public func unexpected(period: Int64) -> Int64? {
    guard changes >= 2 else { return nil }
    let (expected, count) = (Double(period) * 1e9, Double(changes))
    let isFast = Double(length) < (count - 2) * expected * 0.97
    let isSlow = Double(length) > (count + 4) * expected * 1.03
    return isFast || isSlow ? length / Int64(changes) : nil
  }
}
