public import CaptureReader

/// An observer's clock, and what its notes tell of it (`ObserverNote`).
struct ObserverWatch: BitwiseCopyable, Sendable {
  /// The largest time among its records.
  var clock = Timestamp.none
  /// A record from here on is noted.
  private(set) var nextTick = Int64.min
  /// The clock as the latest tick told it, nanoseconds.
  private(set) var told = Int64.min
  /// The clock at its latest report.
  var lastReport = Timestamp.none
  var reports = 0

  private static let second: Int64 = 1_000_000_000
  private static let whileQuiet: Int64 = 10_000_000

  /// Whether a record is the first behind the end of a second.
  @inline(__always)
  func isDue(_ time: Timestamp) -> Bool {
    time.nanoseconds >= nextTick && time.isKnown && nextTick != .max
  }

  /// Whether a record is from before what came since the latest tick: what comes with it happens at the
  /// clock (SEMANTICS 1), which has to be known by then; so does what comes with one without a time. A clock
  /// that stays behind is told once.
  @inline(__always)
  func isBehind(_ time: Timestamp) -> Bool {
    time.nanoseconds < clock.nanoseconds && clock.nanoseconds > told
  }

  @inline(__always)
  func isToBeTold(_ time: Timestamp) -> Bool {
    if isDue(time) { return true }
    return isBehind(time)
  }

  /// - Parameters:
  ///   - time: the clock that was told.
  ///   - step: nanoseconds between two ticks.
  mutating func ticked(at time: Timestamp, step: Int64) {
    told = time.nanoseconds
    let quiet = time.nanoseconds.subtractingReportingOverflow(lastReport.nanoseconds)
    let isQuiet = lastReport.isKnown && (quiet.overflow || quiet.partialValue >= Self.second)
    let (next, overflow) = time.nanoseconds.addingReportingOverflow(
      isQuiet ? min(Self.whileQuiet, step) : step)
    nextTick = overflow ? .max : next
  }

  @inline(__always)
  mutating func advance(to time: Timestamp) {
    if time.nanoseconds > clock.nanoseconds { clock = time }
  }
}

/// When the next tick of an observer is due; nanoseconds.
public struct ObserverTicks: BitwiseCopyable, Sendable {
  /// With a record from here on.
  public let next: Int64
  /// The observer's clock.
  public let clock: Int64
  /// The clock as the latest tick told it: where it is behind the clock, a record from before the clock
  /// is due.
  public let told: Int64
}

extension FrameDecoder {
  /// A record of the observer under way; to be called before anything is made of it.
  @inline(__always)
  mutating func hear(_ record: borrowing CaptureRecord) {
    lastTime = record.time
    if watch.isToBeTold(record.time) { tick(record.time, frame: record.frame) }
    watch.advance(to: record.time)
  }

  /// When a record of the observer under way happens: one without a time at the clock (SEMANTICS 1).
  func moment(of record: borrowing CaptureRecord) -> Timestamp {
    record.time.isKnown ? record.time : watch.clock
  }

  /// When `tick` has something to note, for the observer behind an interface on a link without
  /// adapters; nil where no record of it has been decoded yet.
  ///
  /// Mutating, because a decoder that was only read was copied for each call (seen in the machine
  /// code).
  public mutating func ticks(interface: UInt16) -> ObserverTicks? {
    guard let index = knownObserver(interface: interface) else { return nil }
    let watch = index == lastObserver.index ? watch : observers[index].watch
    return ObserverTicks(next: watch.nextTick, clock: watch.clock.nanoseconds, told: watch.told)
  }

  /// Notes that a record which is going to be credited opens another second, or lies behind the clock.
  public mutating func tick(_ record: borrowing CaptureRecord, interface: UInt16) {
    _ = observer(interface: interface, hci: true)
    if watch.isToBeTold(record.time) { tick(record.time, frame: record.frame) }
  }

  /// Notes the clock before reports that are older than their record.
  mutating func tellClock(frame: Int) {
    if watch.clock.nanoseconds > watch.told { tick(watch.clock, frame: frame) }
  }

  private mutating func tick(_ time: Timestamp, frame: Int) {
    let time = Timestamp(nanoseconds: max(time.nanoseconds, watch.clock.nanoseconds))
    if observers.indices.contains(lastObserver.index) {
      observers[lastObserver.index].pass(from: watch.clock, to: time, reports: watch.reports)
    }
    if options.notesSilence { noteSilence(ofOthersAt: time, frame: frame) }
    endOverdueScan(at: time, frame: frame)
    notes.append(
      ObserverNote(
        time: time, frame: frame,
        observer: UInt16(truncatingIfNeeded: lastObserver.index), kind: .tick,
        lastRecord: watch.clock, lastReport: watch.lastReport, reports: watch.reports))
    watch.ticked(at: time, step: options.tick)
    if !lossesWaiting.isEmpty { noteLossesBefore(frame: frame, at: time) }
  }

  /// A scan whose time is over does not go on where its Scan Timeout is missing.
  private mutating func endOverdueScan(at time: Timestamp, frame: Int) {
    let index = lastObserver.index
    guard observers.indices.contains(index),
      let end = observers[index].scan.overdueEnd(at: time)
    else { return }
    observers[index].scan.close(at: end, .timeout)
    note(.scanOff, at: end, frame: frame)
  }

  /// Notes something that a record of the observer under way told.
  /// - Parameter time: of what happened before that record; not before the clock.
  mutating func note(
    _ kind: ObserverNote.Kind, at time: Timestamp = .none, frame: Int, step: Int64 = 0,
    limits: ScanLimits = []
  ) {
    let time = Timestamp(nanoseconds: max(time.nanoseconds, watch.clock.nanoseconds))
    if kind == .scanOn || kind == .scanOff || kind == .reset,
      observers.indices.contains(lastObserver.index)
    {
      observers[lastObserver.index].tellScan(
        kind == .scanOn ? .restarted : kind == .reset ? .reset : .disabled,
        lastReport: watch.lastReport)
      observers[lastObserver.index].switchScan(kind == .scanOn, reports: watch.reports)
      if kind != .scanOn {
        let end = ScanEnd(time: time, frame: frame, isReset: kind == .reset)
        observers[lastObserver.index].endScan(end, lastReport: watch.lastReport)
      }
    }
    notes.append(
      ObserverNote(
        time: time, frame: frame,
        observer: UInt16(truncatingIfNeeded: lastObserver.index), kind: kind,
        lastRecord: watch.clock, lastReport: watch.lastReport, reports: watch.reports,
        code: limits.rawValue, step: step))
  }

  /// Notes that an observer's records are at an end.
  mutating func noteEnd(of index: Int) {
    let watch = observers[index].watch
    observers[index].switchScan(true, reports: watch.reports)
    observers[index].pass(from: watch.clock, to: watch.clock, reports: watch.reports)
    observers[index].endOfRecords(lastReport: watch.lastReport)
    notes.append(
      ObserverNote(
        time: watch.clock, frame: .max, observer: UInt16(truncatingIfNeeded: index), kind: .end,
        lastRecord: watch.clock, lastReport: watch.lastReport, reports: watch.reports,
        step: Int64(recordsByLink.reduce(0) { $0 + $1.records })))
  }
}
