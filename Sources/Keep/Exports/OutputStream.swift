import CaptureReader
import Glibc
import Synchronization

/// The reader of our output has gone (`| head`): nothing is wrong, there is nobody to tell.
package struct OutputClosed: Error {
  package init() {}
}

/// Output cannot be written: disk full, and the like.
package struct OutputFailed: Error {
  package let reason: String
}

/// Nobody reads our output, and whoever writes is not to wait for it any more.
package struct OutputUnread: Error {}

/// How long a reader of standard output that does not read is waited for: without an end, until somebody
/// says otherwise. From any thread.
package final class ReaderPatience: Sendable {
  private let most = Mutex<Duration?>(nil)

  package init() {}

  /// It is waited for no longer than that at a time; what has been waited counts.
  package func limit(to most: Duration) { self.most.withLock { $0 = most } }

  fileprivate func isOver(_ waited: Duration) -> Bool {
    most.withLock { $0.map { waited >= $0 } ?? false }
  }
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
  /// How long a reader that does not read is waited for; nil: for ever.
  private let patience: ReaderPatience?
  /// So much fits a pipe that has any room.
  private static let piece = Int(PIPE_BUF)

  package init(endsWithReader: Bool = false, patience: ReaderPatience? = nil) {
    self.endsWithReader = endsWithReader
    self.patience = patience
  }

  package mutating func write(_ bytes: [UInt8]) throws {
    var at = 0
    while at < bytes.count {
      var end = bytes.count
      if let patience {
        try Self.waitForRoom(patience)
        end = min(end, at + Self.piece)
      }
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(STDOUT_FILENO, buffer.baseAddress! + at, end - at)
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

  /// A write that has begun cannot be left: room first.
  private static func waitForRoom(_ patience: ReaderPatience) throws {
    let start = ContinuousClock.now
    while true {
      var descriptor = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
      let found = unsafe poll(&descriptor, 1, 100)
      // A signal may come between: there is no room for that.
      if found > 0 || found < 0 && errno != EINTR { return }
      if patience.isOver(.now - start) { throw OutputUnread() }
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
