import Deliveries
import Foundation
import Testing

/// Commands are parted into words as people expect, and by no shell.
@Suite struct CommandWordsTests {
  static let commands: [(String, [String])] = [
    ("notify", ["notify"]), ("  a   b\tc ", ["a", "b", "c"]), ("a 'b c' d", ["a", "b c", "d"]),
    ("a \"b 'c' d\"", ["a", "b 'c' d"]), ("a 'b \"c\" d'", ["a", "b \"c\" d"]),
    ("a b\\ c", ["a", "b c"]), ("a \"x\\\"y\\\\z\\n\"", ["a", "x\"y\\z\\n"]),
    ("a 'x\\y'", ["a", "x\\y"]), ("a '' \"\"", ["a", "", ""]), ("a x'y'\"z\"", ["a", "xyz"]),
    ("a $X `b` | c > d; e & *", ["a", "$X", "`b`", "|", "c", ">", "d;", "e", "&", "*"]),
  ]

  @Test("words, quotes and backslashes", arguments: commands)
  func words(_ command: String, _ words: [String]) throws {
    #expect(try CommandWords.split(command) == words)
  }

  @Test(
    "what is not a command is said",
    arguments: [
      ("a 'b", "a quote (') in"), ("a \"b", "a quote (\") in"), ("a b\\", "ends with a backslash"),
      ("", "no command"), ("   ", "no command"), ("'' a", "no command"), ("a \0", "NUL"),
    ])
  func mistakes(_ command: String, _ words: String) {
    let problem = #expect(throws: DeliveryProblem.self) { _ = try CommandWords.split(command) }
    #expect(problem?.what.contains(words) == true)
    #expect(problem?.remedy.isEmpty == false)
  }

  @Test("programs are looked for on the path, and must be programs")
  func programs() throws {
    let place = try Receiving()
    let script = try place.script("exit")
    let name = URL(filePath: script).lastPathComponent
    let folder = place.path("")
    try Data().write(to: URL(filePath: place.path("text")))
    try FileManager.default.createDirectory(
      atPath: place.path("folder"), withIntermediateDirectories: true)
    #expect(try CommandWords.find(name, path: "/nowhere::\(folder):/bin") == "\(folder)/\(name)")
    #expect(try CommandWords.find(script, path: "") == script)
    for other in ["text", "folder", "none", place.path("text"), place.path("folder"), "./none"] {
      #expect(throws: DeliveryProblem.self) {
        _ = try CommandWords.find(other, path: "/nowhere:\(folder)")
      }
    }
  }
}
