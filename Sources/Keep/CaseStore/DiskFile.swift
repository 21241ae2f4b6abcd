import Glibc

/// A file by its descriptor, for what SQLite does not do itself: locking, sealing, replacing.
@safe final class DiskFile {
  /// As it is opened, behind symbolic links.
  let path: String
  private let descriptor: Int32

  /// What the system refused, and what it says.
  struct Refusal: Error {
    let what: String

    static func system(_ what: String) -> Refusal {
      let text = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error"
      return Refusal(what: "\(what): \(text.prefix(1).lowercased() + text.dropFirst())")
    }
  }

  /// - Parameter isWritten: it is written, and made where there is none.
  init(_ path: String, isWritten: Bool) throws(Refusal) {
    self.path = path
    let flags = isWritten ? O_RDWR | O_CREAT | O_NOFOLLOW : O_RDONLY
    descriptor = unsafe open(path, flags | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw .system(isWritten ? "cannot be written" : "cannot be opened") }
  }

  deinit { close(descriptor) }

  /// Behind symbolic links; the path itself where there is nothing yet.
  static func resolved(_ name: String) -> String {
    guard let path = unsafe realpath(name, nil) else { return name }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  /// Nil where there is none, or where it cannot be looked at.
  static func size(of path: String) -> Int? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Int(status.st_size)
  }

  /// What changes with every write: nil where it cannot be looked at.
  static func stamp(of path: String) -> [Int]? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return [
      Int(status.st_dev), Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec,
      status.st_mtim.tv_nsec,
    ]
  }

  /// Lets the same people read and write it as another file.
  func takeMode(of other: DiskFile) {
    var status = stat()
    guard unsafe fstat(other.descriptor, &status) == 0 else { return }
    _ = fchmod(descriptor, status.st_mode & 0o777)
  }

  static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Takes the file for this process; false where another one has it. The system lets go of it with the
  /// process, however that ends.
  func lock() throws(Refusal) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    if errno == EWOULDBLOCK { return false }
    throw .system("cannot be locked")
  }

  /// Whether the file is still the one of its name.
  var hasItsName: Bool {
    var (mine, named) = (stat(), stat())
    return unsafe fstat(descriptor, &mine) == 0 && stat(path, &named) == 0
      && mine.st_ino == named.st_ino && mine.st_dev == named.st_dev
  }

  /// Fewer bytes where the file ends.
  func read(at offset: Int, count: Int) throws(Refusal) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var got = 0
    while got < count {
      let read = unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe pread(descriptor, buffer.baseAddress! + got, count - got, off_t(offset + got))
      }
      if read == 0 { break }
      if read > 0 { got += read } else if errno != EINTR { throw .system("cannot be read") }
    }
    return Array(bytes[..<got])
  }

  func write(_ bytes: [UInt8], at offset: Int) throws(Refusal) {
    var done = 0
    while done < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe pwrite(
          descriptor, buffer.baseAddress! + done, bytes.count - done, off_t(offset + done))
      }
      if written >= 0 {
        done += written
      } else if errno != EINTR {
        throw .system("cannot be written")
      }
    }
  }

  func truncate() throws(Refusal) {
    guard ftruncate(descriptor, 0) == 0 else { throw .system("cannot be written") }
  }

  /// Brings it to the disk.
  func sync() throws(Refusal) {
    guard fsync(descriptor) == 0 else { throw .system("cannot be brought to the disk") }
  }

  /// Gives it another name, also on the disk; what had that name is gone.
  func rename(to name: String) throws(Refusal) {
    guard unsafe Glibc.rename(path, name) == 0 else {
      throw .system("cannot be renamed to \(name)")
    }
    let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .system("the folder \(folder) cannot be opened") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 || errno == EINVAL else {
      throw .system("the folder \(folder) cannot be brought to the disk")
    }
  }

  func remove() { unsafe _ = unlink(path) }
}
