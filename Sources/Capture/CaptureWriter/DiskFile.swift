import Glibc

/// A file by its descriptor, for what SQLite and streams do not do: locking, sealing, replacing.
@safe package final class DiskFile: Sendable {
  /// As it is opened, behind symbolic links.
  package let path: String
  private let descriptor: Int32

  /// What the system refused, and what it says.
  package struct Refusal: Error {
    package let what: String
    /// What the system says, by itself.
    package let cause: String

    package init(what: String) { (self.what, cause) = (what, what) }

    private init(_ what: String, _ cause: String) {
      (self.what, self.cause) = ("\(what): \(cause)", cause)
    }

    static func system(_ what: String) -> Refusal {
      Refusal(what, SystemWords.text(errno))
    }
  }

  /// - Parameters:
  ///   - isWritten: it is written, and made where there is none.
  ///   - mode: who may read and write one that is made.
  package init(_ path: String, isWritten: Bool, mode: UInt32 = 0o644) throws(Refusal) {
    self.path = path
    // Nonblocking means nothing to a file; a pipe that nobody writes to would be waited for.
    let flags = isWritten ? O_RDWR | O_CREAT | O_NOFOLLOW : O_RDONLY
    descriptor = unsafe open(path, flags | O_CLOEXEC | O_NONBLOCK, mode)
    if descriptor < 0 { throw .system(isWritten ? "cannot be written" : "cannot be opened") }
  }

  /// What is there and is no file: a pipe, a device. Only to be appended to.
  package init(stream path: String) throws(Refusal) {
    self.path = path
    descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC)
    if descriptor < 0 { throw .system("cannot be written") }
  }

  deinit { close(descriptor) }

  /// The file beside one of that name, in which what is going to replace it is made; held by this process
  /// alone. One that a killed run left is taken over.
  /// - Parameter path: behind symbolic links.
  /// - Returns: nil where another process is at it.
  package static func beside(_ path: String) throws(Refusal) -> DiskFile? {
    while true {
      let beside = try DiskFile(path + ".unfinished", isWritten: true)
      guard try beside.lock() else { return nil }
      // Another process may have finished, and taken the name away, since it was opened.
      if beside.hasItsName { return beside }
    }
  }

  /// Takes a file for this process, as long as it is kept; made where there is none. It stays there:
  /// whoever removed it could take it from under another one.
  /// - Returns: nil where another process has it.
  package static func held(_ path: String, mode: UInt32 = 0o644) throws(Refusal) -> DiskFile? {
    let file = try DiskFile(path, isWritten: true, mode: mode)
    return try file.lock() ? file : nil
  }

  /// Behind symbolic links, also where there is nothing yet at their end: then its folder is looked
  /// for. As it is where that is not there, either.
  package static func resolved(_ name: String) -> String { resolved(name, links: 8) }

  private static func resolved(_ name: String, links: Int) -> String {
    if let path = real(name) { return path }
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(name, &bytes, bytes.count)
    guard count > 0, count < bytes.count, links > 0 else { return inFolder(name) }
    let target = String(decoding: bytes[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
    return resolved(target.hasPrefix("/") ? target : folder + target, links: links - 1)
  }

  private static func inFolder(_ name: String) -> String {
    let slash = name.lastIndex(of: "/")
    let last = slash.map { String(name[name.index(after: $0)...]) } ?? name
    guard !["", ".", ".."].contains(last),
      let folder = real(slash.map { String(name[...$0]) } ?? ".")
    else { return name }
    return (folder == "/" ? "" : folder) + "/" + last
  }

  private static func real(_ name: String) -> String? {
    guard let path = unsafe realpath(name, nil) else { return nil }
    defer { unsafe free(path) }
    return unsafe String(cString: path)
  }

  /// Whether two names lead to one file, or would where there is none yet.
  package static func isSame(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    let isThere = unsafe stat(one, &first) == 0
    guard unsafe isThere == (stat(other, &second) == 0) else { return false }
    if !isThere { return resolved(one) == resolved(other) }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  /// Nil where there is none, or where it cannot be looked at.
  package static func size(of path: String) -> Int? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return Int(status.st_size)
  }

  /// Whether others than its owner may read or write it.
  package static func isOpenToOthers(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & 0o077 != 0
  }

  /// What changes with every write: nil where it cannot be looked at.
  package static func stamp(of path: String) -> [Int]? {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    return [
      Int(status.st_dev), Int(status.st_ino), Int(status.st_size), status.st_mtim.tv_sec,
      status.st_mtim.tv_nsec,
    ]
  }

  /// Lets the same people read and write it as another one; nothing where there is none.
  package func takeMode(of path: String) {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return }
    _ = fchmod(descriptor, status.st_mode & 0o777)
  }

  /// Lets its owner alone read and write it.
  package func makePrivate() throws(Refusal) {
    guard fchmod(descriptor, 0o600) == 0 else { throw .system("cannot be kept from others") }
  }

  /// A pipe, a device: something that is there, and is no file.
  package static func isStream(_ path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }

  package static func isRegular(_ path: String) -> Bool {
    var status = stat()
    return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Takes the file for this process; false where another one has it. The system lets go of it with the
  /// process, however that ends.
  package func lock() throws(Refusal) -> Bool {
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    switch errno {
    case EWOULDBLOCK: return false
    // A file system without locks: as good as it can be.
    case ENOLCK, EOPNOTSUPP, ENOSYS: return true
    default: throw .system("cannot be locked")
    }
  }

  /// Whether it is a file, and no pipe, device or folder.
  package var isRegular: Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Whether the file is still the one of its name.
  var hasItsName: Bool {
    var (mine, named) = (stat(), stat())
    return unsafe fstat(descriptor, &mine) == 0 && stat(path, &named) == 0
      && mine.st_ino == named.st_ino && mine.st_dev == named.st_dev
  }

  /// Fewer bytes where the file ends.
  package func read(at offset: Int, count: Int) throws(Refusal) -> [UInt8] {
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

  package func write(_ bytes: [UInt8], at offset: Int) throws(Refusal) {
    try unsafe write(bytes) {
      unsafe pwrite(descriptor, $0.baseAddress, $0.count, off_t(offset + $1))
    }
  }

  /// Behind what was written before.
  package func append(_ bytes: [UInt8]) throws(Refusal) {
    try unsafe write(bytes) { buffer, _ in
      unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
    }
  }

  /// - Parameter piece: writes some of what is left, behind so many bytes.
  @unsafe private func write(
    _ bytes: [UInt8], _ piece: (_ left: UnsafeRawBufferPointer, _ done: Int) -> Int
  ) throws(Refusal) {
    var done = 0
    while done < bytes.count {
      let written = unsafe bytes.withUnsafeBytes { buffer in
        unsafe piece(UnsafeRawBufferPointer(rebasing: buffer[done...]), done)
      }
      if written >= 0 {
        done += written
      } else if errno != EINTR {
        throw .system("cannot be written")
      }
    }
  }

  package func truncate() throws(Refusal) {
    guard ftruncate(descriptor, 0) == 0 else { throw .system("cannot be written") }
  }

  /// Brings it to the disk.
  package func sync() throws(Refusal) {
    guard fsync(descriptor) == 0 else { throw .system("cannot be brought to the disk") }
  }

  /// Gives it another name; what had that name is gone.
  /// - Parameter isLasting: a power cut is not to take the new name away again.
  package func rename(to name: String, isLasting: Bool = true) throws(Refusal) {
    guard unsafe Glibc.rename(path, name) == 0 else {
      throw .system("cannot be renamed to \(name)")
    }
    if isLasting { Self.syncFolder(of: name) }
  }

  /// Brings a file's name to the disk, as far as that can be done: a folder may be for writing only.
  package static func syncFolder(of name: String) {
    let folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? "."
    let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  package func remove() { unsafe _ = unlink(path) }
}
