import CaptureReader
import Exports
import Glibc

/// A file that lines are appended to, each in one piece. One that was removed is made anew; one that was
/// only moved away stays open until somebody says `reopen`.
struct LineFile {
  let path: String
  private var descriptor: Int32
  /// Before the next line: its last line has no end, as a full disk or a power cut leaves it.
  private var ending: [UInt8]
  /// What a power cut took from the file that was there, a clause; nil: nothing that is not told yet.
  let damage: String?

  /// - Throws: where it cannot be opened, and where something else than JSON lines is there.
  init(_ path: String) throws(DeliveryProblem) {
    self.path = path
    let found = FoundLines(path)
    guard found.areOurs else {
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
    ending = found.ending
    damage = found.zeros.map { zeros in
      "\(TextColumns.printable(path)): \(TextColumns.counted(zeros.count, "zero")), the first at byte offset "
        + "\(TextColumns.grouped(zeros.offset)), as a power cut leaves them: what stood there is lost"
    }
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
    ending = FoundLines(path).ending
    return nil
  }

  /// Returns why the line could not be written; what was written of it is taken back.
  mutating func append(_ line: [UInt8]) -> String? {
    if isRemoved, let problem = reopen() { return problem }
    let end = UInt8(ascii: "\n")
    let bytes = ending + line + [end]
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
    ending = []
    return nil
  }

  private var isRemoved: Bool {
    var about = stat()
    return unsafe fstat(descriptor, &about) == 0 && about.st_nlink == 0
  }

  private mutating func takeBack(_ count: Int) {
    guard count > 0 else { return }
    let end = lseek(descriptor, 0, SEEK_END)
    if end >= off_t(count), ftruncate(descriptor, end - off_t(count)) != 0, ending.isEmpty {
      ending = [UInt8(ascii: "\n")]
    }
  }
}
