import Glibc

/// The bytes under the reader's eyes: some that are not consumed yet, more behind them on demand.
///
/// What is left is copied before the fresh bytes, so that a record is always contiguous; only the
/// fresh bytes are hashed. Files and pipes of any size are read through the same buffer, or through
/// a few of them where another thread reads ahead. (Mapping a file would save 6 % of reading and
/// hashing it; but a file cut short under a mapping ends the program.)
@safe final class InputWindow {
  /// Bytes of a file read at once.
  static let fileLength = 256 << 10
  /// Bytes of a stream read at once: a whole pipe, so that its writer runs once for all of it. By as many as of
  /// a file a pipe of ten million frames took 1.35 times as long as the file, by this many 1.28 times.
  static let streamLength = 1 << 20
  /// Room for what is carried over: what parsers leave, less than 800 KiB, behind the records that are held back
  /// until their times are judged, 128 KiB.
  static let headroom = 1 << 20

  private let input: any ByteInput
  private let hash: StreamHash?
  private let ahead: ReadAhead?
  private var buffer: WindowBuffer
  private var start: Int
  private var limit: Int
  /// Position in the (unpacked) input of the first byte not consumed.
  private(set) var offset: Int64 = 0
  /// No more bytes will come.
  private(set) var isFinal = false
  /// Nothing came when `fill` asked last; more may (live).
  private(set) var isWaiting = false

  /// - Parameters:
  ///   - hash: takes the fresh bytes of each window; nil where they are hashed elsewhere.
  ///   - readsAhead: reads and hashes on a thread of its own.
  init(_ input: any ByteInput, hash: StreamHash?, readsAhead: Bool) {
    self.input = input
    self.hash = hash
    ahead = readsAhead ? ReadAhead(input, hash: hash) : nil
    buffer = WindowBuffer(for: input)
    start = Self.headroom
    limit = Self.headroom
  }

  /// The bytes not consumed; valid until `fill`.
  var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: buffer.base + start, count: limit - start)
  }

  func consume(_ count: Int) {
    start += count
    offset += Int64(count)
  }

  /// Whether `fill` would have to wait for bytes that are not there yet (a pipe, a terminal).
  var mayBlock: Bool { input.isStream }

  /// No more bytes will be asked for (a read error).
  func end() { isFinal = true }

  /// Reads more behind what is there; sets `isFinal` at the end, and `isWaiting` where nothing came.
  func fill() throws(CaptureProblem) {
    let carried = limit - start
    guard carried <= Self.headroom else {
      // No parser leaves so much; rather an error than a buffer overrun.
      throw CaptureProblem(
        .readError, capture: input.name, offset: offset, detail: "a record of over 1 MiB")
    }
    if let ahead {
      let next = try ahead.next()
      move(carried, to: next.buffer)
      ahead.giveBack()
      limit += next.count
    } else {
      hash?.finishSteps()
      move(carried, to: buffer)
      let fresh = unsafe buffer.fresh
      let count = try unsafe input.read(into: fresh)
      isWaiting = count < 0
      if isWaiting { return }
      unsafe hash?.begin(UnsafeRawBufferPointer(rebasing: fresh[..<count]))
      limit += count
    }
    isFinal = limit == Self.headroom
  }

  /// Puts what is left right before the fresh bytes to come, into a buffer that may be the same.
  private func move(_ carried: Int, to next: WindowBuffer) {
    unsafe memmove(next.base + Self.headroom - carried, buffer.base + start, carried)
    buffer = next
    start = Self.headroom - carried
    limit = Self.headroom
  }
}

/// Memory for one window.
@safe final class WindowBuffer {
  let base: UnsafeMutableRawPointer
  private let bodyLength: Int

  /// As large as the input is best read.
  init(for input: any ByteInput) {
    bodyLength = input.isStream ? InputWindow.streamLength : InputWindow.fileLength
    unsafe base = .allocate(byteCount: InputWindow.headroom + bodyLength, alignment: 4096)
  }

  deinit { unsafe base.deallocate() }

  /// Room for the bytes to come, behind that for what is carried over.
  var fresh: UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(start: base + InputWindow.headroom, count: bodyLength)
  }
}
