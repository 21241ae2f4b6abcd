import CaptureReader
import CaptureWriter
import Glibc

/// A file that lines are appended to, each in one piece. One that was removed is made anew; one that was
/// only moved away stays open until somebody says `reopen`.
struct LineFile {
  let path: String
  private var descriptor: Int32
  /// Its last line has no end, as a full disk or a power cut leaves it: the next one begins on a line of its own.
  private var isTorn = false

  /// - Throws: where it cannot be opened, and where something else than JSON lines is there.
  init(_ path: String) throws(DeliveryProblem) {
    self.path = path
    guard Self.holdsLines(path) else {
      throw DeliveryProblem(
        what: "\(path): it holds something else than JSON lines, and is left as it is",
        remedy: "Name another file, or move this one away.", isForeign: true)
    }
    descriptor = Self.open(path)
    guard descriptor >= 0 else {
      throw DeliveryProblem(
        what: "\(path) cannot be opened for writing: \(SystemError(code: errno).text)",
        remedy: "Choose a file that can be written to.")
    }
    isTorn = Self.endsWithinLine(path)
  }

  /// Whether a file is empty, or begins with a line of JSON; zeros behind it, and alone, are what a power cut left of
  /// one. What is no file, or is not for us to read, is not looked at.
  private static func holdsLines(_ path: String) -> Bool {
    guard DiskFile.isRegular(path),
      let read = try? DiskFile(path, isWritten: false).read(at: 0, count: 4096)
    else { return true }
    let head = read.prefix(1 + (read.lastIndex { $0 != 0 } ?? -1))
    let isText = head.allSatisfy { $0 >= 0x20 || [0x09, 0x0A, 0x0D].contains($0) }
    let first = head.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return isText && (first ?? UInt8(ascii: "{")) == UInt8(ascii: "{")
  }

  private static func endsWithinLine(_ path: String) -> Bool {
    guard DiskFile.isRegular(path), let size = DiskFile.size(of: path), size > 0,
      let last = try? DiskFile(path, isWritten: false).read(at: size - 1, count: 1)
    else { return false }
    return last != [UInt8(ascii: "\n")]
  }

  /// Nonblocking: a named pipe that nobody reads is an error, not a wait.
  private static func open(_ path: String) -> Int32 {
    unsafe Glibc.open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK, 0o644)
  }

  /// Opens the path again; where that fails the old file stays. Returns why it failed.
  mutating func reopen() -> String? {
    let new = Self.open(path)
    guard new >= 0 else {
      return "\(path) cannot be opened again: \(SystemError(code: errno).text)"
    }
    _ = Glibc.close(descriptor)
    descriptor = new
    isTorn = Self.endsWithinLine(path)
    return nil
  }

  /// Returns why the line could not be written; what was written of it is taken back.
  mutating func append(_ line: [UInt8]) -> String? {
    if isRemoved, let problem = reopen() { return problem }
    let end = UInt8(ascii: "\n")
    let bytes = (isTorn ? [end] : []) + line + [end]
    var at = 0
    while at < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress! + at, buffer.count - at)
      }
      if count > 0 {
        at += count
      } else if errno != EINTR {
        let problem = "\(path): \(SystemError(code: errno).text)"
        takeBack(at)
        return problem
      }
    }
    isTorn = false
    return nil
  }

  private var isRemoved: Bool {
    var about = stat()
    return unsafe fstat(descriptor, &about) == 0 && about.st_nlink == 0
  }

  private mutating func takeBack(_ count: Int) {
    guard count > 0 else { return }
    let end = lseek(descriptor, 0, SEEK_END)
    if end >= off_t(count), ftruncate(descriptor, end - off_t(count)) != 0 { isTorn = true }
  }
}
