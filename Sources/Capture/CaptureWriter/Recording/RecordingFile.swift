import Glibc

/// The name of a recording that rotates, for one process at a time: another one by that name would remove
/// the files of this one. The system lets go of it with the process, however that ends.
final class RecordingLock: Sendable {
  private let file: DiskFile

  /// - Parameter recording: a path; `.lock` behind it is made where it is not there.
  init(_ recording: String) throws(RecordingProblem) {
    do throws(DiskFile.Refusal) {
      if let held = try DiskFile.held(recording + ".lock") {
        file = held
        return
      }
    } catch {
      throw RecordingProblem(
        path: recording + ".lock", what: error.what,
        remedy: "Choose a place that can be written to.")
    }
    throw RecordingProblem(
      path: recording, what: "another run records by this name",
      remedy: "End that run, or choose another name.")
  }
}

/// A file that grows by whole items: what could only be written in part is taken back, so that
/// whoever reads it finds its end clean.
struct RecordingFile: Sendable {
  let path: String
  private let descriptor: Int32
  /// Up to the end of the last whole item.
  private(set) var size: Int64 = 0
  /// Bytes behind `size` could not be taken back yet.
  private var isTorn = false

  /// What became of bytes that were to be written.
  struct Outcome {
    /// So many of them are in the file, up to the end of an item.
    let count: Int
    /// Why not all.
    let problem: String?
    /// There is no room.
    var isFull = false
  }

  private init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  /// A file that another process records to is left alone.
  /// - Parameter overwrites: whether a file that is there may go.
  static func create(_ path: String, overwrites: Bool) throws(RecordingProblem) -> RecordingFile {
    let flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NONBLOCK
    let descriptor = unsafe open(path, overwrites ? flags : flags | O_EXCL, 0o644)
    guard descriptor >= 0 else {
      let isThere = errno == EEXIST
      throw RecordingProblem(
        path: path, what: isThere ? "the file is there already" : SystemWords.text(errno),
        remedy: isThere
          ? "Choose another name, let files rotate (--rotate-time), or write over it (--overwrite)."
          : "Choose a place that can be written to.")
    }
    var about = stat()
    let isFile = unsafe fstat(descriptor, &about) == 0 && about.st_mode & S_IFMT == S_IFREG
    // The system lets go of it with the process. Where it knows no locks it is as good as can be.
    if isFile, flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
      _ = Glibc.close(descriptor)
      throw RecordingProblem(
        path: path, what: "another run records to this file",
        remedy: "End that run, or choose another name.")
    }
    guard isFile, ftruncate(descriptor, 0) == 0 else {
      _ = Glibc.close(descriptor)
      throw RecordingProblem(
        path: path, what: "this is not an ordinary file, or cannot be emptied",
        remedy: "Record to an ordinary file.")
    }
    return RecordingFile(path: path, descriptor: descriptor)
  }

  /// Writes whole items behind what is there.
  /// - Parameter ends: where items end among the bytes, ascending; the last is the end of all.
  mutating func append(_ bytes: [UInt8], ends: some RandomAccessCollection<Int>) -> Outcome {
    if isTorn, let problem = takeBack(to: size) { return Outcome(count: 0, problem: problem) }
    var at = 0
    while at < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress! + at, buffer.count - at)
      }
      if count > 0 {
        at += count
      } else if errno != EINTR {
        let code = errno
        let whole = ends.last { $0 <= at } ?? 0
        _ = takeBack(to: size + Int64(whole))
        return Outcome(
          count: whole, problem: SystemWords.text(code), isFull: code == ENOSPC || code == EDQUOT)
      }
    }
    size += Int64(bytes.count)
    return Outcome(count: bytes.count, problem: nil)
  }

  /// Cuts the file; returns why it cannot be.
  mutating func takeBack(to length: Int64) -> String? {
    size = length
    isTorn = ftruncate(descriptor, off_t(length)) != 0
    return isTorn ? SystemWords.text(errno) : nil
  }

  /// Forces what was written onto the disk; returns why it cannot be.
  func sync() -> String? { fsync(descriptor) == 0 ? nil : SystemWords.text(errno) }

  /// Returns what the system only finds out now.
  func close() -> String? { Glibc.close(descriptor) == 0 ? nil : SystemWords.text(errno) }

  /// How long a file is, and when it was written last, in nanoseconds by the system's clock; nil: it is not
  /// there.
  static func about(_ path: String) -> (bytes: Int64, written: Int64)? {
    var about = stat()
    guard unsafe stat(path, &about) == 0 else { return nil }
    let (seconds, overflow) = Int64(about.st_mtim.tv_sec)
      .multipliedReportingOverflow(by: 1_000_000_000)
    let written = overflow ? (about.st_mtim.tv_sec < 0 ? .min : .max) : seconds
    return (Int64(about.st_size), written == .max ? .max : written + Int64(about.st_mtim.tv_nsec))
  }

  /// Whether files can be made in a folder.
  static func canWrite(folder: String) -> Bool { unsafe access(folder, W_OK | X_OK) == 0 }

  /// Whether something of that name is there.
  static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }

  /// Whether it is known that nothing has that name.
  static func isGone(_ path: String) -> Bool {
    var about = stat()
    return unsafe lstat(path, &about) != 0 && (errno == ENOENT || errno == ENOTDIR)
  }

  /// Returns why it cannot be. One that is gone already is as it was to be.
  static func remove(_ path: String) -> String? {
    unsafe unlink(path) == 0 || errno == ENOENT ? nil : SystemWords.text(errno)
  }

  /// Puts a file in another's place at once; returns why it cannot be.
  /// - Parameter syncs: whether the name is brought to the disk, too.
  static func replace(_ path: String, by other: String, syncs: Bool) -> String? {
    guard unsafe rename(other, path) == 0 else { return SystemWords.text(errno) }
    if syncs { DiskFile.syncFolder(of: path) }
    return nil
  }
}
