import ArgumentParser
import CaptureWriter

/// `--observer NAME=FILE,FILE`: captures that one observer wrote one after the other.
struct NamedObserver {
  let name: String
  private(set) var files: [String]

  init(_ word: String) throws {
    guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
      throw ValidationError(
        "--observer '\(word)' names no files; write --observer phone=first.log,second.log.")
    }
    name = String(word[..<equals])
    files = word[word.index(after: equals)...].split(separator: ",").map(String.init)
  }

  var word: String { "\(name)=\(files.joined(separator: ","))" }

  /// By place of the capture, the name of its observer.
  static func names(_ words: [String], _ captures: [String]) throws -> [Int: String] {
    var names: [Int: String] = [:]
    for observer in try words.map({ try NamedObserver($0) }) {
      for (file, place) in zip(observer.files, try observer.places(in: captures)) {
        if let other = names.updateValue(observer.name, forKey: place), other != observer.name {
          throw ValidationError(
            "--observer \(observer.name): '\(file)' belongs to the observer \(other) already.")
        }
      }
    }
    return names
  }

  /// The same words with the captures' own names, which hold wherever somebody reads them.
  static func words(_ words: [String], _ captures: [String]) throws -> [String] {
    try merged(
      [],
      words.map { word in
        var observer = try NamedObserver(word)
        observer.files = try observer.places(in: captures).map { captures[$0] }
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

  /// Captures by the names that they have in this run, or by others that lead to the same file.
  private func places(in captures: [String]) throws -> [Int] {
    try files.map { file in
      let place =
        captures.firstIndex(of: file) ?? captures.firstIndex { DiskFile.isSame($0, file) }
      guard let place else {
        throw ValidationError(
          "--observer \(name): '\(file)' is none of the captures; name it among them, too.")
      }
      return place
    }
  }
}
