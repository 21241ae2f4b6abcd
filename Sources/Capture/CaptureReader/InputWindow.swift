/// The bytes under the reader's eyes: some that are not consumed yet, more behind them on demand.
///
/// A few buffers take turns. What is left of one is copied before the fresh bytes of the next, so
/// that a record is always contiguous; only the fresh bytes are hashed. Files and pipes of any size
/// are read through the same few buffers (a fresh mapping costs as much as parsing, in page faults).
@safe final class InputWindow {
  /// Bytes read at once.
  static let bodyLength = 256 << 10
  /// Room for what is carried over; parsers leave less than this.
  static let headroom = 1 << 20
  static let buffers = 4

  private let input: any ByteInput
  private let hash: StreamHash?
  private var slots: [UnsafeMutableRawPointer] = unsafe []
  private var turn = 0
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
    start = Self.headroom
    limit = Self.headroom
    for _ in 0..<Self.buffers {
      unsafe slots.append(
        UnsafeMutableRawPointer.allocate(
          byteCount: Self.headroom + Self.bodyLength, alignment: 4096))
    }
  }

  deinit {
    hash?.drain()
    for index in unsafe slots.indices { unsafe slots[index].deallocate() }
  }

  var count: Int { limit - start }

  /// The bytes not consumed; valid until `fill` is called as often as there are buffers.
  var buffer: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: slots[turn] + start, count: limit - start)
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
    hash?.waitForBuffer()
    let next = (turn + 1) % Self.buffers
    let fresh = unsafe slots[next] + Self.headroom
    unsafe (fresh - carried).copyMemory(from: slots[turn] + start, byteCount: carried)
    turn = next
    start = Self.headroom - carried
    limit = Self.headroom
    let count: Int
    do throws(CaptureProblem) {
      count = try unsafe input.read(
        into: UnsafeMutableRawBufferPointer(start: fresh, count: Self.bodyLength))
    } catch {
      hash?.skipBuffer()
      throw error
    }
    limit += count
    isFinal = count == 0
    unsafe hash?.enqueue(UnsafeRawBufferPointer(start: fresh, count: count))
  }
}
