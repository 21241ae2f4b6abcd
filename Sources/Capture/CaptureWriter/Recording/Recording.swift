import Glibc

/// A recording under way: what is held back, the file, and what could not be written.
struct Recording: Sendable {
  /// So much is held back at most before it is written.
  private static let chunk = 256 << 10
  /// By the items' times: what is older has been written, whether anybody pauses or not.
  private static let longestHeld: Int64 = 1_000_000_000
  /// Packets that come a little out of order set no clock back.
  private static let leastStepBack: Int64 = 1_000_000_000
  /// By the clock: so long after a failure it is tried again.
  static let retryAfter: Int64 = 3_000_000_000

  /// An item among the bytes held back.
  private struct Piece {
    /// Where it ends.
    let end: Int
    /// Of a packet.
    let interface: Int?
    /// What is no packet, to be written later where it cannot be now.
    let mark: CaptureItem?
  }

  private let settings: CaptureRecorder.Settings
  private let clock: @Sendable () -> Int64
  private let sync = FileSync()
  private var form: RecordedForm
  private var files: RotatedFiles?
  private var file: RecordingFile?
  /// Time of the first packet of the file under way, by the clock as it is set now.
  private var fileStart: Int64?
  /// Time of the last packet.
  private var lastTime: Int64?
  private var pending: [UInt8] = []
  private var pieces: [Piece] = []
  private var heldSince: Int64 = 0
  /// By the clock.
  private var syncedAt: Int64 = 0
  private var isUnsynced = false
  private var unwritten: UnwrittenItems
  /// By the clock; nil while packets can be written.
  private var failedAt: Int64?
  /// Older files that went made no room: bytes that could be written since; nil: no such thing happened.
  private var writtenSinceVain: Int64?
  private(set) var state = RecordingState()
  /// Counts how often `state` may have changed.
  private(set) var changes = 0

  init(
    _ settings: CaptureRecorder.Settings, _ interfaces: [PcapngWriter.Interface],
    _ clock: @escaping @Sendable () -> Int64
  ) throws(RecordingProblem) {
    self.settings = settings
    self.clock = clock
    form = try RecordedForm(settings.path, interfaces)
    unwritten = UnwrittenItems(interfaces: interfaces.count)
    pending.reserveCapacity(2 * Self.chunk)
    if let rotation = settings.rotation {
      files = try RotatedFiles(settings.path, rotation)
    } else {
      var made = try RecordingFile.create(settings.path, overwrites: settings.overwrites)
      let header = form.begin(comment: "")
      if let problem = made.append(header, ends: [header.count]).problem {
        _ = made.close()
        _ = RecordingFile.remove(settings.path)
        throw RecordingProblem(
          path: settings.path, what: problem, remedy: "Choose a place that has room.")
      }
      begun(made)
    }
  }

  private mutating func begun(_ made: RecordingFile) {
    file = made
    fileStart = nil
    state.files += 1
    state.path = made.path
    state.bytes = made.size
    changes += 1
  }

  mutating func take(_ item: CaptureItem, frame: Int) {
    guard case .packet(let record, let interface, _) = item else {
      if failedAt == nil, file == nil { open(at: item.nanoseconds, frame: frame + 1) }
      if failedAt == nil { put(item, nil, mark: item) } else { unwritten.hold(item) }
      return
    }
    followClock(to: record.nanoseconds)
    if failedAt != nil { tryAgain(at: record.nanoseconds, frame: frame) }
    if failedAt == nil { rotate(at: record.nanoseconds, size: record.data.count, frame: frame) }
    guard failedAt == nil else { return missed(interface) }
    if pieces.isEmpty { heldSince = record.nanoseconds }
    if fileStart == nil { fileStart = record.nanoseconds }
    put(item, interface, mark: nil)
    // A clock that steps back must not hold anything back, either.
    let isOld = (record.nanoseconds &- heldSince).magnitude >= UInt64(Self.longestHeld)
    if pending.count >= Self.chunk || isOld { flush() }
  }

  private mutating func put(_ item: CaptureItem, _ interface: Int?, mark: CaptureItem?) {
    guard form.append(item, to: &pending) else {
      state.notWritten += 1
      changes += 1
      return
    }
    pieces.append(Piece(end: pending.count, interface: interface, mark: mark))
  }

  private mutating func missed(_ interface: Int) {
    unwritten.count(interface)
    state.notWritten += 1
    changes += 1
  }

  /// Hands what is held back to the system.
  private mutating func flush() {
    guard !pieces.isEmpty else { return }
    let outcome = append(pending, ends: pieces.map(\.end))
    for piece in pieces {
      if piece.end <= outcome.count {
        if piece.interface != nil { state.packets += 1 }
      } else if let mark = piece.mark {
        unwritten.hold(mark)
      } else if let interface = piece.interface {
        missed(interface)
      }
    }
    pending.removeAll(keepingCapacity: true)
    pieces.removeAll(keepingCapacity: true)
    if let problem = outcome.problem { fail(problem) }
    state.bytes = file?.size ?? 0
    isUnsynced = true
    changes += 1
    syncIfDue()
  }

  /// So much room may be needed beside that for the bytes themselves.
  private static let margin: Int64 = 64 << 10

  /// Writes. Where the disk is full older files of the ring go until there is room, but no more of them than
  /// would make it: what is freed may be another's at once, or no room at all.
  private mutating func append(_ bytes: [UInt8], ends: [Int]) -> RecordingFile.Outcome {
    guard var file else {
      return RecordingFile.Outcome(count: 0, problem: state.problem ?? "no file is open")
    }
    var outcome = file.append(bytes, ends: ends)
    var freed: Int64 = 0
    // A file that is not closed yet makes no room when it goes.
    if outcome.isFull, settings.rotation?.keep != nil { sync.wait() }
    while outcome.isFull, writtenSinceVain == nil, let size = files?.giveAway() {
      state.givenAway += 1
      changes += 1
      let done = outcome.count
      let rest = Array(bytes[done...])
      let left = ends.map { $0 - done }.filter { $0 > 0 }
      var more = file.append(rest, ends: left)
      // A program that is just being started holds all files for a moment.
      for _ in 0..<5 where more.isFull && more.count == 0 {
        usleep(4000)
        more = file.append(rest, ends: left)
      }
      freed = more.count > 0 ? 0 : freed + size
      if freed >= Int64(rest.count) + Self.margin { writtenSinceVain = 0 }
      outcome = RecordingFile.Outcome(
        count: done + more.count, problem: more.problem, isFull: more.isFull)
    }
    if let written = writtenSinceVain {
      let all = written + Int64(outcome.count)
      writtenSinceVain = all < Self.margin ? all : nil
    }
    self.file = file
    return outcome
  }

  private mutating func fail(_ problem: String) {
    state.problem = problem
    state.lastFailure = problem
    failedAt = clock()
    changes += 1
  }

  /// Whether it can be written again: then what could not be is told first.
  private mutating func tryAgain(at time: Int64, frame: Int, atOnce: Bool = false) {
    guard let failed = failedAt, atOnce || (clock() - failed).magnitude >= UInt64(Self.retryAfter)
    else { return }
    failedAt = clock()
    let reason = state.problem ?? ""
    if file == nil { open(at: time, frame: frame) }
    guard let size = file?.size else { return }
    var attempt = form
    let bytes = unwritten.bytes(&attempt, at: time, reason: reason)
    if let problem = append(bytes, ends: [bytes.count]).problem {
      _ = file?.takeBack(to: size)
      return fail(problem)
    }
    form = attempt
    unwritten.removeAll()
    failedAt = nil
    state.problem = nil
    state.bytes = file?.size ?? 0
    changes += 1
  }

  // MARK: Rotation

  /// Where the packets' clock is set back, a file's time goes on from what has passed: else a file that is to hold
  /// an hour would hold hours until the clock has caught up.
  private mutating func followClock(to time: Int64) {
    defer { lastTime = time }
    guard let last = lastTime, let start = fileStart else { return }
    let (back, overflow) = last.subtractingReportingOverflow(time)
    guard overflow || back > Self.leastStepBack else { return }
    fileStart = start.subtractingReportingOverflow(overflow ? .max : back).partialValue
  }

  private mutating func rotate(at time: Int64, size: Int, frame: Int) {
    guard let files else { return }
    if let start = fileStart {
      let bytes = state.bytes + Int64(pending.count + size + 64)
      guard files.isDue(bytes: bytes, nanoseconds: time - start) else { return }
      flush()
      guard failedAt == nil else { return }
      close()
    }
    if file == nil { open(at: time, frame: frame) }
  }

  private mutating func open(at time: Int64, frame: Int) {
    guard files != nil else { return }
    do throws(RecordingProblem) {
      guard let made = try files?.next(at: time) else { return }
      file = made
      let comment = frame == 1 ? "" : "Frame 1 of this file is frame \(frame) of the capture."
      let header = form.begin(comment: comment)
      if let problem = append(header, ends: [header.count]).problem {
        _ = file?.close()
        file = nil
        _ = RecordingFile.remove(made.path)
        fail(problem)
      } else {
        begun(file ?? made)
        state.problem = nil
        state.notRemoved = files?.removeOldest()
      }
    } catch {
      fail(error.what)
    }
  }

  private mutating func close() {
    guard let file else { return }
    sync.close(file, syncs: settings.sync != .never && isUnsynced)
    isUnsynced = false
    self.file = nil
    fileStart = nil
  }

  // MARK: Pauses

  private mutating func syncIfDue() {
    guard isUnsynced, let file else { return }
    switch settings.sync {
    case .never: break
    case .always:
      if let problem = file.sync() { state.problem = problem }
      isUnsynced = false
    case .every(let seconds):
      let now = clock()
      guard (now - syncedAt).magnitude >= UInt64(max(0, seconds)) * 1_000_000_000 else { break }
      if sync.start(file) { (syncedAt, isUnsynced) = (now, false) }
      if let problem = sync.takeProblem() { state.problem = problem }
    }
  }

  mutating func pause() {
    flush()
    syncIfDue()
  }

  mutating func end() {
    flush()
    if failedAt != nil { tryAgain(at: heldSince, frame: 1, atOnce: true) }
    close()
    sync.wait()
    if let problem = sync.takeProblem() { state.problem = problem }
    changes += 1
  }
}
