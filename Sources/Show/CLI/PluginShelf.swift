import FoundationEssentials
import Plugins

/// Where plugins that came with the program lie.
enum PluginShelf {
  /// The file that a user means: what looks like a path is one; a bare name is looked for among those
  /// that came with the program.
  static func path(of word: String) -> String {
    if word.contains("/") || word.hasSuffix(".lua") { return word }
    if let folder, FileManager.default.fileExists(atPath: "\(folder)/\(word).lua") {
      return "\(folder)/\(word).lua"
    }
    return word + ".lua"
  }

  /// What is wrong with a name that is nearly that of a plugin that came with the program; nil for any
  /// other word.
  static func problem(of word: String) -> String? {
    let path = path(of: word)
    guard !word.contains("/"), let folder, !FileManager.default.fileExists(atPath: path) else {
      return nil
    }
    let names = plugins(in: folder).map { String($0.dropFirst(folder.count + 1).dropLast(4)) }
    let meant = word.hasSuffix(".lua") ? String(word.dropLast(4)) : word
    let likely = names.contains(meant) ? meant : LikelyWord.of(meant, among: names)
    return likely.map { "there is no file \(path); did you mean --plugin \($0)?" }
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
