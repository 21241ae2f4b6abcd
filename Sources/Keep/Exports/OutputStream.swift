import CaptureReader
import Glibc

/// The reader of our output has gone (`| head`): nothing is wrong, there is nobody to tell.
package struct OutputClosed: Error {
  package init() {}
}

/// Output cannot be written: disk full, and the like.
package struct OutputFailed: Error {
  package let reason: String
}

/// Where text goes.
package protocol TextOutput {
  mutating func write(_ bytes: [UInt8]) throws
}

/// Standard output, written in large pieces.
package struct StandardOutput: TextOutput {
  /// Whether all is over where its reader has gone (`| head`): there is nothing to do but to write to it.
  /// Otherwise the rest is dropped, and the run goes on to its files and its exit status.
  private let endsWithReader: Bool

  package init(endsWithReader: Bool = false) { self.endsWithReader = endsWithReader }

  package mutating func write(_ bytes: [UInt8]) throws {
    var at = 0
    while at < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(STDOUT_FILENO, buffer.baseAddress! + at, buffer.count - at)
      }
      if count >= 0 {
        at += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: Self.waitForRoom()
      case EPIPE:
        if endsWithReader { throw OutputClosed() }
        return
      default: throw OutputFailed(reason: SystemError(code: errno).text)
      }
    }
  }

  /// Another process has made our standard output non-blocking.
  private static func waitForRoom() {
    var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
    unsafe _ = poll(&descriptor, 1, -1)
  }
}

extension ByteText {
  /// Writes what has been collected and goes on empty; less than `keeping` bytes stay for later.
  package mutating func flush(to output: inout any TextOutput, keeping least: Int = 1) throws {
    guard bytes.count >= least else { return }
    try output.write(bytes)
    bytes.removeAll(keepingCapacity: true)
  }
}
