import Foundation

/// A site of beacons that are heard well, made from a scenario: what fails is said by the test.
struct SiteScene {
  static let uuid = "5a4bcfce-174e-4bac-a814-092e77f6b7e5"
  let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// Beacons `1:1`, `1:2`, … two metres apart, each every second.
  /// - Parameters:
  ///   - name: of the observer, too.
  ///   - extra: further keys of a beacon, by its minor.
  ///   - pauses: when the scan is off, in seconds.
  func record(
    _ name: String = "site", beacons: Int = 4, seconds: Int, extra: [Int: String] = [:],
    pauses: [[Int]] = [], start: String = "2026-11-17T09:00:00Z", chance: Int? = nil
  ) throws {
    // What is heard how, where it is another recording and not the same one later.
    let radio = chance.map { "\"radio\": {\"seed\": \($0)}, " } ?? ""
    let devices = (1...beacons).map { minor in
      let own = extra[minor] ?? ""
      let interval = own.contains("interval_ms") ? "" : ", \"interval_ms\": 1000"
      let more = interval + (own.isEmpty ? "" : ", " + own)
      return """
        {"name": "b\(minor)", "kind": "ibeacon", "uuid": "\(Self.uuid)", "major": 1, "minor": \(minor),
         "address": "c4:b0:00:00:01:\(minor < 10 ? "0" : "")\(minor)", "at": [\(2 * minor), 1]\(more)}
        """
    }
    try scratch.synthesize(
      name,
      """
      {"name": "\(name)", \(radio)"start": "\(start)", "duration_s": \(seconds), "observer": [[0, 0, 0]],
       "scan": {"commands": "legacy", "interval_ms": 100, "window_ms": 100, "pauses": \(pauses)},
       "beacons": [\(devices.joined(separator: ",\n"))]}
      """)
  }

  func run(_ words: String...) throws -> Run { try Tool.run(words, in: scratch.folder) }

  /// Standard output as one line.
  func words(_ words: String...) throws -> String {
    let run = try Tool.run(words, in: scratch.folder)
    return run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      + (run.errors.isEmpty ? "" : " | " + run.errors)
  }

  /// Of alerts: `TITLE: TEXT`.
  func alerts(_ words: String...) throws -> [String] {
    let run = try Tool.run(["events", "--format", "ndjson", "-q"] + words, in: scratch.folder)
    return try run.lines.map { try JSON(Data($0.utf8)) }.filter { $0["type"]?.text == "alert" }
      .map { "\($0["title"]?.text ?? ""): \($0["text"]?.text ?? "")" }
  }
}
