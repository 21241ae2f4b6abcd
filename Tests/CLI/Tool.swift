import Dispatch
import Foundation
import Testing

/// What one run of the built tool said.
struct Run: Sendable {
  let status: Int32
  let bytes: Data
  let errors: String

  var output: String { String(decoding: bytes, as: UTF8.self) }
  /// Lines of standard output.
  var lines: [String] { Text.lines(output) }
  /// Lines of standard error.
  var complaints: [String] { Text.lines(errors) }
}

enum Text {
  /// By line feed alone: "\r\n" is one character to Swift.
  static func lines(_ text: String) -> [String] {
    text.utf8.split(separator: UInt8(ascii: "\n")).map { String(Substring($0)) }
  }
}

/// The tool, run as people run it: the one that `BEACONTRACE_TOOL` names, or the one beside the test bundle.
enum Tool {
  static let path: String = {
    if let named = ProcessInfo.processInfo.environment["BEACONTRACE_TOOL"], !named.isEmpty {
      precondition(
        FileManager.default.isExecutableFile(atPath: named),
        "BEACONTRACE_TOOL is \(named), which is no program")
      return named
    }
    // The folder of the running test program: `.build/…/debug`.
    var folder = Bundle.main.bundleURL
    for _ in 0..<4 {
      let tool = folder.appending(path: "beacontrace").path(percentEncoded: false)
      var isFolder: ObjCBool = false
      if unsafe FileManager.default.fileExists(atPath: tool, isDirectory: &isFolder),
        !isFolder.boolValue
      {
        return tool
      }
      folder.deleteLastPathComponent()
    }
    return "beacontrace"
  }()

  /// Runs the tool in a folder, `Captures` where none is named.
  static func run(
    _ arguments: String..., input: String = "/dev/null", in folder: URL = Captures.folder
  ) throws -> Run {
    try start(path, arguments, input: input, in: folder)
  }

  static func run(_ arguments: [String], in folder: URL = Captures.folder) throws -> Run {
    try start(path, arguments, input: "/dev/null", in: folder)
  }

  /// Runs a bash script; `$TOOL` is the tool.
  static func shell(_ script: String, in folder: URL = Captures.folder) throws -> Run {
    try start("/usr/bin/env", ["bash", "-c", script], input: "/dev/null", in: folder)
  }

  private static func start(
    _ program: String, _ arguments: [String], input: String, in folder: URL
  ) throws -> Run {
    let scratch = try Scratch()
    let output = try scratch.write("output", [])
    let errors = try scratch.write("errors", [])
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment
    environment["TOOL"] = path
    environment["NO_COLOR"] = nil
    environment["TERM"] = "xterm"
    process.environment = environment
    process.standardInput = try FileHandle(forReadingFrom: URL(filePath: input))
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    // `waitUntilExit` looks every twentieth of a second only: some twenty milliseconds are lost at each of
    // thousands of runs.
    let hasEnded = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in hasEnded.signal() }
    try process.run()
    hasEnded.wait()
    return Run(
      status: process.terminationReason == .exit
        ? process.terminationStatus : -process.terminationStatus,
      bytes: try Data(contentsOf: output),
      errors: String(decoding: try Data(contentsOf: errors), as: UTF8.self))
  }
}

/// A folder that goes with its owner.
final class Scratch: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "beacontrace-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8]) throws -> URL {
    let place = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: place)
    return place
  }
}

/// The committed captures.
enum Captures {
  static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Captures")

  static func read(_ file: String) throws -> [UInt8] {
    try [UInt8](Data(contentsOf: folder.appending(path: file)))
  }

  static let h4 = "museum/btsnoop-h4.btsnoop"
  static let air = "museum/pcap-256-air-header.pcap"
  static let walk = "museum-walk.btsnoop.gz"

  static let rows: [IndexRow] = {
    let index = try? String(contentsOf: folder.appending(path: "INDEX.tsv"), encoding: .utf8)
    return Text.lines(index ?? "").dropFirst().compactMap { IndexRow($0) }
  }()
  /// All but the one with twenty thousand beacons.
  static let smallRows = rows.filter { $0.identities < 1000 }
}

/// What `INDEX.tsv` says of a capture.
struct IndexRow: Sendable, CustomStringConvertible {
  let file: String
  let sha256: String
  let container: String
  let compression: String?
  let records: Int
  let reports: Int
  let identities: Int
  let sightings: [String: Int]
  let labels: [String: Int]
  let codes: [String: Int]

  var description: String { file }

  init?(_ line: String) {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard cells.count == 11, let records = Int(cells[5]), let reports = Int(cells[6]),
      let identities = Int(cells[7])
    else { return nil }
    file = cells[0]
    sha256 = cells[1]
    container = cells[2]
    compression = cells[3] == "-" ? nil : cells[3]
    self.records = records
    self.reports = reports
    self.identities = identities
    sightings = Self.counts(cells[8])
    labels = Self.counts(cells[9])
    codes = Self.counts(cells[10])
  }

  /// `ibeacon=12 eddystone-uid=4`.
  private static func counts(_ text: String) -> [String: Int] {
    var counts: [String: Int] = [:]
    for part in text.split(separator: " ") {
      let pair = part.split(separator: "=")
      if pair.count == 2, let count = Int(pair[1]) { counts[String(pair[0])] = count }
    }
    return counts
  }
}

extension Scratch {
  /// Writes NAME.btsnoop as a scenario in JSON has it.
  func synthesize(_ name: String, _ scenario: String) throws {
    try write("\(name).json", Array(scenario.utf8))
    let made = try Tool.run(
      "synth", "--scenario", "\(name).json", "--out", "\(name).btsnoop", in: folder)
    try #require(made.status == 0, "\(made.errors)")
  }
}
