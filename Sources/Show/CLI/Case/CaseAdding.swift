import Analysis
import ArgumentParser
import CaptureReader
import CaseStore
import Exports
import FoundationEssentials
import TrackReader

/// What a run for a case reads: the captures that the case is made of, and those that are named now.
enum CaseAdding {
  /// A run of new captures; where the case is there already, of its captures and the new ones, with its
  /// options.
  /// - Throws: where the case was changed, a capture of it cannot be found, or options contradict its own.
  static func run(
    to unfinished: UnfinishedCase, _ input: InputOptions, _ options: CaseOptions
  ) throws -> CaseRun {
    guard unfinished.isThere else { return CaseRun(input: input, options: options) }
    // Filled and sealed anew, it would look as if nobody had changed anything.
    let old = try CaseFile.openSealed(
      unfinished.name,
      orSay: "Nothing was added: move it away, and name all captures for a new case")
    let stored = try CaseContents(old)
    let merged = try self.options(stored, options, unfinished.name)
    var search = CaptureSearch(stored, beside: unfinished.name, named: input.captures)
    var input = input
    input.captures = try search.captures(tells: !input.quiet)
    var run = CaseRun(input: input, options: merged)
    run.moved = search.moved
    run.expected = stored.digests
    run.known = stored.notRead
    run.caseName = unfinished.name
    return run
  }

  /// The case's options; files of observers may be added.
  private static func options(
    _ stored: CaseContents, _ now: CaseOptions, _ name: String
  ) throws -> CaseOptions {
    var merged = try stored.options()
    var (old, new) = (merged, now)
    old.follow.observers = []
    new.follow.observers = []
    guard new.words.isEmpty || new.words == old.words else {
      let words = stored.words.isEmpty ? "no options" : stored.words.joined(separator: " ")
      throw CaseProblem(
        name, "it was made with \(words), and these options are others",
        remedy: "Give the same options, or none; or name another file for another case.")
    }
    merged.follow.observers = try NamedObserver.merged(
      merged.follow.observers, now.follow.observers)
    return merged
  }
}

/// What a case says of the run that made it.
struct CaseContents {
  let captures: [CaptureRow]
  let files: [FileRow]
  let words: [String]
  let notRead: NotRead

  init(_ file: CaseFile) throws {
    notRead = try NotRead(file)
    captures = try file.rows(CaptureRow.self)
    files = try file.rows(FileRow.self)
    words = try file.rows(OptionRow.self).map(\.word)
  }

  /// - Throws: where they cannot be understood: a case that was changed.
  func options() throws -> CaseOptions {
    do { return try CaseOptions.parse(words) } catch {
      throw CaseProblem(
        "options", "the case's options cannot be understood: \(words.joined(separator: " "))",
        remedy: "It was changed, or made by another version; make it anew.")
    }
  }

  /// SHA-256 by the capture's name.
  var digests: [String: String] {
    Dictionary(captures.map { ($0.name, $0.sha256 ?? "") }) { first, _ in first }
  }
}

/// Finds the captures of a case: where they were named, seen from here or from the case's folder, beside
/// the case, or among the files that are named now, by their SHA-256.
struct CaptureSearch {
  private let stored: CaseContents
  private let folder: String
  private let name: String
  /// Files named now: folders are looked through already.
  private var named: [String]
  private let words: [String]
  /// Where captures are that go by another name, by that name.
  private(set) var moved: [String: String] = [:]
  /// Those of them that are as they were, and not where they were named.
  private(set) var elsewhere: [String: String] = [:]
  private var sums: [String: String] = [:]
  /// What lies beside the case, whatever it is called; looked at when nothing else is left.
  private lazy var neighbours: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? [])
    .sorted().map { folder + $0 }

  init(_ stored: CaseContents, beside name: String, named: [String]) {
    self.stored = stored
    self.name = name
    words = named
    folder = name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
    self.named = InputList(named).sources.filter(\.canBeReadAgain).map(\.name)
  }

  /// The case's captures, then what is new.
  mutating func captures(tells: Bool) throws -> [String] {
    var names: [String] = []
    for capture in stored.captures {
      guard let path = place(of: capture) else {
        throw CaseProblem(
          name,
          capture.name == "-"
            ? "its capture came from standard input, and no file that is named holds it (\(Self.short(capture)))"
            : "its capture \(capture.name) is not there any more, or has changed (\(Self.short(capture)))",
          remedy: "Name the file where it is now, beside the new ones.")
      }
      if path != capture.name { moved[capture.name] = path }
      names.append(capture.name)
    }
    for path in named {
      let isKnown = names.contains(path) || moved.values.contains(path) || isRepeated(path)
      guard isKnown else {
        names.append(path)
        continue
      }
      if tells {
        Terminal.tell("\(TextColumns.printable(path)) is in the case already; read once.")
      }
    }
    if names.contains("-"), words.contains("-") {
      throw CaseProblem(
        name, "a capture of it came from standard input already, and a case has one such capture",
        remedy: "Keep the new one as a file, and name that.")
    }
    // What is no file is opened, and says why it cannot be read.
    return names + words.filter { $0 == "-" || (InputList.size(of: $0) == nil) }
  }

  /// Whether a file holds what a capture of the case does.
  private mutating func isRepeated(_ path: String) -> Bool {
    let alike = stored.captures.filter { $0.bytes == InputList.size(of: path) }
    guard !alike.isEmpty, let sum = sum(path) else { return false }
    return alike.contains { $0.sha256 == sum }
  }

  /// Nil where it is nowhere to be found as it was.
  mutating func place(of capture: CaptureRow) -> String? {
    guard let wanted = capture.sha256 else { return nil }
    for path in usualPlaces(capture) + [folder + Self.last(capture.name)] + named {
      if holds(path, capture, wanted) { return path }
    }
    return neighbours.first { holds($0, capture, wanted) }
  }

  private mutating func holds(_ path: String, _ capture: CaptureRow, _ wanted: String) -> Bool {
    InputList.size(of: path) == capture.bytes && sum(path) == wanted
  }

  /// Files and folders that were named to be looked through, and are not there.
  var missing: [String] {
    words.filter { $0 != "-" && !FileManager.default.fileExists(atPath: $0) }
  }

  /// Where it was named, seen from here and from the case's folder; nowhere for what came from standard
  /// input.
  private func usualPlaces(_ capture: CaptureRow) -> [String] {
    capture.name == "-" ? [] : [capture.name, folder + capture.name]
  }

  private static func last(_ path: String) -> String {
    path.split(separator: "/").last.map(String.init) ?? path
  }

  /// What has become of a capture; where it is found somewhere else, `moved` and `elsewhere` say so.
  mutating func state(of capture: CaptureRow) -> InputState {
    let there = usualPlaces(capture).first { InputList.size(of: $0) != nil }
    if let path = place(of: capture) {
      if path != capture.name { moved[capture.name] = path }
      if capture.name == "-" || usualPlaces(capture).contains(path) { return .same }
      elsewhere[capture.name] = path
      return there == nil ? .moved : .replaced
    }
    guard let path = there else { return .missing }
    // It is analysed as it is now, to say what follows from it.
    if path != capture.name { moved[capture.name] = path }
    return .changed
  }

  private mutating func sum(_ path: String) -> String? {
    if let known = sums[path] { return known }
    let sum = FileDigest.sha256(path)
    sums[path] = sum
    return sum
  }

  private static func short(_ capture: CaptureRow) -> String {
    "sha256 \(capture.sha256?.prefix(8) ?? "unknown")…"
  }
}
