import CaptureReader
import Glibc
import Synchronization

/// The bytes of a text file that the user named: a track, messages, markers.
package enum TextFile {
  /// A track of a year at one fix a second has about 5 GB as GPX; nobody walks that long.
  package static let largest = 2 << 30

  /// What came through pipes, by their paths: it comes once, and a file may be needed twice.
  private static let streams = Mutex<[String: [UInt8]]>([:])

  /// Whether a pipe or a device is there.
  package static func isStream(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// Of a pipe the second time what came through it the first time.
  /// - Throws: `cannot_open`, `too_large`.
  package static func read(_ path: String) throws(TextProblem) -> [UInt8] {
    guard isStream(path) else { return try readNow(path) }
    if let known = streams.withLock({ $0[path] }) { return known }
    let bytes = try readNow(path)
    streams.withLock { $0[path] = bytes }
    return bytes
  }

  private static func readNow(_ path: String) throws(TextProblem) -> [UInt8] {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw TextProblem(
        .cannotOpen, file: path, "cannot be opened: \(SystemError(code: errno).text)")
    }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 256 << 10)
    while true {
      let count = unsafe chunk.withUnsafeMutableBytes {
        unsafe Glibc.read(descriptor, $0.baseAddress, $0.count)
      }
      if count == 0 { return bytes }
      if count < 0 {
        if errno == EINTR { continue }
        throw TextProblem(
          .cannotOpen, file: path, "cannot be read: \(SystemError(code: errno).text)")
      }
      bytes += chunk[..<count]
      guard bytes.count <= largest else {
        throw TextProblem(.tooLarge, file: path, "is larger than 2 GiB: no track, and no list")
      }
    }
  }

  /// Lines without their ends (LF, CR LF or CR), each with its number from 1 on; a byte order mark is
  /// left out. An end at the very end begins no further line.
  package static func eachLine<Problem: Error>(
    _ bytes: [UInt8],
    _ body: (_ line: ArraySlice<UInt8>, _ number: Int) throws(Problem) -> Void
  ) throws(Problem) {
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var number = 1
    while start < bytes.count {
      var end = start
      while end < bytes.count && bytes[end] != 0x0A && bytes[end] != 0x0D { end += 1 }
      try body(bytes[start..<end], number)
      let isPair = end + 1 < bytes.count && bytes[end] == 0x0D && bytes[end + 1] == 0x0A
      start = end + (isPair ? 2 : 1)
      number += 1
    }
  }
}
