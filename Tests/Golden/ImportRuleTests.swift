import Foundation
import Testing

/// The order of the folders is the order of the evidence: a target imports only what it declares,
/// and declares only what stands before it (Capture, Decode, Follow, Judge, Keep, Show).
@Suite struct ImportRuleTests {
  struct Target: Sendable, CustomTestStringConvertible {
    let name: String
    /// Below `Sources`; its first part is the stage.
    let folder: String
    let dependencies: Set<String>
    /// Modules from outside the package.
    var system: Set<String> = []
    /// How the names of its files end.
    var language = "swift"
    var testDescription: String { name }
    var stage: Int { ImportRuleTests.stages.firstIndex { folder.hasPrefix($0 + "/") } ?? -1 }
  }

  static let products = [
    "argumentParser": "ArgumentParser", "grdb": "GRDB", "sqlite": "GRDBSQLite",
    "swiftProtobuf": "SwiftProtobuf",
  ]

  static let stages = ["Capture", "Decode", "Follow", "Judge", "Keep", "Show"]

  static let targets = [
    Target(
      name: "CaptureReader", folder: "Capture/CaptureReader",
      dependencies: ["CZlib", "CZstd", "CCrypto"],
      system: ["Glibc", "Dispatch", "FoundationEssentials", "Synchronization"]),
    Target(
      name: "CaptureWriter", folder: "Capture/CaptureWriter", dependencies: ["CZlib", "CZstd"],
      system: ["Glibc", "Dispatch", "FoundationEssentials", "Synchronization"]),
    Target(
      name: "LiveCapture", folder: "Capture/LiveCapture",
      dependencies: ["CaptureReader", "CaptureWriter", "CPcap", "CHCI", "CPrivileges"],
      system: ["Glibc", "Dispatch", "FoundationEssentials", "Synchronization"]),
    Target(
      name: "TrackReader", folder: "Capture/TrackReader",
      dependencies: ["CExpat", "CaptureReader"],
      system: ["Glibc", "FoundationEssentials", "Synchronization"]),
    Target(
      name: "FrameDecoder", folder: "Decode/FrameDecoder", dependencies: ["CaptureReader"]),
    Target(
      name: "FrameEncoder", folder: "Decode/FrameEncoder", dependencies: ["CaptureWriter"]),
    Target(
      name: "BeaconKeys", folder: "Decode/BeaconKeys",
      dependencies: ["CCrypto", "CaptureReader"], system: ["Synchronization"]),
    Target(
      name: "Beacons", folder: "Decode/Beacons",
      dependencies: ["CaptureReader", "FrameDecoder", "BeaconKeys"],
      system: ["Glibc", "Synchronization"]),
    Target(
      name: "Regions", folder: "Follow/Regions",
      dependencies: ["CaptureReader", "TrackReader", "FrameDecoder", "BeaconKeys", "Beacons"],
      system: ["Glibc", "FoundationEssentials"]),
    Target(
      name: "Analysis", folder: "Follow/Analysis",
      dependencies: [
        "CaptureReader", "TrackReader", "FrameDecoder", "BeaconKeys", "Beacons", "Regions",
      ],
      system: anySystem),
    Target(
      name: "CLuaGuard", folder: "Judge/CLuaGuard", dependencies: ["CLua"], language: "c"),
    Target(
      name: "Plugins", folder: "Judge/Plugins",
      dependencies: [
        "CaptureReader", "CaptureWriter", "TrackReader", "FrameDecoder", "FrameEncoder",
        "BeaconKeys", "Beacons", "Regions", "Analysis", "CLuaGuard",
      ], system: anySystem),
    Target(
      name: "Pseudonyms", folder: "Keep/Pseudonyms",
      dependencies: ["CaptureReader", "FrameDecoder", "BeaconKeys"]),
    Target(
      name: "CaseStore", folder: "Keep/CaseStore",
      dependencies: ["CaptureReader", "CaptureWriter", "GRDB", "GRDBSQLite"],
      system: ["Glibc", "Foundation", "Dispatch"]),
    Target(
      name: "PerfettoTrace", folder: "Keep/PerfettoTrace", dependencies: ["SwiftProtobuf"]),
    Target(
      name: "Exports", folder: "Keep/Exports",
      dependencies: [
        "Pseudonyms", "CaptureReader", "CaptureWriter", "LiveCapture", "TrackReader",
        "FrameDecoder", "BeaconKeys", "Beacons", "Regions", "Analysis",
      ],
      system: anySystem),
    Target(
      name: "Cases", folder: "Keep/Cases",
      dependencies: [
        "CaseStore", "PerfettoTrace", "Exports", "CaptureReader", "CaptureWriter", "TrackReader",
        "FrameDecoder", "Beacons", "Regions", "Analysis", "SwiftProtobuf",
      ],
      system: anySystem),
    Target(
      name: "Deliveries", folder: "Keep/Deliveries",
      dependencies: ["CaptureReader", "CaptureWriter", "Analysis", "Exports"], system: anySystem),
    Target(
      name: "StateFile", folder: "Keep/StateFile",
      dependencies: ["CaptureReader", "CaptureWriter", "Analysis", "Plugins"], system: anySystem),
    Target(
      name: "Synth", folder: "Show/Synth",
      dependencies: [
        "CaptureReader", "CaptureWriter", "FrameDecoder", "FrameEncoder", "BeaconKeys", "Beacons",
        "Analysis", "Exports",
      ], system: anySystem),
    Target(
      name: "Report", folder: "Show/Report",
      dependencies: [
        "CaptureReader", "Beacons", "Regions", "Analysis", "CaseStore", "Exports", "GRDB",
      ], system: anySystem),
    Target(
      name: "CLI", folder: "Show/CLI",
      dependencies: [
        "CaptureReader", "CaptureWriter", "LiveCapture", "TrackReader", "FrameDecoder",
        "BeaconKeys", "Beacons", "Regions", "Analysis", "Plugins", "CaseStore",
        "Pseudonyms", "Exports", "Cases", "Deliveries", "StateFile",
        "Report", "Synth", "ArgumentParser", "GRDB",
      ], system: anySystem),
    Target(name: "Manual", folder: "Show/Manual", dependencies: [], system: anySystem),
  ]

  /// The later stages may use what comes with the toolchain.
  private static let anySystem: Set<String> = [
    "Glibc", "Dispatch", "Foundation", "FoundationEssentials", "FoundationXML", "Synchronization",
  ]

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  @Test(arguments: targets)
  func filesImportOnlyWhatTheirTargetDeclares(_ target: Target) throws {
    let folder = Self.root.appending(path: "Sources/\(target.folder)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".\(target.language)") }
    #expect(!files.isEmpty)
    for file in files {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      let foreign = Self.imports(text).subtracting(target.dependencies).subtracting(target.system)
      #expect(foreign.isEmpty, "\(target.folder)/\(file)")
    }
  }

  @Test(arguments: targets)
  func targetsDependOnNothingBehindThem(_ target: Target) {
    for other in Self.targets where target.dependencies.contains(other.name) {
      #expect(other.stage <= target.stage, "\(target.name) depends on \(other.name)")
    }
    let place = Self.targets.firstIndex { $0.name == target.name } ?? 0
    let behind = Self.targets[place...].map(\.name)
    #expect(target.dependencies.isDisjoint(with: behind))
  }

  /// The table above is that of the package.
  @Test func theTableIsThatOfThePackage() throws {
    let text = try String(contentsOf: Self.root.appending(path: "Package.swift"), encoding: .utf8)
    var found: [String: Set<String>] = [:]
    let declarations = text.components(separatedBy: "arget(\n")
    for declaration in declarations.dropFirst() {
      guard declaration.contains("path: \"Sources/"),
        let name = Self.quoted(declaration, after: "name: ").first,
        let start = declaration.range(of: "dependencies: ["),
        let end = declaration.range(of: "]", range: start.upperBound..<declaration.endIndex)
      else { continue }
      let list = String(declaration[start.upperBound..<end.lowerBound])
      var names = Set(Self.quoted(list, after: ""))
      // Products of other packages are constants there, of the same name in small letters.
      for (constant, module) in Self.products where list.contains(constant) { names.insert(module) }
      found[name] = names
    }
    let table = Dictionary(uniqueKeysWithValues: Self.targets.map { ($0.name, $0.dependencies) })
    #expect(found == table)
  }

  /// But those that are generated.
  @Test func filesOfSwiftAreShort() throws {
    for folder in ["Sources", "Tests", "Benchmarks"] {
      let place = Self.root.appending(path: folder)
      let files = try FileManager.default.subpathsOfDirectory(atPath: place.path)
        .filter { $0.hasSuffix(".swift") && !$0.hasSuffix(".pb.swift") }
      #expect(!files.isEmpty)
      for file in files {
        let text = try String(contentsOf: place.appending(path: file), encoding: .utf8)
        #expect(text.utf8.count { $0 == 10 } <= 400, "\(folder)/\(file)")
      }
    }
  }

  @Test func everySourceFileBelongsToATarget() throws {
    let sources = Self.root.appending(path: "Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix(".swift") }
    let strays = files.filter { file in
      !Self.targets.contains { file.hasPrefix($0.folder + "/") }
    }
    #expect(strays.isEmpty)
  }

  /// Modules named by import lines, whatever stands before the word.
  private static func imports(_ text: String) -> Set<String> {
    var modules: Set<String> = []
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
        words[..<place].allSatisfy({ $0.hasPrefix("@") || Self.modifiers.contains(String($0)) })
      else { continue }
      // `import struct Module.Type`
      let last = words.last.map(String.init) ?? ""
      modules.insert(last.split(separator: ".").first.map(String.init) ?? last)
    }
    return modules
  }

  private static let modifiers: Set<String> = [
    "public", "package", "internal", "fileprivate", "private",
  ]

  /// The one place that says where memory is handled by hand.
  @Test func unsafeStandsWhereTheRulesSay() throws {
    let rules = try String(
      contentsOf: Self.root.appending(path: "CONTRIBUTING.md"), encoding: .utf8)
    let rule = try #require(
      rules.components(separatedBy: "\n- ").first { $0.hasPrefix("`unsafe` stands") })
    let listed = Set(rule.matches(of: /`([A-Z]\w+)`/).map { String($0.1) })
    let sources = Self.root.appending(path: "Sources")
    let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix(".swift") }
    let found = try files.filter { file in
      try String(contentsOf: sources.appending(path: file), encoding: .utf8)
        .contains(/(^|[^\w.])unsafe[ )]/)
    }
    let names = found.map { URL(filePath: $0).deletingPathExtension().lastPathComponent }
    #expect(listed == Set(names))
  }

  /// Everything in quotes that directly follows `prefix`.
  private static func quoted(_ text: String, after prefix: String) -> [String] {
    text.components(separatedBy: prefix + "\"").dropFirst().enumerated().compactMap { index, part in
      // Without a prefix every second piece lies between quotes.
      if prefix.isEmpty && index % 2 == 1 { return nil }
      return part.split(separator: "\"", omittingEmptySubsequences: false).first.map(String.init)
    }
  }
}
