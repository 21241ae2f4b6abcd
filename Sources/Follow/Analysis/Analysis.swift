import Beacons
package import CaptureReader
import FrameDecoder
import TrackReader

/// The one loop: captures are read together, merged by time, and every run of sightings is counted
/// and handed to the sink.
package struct Analysis {
  private let sources: [CaptureSource]
  private var options: Options
  private var result = AnalysisResult()
  private var waiting: [Waiting] = []
  private var active: [CaptureCursor] = []
  private var finishedBytes: Int64 = 0
  private var finishedRecords = 0
  private var finishedReports = 0
  private var keepsRepeats = true
  private var following: FollowQueue?
  private var signals: SignalLog?
  private var clocks = SightingClocks()
  private static let mostReadAhead = 8
  private var facts: [(place: UInt32, facts: CaptureFacts)] = []
  /// Where there are several captures.
  private var compared: CapturesCompared
  private var beaconCount = BeaconCount()

  /// A capture whose time has not come: opened when the others have reached its first record.
  private struct Waiting {
    let source: CaptureSource
    let place: UInt32
    let first: Timestamp
    let stem: String
  }

  package init(_ sources: [CaptureSource], options: Options = Options()) {
    self.sources = sources
    self.options = options
    compared = CapturesCompared(
      captures: sources.count, clocks: options.comparesClocks,
      signals: options.comparesSignals || options.collectsStatistics && sources.count > 1)
  }

  /// Reads everything. A sink's error ends the run, as do settings that cannot be followed; an
  /// input's error ends that input only.
  ///
  /// Live captures are followed at once, so that what happens is told before more is waited for, and
  /// events that silence led to are told without a record; a file of the same records has the same
  /// events, but those that silence led to behind its last record.
  /// - Parameter progress: told after every batch, and live, too, where nothing came.
  package mutating func run(
    into sink: inout some FindingSink, progress: (AnalysisProgress) -> Void = { _ in }
  ) throws -> AnalysisResult {
    // Where the first sightings of a transmitter do not count, another one has to tell what it is.
    keepsRepeats = sink.takesSightings || options.limits != nil
    result.statistics.isPartial = options.limits != nil
    result.statistics.isForComparison = options.comparesBeacons
    if let follow = options.follow {
      options.grant(follow)
      following = try FollowQueue(
        follow, captures: sources.map(\.name), onQueue: options.readsAhead && !isLive)
    }
    if options.series != nil { signals = try SignalLog() }
    line()
    while !waiting.isEmpty || !active.isEmpty {
      openWhatIsDue()
      guard let (cursor, limit) = turn() else { continue }
      if tellsPauses { tellPauses(besides: cursor) }
      let isDone = try cursor.pipeline.withSightings { briefs, wholes in
        if cursor.hasMore(briefs) {
          let range = cursor.run(briefs, until: limit)
          try hand(briefs, wholes, range, of: cursor, to: &sink)
          cursor.goOn(briefs, from: range.upperBound)
        }
        return !cursor.hasMore(briefs)
      }
      if isDone {
        if let following { takeFixes(of: cursor, until: .max, following) }
        if cursor.pipeline.reader.isLive { following?.flush() }
        if cursor.pipeline.reader.mayWait { try sink.pause() }
        advance(cursor)
        progress(progressNow())
      }
    }
    facts.sort { $0.place < $1.place }
    result.captures = facts.map(\.facts)
    result.noteFilters()
    compared.mark(&result, places: facts.map(\.place), observers: options.observerNames)
    if let ring = options.keys {
      result.oddIdentifiers = OddIdentifiers(facts, ring, clocks: result.clocks)
    }
    // Those who follow may be behind: meanwhile.
    following?.flush()
    result.timeline = following?.finish(result.statistics)
    result.timeline?.clocksSetBack = result.captures.filter(\.clockWasSetBack).map {
      ($0.name, $0.span.largestStepBack)
    }
    result.noteHosts()
    if let settings = options.series, let signals {
      result.seriesMaking = SeriesMaking(
        signals, result.statistics, settings,
        stretches: result.timeline?.stretches().spans ?? [], isAhead: options.readsAhead)
    }
    if let limits = options.limits { result.narrow(to: limits) }
    return result
  }

  private mutating func hand(
    _ briefs: Span<BriefSighting>, _ wholes: Span<Sighting>, _ range: Range<Int>,
    of cursor: CaptureCursor, to sink: inout some FindingSink
  ) throws {
    compared.add(briefs.extracting(range), capture: cursor.place)
    if options.collectsStatistics {
      add(briefs, wholes, range, of: cursor)
      if sources.count > 1 {
        let (numbers, transmitters) = (cursor.numbers, result.statistics.transmitters)
        compared.add(briefs.extracting(range), capture: cursor.place) {
          transmitters[numbers[Int($0)]]
        }
      }
    }
    if let signals {
      let numbers = cursor.numbers
      try signals.add(briefs.extracting(range), wholes: wholes, numbers: numbers.span)
    }
    if let following { follow(briefs, wholes, range, of: cursor, following) }
    guard sink.takesSightings, !range.isEmpty else { return }
    // Repeats are kept for a sink: brief and whole ones go side by side.
    try sink.take(
      wholes.extracting(range),
      of: CaptureContext(
        place: Int(cursor.place), name: cursor.name, identities: cursor.pipeline.identities,
        observers: cursor.names, observerNumbers: cursor.observers,
        transmitterNumbers: cursor.numbers))
  }

  private mutating func add(
    _ briefs: Span<BriefSighting>, _ wholes: Span<Sighting>, _ range: Range<Int>,
    of cursor: CaptureCursor
  ) {
    let numbers = cursor.numbers
    guard let limits = options.limits else {
      result.statistics.add(
        briefs.extracting(range), wholes: wholes, capture: cursor.place,
        numbers: numbers.span)
      return
    }
    let told = Self.told(briefs, range, within: limits, &result.sightingsWithoutTime)
    let transmitters = cursor.pipeline.transmitters
    for place in range {
      let observer = transmitters[briefs[place].transmitter].observer
      let followed = clocks.followed(
        briefs[place].time, observer: cursor.observers[Int(observer)])
      if limits.contains(briefs[place].time), !limits.contains(followed) {
        result.sightingsFollowedLater += 1
      }
    }
    result.statistics.add(
      told.span, wholes: wholes, capture: cursor.place, numbers: numbers.span)
  }

  /// Hands a run and the notes between its sightings on to those who follow.
  private func follow(
    _ briefs: Span<BriefSighting>, _ wholes: Span<Sighting>, _ range: Range<Int>,
    of cursor: CaptureCursor, _ following: FollowQueue
  ) {
    let tables = tables(of: cursor)
    let numbers = cursor.numbers
    let fields = cursor.pipeline.customFields
    var start = range.lowerBound
    while true {
      // Before a step of its clock is told of, which comes first; also of one that is alone.
      let pauseEnd = following.isTelling ? cursor.pauseEndNow() : nil
      guard let note = cursor.takeNote() else { break }
      var end = start
      while end < range.upperBound && briefs[end].place < note.place { end += 1 }
      following.take(
        briefs.extracting(start..<end), wholes: wholes, fields, capture: cursor.place,
        numbers: numbers.span, tables)
      takeFixes(of: cursor, until: note.frame, following)
      if let pauseEnd { following.expect(pauseEnd.note, observer: Int(pauseEnd.observer)) }
      let observer = Int(cursor.observers[Int(note.observer)])
      following.take(note, observer: observer, capture: cursor.place)
      start = end
    }
    following.take(
      briefs.extracting(start..<range.upperBound), wholes: wholes, fields, capture: cursor.place,
      numbers: numbers.span, tables)
  }

  /// Whether somebody is told while the run goes on, and there may be another observer that goes on while
  /// one hears nothing.
  private var tellsPauses: Bool { following?.isTelling == true && active.count > 1 }

  /// Where observers hear nothing until their next record, what falls due at them meanwhile has its turn
  /// among what the others hear, and what falls due there: nobody has to wait for that record, which is known.
  private func tellPauses(besides cursor: CaptureCursor) {
    for other in active where other !== cursor {
      let end = other.takePauseEnd { observer, until in
        !active.contains {
          $0 !== other
            && ($0.observers.contains(observer)
              || other.commonName != nil && $0.commonName == other.commonName)
        }
          && !waiting.contains {
            $0.first.nanoseconds <= until.nanoseconds && other.commonName != nil
              && commonName(of: $0) == other.commonName
          }
      }
      if let end { following?.expect(end.note, observer: Int(end.observer)) }
    }
  }

  private func takeFixes(of cursor: CaptureCursor, until frame: Int, _ following: FollowQueue) {
    for (fix, observer) in cursor.takeFixes(until: frame) {
      following.take(fix, observer: observer)
    }
  }

  /// By the run's numbers: those of its only capture, or of all of them.
  /// - Parameter cursor: nil: at the end.
  private func tables(of cursor: CaptureCursor?) -> RunTables {
    guard sources.count == 1, let pipeline = cursor?.pipeline else {
      return RunTables(
        identities: result.statistics.identities, transmitters: result.statistics.transmitters)
    }
    return RunTables(identities: pipeline.identities, transmitters: pipeline.transmitters)
  }

  /// The capture whose turn it is, and when that of another one comes; nil where there is none.
  /// Where two have the same time the one that begins first goes on, wherever its batches end.
  /// Captures that overlap take turns after a few sightings: this has to be cheap.
  private func turn() -> (cursor: CaptureCursor, limit: Int64?)? {
    guard var cursor = active.first else { return nil }
    if active.count == 1 { return (cursor, waiting.first?.first.nanoseconds) }
    var limit = waiting.first?.first.nanoseconds ?? .max
    for other in active.dropFirst() {
      if other.turn < cursor.turn {
        // This one was opened earlier: what comes at its time comes behind it.
        limit = min(limit, cursor.turn - 1)
        cursor = other
      } else {
        limit = min(limit, other.turn)
      }
    }
    return (cursor, limit)
  }

  /// Puts the inputs in the order of their first records. One input needs no looking ahead, and
  /// standard input and pipes cannot be read twice: they come first.
  private mutating func line() {
    result.captureNames = sources.map(\.name)
    let stems = ObserverNames.stems(
      of: result.captureNames, given: options.stems,
      taken: Set(options.observerNames.values))
    for (place, source) in sources.enumerated() {
      var first = Timestamp.none
      if sources.count > 1, source.canBeReadAgain {
        do throws(CaptureProblem) {
          first = try Self.firstTime(try CaptureReader.open(source, isHashed: false))
        } catch {
          result.problems.append(error.advised)
          continue
        }
      }
      waiting.append(
        Waiting(source: source, place: UInt32(place), first: first, stem: stems[place]))
    }
    waiting.sort { ($0.first.nanoseconds, $0.place) < ($1.first.nanoseconds, $1.place) }
  }

  private static func firstTime(_ reader: CaptureReader) throws(CaptureProblem) -> Timestamp {
    var batch = RecordBatch()
    while try reader.next(into: &batch) {
      let known = batch.records.withSpan { records in
        records.indices.first { records[$0].time.isKnown }
      }
      if let known { return batch.records[known].time }
    }
    return .none
  }

  private mutating func openWhatIsDue() {
    while let next = waiting.first {
      if active.contains(where: { $0.turn < next.first.nanoseconds }) { return }
      waiting.removeFirst()
      open(next)
    }
  }

  private mutating func open(_ next: Waiting) {
    do throws(CaptureProblem) {
      let readsAhead = options.readsAhead && sources.count <= Self.mostReadAhead
      let reader = try CaptureReader.open(next.source, readsAhead: readsAhead)
      let pipeline = CapturePipeline(
        reader, options: options.decoder, keepsRepeats: keepsRepeats, wanted: options.wanted,
        custom: options.custom, keys: options.keys, batch: options.batch,
        disturber: options.disturbance.map {
          RecordDisturber($0, capture: next.place, options.decoder)
        })
      let cursor = CaptureCursor(
        pipeline, place: next.place, first: next.first, stem: next.stem,
        commonName: commonName(of: next),
        origins: options.follow?.origins ?? [],
        takesNotes: following != nil)
      // In the order in which they are due, which decides where two have the same time.
      let later = active.firstIndex {
        ($0.first.nanoseconds, $0.place) > (next.first.nanoseconds, next.place)
      }
      active.insert(cursor, at: later ?? active.count)
    } catch {
      result.problems.append(error.advised)
    }
  }

  /// The next capture of the observer that one was of, before its time: until when nothing is recorded is to be
  /// known while others go on.
  private mutating func openNext(after cursor: CaptureCursor) {
    guard let name = cursor.commonName, !active.contains(where: { $0.commonName == name }),
      let place = waiting.firstIndex(where: { commonName(of: $0) == name })
    else { return }
    open(waiting.remove(at: place))
  }

  /// Decodes the next batch; a capture that has ended leaves its facts behind.
  private mutating func advance(_ cursor: CaptureCursor) {
    do throws(CaptureProblem) {
      if try cursor.pipeline.step() {
        cursor.pipeline.withSightings { briefs, _ in cursor.begin(briefs) }
        cursor.translate(
          &result.statistics, &result.observers, counts: options.collectsStatistics,
          isAlone: sources.count == 1)
        if let following {
          following.meet(result.observers)
          cursor.lineUpFixes()
        }
        return
      }
      var found = CaptureFacts(cursor.pipeline, observerNames: cursor.names)
      found.stem = cursor.stem
      if found.holdsNoBluetooth {
        result.problems.append(CaptureProblem.nothingBluetooth(found))
      } else {
        facts.append((cursor.place, found))
      }
    } catch {
      result.problems.append(error)
    }
    if sources.count == 1 && options.collectsStatistics {
      result.statistics.adopt(cursor.pipeline.identities, cursor.pipeline.transmitters)
    }
    finishedBytes += cursor.pipeline.reader.bytesRead
    finishedRecords += cursor.pipeline.reader.log.frames
    if cursor.pipeline.reader.isLive { finishedReports += Self.reports(cursor) }
    active.removeAll { $0 === cursor }
    if following != nil { openNext(after: cursor) }
  }

  private var isLive: Bool {
    sources.contains { if case .live = $0 { true } else { false } }
  }

  private mutating func progressNow() -> AnalysisProgress {
    let bytes = active.reduce(finishedBytes) { $0 + $1.pipeline.reader.bytesRead }
    let records = active.reduce(finishedRecords) { $0 + $1.pipeline.reader.log.frames }
    var filtering: [String] = []
    var reports = finishedReports
    for cursor in active where cursor.pipeline.reader.isLive {
      for (observer, name) in zip(cursor.pipeline.observers, cursor.names)
      where observer.scan.filtersNow == true { filtering.append(name) }
      reports += Self.reports(cursor)
    }
    return AnalysisProgress(
      bytesRead: bytes, records: records,
      beacons: isLive ? beaconCount.count(tables(of: active.first)) : 0,
      filtering: filtering, reports: reports)
  }

  private func commonName(of capture: Waiting) -> String? {
    options.commonName(of: capture.place, kept: options.stems[capture.source.name])
  }

  private static func reports(_ cursor: CaptureCursor) -> Int {
    cursor.pipeline.observers.reduce(0) { $0 + $1.reports }
  }
}
