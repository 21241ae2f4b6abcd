import Analysis
import CaptureReader
import Foundation
import Testing

@testable import StateFile

/// Another process that is killed while it writes.
@Suite("A state file whose writer is killed", .timeLimit(.minutes(60)))
struct KillTests {
  /// `StateLoop`, beside the test bundle.
  private static let program: String = {
    var folder = Bundle.main.bundleURL
    for _ in 0..<4 {
      let program = folder.appending(path: "StateLoop").path(percentEncoded: false)
      if FileManager.default.isExecutableFile(atPath: program) { return program }
      folder.deleteLastPathComponent()
    }
    return "StateLoop"
  }()

  @Test("holds one state as a whole at any moment, not before the one that was there")
  func kill() throws {
    let scratch = try Scratch()
    var last: Int64 = 0
    for round in 0..<20 {
      let process = Process()
      process.executableURL = URL(filePath: Self.program)
      process.arguments = [scratch.path]
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      // Until it has written a few states, then at some moment between two.
      var seen: Int64 = 0
      while seen < 3 + Int64(round % 5) {
        guard process.isRunning else { break }
        // At first there is none; from then on it is whole whenever somebody looks.
        guard let bytes = try? scratch.read() else { continue }
        seen = try RunStateText(reading: bytes).run?.taken.nanoseconds ?? 0
        if round > 0, seen == last { seen = 0 }
      }
      #expect(process.isRunning)
      usleep(UInt32(round * 137))
      _ = Foundation.kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      let text = try RunStateText(reading: try scratch.read())
      let run = try #require(text.run)
      #expect(run.taken.nanoseconds >= seen)
      let regions = run.profiles[0].observers[0].regions
      #expect(regions.count == 2000 && regions.allSatisfy { $0.since == run.taken })
      last = run.taken.nanoseconds
      // The lock went with the process; what it left beside is in nobody's way.
      let file = try StateFile.open(scratch.path)
      #expect(file.restored == run && file.warnings == [])
    }
  }
}
