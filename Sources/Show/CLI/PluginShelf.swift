import FoundationEssentials
import Regions
import TrackReader

/// Where plugins that came with the program lie.
enum PluginShelf {
  /// The file that a user means: what looks like a path is one; a bare name is looked for among those
  /// that came with the program.
  /// - Throws: where a bare name is neither of these nor a file here, and of a folder.
  static func path(of word: String) throws(TextProblem) -> String {
    if word.contains("/") || word.hasSuffix(".lua") {
      try refuseFolder(word)
      return word
    }
    if let folder, FileManager.default.fileExists(atPath: "\(folder)/\(word).lua") {
      return "\(folder)/\(word).lua"
    }
    let here = word + ".lua"
    if FileManager.default.fileExists(atPath: here) { return here }
    try refuseFolder(word)
    if FileManager.default.fileExists(atPath: word) {
      throw TextProblem(
        .badSetting, file: word,
        "is there, but the name of a plugin's file has to end in .lua; rename it")
    }
    let names = folder.map { plugins(in: $0) } ?? []
    let known = names.compactMap { $0.split(separator: "/").last?.dropLast(4) }.map(String.init)
    let guess = LikelyWord.of(word, among: known).map { " (did you mean '\($0)'?)" } ?? ""
    throw TextProblem(
      .badSetting, file: word,
      "no plugin of this name came with beacontrace\(guess), and there is no \(here) here")
  }

  private static func refuseFolder(_ word: String) throws(TextProblem) {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: word, isDirectory: &isFolder), isFolder else {
      return
    }
    let folder = word.hasSuffix("/") && word != "/" ? String(word.dropLast()) : word
    let advice =
      plugins(in: folder).first.map { ": name the files in it, such as \($0)" }
      ?? ", with no files NAME.lua in it"
    throw TextProblem(.badSetting, file: word, "is a folder\(advice)")
  }

  /// The files of a folder with an ending, by name; nil where the word means no folder.
  /// - Throws: where there is none.
  static func luaFiles(_ word: String, ending: String = ".lua") throws(TextProblem) -> [String]? {
    var isFolder = false
    guard FileManager.default.fileExists(atPath: word, isDirectory: &isFolder), isFolder else {
      return nil
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: word)) ?? []
    let files = names.filter { $0.hasSuffix(ending) && !$0.hasPrefix(".") }.sorted()
    guard !files.isEmpty else {
      throw TextProblem(.badSetting, file: word, "no files NAME\(ending) in this folder")
    }
    return files.map { word.hasSuffix("/") ? word + $0 : "\(word)/\($0)" }
  }

  /// Whether a bare name means a plugin that came with the program, and a file here has that name, too.
  static func isHidden(_ word: String) -> Bool {
    let here = word + ".lua"
    guard !word.contains("/"), !word.hasSuffix(".lua"), let folder,
      FileManager.default.fileExists(atPath: here)
    else { return false }
    return FileManager.default.fileExists(atPath: "\(folder)/\(here)")
      && !FileManager.default.contentsEqual(atPath: here, andPath: "\(folder)/\(here)")
  }

  /// Beside an installed program `../share/beacontrace/plugins`; in a checkout `plugins`, above the
  /// program. Nil where there is neither.
  static let folder: String? = {
    guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    else { return nil }
    var folders = program.split(separator: "/").dropLast().map(String.init)
    let installed =
      "/" + (folders.dropLast() + ["share", "beacontrace", "plugins"]).joined(separator: "/")
    if isShelf(installed) { return installed }
    for _ in 0..<5 where !folders.isEmpty {
      let beside = "/" + (folders + ["plugins"]).joined(separator: "/")
      if isShelf(beside) { return beside }
      folders.removeLast()
    }
    return nil
  }()

  /// A folder of ours has the annotations for editors, too.
  private static func isShelf(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path + "/types/beacontrace.lua")
  }

  /// Paths of the plugins of a folder, tests aside, by name.
  static func plugins(in folder: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0.hasSuffix(".lua") && !$0.hasSuffix(".test.lua") && !$0.hasPrefix(".") }
      .sorted().map { "\(folder)/\($0)" }
  }
}
