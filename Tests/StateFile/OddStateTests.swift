import Analysis
import Foundation
import Glibc
import StateFile
import Testing

/// Files that are no state, though somebody named them for one.
@Suite("A file for a state") struct OddStateTests {
  @Test("that is nothing but zeros after a power cut is moved aside, and the run begins anew")
  func zeros() throws {
    let scratch = try Scratch()
    try scratch.write([UInt8](repeating: 0, count: 4096))
    let file = try StateFile.open(scratch.path)
    #expect(file.restored == nil)
    #expect(
      file.warnings == [
        "\(scratch.path): byte 1: nothing but zeros, as a power cut leaves them. It is kept as "
          + "\(scratch.path).damaged; nothing is restored, and the run begins anew"
      ])
    #expect(try scratch.names == ["state.json.damaged", "state.json.lock"])
  }

  @Test("that is a pipe is refused, not waited for")
  func pipe() throws {
    let scratch = try Scratch()
    #expect(unsafe mkfifo(scratch.path, 0o600) == 0)
    let problem = #expect(throws: StateProblem.self) { _ = try StateFile.open(scratch.path) }
    #expect(problem?.what == "it is no file, but a folder, a pipe or a device")
    #expect(problem?.isForeign == true)
  }

  @Test("is behind a link also where nothing is there yet: the link stays")
  func dangling() throws {
    let scratch = try Scratch()
    let target = scratch.folder.appending(path: "behind.json").path(percentEncoded: false)
    try FileManager.default.createSymbolicLink(
      atPath: scratch.path, withDestinationPath: "behind.json")
    let file = try StateFile.open(scratch.path)
    file.keeper(of: nil) { Issue.record("\($0)") }.keepLast(Scratch.run)
    try file.finish()
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: scratch.path) == "behind.json")
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: target)))
    #expect(try RunStateText(reading: bytes).run == Scratch.run)
  }
}
