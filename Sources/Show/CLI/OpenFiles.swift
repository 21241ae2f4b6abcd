import Glibc

/// How many files may be open at once: captures of the same hours are all read together.
enum OpenFiles {
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
