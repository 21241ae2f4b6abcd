import Foundation
import Testing

/// What is not in the project: test material beside it, and other programs. Every test says what it
/// needs and is skipped, with the reason printed, where that is missing.
enum Need: String, Sendable {
  case publicCaptures = "captures/public"
  case oracle = "tools/oracle.py"
  case generator = "tools/gencap.c"
  case vectors = "golden/vectors.json"
  case python3
  case tshark
  case cc

  /// Why the tests cannot have it; nil where it is there.
  var lack: String? {
    switch self {
    case .publicCaptures, .oracle, .generator, .vectors:
      let place = Surroundings.shared.appending(path: rawValue)
      return FileManager.default.fileExists(atPath: place.path) ? nil : "no \(place.path)"
    case .python3, .tshark, .cc:
      return Surroundings.program(rawValue) == nil ? "no \(rawValue) in PATH" : nil
    }
  }
}

extension Trait where Self == ConditionTrait {
  static func needs(_ needs: Need...) -> Self {
    let reason = needs.compactMap(\.lack).joined(separator: ", ")
    if !reason.isEmpty { print("OracleTests: skipped, \(reason)") }
    return .enabled(if: reason.isEmpty, "\(reason)")
  }
}

enum Surroundings {
  /// `BEACONTRACE_SHARED`, or the folder `shared` beside the checkout.
  static let shared: URL = {
    if let path = ProcessInfo.processInfo.environment["BEACONTRACE_SHARED"], !path.isEmpty {
      return URL(filePath: path)
    }
    let root = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return root.deletingLastPathComponent().appending(path: "shared")
  }()

  static let publicFolder = shared.appending(path: "captures/public")

  /// Names of the public captures.
  static let publicCaptures: [String] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: publicFolder.path)) ?? []
    return names.filter { name in
      [".btsnoop", ".pcap", ".pcapng"].contains { name.hasSuffix($0) }
    }.sorted()
  }()

  static func program(_ name: String) -> URL? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return path.split(separator: ":").map { URL(filePath: "\($0)/\(name)") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
  }

  /// Removed when the tests end.
  static let scratch: URL = {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "beacontrace-oracle-\(ProcessInfo.processInfo.processIdentifier)")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    atexit { try? FileManager.default.removeItem(at: Surroundings.scratch) }
    return folder
  }()

  /// Runs a program and waits for it. Returns what it printed.
  @discardableResult
  static func run(_ program: URL, _ arguments: [String]) throws -> String {
    let file = scratch.appending(path: UUID().uuidString)
    defer { try? FileManager.default.removeItem(at: file) }
    try Data().write(to: file)
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = try FileHandle(forWritingTo: file)
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw ProgramFailed(program: program.lastPathComponent, status: process.terminationStatus)
    }
    return try String(contentsOf: file, encoding: .utf8)
  }
}

struct ProgramFailed: Error {
  let program: String
  let status: Int32
}
