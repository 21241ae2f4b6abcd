import CLuaGuard
import Foundation
import Testing

/// What the guard has written anew or put something before gives what Lua's own libraries give.
@Suite struct SameTests {
  static let files = Trial.files("Same")

  @Test("Results and messages are those of Lua's own libraries", arguments: files)
  func same(_ file: URL) throws {
    let program = try String(contentsOf: file, encoding: .utf8)
    let stock = Trial.stock(program)
    let guarded = Trial(
      "print((function(...) \(program)\nend)())", name: "program", limits: Trial.wide)
    #expect(guarded.status == GUARD_OK, "\(guarded.message)")
    let expected = stock.split(separator: "\n", omittingEmptySubsequences: false)
    let lines = guarded.lines
    #expect(expected.count > 10)
    #expect(lines.count == expected.count)
    for (number, (line, other)) in zip(lines, expected).enumerated() where line != other {
      Issue.record("line \(number + 1): \(line), Lua: \(other)")
      break
    }
  }
}
