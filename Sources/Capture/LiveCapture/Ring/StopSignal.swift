import Glibc

/// Says «stop» to threads that wait in poll(2), from any thread and from signal handlers: a pipe
/// that becomes readable and stays so.
struct StopSignal: ~Copyable, Sendable {
  /// Readable once it has been given.
  let descriptor: Int32
  private let entrance: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    let result = unsafe pipe(&ends)
    precondition(result == 0, "no file descriptors are left")
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    descriptor = ends[0]
    entrance = ends[1]
  }

  deinit {
    close(descriptor)
    close(entrance)
  }

  func give() {
    var byte: UInt8 = 1
    unsafe _ = write(entrance, &byte, 1)
  }

  /// Waits so long at most, in milliseconds.
  /// - Returns: whether the signal was given.
  func isGiven(within milliseconds: Int32 = 0) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return unsafe poll(&waiting, 1, milliseconds) > 0
  }
}
