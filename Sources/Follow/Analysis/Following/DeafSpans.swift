import CaptureReader
import FrameDecoder
import Regions

/// When an observer is known not to have heard anything.
struct DeafSpans {
  private(set) var spans: [Timeline.Span] = []
  /// Without times in which nobody was told of while duplicates were filtered: who came then was.
  private(set) var certain: [Timeline.Span] = []
  private(set) var switches: [Timeline.Switch] = []
  private(set) var start = Timestamp.none
  private(set) var end = Timestamp.none
  private var offSince: Int64?
  /// The file that told of it is at an end: another one of the observer goes on with it, until somebody is
  /// heard there.
  private var isOffDoubtful = false
  private var uncapturedSince: Int64?
  /// Since when the scan that goes on leaves duplicates out.
  private(set) var filtersSince: Int64?
  /// Scans that did, in one file each; ascending, the first `mostDeaf`. Whom such a scan told of it does not tell of
  /// again; the next one does.
  private(set) var filteredScans: [Timeline.Span] = []
  /// Times in which nobody at all was heard, from a report or the first record on until the report that ends them;
  /// ascending, disjoint, the first `mostDeaf`. Whether the radio could hear in them they do not say.
  private(set) var quiet: [Timeline.Span] = []
  /// The latest report.
  private(set) var heardLast = Timestamp.none
  /// A pause without records counts from here on, nanoseconds, and a time in which nobody is heard.
  let leastGap: Int64

  init(leastGap: Int64) { self.leastGap = leastGap }

  /// - Parameter capture: place of the note's.
  mutating func take(_ note: ObserverNote, capture: UInt32) {
    // A pause that goes on is told by its end.
    guard note.time.isKnown, !note.kind.isRemark, note.kind != .silence else { return }
    let now = note.time.nanoseconds
    if note.kind.isOfCapturing { return takeCapturing(note.kind, now) }
    // In another file of the same observer the decoder knows nothing of the last one.
    let before = max(note.lastRecord.nanoseconds, end.nanoseconds)
    if isOffDoubtful, let since = offSince, note.lastReport.nanoseconds > since {
      // Between the note before and this one.
      endOff(at: min(end.nanoseconds, note.lastReport.nanoseconds))
    }
    if !start.isKnown { start = note.time }
    noteQuiet(until: note.lastReport)
    end = Timestamp(nanoseconds: max(end.nanoseconds, now))
    if before != .min, now.since(before) >= leastGap {
      add(before, now, isOfFilter: offSince == nil && filtersSince.map { $0 <= before } == true)
    }
    switch note.kind {
    case .scanOff, .reset:
      endFilteredScan(at: now)
      if offSince == nil { keep(note, capture, isOn: false) }
      offSince = offSince ?? now
      isOffDoubtful = false
    case .scanOn:
      endFilteredScan(at: now)
      if note.scanLimits.contains(.duplicates) { filtersSince = now }
      keep(note, capture, isOn: true)
      endOff(at: now)
    case .end:
      // What comes behind is of another file, and the time between them is nobody's.
      endFilteredScan(at: now)
      if let since = offSince { add(since, now) }
      isOffDoubtful = offSince != nil
      takeCapturing(.captureOn, now)
    case .tick, .malformed, .clock, .lost, .captureOff, .captureOn, .silence, .undecoded,
      .scanLimits:
      break
    }
  }

  /// While nobody is heard notes come with each hundredth of a second: the report that ends that is no earlier than
  /// the note before.
  private mutating func noteQuiet(until report: Timestamp) {
    guard report.isKnown, !heardLast.isKnown || report.nanoseconds > heardLast.nanoseconds else {
      return
    }
    let since = heardLast.isKnown ? heardLast : start
    heardLast = report
    let until = Timestamp(nanoseconds: min(end.nanoseconds, report.nanoseconds))
    guard until.isKnown, report.nanoseconds.since(since.nanoseconds) >= leastGap,
      until.nanoseconds > since.nanoseconds, quiet.count < Timeline.Observer.mostDeaf
    else { return }
    quiet.append(Timeline.Span(from: since, to: until))
  }

  private mutating func keep(_ note: ObserverNote, _ capture: UInt32, isOn: Bool) {
    guard note.frame > 0, switches.count < Timeline.Observer.mostDeaf else { return }
    switches.append(
      Timeline.Switch(
        time: note.time, isOn: isOn, place: EventMaking.evidence(capture, note.frame)))
  }

  /// An earlier run saw the scan begin, and this one did not.
  mutating func restore(_ limits: ScanLimits, at moment: Timestamp) {
    if limits.contains(.duplicates) { filtersSince = moment.nanoseconds }
  }

  /// What an earlier run of the observer could hear; between its end and this one's first record nothing was.
  mutating func restore(_ known: RunState.OfHearing, at moment: Timestamp) {
    guard known.until.isKnown, known.until.nanoseconds <= moment.nanoseconds else { return }
    certain = known.spans(\.deaf)
    if known.until != moment {
      Self.add(known.until.nanoseconds, moment.nanoseconds, false, to: &certain)
    }
    quiet = known.spans(\.quiet)
    if known.heardLast.nanoseconds <= known.until.nanoseconds { heardLast = known.heardLast }
    filteredScans = known.spans(\.filtered)
    // It goes on, as its limits say; the end of the run was the recording's, and not the scan's.
    guard filtersSince != nil else { return }
    if known.filtersSince.isKnown {
      filtersSince = known.filtersSince.nanoseconds
    } else if let last = filteredScans.last, last.to == known.until {
      filtersSince = last.from.nanoseconds
      filteredScans.removeLast()
    }
  }

  /// Times of `certain`, and what goes on as far as it was recorded.
  var certainSoFar: [Timeline.Span] {
    var known = certain
    for since in [offSince, uncapturedSince] {
      guard let since, since < end.nanoseconds else { continue }
      Self.add(since, end.nanoseconds, false, to: &known)
    }
    return known
  }

  /// Nothing more comes: what still goes on ends with the recording.
  func finished() -> DeafSpans {
    var spans = self
    if end.isKnown { spans.endFilteredScan(at: end.nanoseconds) }
    return spans
  }

  private mutating func endFilteredScan(at moment: Int64) {
    defer { filtersSince = nil }
    guard let since = filtersSince, moment > since,
      filteredScans.count < Timeline.Observer.mostDeaf
    else { return }
    filteredScans.append(
      Timeline.Span(from: Timestamp(nanoseconds: since), to: Timestamp(nanoseconds: moment)))
  }

  private mutating func endOff(at moment: Int64) {
    if let since = offSince { add(since, moment) }
    offSince = nil
    isOffDoubtful = false
  }

  private mutating func takeCapturing(_ kind: ObserverNote.Kind, _ now: Int64) {
    guard kind == .captureOn else { return uncapturedSince = uncapturedSince ?? now }
    if let since = uncapturedSince { add(since, now) }
    uncapturedSince = nil
  }

  private mutating func add(_ from: Int64, _ to: Int64, isOfFilter: Bool = false) {
    guard to > from else { return }
    Self.add(from, to, isOfFilter, to: &spans)
    if !isOfFilter { Self.add(from, to, false, to: &certain) }
  }

  /// Keeps them ascending and disjoint: pauses of the recording are told while a scan that ended is still off, and lie
  /// in a span that began before them.
  private static func add(
    _ from: Int64, _ to: Int64, _ isOfFilter: Bool, to spans: inout [Timeline.Span]
  ) {
    var joined = Timeline.Span(
      from: Timestamp(nanoseconds: from), to: Timestamp(nanoseconds: to), isOfFilter: isOfFilter)
    var place = spans.count
    while place > 0, spans[place - 1].to.nanoseconds >= from {
      let span = spans[place - 1]
      // Of a clock that was set back: it lies behind.
      guard span.from.nanoseconds <= to else {
        place -= 1
        continue
      }
      joined = Timeline.Span(
        from: Timestamp(nanoseconds: min(span.from.nanoseconds, joined.from.nanoseconds)),
        to: Timestamp(nanoseconds: max(span.to.nanoseconds, joined.to.nanoseconds)),
        isOfFilter: span.isOfFilter && joined.isOfFilter)
      spans.remove(at: place - 1)
      place -= 1
    }
    guard spans.count < Timeline.Observer.mostDeaf else { return }
    spans.insert(joined, at: place)
  }
}
