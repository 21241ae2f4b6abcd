import Glibc

/// Temporary files without a name, in `TMPDIR` or `/tmp`: gone with who made them, however that ends.
public enum UnnamedFile {
  public static var folder: String {
    guard let value = unsafe getenv("TMPDIR") else { return "/tmp" }
    let path = unsafe String(cString: value)
    return path.isEmpty ? "/tmp" : path
  }

  /// `__O_TMPFILE` (open(2)), which Glibc's module does not name.
  private static let unnamed: Int32 = 0o20_000_000 | O_DIRECTORY

  /// - Returns: a descriptor to read and write by.
  public static func make() throws(SystemError) -> Int32 {
    let descriptor = unsafe open(folder, unnamed | O_RDWR | O_CLOEXEC, 0o600)
    if descriptor >= 0 { return descriptor }
    guard [EOPNOTSUPP, EISDIR, EINVAL].contains(errno) else { throw SystemError(code: errno) }
    // A file system that has none of these: made with a name, which is taken away at once.
    var name = (folder + "/beacontrace-XXXXXX").utf8CString.map { $0 }
    let named = unsafe mkstemp(&name)
    guard named >= 0 else { throw SystemError(code: errno) }
    _ = unsafe unlink(name)
    _ = fcntl(named, F_SETFD, FD_CLOEXEC)
    return named
  }
}
