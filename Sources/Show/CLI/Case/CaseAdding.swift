import Analysis
import ArgumentParser
import CaptureReader
import CaseStore
import Exports
import FoundationEssentials

/// What a run for a case reads: the captures that the case is made of, and those that are named now.
enum CaseAdding {
  /// A run of new captures; where the case is there already, of its captures and the new ones, with its
  /// options.
  /// - Throws: where the case was changed, a capture or another file of it cannot be found as it was, or options contradict
  ///   its own.
  static func run(
    to unfinished: UnfinishedCase, _ input: InputOptions, _ options: CaseOptions
  ) throws -> CaseRun {
    guard unfinished.isThere else { return CaseRun(input: input, options: options) }
    // Filled and sealed anew, it would look as if nobody had changed anything.
    let old = try CaseFile.openSealed(
      unfinished.name,
      orSay: "Nothing was added: move it away, and name all captures for a new case")
    let stored = try CaseContents(old)
    var sideFiles = SideFiles(
      stored.files, beside: unfinished.name, named: options.follow.sideFiles, areRead: true)
    try sideFiles.check(tells: !input.quiet)
    let options = try sideFiles.called(options)
    let merged = try self.options(stored, options, unfinished.name)
    var search = CaptureSearch(stored, beside: unfinished.name, named: input.captures)
    var input = input
    input.captures = try search.captures(tells: !input.quiet)
    if !input.quiet {
      tellNameless(
        input.captures.dropFirst(stored.captures.count).filter {
          $0 == "-" || InputList.size(of: $0) != nil
        }, merged, options)
    }
    var run = CaseRun(input: input, options: merged)
    run.moved = search.moved
    run.stems = stored.stems
    run.expected = stored.digests
    run.known = stored.notRead
    run.caseName = unfinished.name
    run.places = sideFiles.places
    run.sideFiles = sideFiles
    return run
  }

  /// A case keeps which captures a receiver has, and not by what rule: what comes to it later has one of its own.
  private static func tellNameless(
    _ added: [String], _ merged: CaseOptions, _ now: CaseOptions
  ) {
    guard let first = added.first, now.follow.observer.isEmpty,
      let named = merged.follow.observer.observers.first
    else { return }
    let name = named.prefix { $0 != "=" }
    Terminal.tell(
      "beacontrace: receivers of this case have names (\(TextColumns.printable(String(name))), …); "
        + TextColumns.printable(first)
        + (added.count > 1
          ? " and \(added.count - 1) more are of none of them, and count as receivers of their own."
          : " is of none of them, and counts as a receiver of its own.")
        + " --observers folder, or --observer NAME=FILE, says whose.")
  }

  /// The case's options; files of observers, clocks of captures, and tracks may be added.
  private static func options(
    _ stored: CaseContents, _ now: CaseOptions, _ name: String
  ) throws -> CaseOptions {
    var merged = try stored.options()
    var (old, new) = (merged, now)
    // These are of captures, and new ones come with theirs.
    (old.follow.observer, old.clocks.words, old.follow.tracks) = (try .none(), [], [])
    (new.follow.observer, new.clocks.words, new.follow.tracks) = (try .none(), [], [])
    guard new.words.isEmpty || new.words == old.words else {
      let words = stored.words.isEmpty ? "no options" : stored.words.joined(separator: " ")
      throw CaseProblem(
        name, "it was made with \(words), and these options are others",
        remedy: "Give the same options, or none; or name another file for another case.",
        isSetting: true)
    }
    merged.follow.observer.observers += now.follow.observer.observers
    merged.follow.observer.grouping = now.follow.observer.grouping
    merged.clocks.words += now.clocks.words
    merged.follow.tracks += now.follow.tracks.filter { !merged.follow.tracks.contains($0) }
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

  /// What the names of the captures' observers begin with, by the capture's name: it stays as it is, whatever
  /// is added.
  var stems: [String: String] {
    let names = captures.map(\.name)
    let known = captures.compactMap(\.observer)
    let stems = known.count == names.count ? known : ObserverNames.counted(names)
    return Dictionary(zip(names, stems)) { one, _ in one }
  }

  /// SHA-256 by the capture's name.
  var digests: [String: String] {
    Dictionary(captures.map { ($0.name, $0.sha256 ?? "") }) { first, _ in first }
  }
}
