import CaptureWriter
import Exports
import FoundationEssentials

/// A file that is written beside its name and put in its place when it is complete: whatever happens on
/// the way, there is the old file or the new one.
struct ExportedFile: TextOutput {
  /// What cannot be written, why, and what to do next.
  struct Problem: Error, CustomStringConvertible {
    let path: String
    /// A clause.
    let reason: String
    var remedy = "Name a file in a folder that this user may write to, or mend what is said."

    var description: String { "\(TextColumns.printable("\(path): \(reason)")). \(remedy)" }
  }

  private let file: DiskFile

  mutating func write(_ bytes: [UInt8]) throws { try file.append(bytes) }

  /// - Parameters:
  ///   - path: `-` for standard output. What is no file, such as a pipe, is written to as it is.
  ///   - isPrivate: for its owner alone, from its first byte on; else for whoever has the file that it replaces.
  static func write<Value>(
    _ path: String, isPrivate: Bool = false, _ body: (inout any TextOutput) throws -> Value
  ) throws -> Value {
    if path == "-" {
      var output: any TextOutput = StandardOutput(endsWithReader: true)
      return try body(&output)
    }
    do {
      // By its own name: what a link of /dev/fd says is no path.
      if DiskFile.isStream(path) { return try fill(try DiskFile(stream: path), body) }
      let place = DiskFile.resolved(path)
      let file = try held(place, path)
      do {
        try file.truncate()
        if isPrivate { try file.makePrivate() } else { file.takeMode(of: place) }
        let value = try fill(file, body)
        try file.sync()
        try file.rename(to: place)
        return value
      } catch {
        file.remove()
        throw error
      }
    } catch let refusal as DiskFile.Refusal {
      throw Problem(path: path, reason: refusal.what)
    }
  }

  fileprivate static func held(_ place: String, _ path: String) throws -> DiskFile {
    if let file = try DiskFile.beside(place) { return file }
    throw Problem(
      path: path, reason: "another run is writing it", remedy: "Wait for it, or name another one.")
  }

  private static func fill<Value>(
    _ file: DiskFile, _ body: (inout any TextOutput) throws -> Value
  ) throws -> Value {
    var output: any TextOutput = ExportedFile(file)
    return try body(&output)
  }

  fileprivate init(_ file: DiskFile) { self.file = file }
}

/// A new folder of files, which gets its name when all of them are complete.
enum ExportedFolder {
  static func write<Value>(
    _ path: String, _ body: (_ open: (_ name: String) throws -> any TextOutput) throws -> Value
  ) throws -> Value {
    do { return try make(path, body) } catch let refusal as DiskFile.Refusal {
      throw ExportedFile.Problem(path: path, reason: refusal.what)
    }
  }

  private static func make<Value>(
    _ path: String, _ body: (_ open: (_ name: String) throws -> any TextOutput) throws -> Value
  ) throws -> Value {
    let files = FileManager.default
    guard !files.fileExists(atPath: path) else {
      throw ExportedFile.Problem(
        path: path, reason: "it is there already; name another folder, or remove it",
        remedy: "Nothing was written.")
    }
    let held = try ExportedFile.held(path, path)
    defer { held.remove() }
    let folder = path + ".unfinished-files"
    // Of a run that was killed.
    try? files.removeItem(atPath: folder)
    do {
      try files.createDirectory(atPath: folder, withIntermediateDirectories: false)
    } catch {
      throw ExportedFile.Problem(path: path, reason: "no folder can be made there")
    }
    do {
      var last: DiskFile?
      let value = try body { name in
        try last?.sync()
        if let end = name.lastIndex(of: "/") {
          do {
            try files.createDirectory(
              atPath: folder + "/" + name[..<end], withIntermediateDirectories: true)
          } catch {
            throw ExportedFile.Problem(path: path, reason: "no folder can be made in it")
          }
        }
        let file = try DiskFile(folder + "/" + name, isWritten: true)
        last = file
        return ExportedFile(file)
      }
      try last?.sync()
      try DiskFile(folder, isWritten: false).rename(to: path)
      return value
    } catch {
      try? files.removeItem(atPath: folder)
      throw error
    }
  }
}
