public import CaptureReader

/// An observer's clock, and what its notes tell of it (`ObserverNote`).
struct ObserverWatch: BitwiseCopyable, Sendable {
  /// The largest time among its records.
  var clock = Timestamp.none
  /// A record from here on is noted.
  private(set) var nextTick = Int64.min
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

  mutating func ticked(at time: Timestamp) {
    let quiet = time.nanoseconds.subtractingReportingOverflow(lastReport.nanoseconds)
    let isQuiet = lastReport.isKnown && (quiet.overflow || quiet.partialValue >= Self.second)
    let (next, overflow) = time.nanoseconds.addingReportingOverflow(
      isQuiet ? Self.whileQuiet : Self.second)
    nextTick = overflow ? .max : next
  }

  @inline(__always)
  mutating func advance(to time: Timestamp) {
    if time.nanoseconds > clock.nanoseconds { clock = time }
  }
}

extension FrameDecoder {
  /// A record of the observer under way; to be called before anything is made of it.
  @inline(__always)
  mutating func hear(_ record: borrowing CaptureRecord) {
    lastTime = record.time
    if watch.isDue(record.time) { tick(record.time, frame: record.frame) }
    watch.advance(to: record.time)
  }

  /// From when on `tick` has something to note, for the observer behind an interface on a link
  /// without adapters; nil where no record of it has been decoded yet.
  ///
  /// Mutating, because a decoder that was only read was copied for each call (seen in the machine
  /// code).
  public mutating func nextTick(interface: UInt16) -> Int64? {
    guard let index = knownObserver(interface: interface) else { return nil }
    return index == lastObserver.index ? watch.nextTick : observers[index].watch.nextTick
  }

  /// Notes that a record which is going to be credited opens another second.
  public mutating func tick(_ record: borrowing CaptureRecord, interface: UInt16) {
    _ = observer(interface: interface, hci: true)
    if watch.isDue(record.time) { tick(record.time, frame: record.frame) }
  }

  private mutating func tick(_ time: Timestamp, frame: Int) {
    notes.append(
      ObserverNote(
        time: Timestamp(nanoseconds: max(time.nanoseconds, watch.clock.nanoseconds)), frame: frame,
        observer: UInt16(truncatingIfNeeded: lastObserver.index), kind: .tick,
        lastRecord: watch.clock, lastReport: watch.lastReport, reports: watch.reports))
    watch.ticked(at: time)
    if !lossesWaiting.isEmpty { noteLossesBefore(frame: frame, at: time) }
  }

  /// Notes something that a record of the observer under way told.
  mutating func note(_ kind: ObserverNote.Kind, frame: Int) {
    notes.append(
      ObserverNote(
        time: watch.clock, frame: frame,
        observer: UInt16(truncatingIfNeeded: lastObserver.index), kind: kind,
        lastRecord: watch.clock, lastReport: watch.lastReport, reports: watch.reports))
  }

  /// Notes that an observer's records are at an end.
  mutating func noteEnd(of index: Int) {
    let watch = observers[index].watch
    notes.append(
      ObserverNote(
        time: watch.clock, frame: .max, observer: UInt16(truncatingIfNeeded: index), kind: .end,
        lastRecord: watch.clock, lastReport: watch.lastReport, reports: watch.reports))
  }
}
