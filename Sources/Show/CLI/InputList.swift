import CaptureReader
import Exports
import FoundationEssentials
import Glibc

/// The captures behind the command line's words: folders are looked through.
struct InputList {
  var sources: [CaptureSource] = []
  /// What is in folders and is no capture, or cannot be read as one: passed over.
  var passedOver: [CaptureProblem] = []
  /// Of these, links to folders, which are not followed.
  private(set) var links: [String] = []
  /// What nobody expects to be read in a folder: hidden files and folders, pipes, sockets, devices.
  var ignored: [CaptureProblem] = []
  /// What cannot be read, and is or may be a capture.
  var problems: [CaptureProblem] = []
  /// Captures that were found in folders.
  private(set) var inFolders: Set<String> = []
  /// Folders in named ones that hold no capture that could be read, in themselves or below; not hidden ones.
  private(set) var withoutCaptures: [String] = []
  /// Files that have been named before, under this name or another: read once.
  private(set) var repeated: [(path: String, first: String)] = []
  /// Folders with several of these, which are not among them, and how many.
  private(set) var repeatedFolders: [(path: String, count: Int)] = []
  /// Bytes in all; nil where one of the sizes is not known.
  var totalBytes: Int64? = 0
  private var names: [FileNumber: String] = [:]
  /// What the run itself writes: no input, wherever it lies.
  private let written: Set<FileNumber>

  /// What tells a file from all others, whatever its names.
  private struct FileNumber: Hashable {
    let device: UInt64
    let inode: UInt64

    /// Nil of what is no file, or cannot be looked at.
    init?(_ path: String) {
      var status = stat()
      guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
    }
  }

  /// - Parameters:
  ///   - moved: where files are that go by another name, by that name.
  ///   - written: what the run itself writes, which may lie in a folder that is looked through.
  init(_ words: [String], moved: [String: String] = [:], written: [String] = []) {
    self.written = Set(written.compactMap { FileNumber($0) })
    for word in words {
      if let path = moved[word] {
        addFile(path, as: word)
      } else if word == "-" {
        sources.append(.standardInput)
        totalBytes = nil
      } else if Self.isFolder(word) {
        addFolder(word)
      } else {
        addFile(word)
      }
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }

  /// Not a folder, and not a pipe or a socket, which opening would wait for.
  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    // What cannot be looked at is opened all the same, and says why.
    guard unsafe stat(path, &status) == 0 else { return true }
    return status.st_mode & S_IFMT == S_IFREG
  }

  /// A folder is looked through by itself; a link to one may lead to captures.
  private mutating func noteNoFile(_ path: String) {
    var status = stat()
    guard unsafe lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else { return }
    if status.st_mode & S_IFMT == S_IFLNK, Self.isFolder(path) {
      links.append(path)
      passedOver.append(
        CaptureProblem(
          .unknownFormat, capture: path, detail: "is a link to a folder: not followed",
          remedy: "Name that folder, too."))
    } else {
      ignored.append(
        CaptureProblem(.noFile, capture: path, detail: "is a pipe, a socket or a device"))
    }
  }

  /// Bytes of a file; nil of what is none, or cannot be looked at.
  static func size(of path: String) -> Int? {
    var status = stat()
    guard unsafe stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  private mutating func addFile(_ path: String, as name: String? = nil) {
    let source =
      name.map { $0 == path ? .file(path) : CaptureSource.moved(path, name: $0) }
      ?? .file(path)
    guard let number = FileNumber(path), let size = Self.size(of: path) else {
      sources.append(source)
      totalBytes = nil
      return
    }
    // Captures of a case were files of their own when it was made: one that holds the same as another
    // may lie in its place by now, and is read for both.
    if name == nil, let first = names[number] {
      if !repeated.contains(where: { $0.path == path }) { repeated.append((path, first)) }
      return
    }
    if names[number] == nil { names[number] = source.name }
    sources.append(source)
    totalBytes = totalBytes.map { $0 + Int64(size) }
  }

  private static func isHidden(_ path: String) -> Bool {
    path.split(separator: "/").last?.hasPrefix(".") == true
  }

  /// What `live --write` and `--state` leave beside their files, so that no second run writes them.
  private static func isLock(_ path: String) -> Bool {
    path.hasSuffix(".lock") && size(of: path) == 0
  }

  /// By its name alone. What a killed run leaves is a second copy of what it was writing.
  private mutating func isPassedOver(_ path: String) -> Bool {
    if Self.isHidden(path) {
      ignored.append(CaptureProblem(.hidden, capture: path, detail: "is hidden"))
    } else if Self.isLock(path) {
      ignored.append(
        CaptureProblem(.hidden, capture: path, detail: "is the lock of a recording of 'live'"))
    } else if path.hasSuffix(".unfinished") {
      passedOver.append(
        CaptureProblem(
          .hidden, capture: path, detail: "is what a run that was ended had not finished",
          remedy: "Name the file itself to read it all the same."))
    } else {
      return false
    }
    return true
  }

  private static let captureEndings = Set(
    CaptureFormats.endings.filter(\.isOfCapturesAlone).map(\.text))

  private static let packings = Set(CaptureFormats.packings + CaptureFormats.unreadPackings)

  /// Whether a file is called as captures are, also packed ones: of those that have to be unpacked first somebody has
  /// to be told.
  private static func isNamedLikeCapture(_ path: String) -> Bool {
    var parts = (path.split(separator: "/").last ?? "").lowercased().split(separator: ".")
    if let packing = parts.last, packings.contains(String(packing)) {
      parts.removeLast()
    }
    // Android's btsnoop_hci.log, btsnoop_hci.log.last, btsnooz_hci.log.
    let isAndroids = ["btsnoop", "btsnooz"].contains { parts.first?.hasPrefix($0) == true }
    if isAndroids, parts.contains("log") { return true }
    return parts.count > 1 && parts.last.map { captureEndings.contains(String($0)) } == true
  }

  /// What is below a folder, by name, but for what hidden folders hold; the folders among it that were looked through;
  /// and those that cannot be read.
  private static func paths(
    below folder: String
  ) -> (paths: [String], folders: [String], closed: [String]) {
    var paths: [String] = []
    var closed: [String] = []
    var open: [String] = []
    var folders = [folder]
    while let next = folders.popLast() {
      guard let names = try? FileManager.default.contentsOfDirectory(atPath: next) else {
        closed.append(next)
        continue
      }
      if next != folder { open.append(next) }
      for name in names {
        let path = next.hasSuffix("/") ? next + name : "\(next)/\(name)"
        paths.append(path)
        var status = stat()
        if !name.hasPrefix("."), unsafe lstat(path, &status) == 0,
          status.st_mode & S_IFMT == S_IFDIR
        {
          folders.append(path)
        }
      }
    }
    return (paths.sorted(), open.sorted(), closed.sorted())
  }

  /// Of a whole folder that was named before a line for each of its files would say the same.
  private mutating func gatherRepeats(from first: Int, in folder: String) {
    let count = repeated.count - first
    guard count > 1 else { return }
    repeated.removeSubrange(first...)
    if !repeatedFolders.contains(where: { $0.path == folder }) {
      repeatedFolders.append((folder, count))
    }
  }

  func tellOfRepeats() {
    for (path, first) in repeated {
      let what = path == first ? "is named twice" : "is the same file as \(first)"
      Terminal.tell(TextColumns.printable("\(path) \(what); read once."))
    }
    for (folder, count) in repeatedFolders {
      Terminal.tell(
        TextColumns.printable(
          "\(folder): \(TextColumns.grouped(count)) captures in it are named twice; each read once."
        ))
    }
  }

  /// - Parameters:
  ///   - captures: all that could be read, named before or not.
  ///   - closed: what cannot be looked into may hold some, and is told as such.
  private mutating func noteWithoutCaptures(
    _ folders: [String], _ captures: [String], _ closed: [String]
  ) {
    var known: Set<Substring> = []
    for path in captures + closed.map({ $0 + "/" }) {
      var rest = path[...]
      while let slash = rest.lastIndex(of: "/"), slash > rest.startIndex {
        rest = rest[..<slash]
        if !known.insert(rest).inserted { break }
      }
    }
    withoutCaptures += folders.filter { !known.contains($0[...]) }
  }

  /// Every capture below a folder, by name; hidden files and what is no capture are passed over.
  private mutating func addFolder(_ folder: String) {
    let (paths, folders, closed) = Self.paths(below: folder)
    for path in closed {
      var problem = CaptureProblem(
        .cannotOpen, capture: path, detail: "this folder cannot be read",
        remedy: "Check its permissions.")
      problem.isInFolder = path != folder
      problems.append(problem)
    }
    if closed.contains(folder) { return }
    var captures: [String] = []
    defer { noteWithoutCaptures(folders, captures, closed) }
    let toldBefore = repeated.count
    defer { gatherRepeats(from: toldBefore, in: folder) }
    var found = closed.count
    for path in paths {
      if let number = FileNumber(path), written.contains(number) { continue }
      if isPassedOver(path) { continue }
      guard Self.isFile(path) else {
        noteNoFile(path)
        continue
      }
      do throws(CaptureProblem) {
        _ = try CaptureReader.open(.file(path))
        addFile(path)
        inFolders.insert(path)
        captures.append(path)
        found += 1
      } catch {
        // What cannot be looked into may be a capture, and what is called as captures are was one, or
        // was to be: that is not passed over in silence.
        if error.code == .cannotOpen || error.code == .readError || Self.isNamedLikeCapture(path) {
          var problem = error
          problem.isInFolder = true
          problems.append(problem)
          found += 1
        } else {
          passedOver.append(error)
        }
      }
    }
    if found == 0 {
      problems.append(
        CaptureProblem(
          .unknownFormat, capture: folder, detail: "no capture in this folder",
          remedy: links.last.map { "\($0) leads to a folder: name that folder instead." }
            ?? (passedOver.isEmpty && ignored.isEmpty
              ? "It is empty." : "-v says what was passed over.")))
    }
  }
}

extension ProblemCode {
  /// Files and folders whose names begin with a dot.
  fileprivate static let hidden = ProblemCode(rawValue: "hidden")
  fileprivate static let noFile = ProblemCode(rawValue: "no_file")
}
