import CaptureReader

/// Steps of the clocks of a capture's interfaces: what `CaptureReader` counts as
/// `time_goes_backwards` and `time_jumps_forward`, record by record.
struct ClockSteps: Sendable {
  /// A step whose record is being decoded: only then it is known who its observer is.
  struct Waiting: BitwiseCopyable, Sendable {
    let interface: UInt16
    let frame: Int
    let time: Timestamp
    let step: Int64
    /// How many notes there were before the record.
    let notes: Int
  }

  var waiting: Waiting?
  /// Time of the last record of each interface that had one, nanoseconds.
  private var before: [Int64] = []

  /// How far a record's time lies from the one before of its interface, where that is worth telling.
  func step(to record: borrowing CaptureRecord) -> Int64? {
    let interface = Int(record.interface)
    guard record.time.isKnown, interface < before.count, before[interface] != .min else {
      return nil
    }
    let now = record.time.nanoseconds
    let (step, overflow) = now.subtractingReportingOverflow(before[interface])
    if overflow { return now < before[interface] ? .min : .max }
    return step < 0 || step > ClockStep.longest ? step : nil
  }

  mutating func pass(_ record: borrowing CaptureRecord) {
    guard record.time.isKnown else { return }
    while before.count <= Int(record.interface) { before.append(.min) }
    before[Int(record.interface)] = record.time.nanoseconds
  }
}

extension FrameDecoder {
  /// Where a run of records of one link type has to end so that each step of a clock is noted before
  /// anything else of its record: before the first record with a step, which is a run by itself.
  mutating func cutAtSteps(_ records: Span<CaptureRecord>, _ run: Range<Int>) -> Int {
    noteStep()
    for place in run {
      let step = steps.step(to: records[place])
      if step != nil && place > run.lowerBound { return place }
      steps.pass(records[place])
      guard let step else { continue }
      // From here on the observers' own clocks are what they were before the record.
      leaveObserver()
      steps.waiting = ClockSteps.Waiting(
        interface: records[place].interface, frame: records[place].frame,
        time: records[place].time, step: step, notes: notes.count)
      return place + 1
    }
    return run.upperBound
  }

  /// Notes the step of the record that has just been decoded, before what else was noted of it.
  mutating func noteStep() {
    guard let found = steps.waiting else { return }
    steps.waiting = nil
    guard let index = lastHeard(on: found.interface) else { return }
    let before = observers[index].watch
    let time = max(before.clock.nanoseconds, found.time.nanoseconds)
    notes.insert(
      ObserverNote(
        time: Timestamp(nanoseconds: time), frame: found.frame,
        observer: UInt16(truncatingIfNeeded: index), kind: .clock, lastRecord: before.clock,
        lastReport: before.lastReport, reports: before.reports, step: found.step),
      at: found.notes)
  }

  /// Notes that a record is malformed.
  mutating func note(_ reason: FrameReason, _ record: borrowing CaptureRecord) {
    guard let index = lastHeard(on: record.interface) else { return }
    let watch = index == lastObserver.index ? watch : observers[index].watch
    let time = max(watch.clock.nanoseconds, record.time.nanoseconds)
    notes.append(
      ObserverNote(
        time: Timestamp(nanoseconds: time), frame: record.frame,
        observer: UInt16(truncatingIfNeeded: index), kind: .malformed, lastRecord: watch.clock,
        lastReport: watch.lastReport, reports: watch.reports, code: reason.rawValue))
  }

  /// Index of the observer that was heard last on an interface: the one of the record under way, if
  /// it has one. Of several adapters, when others were heard since, the one with the latest clock.
  private func lastHeard(on interface: UInt16) -> Int? {
    guard lastObserver.index < observers.count else { return nil }
    if observers[lastObserver.index].interface == interface { return lastObserver.index }
    return observers.indices.filter { observers[$0].interface == interface }
      .max { observers[$0].watch.clock.nanoseconds < observers[$1].watch.clock.nanoseconds }
  }
}
