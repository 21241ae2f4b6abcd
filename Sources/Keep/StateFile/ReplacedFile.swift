import Glibc

/// A file that is replaced as a whole: whoever opens it, whenever anything was killed, finds the old
/// bytes or the new ones. One process at a time may have it.
@safe package final class ReplacedFile: Sendable {
  /// The file itself, behind symbolic links.
  let path: String
  /// Held as long as the file is: the system lets go of it with the process, however that ends.
  private let lock: Int32

  package struct Problem: Error, Equatable {
    /// One clause, with what the system says.
    let what: String
    /// A sentence: what to do next.
    let remedy: String
    /// It is something else than what the file is to hold.
    let isForeign: Bool

    init(
      _ what: String,
      remedy: String = "Name a file in a folder that this user may write to, or mend what is said.",
      isForeign: Bool = false
    ) {
      self.isForeign = isForeign
      self.what = what
      self.remedy = remedy
    }

    /// - Parameter what: what could not be done; the system says why.
    static func system(_ what: String) -> Problem {
      let text = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error"
      return Problem("\(what): \(text.prefix(1).lowercased() + text.dropFirst())")
    }
  }

  /// Takes the lock, `path` with `.lock` behind it, which stays there: whoever removed it could take it
  /// from under another one.
  init(_ name: String) throws(Problem) {
    path = Self.resolved(name)
    let name = path + ".lock"
    let descriptor = unsafe open(name, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system("\(name) cannot be opened") }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let problem =
        errno == EWOULDBLOCK
        ? Problem(
          "another run keeps its state here", remedy: "End that run, or name another file.")
        : .system("\(name) cannot be locked")
      close(descriptor)
      throw problem
    }
    lock = descriptor
  }

  deinit { close(lock) }

  private static func resolved(_ name: String) -> String {
    guard let path = unsafe realpath(name, nil) else { return name }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  /// Nil where there is none.
  /// - Parameter most: larger ones are an error.
  func read(most: Int) throws(Problem) -> [UInt8]? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      if errno == ENOENT { return nil }
      throw .system("it cannot be opened")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = unsafe piece.withUnsafeMutableBytes {
        unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw .system("it cannot be read")
      }
      bytes += piece[..<count]
      guard bytes.count <= most else {
        throw Problem("it is larger than \(most >> 20) MB, which no saved state is")
      }
    }
  }

  /// Puts other bytes in the file's place: written beside it, brought to the disk, then renamed.
  func replace(_ bytes: [UInt8]) throws(Problem) {
    let beside = path + ".new"
    let descriptor = unsafe open(
      beside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system("\(beside) cannot be written") }
    do throws(Problem) {
      try Self.write(bytes, descriptor, beside)
      guard fsync(descriptor) == 0 else { throw .system("\(beside) cannot be brought to the disk") }
    } catch {
      close(descriptor)
      unsafe unlink(beside)
      throw error
    }
    guard close(descriptor) == 0 else { throw .system("\(beside) cannot be written") }
    try rename(beside, to: path)
  }

  private static func write(
    _ bytes: [UInt8], _ descriptor: Int32, _ name: String
  ) throws(Problem) {
    var at = 0
    while at < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress! + at, buffer.count - at)
      }
      if count >= 0 {
        at += count
      } else if errno != EINTR {
        throw .system("\(name) cannot be written")
      }
    }
  }

  /// Moves the file out of the way, in place of one that was moved there before.
  /// - Returns: where it is now.
  func moveAside() throws(Problem) -> String {
    let aside = path + ".damaged"
    try rename(path, to: aside)
    return aside
  }

  private func rename(_ from: String, to: String) throws(Problem) {
    guard unsafe Glibc.rename(from, to) == 0 else {
      throw .system("\(from) cannot be renamed to \(to)")
    }
    // The name, too, has to be on the disk.
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("the folder \(folder) cannot be opened") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw .system("the folder \(folder) cannot be brought to the disk")
    }
  }
}
