/// Reads one capture from its first byte to its last, whatever container and compression.
///
/// `next` fills a batch; the records' bytes are lent by `withBytes` until the next call.
public final class CaptureReader {
  /// As the user named it.
  public let name: String
  /// `btsnoop`, `pcap`, `pcapng`, `packetlogger`, `btsnooz`.
  public let format: String
  public let compression: Compression?
  public private(set) var log = ContainerLog()
  /// Bytes of the stored input read so far.
  public var bytesRead: Int64 { raw.bytesRead }

  private let raw: RawInput
  /// Where the capture is still being made.
  private let live: LiveInput?
  private let unpacking: UnpackingInput?
  private let window: InputWindow
  /// Nil where nobody asks for it.
  private let hash: StreamHash?
  /// Whether the parser hashes between records. Where another thread hashes it must not so much as
  /// look at the hash.
  private let hashesBetweenRecords: Bool
  private var parser: any RecordParser
  private var clock: ClockWatch
  private var outliers = TimeOutliers()
  /// What cannot be handed on yet.
  private var held = HeldRecords()
  /// Why reading cannot go on behind them.
  private var problem: CaptureProblem?
  /// How times are set right.
  public private(set) var correction = ClockCorrection()
  private var pending = 0
  /// Of the last record that had one, up to the batch before, as it stands in the capture.
  private var lastTime = Timestamp.none
  private var ended = false
  /// A read error ended the input early: nobody knows what the rest of it is.
  private var isCutShort = false
  private var digest: [UInt8]?

  private init(
    _ opened: OpenedInput, parser: any RecordParser, readsAhead: Bool, live: LiveInput?
  ) {
    self.live = live
    name = opened.raw.name
    format = opened.format
    compression = opened.compression
    raw = opened.raw
    unpacking = opened.unpacking
    hash = opened.hash
    hashesBetweenRecords = opened.hashesInWindow && !readsAhead && opened.hash != nil
    window = InputWindow(
      opened.stream, hash: opened.hashesInWindow ? opened.hash : nil,
      readsAhead: readsAhead)
    self.parser = parser
    clock = ClockWatch(format: opened.format)
    for loss in opened.losses {
      for _ in 0..<loss.count {
        log.note(loss.code, frame: loss.frame, offset: loss.offset, loss.detail)
      }
    }
  }

  /// Whether there is a second processor to read ahead on.
  public static var canReadAhead: Bool { ReadAhead.helps }

  /// Opens an input and recognises it by its content.
  /// - Parameters:
  ///   - readsAhead: goes on reading, on a thread of its own, while records are decoded.
  ///   - isHashed: whether the input's SHA-256 is asked for; not where it is read once more.
  public static func open(
    _ source: CaptureSource, readsAhead: Bool = false, isHashed: Bool = true
  ) throws(CaptureProblem) -> CaptureReader {
    let reader = try open(input(source), readsAhead: readsAhead, isHashed: isHashed)
    reader.correction = source.correction
    return reader
  }

  private static func input(_ source: CaptureSource) throws(CaptureProblem) -> any ByteInput {
    switch source {
    case .file(let path): try FileInput.open(path: path)
    case .moved(let path, let name): try FileInput.open(path: path, name: name)
    case .standardInput: FileInput.standardInput()
    case .bytes(let bytes, let name): MemoryInput(bytes, name: name)
    case .live(let bytes): LiveInput(bytes)
    case .kept(let spool): try spool.open()
    case .corrected(let source, _): try input(source)
    }
  }

  static func open(_ input: any ByteInput, readsAhead: Bool = false, isHashed: Bool = true)
    throws(CaptureProblem) -> CaptureReader
  {
    let opened = try OpenedInput(input, hash: isHashed ? StreamHash() : nil)
    let live = input as? LiveInput
    // What comes live is taken as it comes.
    return CaptureReader(
      opened, parser: opened.parser, readsAhead: readsAhead && live == nil, live: live)
  }

  /// Reads the next records into `batch`. Returns false at the end of the input.
  ///
  /// A batch ends where the container says something between records (`ContainerLog.marks`), and may
  /// then have none. Live, it has none either where nothing has come for a moment (`silentUntil`).
  /// A read error ends the input where it struck; what came before stands.
  public func next(into batch: inout RecordBatch) throws(CaptureProblem) -> Bool {
    batch.records.removeAll()
    log.fixes.removeAll(keepingCapacity: true)
    if !log.marks.isEmpty { log.marks.removeAll(keepingCapacity: true) }
    window.consume(pending)
    pending = 0
    while !ended {
      let offset = window.offset
      let final = window.isFinal
      pending = try parse(at: offset, final: final, into: &batch)
      let hasMore = !batch.records.isEmpty
      let isCalm = settleTimes(of: &batch, final: final)
      if !batch.records.isEmpty || !log.marks.isEmpty {
        noteTimes(of: batch)
        if !correction.isNone { correctTimes(of: &batch) }
        batch.records.withSpan {
          clock.watch($0, isCalm: isCalm && correction.isNone, log: &log, offset: offset)
        }
        return true
      }
      window.consume(pending)
      pending = 0
      // All of it is held back: what decides may be at hand.
      if hasMore { continue }
      if final {
        finish()
        return false
      }
      try fill()
      if window.isWaiting { return true }
    }
    return false
  }

  /// Takes wrong times away, and holds back what the next records decide. Returns whether all is usual.
  private func settleTimes(of batch: inout RecordBatch, final: Bool) -> Bool {
    // What comes live is told as it comes, with the time of this machine's clock.
    guard live == nil else { return false }
    // Where nothing is read any more, nothing else decides.
    let isAll = !log.marks.isEmpty || final && batch.records.isEmpty || problem != nil
    if !held.isEmpty { held.join(&batch, &log) }
    let outcome = outliers.settle(
      &batch.records, isAll: isAll, read: pending, log: &log, offset: window.offset)
    if outcome.decided < batch.records.count {
      pending = held.take(from: outcome.decided, of: &batch, &log, read: pending)
    }
    return outcome.isCalm
  }

  /// Before they are corrected.
  private func noteTimes(of batch: borrowing RecordBatch) {
    if log.hasUntimedGaps {
      let last = lastTime
      batch.records.withSpan { log.timeGaps($0, after: last) }
    }
    batch.records.withSpan { records in
      lastTime = ContainerLog.lastTime(of: records, before: records.count) ?? lastTime
    }
  }

  /// Everything that was read last, and has its time of the recorder's clock.
  private func correctTimes(of batch: inout RecordBatch) {
    let first = batch.records.isEmpty ? 0 : batch.records[0].frame
    for place in 0..<batch.records.count { correction.meet(batch.records[place].time) }
    for place in log.fixes.indices {
      let record = log.fixes[place].frame - first
      // A position may have a time of its own, which is the satellites'.
      guard batch.records.indices.contains(record),
        log.fixes[place].time == batch.records[record].time
          || outliers.taken[log.fixes[place].frame] != nil
      else { continue }
      log.fixes[place].time = correction.corrected(log.fixes[place].time)
    }
    for place in 0..<batch.records.count {
      batch.records[place].time = correction.corrected(batch.records[place].time)
    }
    log.marks = log.marks.map { $0.corrected(correction) }
  }

  /// What a record of the last batch says its time is, by the corrected clock, where it was not believed
  /// (`timestamp_outlier`), too.
  public func writtenTime(of record: CaptureRecord) -> Timestamp {
    record.time.isKnown
      ? record.time : correction.corrected(outliers.taken[record.frame] ?? .none)
  }

  /// Packets the recorder says it could not keep, by the corrected clock.
  public var lost: CaptureLosses { log.lost.corrected(correction) }

  /// Bytes that could not be read as records, with times by the corrected clock.
  public var gaps: [ContainerLog.Gap] {
    correction.isNone ? log.gaps : log.gaps.map { $0.corrected(correction) }
  }

  /// When nothing was captured, by the corrected clock.
  public var pauses: [CapturePause] {
    correction.isNone
      ? log.pauses
      : log.pauses.map { pause in
        CapturePause(
          interface: pause.interface, from: correction.corrected(pause.from),
          to: correction.corrected(pause.to))
      }
  }

  /// Whether the capture is still being made.
  public var isLive: Bool { live != nil }

  /// Live, where `next` found that nothing had come: what time it is by the clock of the records; all
  /// records before it have been read. Otherwise unknown.
  public var silentUntil: Timestamp { window.isWaiting ? live?.silentUntil ?? .none : .none }

  private func parse(at offset: Int64, final: Bool, into batch: inout RecordBatch)
    throws(CaptureProblem) -> Int
  {
    let bytes = unsafe window.bytes
    batch.beside = hashesBetweenRecords ? hash?.steps ?? .none : .none
    defer { if hashesBetweenRecords { hash?.steps = batch.beside } }
    let read = held.read
    do throws(CaptureProblem) {
      if let problem { throw problem }
      return try read
        + parser.parse(
          unsafe bytes.bytes.extracting(droppingFirst: read), at: offset + Int64(read),
          final: final, into: &batch, log: &log)
    } catch {
      // What has been read is handed on first.
      guard !held.isEmpty else { throw error }
      problem = error
      return read
    }
  }

  private func fill() throws(CaptureProblem) {
    do throws(CaptureProblem) {
      try window.fill()
    } catch {
      // What cannot be kept is no damage of the capture: less than all of it would look like all.
      if log.frames == 0 || error.code == .cannotKeep { throw error }
      log.note(.readError, frame: log.frames, offset: window.offset, error.detail)
      isCutShort = true
      window.end()
    }
  }

  private func finish() {
    ended = true
    if let fault = unpacking?.fault {
      log.note(fault.code, frame: log.frames, offset: window.offset, fault.detail)
    }
    // Behind the last record nothing could be read any more.
    let none: [CaptureRecord] = []
    log.timeGaps(none.span, after: lastTime)
    if !isCutShort { digest = hash?.finish() }
  }

  /// The bytes that the records of the last batch lie in.
  public func withBytes<R>(_ body: (RawSpan) -> R) -> R {
    let bytes = unsafe window.bytes
    return body(unsafe bytes.bytes)
  }

  /// Whether the next call may have to wait for bytes (a pipe still being written).
  public var mayWait: Bool { window.mayBlock }

  /// SHA-256 of the stored input, 32 bytes; nil before its end, and where it could not be read to
  /// its end.
  public var sha256: [UInt8]? { digest }

  /// First and last moment in the order of the input, and the largest steps of its clock.
  public var timeSpan: TimeSpan {
    TimeSpan(
      earliest: clock.earliest, latest: clock.latest, largestStepBack: clock.largestStepBack,
      largestStepForward: clock.largestStepForward, runs: clock.runs(upTo: log.frames),
      firstOutlier: correction.corrected(outliers.first),
      earliestOutlier: correction.corrected(outliers.earliest))
  }
}

/// An input that has been opened, unpacked and recognised.
private struct OpenedInput {
  let raw: RawInput
  let unpacking: UnpackingInput?
  let stream: any ByteInput
  let hash: StreamHash?
  let hashesInWindow: Bool
  let compression: Compression?
  let format: String
  let parser: any RecordParser
  /// What was missing of btsnooz sections.
  let losses: [Btsnooz.Loss]

  /// - Parameter hash: takes every stored byte; nil where nobody asks for it.
  init(_ input: any ByteInput, hash: StreamHash?) throws(CaptureProblem) {
    self.hash = hash
    let probe = RawInput(input, hash: nil)
    let head = try probe.peek(atLeast: 16, atMost: CaptureFormats.headLength)
    guard !head.isEmpty else {
      throw CaptureProblem(.emptyFile, capture: input.name, detail: "is empty: no bytes at all")
    }
    let packing = head.withRawSpan { Compression.recognise($0) }
    compression = packing
    if let packing {
      raw = RawInput(probe, hash: hash)
      let unpacked = UnpackingInput(raw, packing)
      unpacking = unpacked
      let inner = RawInput(unpacked, hash: nil)
      let innerHead = try inner.peek(atLeast: 16, atMost: CaptureFormats.headLength)
      guard !innerHead.isEmpty else {
        throw CaptureProblem(
          .emptyFile, capture: input.name, detail: "is empty: it holds nothing once unpacked")
      }
      (format, parser, stream, losses) = try Self.recognise(innerHead, inner)
      hashesInWindow = false
    } else if CaptureFormats.recognise(head) != nil {
      raw = RawInput(probe, hash: nil)
      unpacking = nil
      (format, parser, stream, losses) = try Self.recognise(head, raw)
      hashesInWindow = true
    } else {
      raw = RawInput(probe, hash: hash)
      unpacking = nil
      (format, parser, stream, losses) = try Self.recognise(head, raw)
      hashesInWindow = false
    }
  }

  private static func recognise(_ head: [UInt8], _ input: any ByteInput) throws(CaptureProblem)
    -> (String, any RecordParser, any ByteInput, [Btsnooz.Loss])
  {
    if let format = CaptureFormats.recognise(head) {
      return (format.name, format.open(input.name), input, [])
    }
    if isText(head), let report = try Btsnooz.read(input) {
      let translated = MemoryInput(report.btsnoop, name: input.name)
      let parser = Btsnoop(capture: input.name, hasTimes: report.hasTimes)
      return ("btsnooz", parser, translated, report.losses)
    }
    if let packing = Archive.compression(head) {
      throw CaptureProblem(
        .unsupportedCompression, capture: input.name, detail: packing.what,
        remedy: "Unpack it first: \(packing.unpacking).")
    }
    throw unknown(head, input.name)
  }

  /// Text has no control characters but white space and escape.
  private static func isText(_ head: [UInt8]) -> Bool {
    head.allSatisfy { $0 >= 0x20 || ($0 >= 0x09 && $0 <= 0x0D) || $0 == 0x1B }
  }

  private static func unknown(_ head: [UInt8], _ name: String) -> CaptureProblem {
    let known =
      CaptureFormats.all.map(\.title).joined(separator: ", ")
      + ", or an Android bug report with a btsnooz block"
    let begins = head.prefix(8).map { byte in
      let digits = String(byte, radix: 16)
      return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: " ")
    if let archive = Archive.of(head) {
      return CaptureProblem(
        .unknownFormat, capture: name, detail: archive.what,
        remedy: "Unpack it first: \(archive.unpacking); the capture is inside.")
    }
    if head.starts(with: Array("SQLite format 3\0".utf8)) {
      return CaptureProblem(
        .unknownFormat, capture: name, detail: "is a database, not a capture",
        remedy: "If it is a case, 'beacontrace case' looks into it, and 'export' takes it.")
    }
    if isText(head), name.hasSuffix(".lua") {
      return CaptureProblem(
        .unknownFormat, capture: name, detail: "is a file in Lua, not a capture",
        remedy: "Rules are given with --plugin, what there is at a site with --site.")
    }
    if isText(head) {
      return CaptureProblem(
        .unknownFormat, capture: name, detail: "is text without a btsnooz block, not a capture",
        remedy: "What can be read: \(known), also gzip or zstd of these.")
    }
    return CaptureProblem(
      .unknownFormat, capture: name, detail: "is not a capture: it begins with \(begins)",
      remedy: "What can be read: \(known), also gzip or zstd of these (one layer).")
  }
}
