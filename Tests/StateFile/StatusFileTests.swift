import Foundation
import Testing

@testable import StateFile

@Suite("A status file")
struct StatusFileTests {
  @Test("is replaced as a whole, is for everybody, and belongs to one run")
  func replaced() throws {
    let scratch = try Scratch()
    let file = try StatusFile(scratch.path)
    file.finish(Array("one, which is long\n".utf8))
    file.finish(Array("two\n".utf8))
    #expect(try String(contentsOfFile: scratch.path, encoding: .utf8) == "two\n")
    #expect(try scratch.names == ["state.json", "state.json.lock"])
    #expect(file.problem == nil)
    #expect {
      _ = try StatusFile(scratch.path)
    } throws: {
      ($0 as? StateProblem)?.what == "another run keeps its status here"
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
