/// From one time to the next of an interface's clock.
public enum ClockStep {
  /// Nanoseconds: a longer step forward is worth telling: the clock was set, or the recording paused.
  public static let longest: Int64 = 600 * 1_000_000_000
}

/// Notes what is odd about the times of records; repairs nothing.
struct ClockWatch {
  private static let jump = ClockStep.longest

  /// What a time before the year 2000 is called. In btsnoop it comes from writers that count wrong
  /// (PROTOCOLS.md 1.1); elsewhere the clock was never set, and times count from its start.
  private let early: ProblemCode

  init(format: String) {
    early = format.hasPrefix("btsnoo") ? .timestampImplausible : .clockNotSet
  }

  /// Largest step back, nanoseconds.
  private(set) var largestStepBack: Int64 = 0
  /// Largest step forward, nanoseconds.
  private(set) var largestStepForward: Int64 = 0
  private(set) var earliest = Timestamp.none
  private(set) var latest = Timestamp.none
  /// Time of the last record of each interface that had one.
  private var before: [Int64] = [.min]

  /// Nanoseconds: what steps back less is caught up at once.
  private static let stepOfRun: Int64 = 1_000_000_000
  private static let mostRuns = 64
  private var ended: [TimeSpan.Run] = []
  /// Where the run under way begins; no frame before one has a time.
  private var start: (frame: Int, time: Int64) = (0, .min)

  /// Of the whole capture.
  func runs(upTo frames: Int) -> [TimeSpan.Run] {
    guard before.count == 1, ended.count < Self.mostRuns, start.frame > 0 else { return [] }
    return ended + [run(upTo: before[0], frames: frames + 1)]
  }

  private func run(upTo last: Int64, frames: Int) -> TimeSpan.Run {
    TimeSpan.Run(
      first: Timestamp(nanoseconds: start.time), last: Timestamp(nanoseconds: last),
      records: frames - start.frame)
  }

  private mutating func beginRun(_ record: CaptureRecord, after previous: Int64) {
    if start.frame > 0, ended.count < Self.mostRuns {
      ended.append(run(upTo: previous, frames: record.frame))
    }
    start = (record.frame, record.time.nanoseconds)
  }

  /// - Parameter isCalm: all are of one interface, have a time since 2000, as the record before them of it
  ///   has, and none steps back or far forward: the two ends are enough.
  mutating func watch(
    _ records: Span<CaptureRecord>, isCalm: Bool, log: inout ContainerLog, offset: Int64
  ) {
    if isCalm {
      reach(records[0].time.nanoseconds)
      if start.frame == 0 { beginRun(records[0], after: .min) }
      let last = records[records.count - 1]
      reach(last.time.nanoseconds)
      before[Int(last.interface)] = last.time.nanoseconds
      return
    }
    // The interface under way is kept in hand: records of one follow each other mostly.
    var interface: UInt16 = 0
    var kept = before[0]
    for place in records.indices {
      let now = records[place].time.nanoseconds
      // A short step forward after 2000 is what nearly every record makes. (The difference, taken
      // as unsigned, is large for a step back.)
      if records[place].interface == interface, now >= Timestamp.year2000,
        kept >= Timestamp.year2000, UInt64(bitPattern: now &- kept) <= UInt64(Self.jump)
      {
        kept = now
        continue
      }
      guard now != .min else { continue }
      if records[place].interface != interface {
        before[Int(interface)] = kept
        interface = records[place].interface
        while interface >= before.count { before.append(.min) }
        kept = before[Int(interface)]
      }
      reach(kept)
      if now < Timestamp.year2000 || now < kept || (now &- kept) > Self.jump || kept == .min {
        oddity(records[place], after: kept, &log, offset)
      }
      kept = now
      reach(now)
    }
    reach(kept)
    before[Int(interface)] = kept
  }

  /// A time the capture holds. Between two calls times of one interface only grow: both ends of
  /// such a run are enough.
  private mutating func reach(_ time: Int64) {
    guard time != .min else { return }
    if !earliest.isKnown || time < earliest.nanoseconds { earliest = Timestamp(nanoseconds: time) }
    if !latest.isKnown || time > latest.nanoseconds { latest = Timestamp(nanoseconds: time) }
  }

  private mutating func oddity(
    _ record: CaptureRecord, after previous: Int64, _ log: inout ContainerLog, _ offset: Int64
  ) {
    let now = record.time.nanoseconds
    if now < Timestamp.year2000 {
      log.note(
        early, frame: record.frame, offset: offset + Int64(record.start),
        "a time before the year 2000")
    }
    if previous == .min {
      if start.frame == 0 { beginRun(record, after: .min) }
      return
    }
    if now < previous {
      stepBack(from: previous, record, &log, offset)
    } else if now &- previous > Self.jump {
      stepForward(from: previous, record, &log, offset)
    }
  }

  private mutating func stepBack(
    from previous: Int64, _ record: CaptureRecord, _ log: inout ContainerLog, _ offset: Int64
  ) {
    let step = previous.subtractingReportingOverflow(record.time.nanoseconds)
    let length = step.overflow ? Int64.max : step.partialValue
    largestStepBack = max(largestStepBack, length)
    if length >= Self.stepOfRun { beginRun(record, after: previous) }
    log.note(
      .timeGoesBackwards, frame: record.frame, offset: offset + Int64(record.start),
      "earlier than the record before")
  }

  private mutating func stepForward(
    from previous: Int64, _ record: CaptureRecord, _ log: inout ContainerLog, _ offset: Int64
  ) {
    let step = record.time.nanoseconds.subtractingReportingOverflow(previous)
    largestStepForward = max(largestStepForward, step.overflow ? .max : step.partialValue)
    beginRun(record, after: previous)
    log.note(
      .timeJumpsForward, frame: record.frame, offset: offset + Int64(record.start),
      "more than ten minutes after the record before")
  }
}
