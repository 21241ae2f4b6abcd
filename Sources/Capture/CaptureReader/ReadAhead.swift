import Dispatch
import Foundation
import Synchronization

/// A reader at work on a queue of its own, a few batches ahead of whoever takes them: reading,
/// hashing and splitting into records go on while what came before is decoded. Order is kept.
///
/// The queue never waits for the taker: with no batch free its turn ends, and the taker starts it
/// again. However many captures are open, none can keep another from its thread.
public final class ReadAhead: @unchecked Sendable {
  // Unchecked: the reader and a step belong to the queue or to the taker, never to both; `state`
  // hands steps over, and after the last one the reader.
  private let reader: CaptureReader
  private let queue = DispatchQueue(label: "beacontrace.reader")
  private let steps: [Step]
  private let state: Mutex<State>
  private let arrived = DispatchSemaphore(value: 0)
  private var current: Int?
  private var isOver = false

  /// Batches on their way at once.
  private static let ahead = 4
  /// Records of a batch: as many as a window holds, mostly.
  private static let batchCapacity = 4096

  private struct State {
    /// Numbers of steps, oldest first.
    var ready: [Int] = []
    var free: [Int]
    var isAtWork = false
  }

  /// A batch with the bytes it lies in, and how far the reader was behind it.
  @safe private final class Step {
    var batch = RecordBatch(capacity: ReadAhead.batchCapacity)
    var bytes = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    var buffer: WindowBuffer?
    var frames = 0
    var bytesRead: Int64 = 0
    var interfaces: [CaptureInterface] = []
    var isLast = false
    var problem: CaptureProblem?
  }

  /// Whether there is a second processor to read ahead on.
  public static var helps: Bool { ProcessInfo.processInfo.activeProcessorCount > 1 }

  /// The reader is this object's until its end.
  public init(_ reader: CaptureReader) {
    self.reader = reader
    steps = (0..<Self.ahead).map { _ in Step() }
    state = Mutex(State(free: Array(0..<Self.ahead)))
    goOn()
  }

  /// Goes to the next batch, and waits for it where need be. Returns false at the end; from then on
  /// the reader may be looked at.
  public func next() throws(CaptureProblem) -> Bool {
    if isOver { return false }
    giveBack()
    goOn()
    arrived.wait()
    let number = state.withLock { $0.ready.removeFirst() }
    current = number
    isOver = steps[number].isLast
    if let problem = steps[number].problem { throw problem }
    return !isOver
  }

  /// Lends the batch and the bytes that its records lie in.
  public func withBatch<R>(_ body: (Span<CaptureRecord>, RawSpan) -> R) -> R? {
    guard let current, !isOver else { return nil }
    let bytes = unsafe steps[current].bytes
    return steps[current].batch.records.withSpan { body($0, unsafe bytes.bytes) }
  }

  /// Records of the batch.
  public var count: Int { current.map { steps[$0].batch.records.count } ?? 0 }

  /// Number of the last record of the batch.
  public var frames: Int { current.map { steps[$0].frames } ?? 0 }

  /// Bytes of the stored input read up to the batch.
  public var bytesRead: Int64 { current.map { steps[$0].bytesRead } ?? 0 }

  /// Interfaces described up to the batch.
  public var interfaces: [CaptureInterface] { current.map { steps[$0].interfaces } ?? [] }

  private func giveBack() {
    guard let number = current else { return }
    current = nil
    steps[number].buffer?.giveBack()
    steps[number].buffer = nil
    state.withLock { $0.free.append(number) }
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
      fill(steps[number])
      let isLast = steps[number].isLast
      state.withLock { $0.ready.append(number) }
      arrived.signal()
      // At work for good: nothing is left to be done.
      if isLast { return }
    }
  }

  private func nextFree() -> Int? {
    state.withLock { state in
      if let number = state.free.popLast() { return number }
      state.isAtWork = false
      return nil
    }
  }

  private func fill(_ step: Step) {
    do throws(CaptureProblem) {
      step.isLast = try !reader.next(into: &step.batch)
    } catch {
      step.isLast = true
      step.problem = error
    }
    unsafe (step.bytes, step.buffer) = reader.lendWindow()
    step.frames = reader.log.frames
    step.bytesRead = reader.bytesRead
    step.interfaces = reader.log.interfaces
  }
}
