import Glibc
import Synchronization

/// What comes once (a pipe, a terminal, standard input), and is to be read again: what is read of it goes to a
/// file without a name, in `TMPDIR` or `/tmp`, from where every later reading has it. Nothing is read before
/// somebody asks for it, and the file is gone with the program, however that ends.
public final class Spool: @unchecked Sendable {
  // Unchecked: whoever looks at `state` has the lock.
  let name: String
  private let origin: CaptureSource
  private let lock = Mutex(())
  private var state = State()

  private struct State: ~Copyable {
    var input: FileInput?
    /// A file that was redirected stays where it is: the place of its first byte for us.
    var start: Int64?
    var kept = KeptBytes()
    var keepsOn = true
    /// Why nothing comes any more, for every reading that gets there.
    var problem: CaptureProblem?
  }

  /// - Parameter origin: a file or standard input, of which nothing has been read.
  init(_ origin: CaptureSource) {
    name = origin.name
    self.origin = origin
  }

  /// Whether it can be read from its beginning once more, when one reading is done.
  var canBeReadAgain: Bool { lock.withLock { _ in state.keepsOn } }

  /// What comes from now on is not kept: one more reading has everything, and none behind that.
  public func keepNoMore() { lock.withLock { _ in state.keepsOn = false } }

  /// A reading from the first byte on.
  func open() throws(CaptureProblem) -> any ByteInput {
    let isStream = try lock.withLock { _ throws(CaptureProblem) in
      if let input = state.input { return input.isStream }
      let input =
        switch origin {
        case .file(let path), .moved(let path, _): try FileInput.open(path: path, name: name)
        default: FileInput.standardInput()
        }
      if !input.isStream { state.start = input.place }
      state.input = input
      return input.isStream
    }
    return SpoolInput(self, isStream: isStream)
  }

  /// What stands there; where that has not come yet it is waited for.
  /// - Returns: how many bytes; 0 at the end.
  fileprivate func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int64)
    throws(CaptureProblem) -> Int
  {
    try lock.withLock { _ throws(CaptureProblem) in
      guard let input = state.input else { return 0 }
      if let start = state.start { return try unsafe input.read(into: buffer, at: start + place) }
      if place < state.kept.count {
        do throws(SystemError) { return try unsafe state.kept.read(into: buffer, at: place) } catch
        {
          throw problem("what was kept of it cannot be read again", error)
        }
      }
      if let problem = state.problem { throw problem }
      do throws(CaptureProblem) {
        let count = try unsafe input.read(into: buffer)
        if state.keepsOn, count > 0 {
          try unsafe keep(UnsafeRawBufferPointer(rebasing: buffer[..<count]), in: &state.kept)
        }
        return count
      } catch {
        state.problem = error
        throw error
      }
    }
  }

  private func keep(_ bytes: UnsafeRawBufferPointer, in kept: inout KeptBytes)
    throws(CaptureProblem)
  {
    do throws(SystemError) { try unsafe kept.add(bytes) } catch {
      throw problem("it is read twice, and cannot be kept", error)
    }
  }

  private func problem(_ what: String, _ error: SystemError) -> CaptureProblem {
    CaptureProblem(
      .cannotKeep, capture: name, detail: "\(what) in \(UnnamedFile.folder): \(error.text)",
      remedy: "Make room there, name a folder with room in TMPDIR, or write it to a file first.")
  }
}

/// One reading of it.
private final class SpoolInput: ByteInput {
  let isStream: Bool
  private let spool: Spool
  private var place: Int64 = 0

  init(_ spool: Spool, isStream: Bool) {
    self.spool = spool
    self.isStream = isStream
  }

  var name: String { spool.name }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureProblem) -> Int {
    let count = try unsafe spool.read(into: buffer, at: place)
    place += Int64(count)
    return count
  }
}

/// A file without a name, made with its first byte.
private struct KeptBytes: ~Copyable {
  private(set) var count: Int64 = 0
  private var descriptor: Int32 = -1

  deinit { if descriptor >= 0 { close(descriptor) } }

  mutating func add(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    if descriptor < 0 { descriptor = try UnnamedFile.make() }
    var done = 0
    while done < bytes.count {
      let written = unsafe pwrite(
        descriptor, bytes.baseAddress! + done, bytes.count - done, off_t(count) + off_t(done))
      if written >= 0 { done += written } else if errno != EINTR { throw SystemError(code: errno) }
    }
    count += Int64(done)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int64) throws(SystemError) -> Int
  {
    let wanted = Int(min(Int64(buffer.count), count - place))
    while true {
      let got = unsafe pread(descriptor, buffer.baseAddress, wanted, off_t(place))
      if got > 0 { return got }
      // It was there: whoever cut it off left less than was kept.
      if got == 0 { throw SystemError(code: EIO) }
      if errno != EINTR { throw SystemError(code: errno) }
    }
  }
}
