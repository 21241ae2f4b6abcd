import Glibc

/// Bytes cannot be written.
package struct OutputProblem: Error {
  /// As the user named it; `-` for standard output.
  package let path: String
  /// What the system says, or the compressor.
  package let reason: String
  /// Nobody reads on (`| head`): nothing is wrong.
  package let isClosedPipe: Bool
}

/// A file under way, or standard output: bytes are collected and written in large pieces, packed
/// where the name ends in `.gz` or `.zst`.
package struct OutputFile: ~Copyable {
  private let path: String
  private let descriptor: Int32
  private var packer: any Packer
  /// What it is written in until it is complete, and the place that it gets then; nil: in its place at once.
  private var beside: (file: DiskFile, place: String)?
  /// What has been put and not yet written.
  package var pending: [UInt8] = []
  /// So much is collected before it is written.
  package static let chunk = 256 << 10

  private init(
    path: String, descriptor: Int32, packer: any Packer,
    beside: (file: DiskFile, place: String)? = nil
  ) {
    self.path = path
    self.beside = beside
    self.descriptor = descriptor
    self.packer = packer
    pending.reserveCapacity(2 * Self.chunk)
  }

  /// - Parameter path: `-` for standard output. What is there already is overwritten.
  package static func create(_ path: String) throws(OutputProblem) -> OutputFile {
    let packer = packer(for: path)
    if path == "-" { return OutputFile(path: path, descriptor: STDOUT_FILENO, packer: packer) }
    let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw problem(path) }
    return OutputFile(path: path, descriptor: descriptor, packer: packer)
  }

  /// The same, in its place when it has ended: whatever happens before, there is the old file or none. What is
  /// no file, such as a pipe, is written to as it is.
  package static func replacing(_ path: String) throws(OutputProblem) -> OutputFile {
    if path == "-" || DiskFile.isStream(path) { return try create(path) }
    let place = DiskFile.resolved(path)
    let held: DiskFile?
    do throws(DiskFile.Refusal) { held = try DiskFile.beside(place) } catch {
      throw OutputProblem(path: path, reason: error.cause, isClosedPipe: false)
    }
    guard let held else {
      throw OutputProblem(path: path, reason: "another run is writing it", isClosedPipe: false)
    }
    let descriptor = unsafe open(held.path, O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw problem(path) }
    held.takeMode(of: place)
    return OutputFile(
      path: path, descriptor: descriptor, packer: packer(for: path), beside: (held, place))
  }

  deinit { beside?.file.remove() }

  private static func packer(for path: String) -> any Packer {
    if path.hasSuffix(".gz") { return GzipPacker() }
    return path.hasSuffix(".zst") ? ZstdPacker() : NoPacker()
  }

  /// Writes what has been put.
  package mutating func flush() throws(OutputProblem) { try flush(final: false) }

  /// Writes the rest and closes the file; call once.
  /// - Parameter syncs: whether it is brought to the disk before.
  package mutating func end(syncs: Bool = false) throws(OutputProblem) {
    try flush(final: true)
    guard descriptor != STDOUT_FILENO else { return }
    if syncs, fsync(descriptor) != 0 {
      let problem = Self.problem(path)
      _ = Glibc.close(descriptor)
      throw problem
    }
    guard Glibc.close(descriptor) == 0 else { throw Self.problem(path) }
    guard let (file, place) = beside else { return }
    do throws(DiskFile.Refusal) { try file.rename(to: place, isLasting: false) } catch {
      throw OutputProblem(path: path, reason: error.cause, isClosedPipe: false)
    }
    beside = nil
  }

  private mutating func flush(final: Bool) throws(OutputProblem) {
    guard packer.isPlain else {
      guard let packed = packer.pack(pending, final: final) else {
        throw OutputProblem(
          path: path, reason: "the bytes cannot be compressed", isClosedPipe: false)
      }
      pending.removeAll(keepingCapacity: true)
      return try write(packed)
    }
    try write(pending)
    pending.removeAll(keepingCapacity: true)
  }

  private func write(_ bytes: [UInt8]) throws(OutputProblem) {
    var at = 0
    while at < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress! + at, buffer.count - at)
      }
      if count >= 0 {
        at += count
      } else if errno == EAGAIN {
        // Another process has made our standard output non-blocking.
        var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        unsafe _ = poll(&waiting, 1, -1)
      } else if errno != EINTR {
        throw Self.problem(path)
      }
    }
  }

  private static func problem(_ path: String) -> OutputProblem {
    OutputProblem(path: path, reason: SystemWords.text(errno), isClosedPipe: errno == EPIPE)
  }
}
