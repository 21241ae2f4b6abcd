import Testing

/// Wrong words on the command line: 64, one sentence, and where to read on.
@Suite(.timeLimit(.minutes(10)))
struct UsageTests {
  @Test(arguments: [
    (["info"], "Missing expected argument '<capture> ...'"),
    (["sightings", "-", "-"], "Standard input (-) can be read once only."),
    (["analyze", "-v", "-q", "x"], "-v and -q contradict each other."),
    (["info", "--format", "xml", "x"], "Please provide one of 'text' and 'json'."),
    (
      ["sightings", "--format", "json", "x"],
      "Please provide one of 'text', 'ndjson' or 'csv'."
    ),
    (["info", "--forma", "text", "x"], "Did you mean '--format'?"),
    (["look"], "Unexpected argument 'look'"),
  ])
  func wrongUsage(_ words: [String], _ says: String) throws {
    let run = try Tool.run(words)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    let first = try #require(run.complaints.first)
    #expect(first.hasPrefix("Error: "))
    #expect(first.contains(says), "\(first)")
    #expect(run.complaints.last?.contains("--help' for more information") == true)
  }

  @Test(arguments: [["--help"], [], ["help", "sightings"]])
  func help(_ words: [String]) throws {
    let run = try Tool.run(words)
    #expect(run.status == 0)
    #expect(run.output.contains("USAGE: beacontrace"))
    #expect(run.errors.isEmpty)
    #expect(run.lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE:") })
  }

  @Test func helpHasTheExitStatuses() throws {
    let run = try Tool.run("--help")
    for status in ["0 ", "64", "65", "66", "74"] {
      #expect(run.lines.contains { $0.hasPrefix("  \(status)  ") }, "\(status)")
    }
  }

  @Test func version() throws {
    let run = try Tool.run("--version")
    #expect(run.status == 0)
    #expect(run.lines.count == 1)
  }
}
