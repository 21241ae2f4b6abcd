import Glibc

/// Where the bytes of a capture come from.
public indirect enum CaptureSource: Sendable {
  case file(String)
  /// A file that goes by the name it had elsewhere; by `-` what came from standard input then.
  case moved(String, name: String)
  case standardInput
  /// Bytes in memory, with the name they go by (tests, fuzzing).
  case bytes([UInt8], name: String)
  /// A capture that is still being made.
  case live(any LiveBytes)
  /// What comes once, kept for a second reading.
  case kept(Spool)
  /// One whose clock was wrong.
  case corrected(CaptureSource, ClockCorrection)

  /// As the user named it: this is what output cites as `capture`.
  public var name: String {
    switch self {
    case .file(let path): path
    case .moved(_, let name): name
    case .standardInput: "-"
    case .bytes(_, let name): name
    case .live(let bytes): bytes.name
    case .kept(let spool): spool.name
    case .corrected(let source, _): source.name
    }
  }
}

extension CaptureSource {
  /// Where the file is; nil of what is not named as one.
  public var path: String? {
    switch self {
    case .file(let path), .moved(let path, _): path
    case .standardInput, .bytes, .live, .kept: nil
    case .corrected(let source, _): source.path
    }
  }

  /// How its times are set right; nothing of it where nobody says that its clock was wrong.
  public var correction: ClockCorrection {
    if case .corrected(_, let correction) = self { correction } else { ClockCorrection() }
  }

  /// Whether it may be opened more than once, and the same bytes come.
  public var canBeReadAgain: Bool {
    switch self {
    case .bytes: true
    case .file(let path), .moved(let path, _): !Self.isStream(path)
    case .standardInput, .live: false
    case .kept(let spool): spool.canBeReadAgain
    case .corrected(let source, _): source.canBeReadAgain
    }
  }

  /// The same, of which every reading has the same bytes; what is still being made stays as it is.
  public var readAgain: CaptureSource {
    switch self {
    case .file, .moved, .standardInput: canBeReadAgain ? self : .kept(Spool(self))
    case .bytes, .live, .kept: self
    case .corrected(let source, let correction): .corrected(source.readAgain, correction)
    }
  }

  /// A pipe, a socket, a terminal; what is not there says so when it is opened.
  private static func isStream(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }
}

/// The bytes as they are stored, in order.
protocol ByteInput: AnyObject {
  var name: String { get }
  /// Whether more may come later than the reader asks for it (a pipe, a terminal).
  var isStream: Bool { get }
  /// Fills up to the whole buffer; 0 at the end, `LiveInput.nothing` where nothing has come.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureProblem) -> Int
}

/// A file descriptor: a file, or standard input.
final class FileInput: ByteInput {
  let name: String
  let isStream: Bool
  private let descriptor: Int32
  private let owned: Bool
  private var position: Int64 = 0

  private init(name: String, descriptor: Int32, owned: Bool, isStream: Bool) {
    self.name = name
    self.descriptor = descriptor
    self.owned = owned
    self.isStream = isStream
    // Room for a whole window, so that the writer is woken once for it. No pipe, or more than is allowed:
    // nothing happens.
    if isStream { _ = fcntl(descriptor, Self.setPipeSize, Int32(InputWindow.streamLength)) }
  }

  /// `F_SETPIPE_SZ` (fcntl(2)), which Glibc's module does not name.
  private static let setPipeSize: Int32 = 1031

  deinit { if owned { close(descriptor) } }

  /// A name in another encoding came here with signs in place of what cannot be read of it.
  private static func remedy(_ path: String) -> String {
    path.contains("\u{FFFD}")
      ? "Its name seems not to be UTF-8: rename it, or hand it over by standard input (- < file)."
      : "Check the path."
  }

  /// - Parameter name: what it goes by; nil: its path.
  static func open(path: String, name: String? = nil) throws(CaptureProblem) -> FileInput {
    let name = name ?? path
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      let code = errno
      throw CaptureProblem(
        .cannotOpen, capture: name, detail: "cannot be opened: \(SystemError(code: code).text)",
        remedy: code == ENOENT ? Self.remedy(path) : nil)
    }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(descriptor)
      throw CaptureProblem(.cannotOpen, capture: name, detail: "is a folder, not a capture")
    }
    let regular = status.st_mode & S_IFMT == S_IFREG
    if regular { posix_fadvise(descriptor, 0, 0, POSIX_FADV_SEQUENTIAL) }
    return FileInput(name: name, descriptor: descriptor, owned: true, isStream: !regular)
  }

  static func standardInput() -> FileInput {
    var status = stat()
    let regular = unsafe fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    return FileInput(name: "-", descriptor: STDIN_FILENO, owned: false, isStream: !regular)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureProblem) -> Int {
    while true {
      let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      if count >= 0 {
        position += Int64(count)
        return count
      }
      try check(errno, at: position)
    }
  }

  /// Where a file is read next: whoever redirected it may have read of it.
  var place: Int64 { Int64(lseek(descriptor, 0, SEEK_CUR)) }

  /// What stands at a place of a file, wherever others read it.
  func read(into buffer: UnsafeMutableRawBufferPointer, at place: Int64) throws(CaptureProblem)
    -> Int
  {
    while true {
      let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(place))
      if count >= 0 { return count }
      try check(errno, at: place)
    }
  }

  private func check(_ code: Int32, at place: Int64) throws(CaptureProblem) {
    if code == EINTR { return }
    throw CaptureProblem(
      .readError, capture: name, offset: place,
      detail: "cannot be read: \(SystemError(code: code).text)")
  }
}

/// Bytes in memory.
final class MemoryInput: ByteInput {
  let name: String
  let isStream = false
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8], name: String) {
    self.bytes = bytes
    self.name = name
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - position)
    unsafe bytes.withUnsafeBytes { source in
      unsafe buffer.copyMemory(
        from: UnsafeRawBufferPointer(rebasing: source[position..<(position + count)]))
    }
    position += count
    return count
  }
}
