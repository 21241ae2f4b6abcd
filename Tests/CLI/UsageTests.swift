import Testing

/// Wrong words on the command line: 64, one sentence, and where to read on.
@Suite(.timeLimit(.minutes(60)))
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
    (["analyze", "--case", "-", "x"], "--case - : a case is a file"),
    (["analyze", "--report", "a", "--report", "b", "x"], "--report is given twice, and takes one"),
    (["analyze", "--case=a", "--case", "b", "x"], "--case is given twice, and takes one value."),
    (["events", "--from", "2026-05-19", "--from", "2026-05-20", "x"], "--from is given twice"),
    (["sightings", "--where", "a", "--where=b", "x"], "--where is given twice"),
    (["export", "--to", "eve", "--to", "geojson", "x"], "--to is given twice"),
    (["export", "--to", "eve", "-o", "a", "--out", "b", "x"], "--out is given twice"),
    (["synth", "--seed", "1", "--seed", "2", "--out", "x"], "--seed is given twice"),
    (
      ["case", "query", "--format", "csv", "--format", "json", "x", "y"], "--format is given twice"
    ),
    (["case", "report", "-o", "a", "-o", "b", "x"], "--out is given twice"),
    (["plugin", "stress", "--seed", "1", "--seed", "2", "x.lua", "y"], "--seed is given twice"),
  ])
  func wrongUsage(_ words: [String], _ says: String) throws {
    let run = try Tool.run(words)
    #expect(run.status == 64)
    #expect(run.output.isEmpty)
    let first = try #require(run.complaints.first)
    #expect(first.hasPrefix("Error: "))
    #expect(first.contains(says), "\(first)")
    #expect(
      run.complaints.last?.contains(/See 'beacontrace .*--help' for more information/) == true,
      "\(run.errors)")
  }

  @Test(arguments: [["--help"], [], ["help", "sightings"]])
  func help(_ words: [String]) throws {
    let run = try Tool.run(words)
    #expect(run.status == 0)
    #expect(run.output.contains("USAGE: beacontrace"))
    #expect(run.errors.isEmpty)
    #expect(run.lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE:") })
  }

  @Test func whatMayBeRepeatedIs() throws {
    let run = try Tool.run(
      "events", "--region", "a=ibeacon:\(WalkScene.uuid)", "--region",
      "b=ibeacon:\(WalkScene.uuid):1",
      "--set", "exit_after=20", "--set", "require_rssi=-90", "-v", "-v", Captures.h4)
    #expect(!run.errors.contains("is given twice"), "\(run.errors)")
    let two = try Tool.run(
      "devices", "--min-rssi", "-55", "-q", "--", Captures.h4, "--every", "--every")
    #expect(two.status == 66 && !two.errors.contains("is given twice"), "\(two.errors)")
  }

  /// A command may be parsed by itself; what it says of itself is the same.
  @Test(arguments: [
    ["analyze"], ["compare"], ["advise"], ["events"], ["explain"], ["sightings"], ["info"],
    ["case"],
    ["case", "info"],
    ["case", "query"], ["export"], ["live"], ["replay"], ["interfaces"], ["doctor"], ["plugin"],
    ["plugin", "test"], ["synth"],
  ])
  func helpIsTheSameBehindAndBefore(_ words: [String]) throws {
    let before = try Tool.run(["help"] + words)
    #expect(before.output.contains("USAGE: beacontrace \(words[0])"))
    for flag in ["--help", "-h"] {
      let behind = try Tool.run(words + [flag])
      #expect(behind.output == before.output && behind.status == 0)
    }
  }

  @Test(arguments: [["case", "help"], ["plugin", "help", "docs"], ["analyze", "help"]])
  func helpIsNoSubcommandOfOthers(_ words: [String]) throws {
    let run = try Tool.run(words)
    #expect(run.status != 0 && !run.output.contains("USAGE"))
  }

  @Test(arguments: [["--version"], ["analyze", "--version"], ["case", "info", "--version"]])
  func versionIsToldEverywhere(_ words: [String]) throws {
    let version = try Tool.run("--version").output
    let run = try Tool.run(words)
    #expect(run.status == 0 && run.output == version)
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
