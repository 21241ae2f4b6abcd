import Foundation
import Glibc
import Testing

@testable import StateFile

@Suite("A status file")
struct StatusFileTests {
  @Test("is replaced as a whole, is for everybody, and belongs to one run")
  func replaced() throws {
    let scratch = try Scratch()
    let file = try StatusFile(scratch.path)
    file.finish(Array("one, which is long\n".utf8))
    file.finish(Array(Self.status.utf8))
    #expect(try String(contentsOfFile: scratch.path, encoding: .utf8) == Self.status)
    #expect(try scratch.names == ["state.json", "state.json.lock"])
    #expect(file.problem == nil)
    #expect {
      _ = try StatusFile(scratch.path)
    } throws: {
      ($0 as? StateProblem)?.what == "another run keeps its status here"
    }
  }

  private static let status = #"{"format":"beacontrace-live-status","version":1}"# + "\n"

  @Test("takes the place of an earlier status, of nothing, and of what a power cut left of one")
  func recognised() throws {
    let scratch = try Scratch()
    for bytes in [
      Array(Self.status.utf8), [], [0, 0, 0], Array(#"{"format":"beacon"#.utf8),
    ] {
      try scratch.write(bytes)
      let file = try StatusFile(scratch.path)
      file.finish(Array(Self.status.utf8))
      #expect(try scratch.read() == Array(Self.status.utf8))
    }
  }

  @Test("takes the place of nothing else")
  func foreign() throws {
    let scratch = try Scratch()
    for bytes in [
      Array("SQLite format 3\0".utf8), Array("a note\n".utf8), Array("{}\n".utf8),
      [0x0A, 0x0D, 0x0D, 0x0A, 0x1C, 0, 0, 0],
    ] {
      try scratch.write(bytes)
      #expect {
        _ = try StatusFile(scratch.path)
      } throws: {
        let problem = $0 as? StateProblem
        return problem?.isForeign == true && problem?.what.hasSuffix("left as it is") == true
      }
      #expect(try scratch.read() == bytes)
    }
  }

  @Test("is no pipe and no folder, and nothing is made beside one")
  func noFile() throws {
    let scratch = try Scratch()
    for isPipe in [true, false] {
      if isPipe {
        try #require(unsafe mkfifo(scratch.path, 0o600) == 0)
      } else {
        try FileManager.default.createDirectory(
          atPath: scratch.path, withIntermediateDirectories: false)
      }
      #expect {
        _ = try StatusFile(scratch.path)
      } throws: {
        ($0 as? StateProblem)?.what == "it is no file, but a folder, a pipe or a device"
      }
      #expect(try scratch.names == ["state.json"])
      try FileManager.default.removeItem(atPath: scratch.path)
    }
  }

  @Test("that cannot be written is told, and holds nothing up")
  func cannotBeWritten() throws {
    let scratch = try Scratch()
    let file = try StatusFile(scratch.path)
    // What is to be made beside it cannot be made.
    try FileManager.default.createDirectory(
      atPath: scratch.path + ".new", withIntermediateDirectories: false)
    file.finish(Array("one\n".utf8))
    #expect(file.problem?.isEmpty == false)
    try FileManager.default.removeItem(atPath: scratch.path + ".new")
    file.write(Array("two\n".utf8))
    file.finish(Array("three\n".utf8))
    #expect(file.problem == nil)
    #expect(try String(contentsOfFile: scratch.path, encoding: .utf8) == "three\n")
  }
}
