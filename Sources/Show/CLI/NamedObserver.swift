import ArgumentParser
import CaptureReader
import CaptureWriter
import FoundationEssentials
import Regions

/// `--observer NAME=FILE,FILE`: captures that one observer wrote one after the other; a folder stands for
/// all that are below it. What is itself the name of a capture or of a folder of some is taken whole, with its
/// commas.
struct NamedObserver {
  let name: String
  /// What stands behind the first equals sign.
  private let text: String

  init(_ word: String) throws {
    guard let equals = word.firstIndex(of: "="), equals > word.startIndex else {
      throw ValidationError(
        "--observer '\(word)' names no files; write --observer phone=first.log,second.log "
          + "or --observer phone=FOLDER.")
    }
    name = String(word[..<equals])
    text = String(word[word.index(after: equals)...])
  }

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

  /// The same with the captures' own names, which hold wherever somebody reads them: a word for each
  /// observer, and where commas could be mistaken one for each of its captures.
  static func words(_ words: [String], _ captures: [String]) throws -> [String] {
    let known = CaptureNames(captures)
    var observers: [(name: String, places: [Int])] = []
    for observer in try words.map({ try NamedObserver($0) }) {
      let places = try observer.places(in: known)
      if let known = observers.firstIndex(where: { $0.name == observer.name }) {
        observers[known].places += places
      } else {
        observers.append((observer.name, places))
      }
    }
    return self.words(observers, known)
  }

  /// The same of names by place of the capture; in the order of their first captures.
  static func words(_ names: [Int: String], _ captures: [String]) -> [String] {
    let places = Dictionary(grouping: names.keys.sorted()) { names[$0] ?? "" }
    let observers = places.map { (name: $0.key, places: $0.value) }
      .sorted { $0.places[0] < $1.places[0] }
    return words(observers, CaptureNames(captures))
  }

  private static func words(
    _ observers: [(name: String, places: [Int])], _ captures: CaptureNames
  ) -> [String] {
    observers.flatMap { name, places in
      var known: Set<Int> = []
      let files = places.filter { known.insert($0).inserted }.map { captures.names[$0] }
      let joined = files.joined(separator: ",")
      let isPlain = !files.contains { $0.contains(",") } && captures.places(of: joined).isEmpty
      return (isPlain ? [joined] : files).map { "\(name)=\($0)" }
    }
  }

  private func places(in captures: CaptureNames) throws -> [Int] {
    let whole = captures.places(of: text)
    if !whole.isEmpty { return whole }
    return try text.split(separator: ",").map(String.init).flatMap { file in
      let places = captures.places(of: file)
      guard !places.isEmpty else {
        let isFolder = CaptureNames.isFolder(file)
        throw ValidationError(
          isFolder
            ? "--observer \(name): none of the captures is below the folder '\(file)'; name it among "
              + "them, too."
            : "--observer \(name): '\(file)' is none of the captures; \(captures.question(file))")
      }
      return places
    }
  }
}

/// The captures of a run by the names that they have in it, or by others that lead to the same file.
struct CaptureNames {
  let names: [String]
  /// Whether a file that holds the same as a capture leads to it: it may be left out, as that is read for it.
  private let knowsCopies: Bool
  private let places: [String: Int]

  init(_ names: [String], knowsCopies: Bool = true) {
    self.names = names
    self.knowsCopies = knowsCopies
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
      let below = names.indices.filter {
        names[$0].hasPrefix(start)
          || names[$0] != "-" && DiskFile.resolved(names[$0]).hasPrefix(resolved)
      }
      // All that it has may be left out, as others are read for it.
      return below.isEmpty && knowsCopies
        ? copies(of: InputList([file]).sources.compactMap(\.path)) : below
    }
    let place =
      names.firstIndex { DiskFile.isSame($0, file) }
      // One that is left out, as another is read for it.
      ?? (knowsCopies ? names.firstIndex { CopiedInputs.areAlike($0, file) } : nil)
    return place.map { [$0] } ?? []
  }

  private func copies(of files: [String]) -> [Int] {
    names.indices.filter { place in files.contains { CopiedInputs.areAlike(names[place], $0) } }
  }

  private static let mostGuesses = 3

  /// What somebody should do who named what is none of them: most often captures of a folder are named as if
  /// one were in it.
  func question(_ file: String) -> String {
    let own = file.hasPrefix("./") ? String(file.dropFirst(2)) : file
    let below = names.filter { $0.hasSuffix("/" + own) }
    let likely = below.isEmpty ? [LikelyWord.of(file, among: names)].compactMap(\.self) : below
    guard !likely.isEmpty else { return "name it among them, too." }
    let guesses = likely.prefix(Self.mostGuesses).map { "'\($0)'" }.joined(separator: " or ")
    return "did you mean \(guesses)?"
  }

  private static func start(_ folder: String) -> String {
    folder.hasSuffix("/") ? folder : folder + "/"
  }

  static func isFolder(_ path: String) -> Bool {
    var isFolder = false
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder
  }
}
