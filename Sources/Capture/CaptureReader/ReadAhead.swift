import Dispatch
import FoundationEssentials
import Synchronization

/// Reads and hashes on a queue of its own, a few windows ahead of the reader that splits them into
/// records. Order is kept.
///
/// The queue never waits for the reader: with no buffer free its turn ends, and the reader starts
/// it again. However many captures are open, none can keep another from its thread.
@safe final class ReadAhead: @unchecked Sendable {
  // Unchecked: the input, the hash and a window belong to the queue or to the reader, never to both;
  // `state` hands windows over, and after the last one the rest.
  private let input: any ByteInput
  private let hash: StreamHash?
  private let queue = DispatchQueue(label: "beacontrace.input")
  private let windows: [Window]
  private let state: Mutex<State>
  private let arrived = DispatchSemaphore(value: 0)
  /// Windows with the reader, oldest first: one, and a second while it moves on.
  private var taken: [Int] = []

  private static let windowsAhead = 4

  private struct State {
    /// Numbers of windows, oldest first.
    var ready: [Int] = []
    var free: [Int]
    var isAtWork = false
  }

  private final class Window {
    let buffer = WindowBuffer()
    var count = 0
    var problem: CaptureProblem?
  }

  /// Whether there is a second processor to read ahead on.
  static var helps: Bool { ProcessInfo.processInfo.activeProcessorCount > 1 }

  /// The input and the hash are this object's until the last window.
  init(_ input: any ByteInput, hash: StreamHash?) {
    self.input = input
    self.hash = hash
    windows = (0..<Self.windowsAhead).map { _ in Window() }
    state = Mutex(State(free: Array(0..<Self.windowsAhead)))
  }

  /// The next window, waited for where need be, and how many fresh bytes there are in it: 0 at the
  /// end. It is the caller's until `giveBack`.
  func next() throws(CaptureProblem) -> (buffer: WindowBuffer, count: Int) {
    goOn()
    arrived.wait()
    let number = state.withLock { $0.ready.removeFirst() }
    taken.append(number)
    if let problem = windows[number].problem { throw problem }
    return (windows[number].buffer, windows[number].count)
  }

  /// Gives back all windows taken but the last.
  func giveBack() {
    guard taken.count > 1 else { return }
    let done = taken.prefix(taken.count - 1)
    taken.removeFirst(done.count)
    state.withLock { $0.free.append(contentsOf: done) }
  }

  /// Sets the queue to work, unless it is.
  private func goOn() {
    let isIdle = state.withLock { state in
      defer { state.isAtWork = true }
      return !state.isAtWork
    }
    if isIdle { queue.async { self.work() } }
  }

  private func work() {
    while let number = nextFree() {
      let window = windows[number]
      let fresh = unsafe UnsafeMutableRawBufferPointer(
        start: window.buffer.base + InputWindow.headroom, count: InputWindow.bodyLength)
      do throws(CaptureProblem) {
        window.count = try unsafe input.read(into: fresh)
      } catch {
        window.problem = error
      }
      let isLast = window.count == 0 || window.problem != nil
      let count = window.count
      state.withLock { $0.ready.append(number) }
      arrived.signal()
      // Still at work for `goOn`: nothing is left to be done.
      if isLast { return }
      // The reader writes before the fresh bytes only, and this window is not filled again before.
      unsafe hash?.update(UnsafeRawBufferPointer(rebasing: fresh[..<count]))
    }
  }

  private func nextFree() -> Int? {
    state.withLock { state in
      if let number = state.free.popLast() { return number }
      state.isAtWork = false
      return nil
    }
  }
}
