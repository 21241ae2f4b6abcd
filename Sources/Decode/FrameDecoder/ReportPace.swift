public import CaptureReader

/// How many reports an observer heard from time to time: at most 512 bins of equal length, which grow
/// as the recording does. Gaps in the recording are left out.
public struct ReportPace: Sendable {
  public struct Bin: BitwiseCopyable, Sendable {
    /// The clock when it began.
    public let start: Timestamp
    public var reports: Int
  }

  public private(set) var bins: [Bin] = []
  /// Of recorded time, nanoseconds.
  public private(set) var width: Int64 = 10_000_000_000
  public static let most = 512
  /// Recorded time so far, and the clock and what had been heard by then.
  private var position: Int64 = 0
  private var clock = Timestamp.none
  private var known = 0

  public init() {}

  /// The observer's clock goes on.
  /// - Parameters:
  ///   - from: the latest record.
  ///   - to: the one that comes now, or the same; known.
  ///   - reports: heard before it.
  mutating func note(from: Timestamp, to: Timestamp, reports: Int) {
    defer { clock = to }
    guard clock.isKnown, from.isKnown else { return }
    add(reports)
    let (step, overflow) = to.nanoseconds.subtractingReportingOverflow(from.nanoseconds)
    let isGap = overflow || step >= RecordGaps.least
    let end = isGap ? from : to
    let (passed, isTooLong) = end.nanoseconds.subtractingReportingOverflow(clock.nanoseconds)
    guard !isTooLong, passed > 0 else { return }
    let (next, isBehindAll) = position.addingReportingOverflow(passed)
    position = isBehindAll ? .max : next
  }

  private mutating func add(_ reports: Int) {
    while position / width >= Int64(Self.most) { widen() }
    let place = Int(position / width)
    while bins.count <= place {
      bins.append(Bin(start: clock, reports: 0))
    }
    bins[place].reports += reports - known
    known = reports
  }

  private mutating func widen() {
    width *= 2
    bins = stride(from: 0, to: bins.count, by: 2).map { place in
      let other = place + 1 < bins.count ? bins[place + 1].reports : 0
      return Bin(start: bins[place].start, reports: bins[place].reports + other)
    }
  }
}
