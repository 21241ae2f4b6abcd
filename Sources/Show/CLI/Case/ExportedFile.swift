import Exports
import FoundationEssentials
import Glibc

/// A file that is written beside its name and put in its place when it is complete: whatever happens on
/// the way, there is the old file or the new one.
@safe final class ExportedFile: TextOutput {
  struct Problem: Error {
    let path: String
    /// What the system says.
    let reason: String

    static func system(_ path: String) -> Problem {
      let text = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error"
      return Problem(path: path, reason: text.prefix(1).lowercased() + text.dropFirst())
    }
  }

  private let path: String
  private let descriptor: Int32

  fileprivate init(_ path: String, flags: Int32) throws(Problem) {
    self.path = path
    descriptor = unsafe open(path, O_WRONLY | O_CLOEXEC | flags, 0o644)
    if descriptor < 0 { throw .system(path) }
  }

  deinit { close(descriptor) }

  /// - Parameter path: `-` for standard output. What is no file, such as a pipe, is written to as it is.
  static func write<Value>(
    _ path: String, _ body: (inout any TextOutput) throws -> Value
  ) throws -> Value {
    if path == "-" {
      var output: any TextOutput = StandardOutput()
      return try body(&output)
    }
    var status = stat()
    if unsafe stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      var output: any TextOutput = try ExportedFile(path, flags: 0)
      return try body(&output)
    }
    let place = URL(filePath: path).resolvingSymlinksInPath().path
    let file = try ExportedFile(place + ".unfinished", flags: O_CREAT | O_TRUNC | O_NOFOLLOW)
    do {
      var output: any TextOutput = file
      let value = try body(&output)
      try file.complete()
      guard unsafe rename(file.path, place) == 0 else { throw Problem.system(path) }
      return value
    } catch {
      unsafe _ = unlink(file.path)
      throw error
    }
  }

  func write(_ bytes: [UInt8]) throws {
    var at = 0
    while at < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.write(descriptor, buffer.baseAddress! + at, buffer.count - at)
      }
      if count >= 0 {
        at += count
      } else if errno != EINTR {
        throw Problem.system(path)
      }
    }
  }

  /// Brings it to the disk.
  fileprivate func complete() throws(Problem) {
    guard fsync(descriptor) == 0 else { throw .system(path) }
  }
}

/// A new folder of files, which gets its name when all of them are complete.
enum ExportedFolder {
  static func write<Value>(
    _ path: String, _ body: (_ open: (_ name: String) throws -> any TextOutput) throws -> Value
  ) throws -> Value {
    let files = FileManager.default
    guard !files.fileExists(atPath: path) else {
      throw ExportedFile.Problem(
        path: path, reason: "it is there already; name another folder, or remove it")
    }
    let folder = path + ".unfinished"
    // Of a run that was killed.
    try? files.removeItem(atPath: folder)
    guard unsafe mkdir(folder, 0o755) == 0 else { throw ExportedFile.Problem.system(folder) }
    do {
      var last: ExportedFile?
      let value = try body { name in
        try last?.complete()
        let file = try ExportedFile(folder + "/" + name, flags: O_CREAT | O_EXCL)
        last = file
        return file
      }
      try last?.complete()
      guard unsafe rename(folder, path) == 0 else { throw ExportedFile.Problem.system(path) }
      return value
    } catch {
      try? files.removeItem(atPath: folder)
      throw error
    }
  }
}
