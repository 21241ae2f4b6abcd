import Plugins
import Testing

/// Everything that the reference shows runs, and does what it says.
@Suite("Examples of the reference, run", .timeLimit(.minutes(60)))
struct TestingExamplesTests {
  @Test("do what their tests say", arguments: Reference.examples.map(\.name))
  func examplesHold(_ name: String) throws {
    let example = try #require(Reference.examples.first { $0.name == name }?.example)
    var others = example.captures
    for (file, text) in example.modules { others[file] = Array(text.utf8) }
    let folder = try TestingFolder(example.plugin, tests: example.test, others)
    let file = try folder.load()
    #expect(!file.tests.isEmpty)
    for test in file.tests {
      let outcome = file.run(test)
      #expect(outcome.holds, "\(name), \(test.name):\n\(outcome.lines.joined(separator: "\n"))")
    }
  }
}
