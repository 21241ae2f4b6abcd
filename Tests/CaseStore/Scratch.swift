import Foundation

/// A folder that goes with its owner.
final class Scratch: Sendable {
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "beacontrace-case-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  func path(_ name: String) -> String { folder.appending(path: name).path(percentEncoded: false) }

  func read(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path(name))) }

  func write(_ bytes: Data, _ name: String) throws {
    try bytes.write(to: URL(filePath: path(name)))
  }
}
