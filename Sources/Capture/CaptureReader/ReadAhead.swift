import Dispatch
import FoundationEssentials
import Synchronization

/// Reads and hashes a few windows ahead of the reader that splits them into records, on a queue of
/// its own. Order is kept.
///
/// Two processors share the work evenly: the queue hashes first and reads when there is nothing to
/// hash, and the reader reads for itself what is not there when it comes for it.
///
/// The queue never waits for the reader: with nothing to do its turn ends, and the reader starts it
/// again. However many captures are open, none can keep another from its thread.
@safe final class ReadAhead: @unchecked Sendable {
  // Unchecked: whoever sets `isReading` has the input, the queue has the hash until the last window.
  // The fresh bytes of a window are written by whoever reads; after that the hash and the reader
  // look at them side by side, until both are done. `state` hands all of this over.
  private let input: any ByteInput
  private let hash: StreamHash?
  private let queue = DispatchQueue(label: "beacontrace.input")
  private let windows: [Window]
  private let state: Mutex<State>
  /// Signalled for a reader that waits.
  private let changed = DispatchSemaphore(value: 0)
  /// Windows with the reader, oldest first: one, and a second while it moves on.
  private var taken: [Int] = []

  private static let windowsAhead = 8

  private struct State {
    /// Numbers of windows, oldest first: to be split into records, to be hashed.
    var ready: [Int] = []
    var unhashed: [Int] = []
    var free: [Int]
    /// By window: how many of the reader and the hash have yet to be done with it.
    var users: [Int]
    var isReading = false
    /// No more windows will come.
    var isAtEnd = false
    var isQueueAtWork = false
    var isReaderWaiting = false

    mutating func release(_ number: Int) {
      users[number] -= 1
      if users[number] == 0 { free.append(number) }
    }

    /// A window to read into; nil where somebody reads, where none is free, and at the end.
    mutating func beginReading() -> Int? {
      guard !isReading, !isAtEnd, let number = free.popLast() else { return nil }
      isReading = true
      return number
    }

    mutating func endReading(_ number: Int, _ window: Window) {
      isReading = false
      isAtEnd = window.count == 0 || window.problem != nil
      users[number] = isAtEnd ? 1 : 2
      if !isAtEnd { unhashed.append(number) }
    }
  }

  private final class Window {
    let buffer: WindowBuffer
    var count = 0
    var problem: CaptureProblem?

    init(_ buffer: WindowBuffer) { self.buffer = buffer }
  }

  private enum Task {
    case hash(Int)
    case read(Int)
  }

  /// Whether there is a second processor to read ahead on.
  static let helps = processors() > 1

  /// Processors that this process may run on: Foundation counts those of the machine, whatever
  /// `taskset` or a container allows.
  private static func processors() -> Int {
    let all = ProcessInfo.processInfo.activeProcessorCount
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Cpus_allowed:") })
    else { return all }
    // Hexadecimal digits, with commas between them.
    let bits = line.dropFirst("Cpus_allowed:".count).reduce(0) {
      $0 + ($1.hexDigitValue ?? 0).nonzeroBitCount
    }
    return bits > 0 ? min(bits, all) : all
  }

  /// The input and the hash are this object's until the last window.
  init(_ input: any ByteInput, hash: StreamHash?) {
    self.input = input
    self.hash = hash
    windows = (0..<Self.windowsAhead).map { _ in Window(WindowBuffer(for: input)) }
    state = Mutex(
      State(
        free: Array(0..<Self.windowsAhead),
        users: [Int](repeating: 0, count: Self.windowsAhead)))
  }

  /// The next window, waited for where need be, and how many fresh bytes there are in it: 0 at the
  /// end, when all has been hashed. It is the caller's until `giveBack`.
  func next() throws(CaptureProblem) -> (buffer: WindowBuffer, count: Int) {
    let number = nextReady()
    let window = windows[number]
    taken.append(number)
    goOn()
    if window.count == 0 || window.problem != nil { queue.sync {} }
    if let problem = window.problem { throw problem }
    return (window.buffer, window.count)
  }

  private func nextReady() -> Int {
    while true {
      let (ready, toRead) = state.withLock { state -> (Int?, Int?) in
        if !state.ready.isEmpty { return (state.ready.removeFirst(), nil) }
        if let number = state.beginReading() { return (nil, number) }
        state.isReaderWaiting = true
        return (nil, nil)
      }
      if let ready { return ready }
      if let toRead {
        read(toRead)
        state.withLock { $0.endReading(toRead, windows[toRead]) }
        return toRead
      }
      changed.wait()
    }
  }

  /// Gives back all windows taken but the last.
  func giveBack() {
    guard taken.count > 1 else { return }
    let done = taken.prefix(taken.count - 1)
    taken.removeFirst(done.count)
    state.withLock { state in for number in done { state.release(number) } }
  }

  /// Sets the queue to work, unless it is.
  private func goOn() {
    let isIdle = state.withLock { state in
      defer { state.isQueueAtWork = true }
      return !state.isQueueAtWork
    }
    if isIdle { queue.async { self.work() } }
  }

  private func work() {
    while let task = nextTask() {
      switch task {
      case .hash(let number):
        let window = windows[number]
        // The reader writes before the fresh bytes only.
        unsafe hash?.update(
          UnsafeRawBufferPointer(rebasing: window.buffer.fresh[..<window.count]))
        report { $0.release(number) }
      case .read(let number):
        read(number)
        report { state in
          state.endReading(number, windows[number])
          state.ready.append(number)
        }
      }
    }
  }

  private func nextTask() -> Task? {
    state.withLock { state in
      if !state.unhashed.isEmpty { return .hash(state.unhashed.removeFirst()) }
      if let number = state.beginReading() { return .read(number) }
      state.isQueueAtWork = false
      return nil
    }
  }

  /// Changes the state, and wakes the reader if it waits for that.
  private func report(_ change: (inout State) -> Void) {
    let isWaitedFor = state.withLock { state in
      change(&state)
      defer { state.isReaderWaiting = false }
      return state.isReaderWaiting
    }
    if isWaitedFor { changed.signal() }
  }

  /// Fills a window. Its bytes are the caller's meanwhile, and so is the input.
  private func read(_ number: Int) {
    let window = windows[number]
    do throws(CaptureProblem) {
      window.count = try unsafe input.read(into: window.buffer.fresh)
    } catch {
      window.problem = error
    }
  }
}
