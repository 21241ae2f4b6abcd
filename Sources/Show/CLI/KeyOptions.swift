import ArgumentParser
import BeaconKeys
import Exports
import Regions
import TrackReader

/// Keys of beacons whose identifiers change: the same for every command that reads sightings.
struct KeyOptions: ParsableArguments {
  @Option(
    name: .customLong("keys"), parsing: .singleValue,
    help: ArgumentHelp(
      "A file with the key of a beacon on each line, as NAME=eid:KEY[,exponent=10][,clock=SECONDS@TIME]: "
        + "Eddystone-EIDs that it made are that beacon's, and its encrypted telemetry is opened. May be "
        + "repeated.",
      valueName: "file"),
    completion: .file())
  var files: [String] = []

  /// Which keys were for nothing, a sentence; nil where each was for something.
  static func unused(_ ring: KeyRing) -> String? {
    let unused = ring.unused
    guard let first = unused.first else { return nil }
    let names = unused.prefix(3).map { "'\($0.name)'" }.joined(separator: ", ")
    let more = unused.count > 3 ? " and \(unused.count - 3) more" : ""
    let none = "--keys: of \(names)\(more) no identifier was heard"
    guard ring.strangers > 0 else { return none + "." }
    let others =
      ring.strangers == KeyRing.mostStrangers
      ? "\(KeyRing.mostStrangers) or more" : "\(ring.strangers)"
    let reasons =
      first.clock == nil
      ? "another key or exponent, or a clock of over ten years"
      : "another key or exponent, or a clock that is further off than its window"
    return
      "\(none); \(others) Eddystone-EID\(ring.strangers == 1 ? " is" : "s are") of none of the keys. It may "
      + "have \(reasons)."
  }

  /// Nil where no file is named. What is wrong has been told.
  func ring() throws -> KeyRing? {
    guard !files.isEmpty else { return nil }
    do {
      let keys = try files.flatMap { path in
        try ListFile.read(path) { (line) throws(SettingProblem) in try BeaconKey.parse(line) }
      }
      try BeaconKey.check(keys)
      return KeyRing(keys)
    } catch let problem as TextProblem {
      Terminal.tell("beacontrace: \(problem.description)")
      throw ExitCode.validationFailure
    } catch let problem as SettingProblem {
      Terminal.tell("beacontrace: --keys: \(problem).")
      throw ExitCode.validationFailure
    }
  }
}
