import Glibc

/// Open files: the standard ones, and how many there may be. Captures of the same hours are all read
/// together.
enum OpenFiles {
  /// What a shell's `>&-` leaves open would be the number of the next file that is opened, and lines for
  /// people would go into it. As of a closed one, nothing can be read or written of what stands there now.
  static func keepStandardOnes() {
    for (number, way) in [
      (STDIN_FILENO, O_WRONLY), (STDOUT_FILENO, O_RDONLY), (STDERR_FILENO, O_RDONLY),
    ] where fcntl(number, F_GETFD) == -1 {
      // The lowest number that is free: this one.
      unsafe _ = open("/dev/null", way)
    }
  }

  /// As many as may be had without asking anybody.
  static func allowAll() {
    var limit = rlimit()
    guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
      limit.rlim_cur < limit.rlim_max
    else { return }
    limit.rlim_cur = limit.rlim_max
    unsafe _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
