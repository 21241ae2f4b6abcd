import Foundation
import Plugins
import Synchronization

/// A folder with a plugin called `p` and its tests; it goes with its owner.
final class TestingFolder: Sendable {
  let folder = FileManager.default.temporaryDirectory.appending(path: "plugin-\(UUID())")
  private let told = Mutex<[String]>([])

  init(_ plugin: String, tests: String, _ others: [String: [UInt8]] = [:]) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try write("p.lua", Array(plugin.utf8))
    try write("p.test.lua", Array(tests.utf8))
    for (name, bytes) in others { try write(name, bytes) }
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private func write(_ name: String, _ bytes: [UInt8]) throws {
    try Data(bytes).write(to: folder.appending(path: name))
  }

  /// What the file of tests printed.
  var lines: [String] { told.withLock { $0 } }

  func load() throws(PluginProblem) -> PluginTestFile {
    try PluginTestFile(folder.appending(path: "p.test.lua").path(percentEncoded: false)) { line in
      self.told.withLock { $0.append(line) }
    }
  }

  /// What became of each test, by name.
  func outcomes() throws(PluginProblem) -> [String: TestOutcome] {
    let file = try load()
    return Dictionary(uniqueKeysWithValues: file.tests.map { ($0.name, file.run($0)) })
  }

  /// Of the only test.
  static func outcome(
    _ plugin: String, _ test: String, _ others: [String: [UInt8]] = [:]
  ) throws -> TestOutcome {
    let folder = try TestingFolder(plugin, tests: "test \"x\" {\n\(test)\n}", others)
    let file = try folder.load()
    return file.run(file.tests[0])
  }
}
