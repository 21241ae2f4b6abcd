import ArgumentParser
import CaptureWriter
import FoundationEssentials

/// `--observer NAME=FILE,FILE`: captures that one observer wrote one after the other; a folder stands for
/// all that are below it.
struct NamedObserver {
  let name: String
  private(set) var files: [String]

  init(_ word: String) throws {
    guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
      throw ValidationError(
        "--observer '\(word)' names no files; write --observer phone=first.log,second.log "
          + "or --observer phone=FOLDER.")
    }
    name = String(word[..<equals])
    files = word[word.index(after: equals)...].split(separator: ",").map(String.init)
  }

  var word: String { "\(name)=\(files.joined(separator: ","))" }

  /// By place of the capture, the name of its observer.
  static func names(_ words: [String], _ captures: [String]) throws -> [Int: String] {
    var names: [Int: String] = [:]
    let captures = CaptureNames(captures)
    for observer in try words.map({ try NamedObserver($0) }) {
      for place in try observer.places(in: captures) {
        if let other = names.updateValue(observer.name, forKey: place), other != observer.name {
          throw ValidationError(
            "--observer \(observer.name): '\(captures.names[place])' belongs to the observer \(other) "
              + "already.")
        }
      }
    }
    return names
  }

  /// The same words with the captures' own names, which hold wherever somebody reads them.
  static func words(_ words: [String], _ captures: [String]) throws -> [String] {
    let captures = CaptureNames(captures)
    return try merged(
      [],
      words.map { word in
        var observer = try NamedObserver(word)
        observer.files = try observer.places(in: captures).map { captures.names[$0] }
        return observer.word
      })
  }

  /// Observers of a case, and those of captures that are added to it: one that is there goes on.
  static func merged(_ old: [String], _ new: [String]) throws -> [String] {
    var observers: [NamedObserver] = []
    for observer in try (old + new).map({ try NamedObserver($0) }) {
      let place = observers.firstIndex { $0.name == observer.name }
      if place == nil { observers.append(NamedObserver(name: observer.name, files: [])) }
      let at = place ?? observers.count - 1
      for file in observer.files where !observers[at].files.contains(file) {
        observers[at].files.append(file)
      }
    }
    return observers.map(\.word)
  }

  private init(name: String, files: [String]) {
    self.name = name
    self.files = files
  }

  private func places(in captures: CaptureNames) throws -> [Int] {
    try files.flatMap { file in
      let places = captures.places(of: file)
      guard !places.isEmpty else {
        let isFolder = CaptureNames.isFolder(file)
        throw ValidationError(
          isFolder
            ? "--observer \(name): none of the captures is below the folder '\(file)'; name it among "
              + "them, too."
            : "--observer \(name): '\(file)' is none of the captures; name it among them, too.")
      }
      return places
    }
  }
}

/// The captures of a run by the names that they have in it, or by others that lead to the same file.
private struct CaptureNames {
  let names: [String]
  private let places: [String: Int]

  init(_ names: [String]) {
    self.names = names
    places = Dictionary(
      names.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// One of a file, those below it of a folder; none of what no capture is or lies in.
  func places(of file: String) -> [Int] {
    if let place = places[file] { return [place] }
    if Self.isFolder(file) {
      let start = Self.start(file)
      let resolved = Self.start(DiskFile.resolved(file))
      // By name, too: a link in it may lead elsewhere.
      return names.indices.filter {
        names[$0].hasPrefix(start)
          || names[$0] != "-" && DiskFile.resolved(names[$0]).hasPrefix(resolved)
      }
    }
    return names.firstIndex { DiskFile.isSame($0, file) }.map { [$0] } ?? []
  }

  private static func start(_ folder: String) -> String {
    folder.hasSuffix("/") ? folder : folder + "/"
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }
}
