public import CaptureReader

/// Records → advertising reports. One decoder serves one capture, from its first record to its
/// last: fragments, synchronisations and scan state are carried across batches.
public struct FrameDecoder: ~Copyable, Sendable {
  public struct Options: Sendable {
    /// Hand on link-layer packets with a wrong CRC, marked `crc_bad`.
    public var keepBadCRC = false
    /// Note each malformed record (`ObserverNote.Kind.malformed`).
    public var notesMalformed = false
    /// Note each step of a clock (`ObserverNote.Kind.clock`).
    public var notesClock = false
    /// Nanoseconds between two ticks (`ObserverNote.Kind.tick`): what is heard is known by them. 1: each
    /// record whose time is a new one has one.
    public var tick: Int64 = 1_000_000_000
    /// Live: with each tick of one observer, note what it says of the others' silence
    /// (`ObserverNote.Kind.silence`).
    public var notesSilence = false
    /// Tell which frames a report was put together from (`FrameDecoder.parts`).
    public var keepsParts = false
    public init(keepBadCRC: Bool = false) { self.keepBadCRC = keepBadCRC }
  }

  /// The reports of the last batch.
  public var reports = Rows<AdvertisingReport>(capacity: RecordBatch.capacity)
  /// Those among them that were handed on with a later record than the one they begin in, in their order.
  public internal(set) var late: [LateReport] = []
  /// Data put together from several frames, and data that had to be de-whitened.
  public var joined: [UInt8] = []
  public var tally = FrameTally()
  public var observers: [Observer] = []
  /// In the order in which the types were first seen.
  public private(set) var recordsByLink: [(link: LinkType, records: Int)] = []
  /// What the observers did in the last batch, in the order of the records.
  public internal(set) var notes: [ObserverNote] = []
  /// Frames beside its own from which a report of the last batch was put together: further fragments, packets
  /// of its chain, the pointer that gave its address.
  public internal(set) var parts: [ReportPart] = []
  /// The same of reports that are not complete yet.
  var partsWaiting: [PartKey: [Int]] = [:]
  /// Positions found in the last batch (PPI-GPS).
  public var fixes: [PositionFix] = []

  let options: Options
  /// Warnings about the record under way.
  public internal(set) var warnings = FrameWarnings.none
  /// The link type looked up last.
  private var lastRow = LinkTypes.unsupported
  /// Key of the observer that the last record belonged to, and its index.
  var lastObserver: (key: UInt64, index: Int) = (.max, 0)
  /// Time of its last record.
  var lastTime = Timestamp.none
  /// Its clock.
  var watch = ObserverWatch()
  /// What is kept to note steps of clocks.
  var steps = ClockSteps()
  /// Packets lost on interfaces of which no observer is known yet.
  var lossesWaiting: [UInt16: UInt64] = [:]

  /// Chains of fragments under way, of all observers.
  public internal(set) var fragmentsWaiting = 0

  public init(options: Options = Options()) { self.options = options }

  /// Decodes a batch; `reports` then holds what it gave. `bytes` are what the records' `start`
  /// counts in.
  public mutating func decode(_ records: Span<CaptureRecord>, _ bytes: RawSpan) {
    beginBatch()
    var first = 0
    while first < records.count {
      let run = nextRun(records, from: first)
      run.row.decode(&self, records.extracting(first..<run.end), bytes)
      first = run.end
    }
    endRuns()
    noteReports()
  }

  /// What `decode` does, in parts, for a caller that knows some of the records already: `beginBatch`,
  /// then per run of one link type `decodeRun` or `credit` as often as need be, then `endBatch`.
  public mutating func beginBatch() {
    removeReports()
    joined.removeAll(keepingCapacity: true)
    fixes.removeAll(keepingCapacity: true)
    notes.removeAll(keepingCapacity: true)
    if options.keepsParts { parts.removeAll(keepingCapacity: true) }
  }

  /// The run of records of one link type that begins at `first`.
  public mutating func nextRun(
    _ records: Span<CaptureRecord>, from first: Int
  ) -> (end: Int, row: LinkTypeRow) {
    let link = records[first].link
    var end = first + 1
    while end < records.count && records[end].link == link { end += 1 }
    if options.notesClock { end = cutAtSteps(records, first..<end) }
    count(end - first, of: link)
    if lastRow.link != link { lastRow = LinkTypes.find(link) }
    return (end, lastRow)
  }

  /// Decodes records of one link type; `reports` and `joined` then hold what they gave, alone.
  public mutating func decodeRun(
    _ records: Span<CaptureRecord>, _ bytes: RawSpan, _ row: LinkTypeRow
  ) {
    removeReports()
    if !joined.isEmpty { joined.removeAll(keepingCapacity: true) }
    row.decode(&self, records, bytes)
    if !reports.isEmpty { noteReports() }
  }

  public mutating func endBatch() { endRuns() }

  private mutating func endRuns() {
    if options.notesClock { noteStep() }
    leaveObserver()
  }

  /// Index of the observer behind an interface on a link without adapters; nil where no record of it
  /// has been decoded yet.
  mutating func knownObserver(interface: UInt16) -> Int? {
    let key = Observer.key(interface: interface)
    if lastObserver.key == key { return lastObserver.index }
    return observers.firstIndex {
      Observer.key(interface: $0.interface, adapter: $0.adapter) == key
    }
  }

  /// Accounts for events that are known to hold usual reports only, without decoding them.
  /// - Parameter clock: the latest time among them.
  public mutating func credit(
    reports: Int, events: Int, interface: UInt16, from first: Timestamp, to last: Timestamp,
    clock: Timestamp
  ) {
    tally.advertising += events
    tally.reports += reports
    let observer = observer(interface: interface, hci: true)
    observers[observer].heard(reports, from: first, to: last)
    watch.advance(to: clock)
    watch.reports += reports
    watch.lastReport = watch.clock
  }

  /// Accounts for HCI packets that are no advertising (`isOther`), and for the time of the last
  /// packet of the interface.
  /// - Parameter clock: the latest time among all that was credited.
  public mutating func credit(
    others: Int, interface: UInt16, last: Timestamp, clock: Timestamp
  ) {
    tally.other += others
    _ = observer(interface: interface, hci: true)
    lastTime = last
    watch.advance(to: clock)
  }

  private mutating func count(_ records: Int, of link: LinkType) {
    if let known = recordsByLink.firstIndex(where: { $0.link == link }) {
      recordsByLink[known].records += records
    } else {
      recordsByLink.append((link, records))
    }
  }

  /// The capture has ended: what waits for more is handed on as it is.
  /// - Parameter end: latest time of the capture; windows still open end there. Without one they
  ///   end at their observer's last record.
  public mutating func finish(at end: Timestamp = .none) {
    removeReports()
    joined.removeAll(keepingCapacity: true)
    fixes.removeAll(keepingCapacity: true)
    notes.removeAll(keepingCapacity: true)
    leaveObserver()
    for index in observers.indices {
      flushFragments(observer: index, at: .max)
      flushChains(observer: index, at: .max)
    }
    noteReports()
    for index in observers.indices {
      observers[index].endOfCapture(at: end)
      noteEnd(of: index)
    }
  }

  /// Runs one link type's decoding over a run of records, and accounts for each of them.
  @inline(__always)
  mutating func each(
    _ records: Span<CaptureRecord>, _ bytes: RawSpan,
    _ decode: (inout FrameDecoder, borrowing CaptureRecord, RawSpan, _ base: Int) -> FrameOutcome
  ) {
    // The two classes nearly every record is in are counted on the spot.
    var advertising = 0
    var other = 0
    for index in records.indices {
      warnings = .none
      let outcome: FrameOutcome
      if case .none = records[index].fault {
        let start = Int(records[index].start)
        outcome = decode(
          &self, records[index],
          bytes.extracting(start..<(start + Int(records[index].count))), start)
      } else {
        outcome = Self.outcome(of: records[index].fault)
      }
      guard outcome.reason == .none, warnings.isEmpty else {
        account(for: records[index], outcome)
        continue
      }
      switch outcome.kind {
      case .advertising: advertising += 1
      case .other: other += 1
      default: account(for: records[index], outcome)
      }
    }
    tally.advertising += advertising
    tally.other += other
  }

  private mutating func account(for record: CaptureRecord, _ outcome: FrameOutcome) {
    var kind = outcome.kind
    if outcome.reason != .none {
      if kind == .malformed, outcome.reason.isShortage, record.originalCount > UInt32(record.count)
      {
        kind = .truncated
      }
      tally.reasons[Int(kind.rawValue)][Int(outcome.reason.rawValue)].add(record.frame)
    }
    tally.add(kind)
    if kind == .malformed && options.notesMalformed { note(outcome.reason, record) }
    if !warnings.isEmpty { tally.warn(warnings, frame: record.frame) }
    if kind == .advertising, record.originalCount > UInt32(record.count), warnings.isOfCutReports {
      tally.cutOff.add(record.frame)
    }
  }

  static func outcome(of fault: RecordFault) -> FrameOutcome {
    switch fault {
    case .none, .note: .other
    case .empty: .malformed(.emptyRecord)
    case .unknownInterface: .malformed(.unknownInterface)
    case .overrunsBlock: .malformed(.packetOverrunsBlock)
    case .unknownType: .unsupported(.unknownRecordType)
    }
  }

  /// Index of the observer behind a record: the interface, and on a monitor the adapter.
  /// - Parameter hci: whether the link carries HCI, so that the radio has to be told to scan.
  @inline(__always)
  mutating func observer(
    interface: UInt16, adapter: UInt16 = Observer.noAdapter, hci: Bool
  ) -> Int {
    let key = Observer.key(interface: interface, adapter: adapter)
    if key == lastObserver.key { return lastObserver.index }
    leaveObserver()
    return findObserver(key: key, interface: interface, adapter: adapter, hci: hci)
  }

  /// The observer under way gets the time of its last record when another takes over, and at the
  /// end of a batch.
  mutating func leaveObserver() {
    guard lastObserver.index < observers.count else { return }
    observers[lastObserver.index].watch = watch
    guard lastTime.isKnown else { return }
    observers[lastObserver.index].lastRecord = lastTime
    lastTime = .none
  }

  private mutating func findObserver(
    key: UInt64, interface: UInt16, adapter: UInt16, hci: Bool
  ) -> Int {
    if let index = observers.firstIndex(where: {
      $0.interface == interface && $0.adapter == adapter
    }) {
      lastObserver = (key, index)
      watch = observers[index].watch
      return index
    }
    guard observers.count < Observer.most else {
      // More radios than any recorder has: the rest shares the last one, and is counted, rather
      // than growing without end on hostile input. Not remembered, so that each is counted.
      warnings.insert(.tooManyObservers)
      lastObserver = (.max, observers.count - 1)
      watch = observers[lastObserver.index].watch
      return observers.count - 1
    }
    observers.append(Observer(interface: interface, adapter: adapter, carriesHCI: hci))
    lastObserver = (key, observers.count - 1)
    watch = ObserverWatch()
    return observers.count - 1
  }

  /// A report of the record under way: hands it on.
  @inline(__always)
  mutating func deliver(_ report: AdvertisingReport) {
    reports.append(report)
    watch.reports &+= 1
    watch.lastReport = watch.clock
  }

  /// The same of one that waited for more.
  /// - Parameter frame: behind which record it is handed on.
  mutating func deliver(_ report: AdvertisingReport, at frame: Int) {
    if frame > report.frame { late.append(LateReport(report: reports.count, frame: frame)) }
    deliver(report)
  }

  private mutating func removeReports() {
    reports.removeAll()
    if !late.isEmpty { late.removeAll(keepingCapacity: true) }
  }

  private mutating func noteReports() {
    tally.reports += reports.count
    var start = 0
    while start < reports.count {
      let observer = reports[start].observer
      var end = start
      while end < reports.count && reports[end].observer == observer { end += 1 }
      reports.withSpan { observers[Int(observer)].heard($0.extracting(start..<end)) }
      start = end
    }
  }
}
