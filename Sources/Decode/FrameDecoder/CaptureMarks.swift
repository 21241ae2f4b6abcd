public import CaptureReader

/// What a capture says between its records, as notes of the observers that it is about.
extension FrameDecoder {
  /// Takes what was said behind the batch that was decoded last.
  public mutating func take(_ mark: CaptureMark) {
    leaveObserver()
    var isAnybody = false
    for index in observers.indices
    where observers[index].interface == mark.interface
      && observers[index].adapter != Observer.systemAdapter
    {
      note(mark, observer: index)
      isAnybody = true
    }
    // Who has not been heard yet cannot have become deaf.
    if !isAnybody, mark.kind == .lost {
      let (sum, overflow) = lossesWaiting[mark.interface, default: 0]
        .addingReportingOverflow(mark.count)
      lossesWaiting[mark.interface] = overflow ? .max : sum
    }
  }

  private mutating func note(_ mark: CaptureMark, observer index: Int) {
    let kind: ObserverNote.Kind =
      switch mark.kind {
      case .lost: .lost
      case .off: .captureOff
      case .on: .captureOn
      }
    let watch = observers[index].watch
    let time = Timestamp(nanoseconds: max(watch.clock.nanoseconds, mark.time.nanoseconds))
    if time.isKnown {
      switch mark.kind {
      case .off: observers[index].scan.gaps.captureEnds(at: time.nanoseconds)
      case .on: observers[index].scan.gaps.captureBegins(at: time.nanoseconds)
      case .lost: break
      }
    }
    notes.append(
      ObserverNote(
        time: time, frame: mark.frame, observer: UInt16(truncatingIfNeeded: index), kind: kind,
        lastRecord: watch.clock, lastReport: watch.lastReport, reports: watch.reports,
        step: Int64(clamping: mark.count), isBehind: mark.isBehind, lostSince: mark.since))
  }

  /// What was lost before the first record of an interface, with that record.
  mutating func noteLossesBefore(frame: Int, at time: Timestamp) {
    let interface = observers[lastObserver.index].interface
    guard let count = lossesWaiting.removeValue(forKey: interface) else { return }
    notes.append(
      ObserverNote(
        time: time, frame: frame, observer: UInt16(truncatingIfNeeded: lastObserver.index),
        kind: .lost, lastRecord: watch.clock, lastReport: watch.lastReport,
        reports: watch.reports, step: Int64(clamping: count)))
  }

  /// Live: nothing has come until a moment, and everything before it is here. Notes that of each
  /// observer whose next record is going to open another second, so that in the file of what is
  /// captured a note tells as much there; of the others, nothing is known that it would.
  /// - Parameter frame: the latest record.
  public mutating func noteSilence(until time: Timestamp, frame: Int) {
    leaveObserver()
    // What comes next may have that very time.
    guard time.isKnown else { return }
    let moment = Timestamp(nanoseconds: time.nanoseconds - 1)
    for index in observers.indices {
      noteSilence(of: index, until: moment, frame: frame, isBehind: true)
    }
  }

  /// Nanoseconds: an observer that has not been heard for so long, while others were, is silent.
  public static let leastSilence: Int64 = 1_000_000_000

  /// Live: what a record of one observer says of the others' silence. Records of several are not exactly in
  /// the order of their times.
  mutating func noteSilence(ofOthersAt time: Timestamp, frame: Int) {
    let moment = time.later(by: -Self.leastSilence)
    for index in observers.indices where index != lastObserver.index {
      noteSilence(of: index, until: moment, frame: frame, isBehind: false)
    }
  }

  private mutating func noteSilence(
    of index: Int, until moment: Timestamp, frame: Int, isBehind: Bool
  ) {
    let watch = observers[index].watch
    guard watch.clock.isKnown, watch.isDue(moment), moment.nanoseconds > watch.clock.nanoseconds
    else { return }
    notes.append(
      ObserverNote(
        time: moment, frame: frame, observer: UInt16(truncatingIfNeeded: index), kind: .silence,
        lastRecord: watch.clock, lastReport: watch.lastReport, reports: watch.reports,
        isBehind: isBehind))
  }
}
