import Glibc
import Synchronization

/// The bytes under the reader's eyes: some that are not consumed yet, more behind them on demand.
///
/// What is left is copied before the fresh bytes, so that a record is always contiguous; only the
/// fresh bytes are hashed. Files and pipes of any size are read through the same buffer (a fresh
/// mapping costs as much as parsing, in page faults), or a few of them where batches are lent to
/// another thread.
@safe final class InputWindow {
  /// Bytes read at once.
  static let bodyLength = 256 << 10
  /// Room for what is carried over; parsers leave less than this.
  static let headroom = 1 << 20

  private let input: any ByteInput
  private let hash: StreamHash?
  private var buffers = [WindowBuffer()]
  /// The one that is read into and parsed.
  private(set) var current: WindowBuffer
  private var start: Int
  private var limit: Int
  /// Position in the (unpacked) input of the first byte not consumed.
  private(set) var offset: Int64 = 0
  /// No more bytes will come.
  private(set) var isFinal = false

  /// - Parameter hash: takes the fresh bytes of each window; nil where they are hashed elsewhere.
  init(_ input: any ByteInput, hash: StreamHash?) {
    self.input = input
    self.hash = hash
    current = buffers[0]
    start = Self.headroom
    limit = Self.headroom
  }

  /// The bytes not consumed; valid until `fill`, and for as long as `current` is lent.
  var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: current.base + start, count: limit - start)
  }

  func consume(_ count: Int) {
    start += count
    offset += Int64(count)
  }

  /// Whether `fill` would have to wait for bytes that are not there yet (a pipe, a terminal).
  var mayBlock: Bool { input.isStream }

  /// No more bytes will be asked for (a read error).
  func end() { isFinal = true }

  /// Reads more behind what is there; sets `isFinal` at the end.
  func fill() throws(CaptureProblem) {
    let carried = limit - start
    guard carried <= Self.headroom else {
      // No parser leaves so much; rather an error than a buffer overrun.
      throw CaptureProblem(
        .readError, capture: input.name, offset: offset, detail: "a record of over 1 MiB")
    }
    hash?.finishSteps()
    let buffer = freeBuffer()
    let fresh = unsafe buffer.base + Self.headroom
    unsafe memmove(fresh - carried, current.base + start, carried)
    current = buffer
    start = Self.headroom - carried
    limit = Self.headroom
    let count = try unsafe input.read(
      into: UnsafeMutableRawBufferPointer(start: fresh, count: Self.bodyLength))
    limit += count
    isFinal = count == 0
    unsafe hash?.begin(UnsafeRawBufferPointer(start: fresh, count: count))
  }

  /// The current buffer again unless it is lent; there are as many as are lent at once, and one.
  private func freeBuffer() -> WindowBuffer {
    if !current.isLent { return current }
    if let free = buffers.first(where: { !$0.isLent }) { return free }
    let new = WindowBuffer()
    buffers.append(new)
    return new
  }
}

/// Memory for one window. It is not read into again while it is lent.
@safe final class WindowBuffer: @unchecked Sendable {
  // Unchecked: nobody writes to the memory while it is lent.
  let base: UnsafeMutableRawPointer
  private let loans = Atomic<Int>(0)

  init() {
    unsafe base = .allocate(
      byteCount: InputWindow.headroom + InputWindow.bodyLength, alignment: 4096)
  }

  deinit { unsafe base.deallocate() }

  var isLent: Bool { loans.load(ordering: .acquiring) > 0 }

  func lend() { loans.add(1, ordering: .relaxed) }

  func giveBack() { loans.subtract(1, ordering: .releasing) }
}
