import Foundation

/// What replays say, in forms that compare with what is said of files.
enum ReplayedRun {
  static let words = ["replay", "--speed", "max", "--quiet", "--no-summary", "--format", "ndjson"]

  /// Events of a file, in order of time; proximity aside, which live runs do not tell.
  static func events(of file: String, in folder: URL = Captures.folder, _ options: String...) throws
    -> [String]
  {
    try Tool.run(["events", "--quiet", "--format", "ndjson"] + options + [file], in: folder).lines
      .filter { !$0.contains(#""type":"proximity""#) }
  }

  static func sightings(of file: String, in folder: URL = Captures.folder) throws -> [String] {
    try Tool.run("sightings", "--quiet", "--format", "ndjson", file, in: folder).lines
  }

  /// Whether a line is a sighting's, not an event's.
  static func isSighting(_ line: String) -> Bool { line.hasPrefix(#"{"capture":"#) }

  /// A line without the name of its capture.
  static func unnamed(_ line: String) -> String {
    line.replacing(/"capture":"[^"]*",/, with: "")
  }
}
