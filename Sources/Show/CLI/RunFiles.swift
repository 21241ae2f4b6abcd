import ArgumentParser
import CaptureWriter
import Exports

/// What a run reads and what it writes. Nothing that it writes may be something else of it, too: evidence,
/// settings and rules are not written over because two words mean one file.
struct RunFiles {
  /// A file, and what it is to the run: `a capture`, `what --alerts writes`.
  private struct Known {
    let path: String
    let what: String
  }

  private struct Written {
    let option: String
    let path: String
    /// What stands behind the name of files that are made beside it.
    let endings: [String]
    /// Its files have names of their own, which begin with this one.
    var rotates = false
    /// Those that are named so may be removed.
    var removes = false
  }

  private var read: [Known] = []
  private var written: [Written] = []

  /// - Parameter what: each of them is, such as `a capture`.
  mutating func reads(_ paths: some Sequence<String>, _ what: String) {
    read += paths.lazy.filter { $0 != "-" }.map { Known(path: $0, what: what) }
  }

  /// - Parameters:
  ///   - path: nil, or `-` for standard output: no file.
  ///   - endings: of the files that are made beside it.
  mutating func writes(_ path: String?, _ option: String, beside endings: [String] = []) {
    guard let path, path != "-" else { return }
    written.append(Written(option: option, path: path, endings: endings))
  }

  /// A recording that rotates: files of its own, which never take the place of others.
  /// - Parameter removes: the oldest go.
  mutating func rotates(_ path: String, _ option: String, removes: Bool) {
    written.append(
      Written(option: option, path: path, endings: [".lock"], rotates: true, removes: removes))
  }

  /// What is wrong, a sentence; nil where each file is one thing.
  var clash: String? {
    var known = read
    for file in written {
      if let sentence = Self.clash(file, known) { return sentence }
      known += Self.made(file)
    }
    // What comes later may lie among the files that an earlier one removes, too.
    for file in written where file.removes {
      let others = written.filter { $0.option != file.option }.flatMap(Self.made)
      if let sentence = Self.removal(file, others) { return sentence }
    }
    return nil
  }

  /// The file itself and those beside it.
  private static func made(_ file: Written) -> [Known] {
    let names = (file.rotates ? [] : [file.path]) + file.endings.map { file.path + $0 }
    return names.map { Known(path: $0, what: "what \(file.option) writes") }
  }

  private static func clash(_ file: Written, _ known: [Known]) -> String? {
    if file.removes, let sentence = removal(file, known) { return sentence }
    for made in made(file) {
      // A device keeps nothing.
      guard !DiskFile.isStream(made.path),
        let other = known.first(where: { DiskFile.isSame($0.path, made.path) })
      else { continue }
      let start = "\(file.option) \(TextColumns.printable(file.path)): "
      return made.path == file.path
        ? "\(start)that is \(other.what), too; name another file."
        : "\(start)\(TextColumns.printable(made.path)) is made beside it, and is \(other.what), too; "
          + "name another file."
    }
    return nil
  }

  private static func removal(_ file: Written, _ known: [Known]) -> String? {
    guard
      let other = known.first(where: { Rotation.mayRemove($0.path, recording: file.path) })
    else { return nil }
    return "\(file.option) \(TextColumns.printable(file.path)): --keep could remove "
      + "\(TextColumns.printable(other.path)), which is \(other.what); name another file."
  }

  /// What can be told of the words alone.
  func validate() throws {
    if let clash { throw ValidationError(clash) }
  }

  /// When all of them are known, before anything is written.
  func check() throws {
    guard let clash else { return }
    Terminal.tell("beacontrace: \(clash)")
    throw ExitCode.validationFailure
  }
}

extension FollowOptions {
  /// The files that are read when a run begins, and never again: all but plugins and site files.
  var settledFiles: [String] {
    let files = trackFiles + regionFiles + [messages, markers].compactMap { $0 } + keys.files
    return files.filter { $0 != "-" }
  }

  /// All of them, as far as words name them.
  var sideFiles: [String] {
    settledFiles + rules.plugins.compactMap { try? PluginShelf.path(of: $0) } + rules.sites
  }

  /// Adds the files that regions and rules are read from, as far as words name them.
  func add(to files: inout RunFiles) {
    files.reads(trackFiles, "a track")
    files.reads(regionFiles, "a file of regions")
    files.reads([messages].compactMap { $0 }, "a file of messages")
    files.reads([markers].compactMap { $0 }, "a file of markers")
    files.reads(keys.files, "a file of keys")
    // What is no plugin is told later.
    files.reads(rules.plugins.compactMap { try? PluginShelf.path(of: $0) }, "a plugin")
    files.reads(rules.sites, "a site file")
  }
}
