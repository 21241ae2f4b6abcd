import Foundation

/// Other programs, and our own beside the tests.
enum Programs {
  /// Where an installed program is; nil where it is not.
  static func path(_ name: String) -> String? {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
  }

  /// A program of this package: in the folder of the running test program, or above it.
  static func built(_ name: String) -> String {
    var folder = Bundle.main.bundleURL
    for _ in 0..<4 {
      let program = folder.appending(path: name).path(percentEncoded: false)
      if FileManager.default.isExecutableFile(atPath: program),
        (try? FileManager.default.contentsOfDirectory(atPath: program)) == nil
      {
        return program
      }
      folder.deleteLastPathComponent()
    }
    return name
  }

  static func output(_ program: String, _ arguments: [String]) throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }
}
