/// Finds time stamps that the records before and after them contradict, and takes them away.
///
/// The capture clock is the largest time read so far (SEMANTICS.md 1): one time stamp with a wrong bit
/// would hold everything behind it at a moment that never was. A clock that was set does not go back with
/// the next record; a time that leaves its neighbours for one record is wrong. Such a record counts
/// as one without a time, which takes the clock's, and is told of.
struct TimeOutliers {
  /// What is known of the records looked at.
  struct Outcome {
    /// So many are decided; of the one behind them it is not known yet what follows it.
    let decided: Int
    /// All are of one interface, have a time since 2000, and none steps back or far forward.
    let isCalm: Bool
  }

  private enum Verdict { case outlier, sound, open }

  /// The record that decides is one of so many behind it, and ends within so many bytes from where it begins:
  /// what is held back has to find room in the window, with what a parser leaves behind it.
  private static let records = 256
  private static let bytes = 128 << 10

  /// The first one that was taken away, and the earliest, as they stand in the capture.
  private(set) var first = Timestamp.none
  private(set) var earliest = Timestamp.none
  /// Those of the records looked at last, by frame.
  private(set) var taken: [Int: Timestamp] = [:]
  /// Time of the last record of each interface that had one.
  private var before: [Int64] = [.min]

  /// - Parameters:
  ///   - records: with the times that stand in the capture.
  ///   - isAll: nothing comes behind them that could decide.
  ///   - read: bytes that have been read, counted as records' `start` is: what comes lies behind them.
  ///   - offset: of the byte that records' `start` count from.
  mutating func settle(
    _ records: inout Rows<CaptureRecord>, isAll: Bool, read: Int, log: inout ContainerLog,
    offset: Int64
  ) -> Outcome {
    if !taken.isEmpty { taken.removeAll() }
    let usual = records.withSpan { Self.usualRun($0, after: before[0]) }
    // (A batch may have nothing but marks.)
    if usual.count == records.count, usual.count > 0 {
      before[0] = usual.last
      return Outcome(decided: usual.count, isCalm: true)
    }
    var interface: UInt16 = 0
    var kept = usual.last
    var place = usual.count
    while place < records.count {
      let record = records[place]
      let now = record.time.nanoseconds
      if record.interface == interface, record.time.isKnown, kept != .min, !Self.isFar(now, kept) {
        kept = now
        place += 1
        continue
      }
      if record.interface != interface {
        before[Int(interface)] = kept
        interface = record.interface
        while Int(interface) >= before.count { before.append(.min) }
        kept = before[Int(interface)]
      }
      switch Self.verdict(on: place, after: kept, records, isAll, read) {
      case .sound: if record.time.isKnown { kept = now }
      case .outlier: takeTime(of: &records, place, kept, &log, offset)
      case .open:
        before[Int(interface)] = kept
        return Outcome(decided: place, isCalm: false)
      }
      place += 1
    }
    before[Int(interface)] = kept
    return Outcome(decided: place, isCalm: false)
  }

  /// The records at the beginning that are of the first interface and go on from its last one since 2000,
  /// neither back nor far: nearly all of nearly every capture.
  private static func usualRun(_ records: Span<CaptureRecord>, after last: Int64) -> (
    count: Int, last: Int64
  ) {
    guard last >= Timestamp.year2000 else { return (0, last) }
    var kept = last
    for place in records.indices {
      let now = records[place].time.nanoseconds
      // The difference, taken as unsigned, is large for a step back.
      guard records[place].interface == 0,
        UInt64(bitPattern: now &- kept) <= UInt64(ClockStep.longest)
      else { return (place, kept) }
      kept = now
    }
    return (records.count, kept)
  }

  private static func verdict(
    on place: Int, after previous: Int64, _ records: borrowing Rows<CaptureRecord>, _ isAll: Bool,
    _ read: Int
  ) -> Verdict {
    let record = records[place]
    let now = record.time.nanoseconds
    guard record.time.isKnown, previous == .min || isFar(now, previous) else { return .sound }
    var anchor = previous
    var other = place + 1
    while other < records.count {
      let next = records[other]
      guard other - place <= Self.records,
        Int(next.start) + Int(next.count) - Int(record.start) <= bytes
      else { return .sound }
      if next.interface == record.interface, next.time.isKnown {
        let time = next.time.nanoseconds
        if anchor != .min { return isFar(now, time) && !isFar(time, anchor) ? .outlier : .sound }
        // The first of all has none before it. A clock may have been set forward behind it; where it is the
        // later one, its time would hold back all that comes. Two have to bear each other out against it.
        guard now > time, isFar(now, time) else { return .sound }
        anchor = time
      }
      other += 1
    }
    let canBeOpen = other - place <= Self.records && read - Int(record.start) <= bytes
    return canBeOpen && !isAll ? .open : .sound
  }

  private static func isFar(_ a: Int64, _ b: Int64) -> Bool {
    let (step, overflow) = a.subtractingReportingOverflow(b)
    return overflow || step.magnitude > UInt64(ClockStep.longest)
  }

  private mutating func takeTime(
    of records: inout Rows<CaptureRecord>, _ place: Int, _ previous: Int64,
    _ log: inout ContainerLog,
    _ offset: Int64
  ) {
    let record = records[place]
    log.note(
      .timestampOutlier, frame: record.frame, offset: offset + Int64(record.start),
      "more than ten minutes from the records before and after it; not used")
    if !first.isKnown { first = record.time }
    if !earliest.isKnown || record.time.nanoseconds < earliest.nanoseconds {
      earliest = record.time
    }
    taken[record.frame] = record.time
    // Where it was is known to within the step from one record to the next.
    let time = Timestamp(nanoseconds: previous)
    for fix in log.fixes.indices
    where log.fixes[fix].frame == record.frame && log.fixes[fix].time == record.time {
      log.fixes[fix].time = time
    }
    records[place].time = .none
  }
}
