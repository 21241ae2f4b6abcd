import Analysis
import ArgumentParser
import CaptureReader
import Exports
import FoundationEssentials

/// Which captures one radio wrote.
struct ObserverOptions: ParsableArguments {
  @Option(
    name: .customLong("observer"), parsing: .singleValue,
    help: ArgumentHelp(
      "Captures that one observer wrote one after the other, named here once more: its state goes on "
        + "from one to the next, also in what is added to a case. A folder stands for all captures "
        + "below it; what has a comma in its name stands alone. Not of what live hears: see its --name.",
      valueName: "name=file,folder..."))
  var observers: [String] = []

  @Option(
    name: .customLong("observers"),
    help: ArgumentHelp(
      "folder: the captures of a folder are those of one observer, called by it (site/door, site/hall); "
        + "dates among folders (2026-05-19, 2026-05, 2026-W20) do not count. Not of what live hears.",
      valueName: "folder"))
  var grouping: ObserverGrouping?

  enum ObserverGrouping: String, ExpressibleByArgument, CaseIterable { case folder }

  static func none() throws -> Self { try parse([]) }

  var isEmpty: Bool { observers.isEmpty && grouping == nil }

  /// By place of the capture, the name of its observer.
  func names(_ captures: [String]) throws -> [Int: String] {
    do {
      let named = try NamedObserver.names(observers, captures)
      guard grouping == .folder else { return named }
      return named.merging(FolderNames.names(of: captures)) { own, _ in own }
    } catch let problem as ValidationError {
      // The usage of the whole tool, which would stand with it here, says nothing about this.
      Terminal.tell("beacontrace: \(TextColumns.printable(problem.message))")
      throw ExitCode.validationFailure
    }
  }

  /// The same of two sides that are compared: folders of either are called alike.
  func names(_ before: [String], _ now: [String]) throws -> (
    before: [Int: String], now: [Int: String]
  ) {
    var explicit = self
    explicit.grouping = nil
    let captures = before + now
    // By name, as both sides may have one capture.
    let named = Dictionary(
      try explicit.names(captures).map { (captures[$0], $1) }, uniquingKeysWith: { one, _ in one })
    var sides = (before: [Int: String](), now: [Int: String]())
    if grouping == .folder {
      sides = FolderNames.names(before: before, now: now)
    }
    for (place, capture) in before.enumerated() {
      if let name = named[capture] { sides.before[place] = name }
    }
    for (place, capture) in now.enumerated() {
      if let name = named[capture] { sides.now[place] = name }
    }
    return sides
  }

  /// The same as values of `--observer`, which hold wherever and with whatever others these captures are read.
  func words(_ captures: [String]) throws -> [String] {
    guard grouping == .folder else { return try NamedObserver.words(observers, captures) }
    return NamedObserver.words(try names(captures), captures)
  }

  /// Folders of which each would be a receiver's, and that hold no capture; none where folders are not asked for.
  func withoutCaptures(_ inputs: InputList) -> [CaptureProblem] {
    guard grouping == .folder else { return [] }
    return FolderNames.withoutCaptures(
      inputs.withoutCaptures, beside: inputs.sources.map(\.name)
    ).map { folder in
      CaptureProblem(
        .receiverMissing, capture: folder,
        detail:
          "holds no capture that could be read: where it is a receiver's folder, that receiver is missing here"
      )
    }
  }

  /// What is in nobody's folder, in a sentence; nil where all are, or none was asked for.
  func loose(_ captures: [String]) throws -> String? {
    guard grouping == .folder else { return nil }
    let names = try names(captures)
    // Of what is not there at all, that is told.
    let loose = captures.indices.filter { names[$0] == nil }.map { captures[$0] }
      .filter { $0 == "-" || FileManager.default.fileExists(atPath: $0) }
    guard let first = loose.first else { return nil }
    return loose.count == 1
      ? "--observers folder: \(first) lies in no receiver's folder: it is taken for a radio of its own"
      : "--observers folder: \(loose.count) captures lie in no receiver's folder (\(first), …): each is taken "
        + "for a radio of its own"
  }
}
