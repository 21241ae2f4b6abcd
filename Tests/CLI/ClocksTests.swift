import Foundation
import Testing

/// `clocks` through the built tool: several radios of one site, each by a clock of its own.
@Suite(.timeLimit(.minutes(60)))
struct ClocksTests {
  let scratch: Scratch

  /// - Parameters:
  ///   - seed: of what the radio hears.
  ///   - start: by its clock.
  ///   - steps: of its clock.
  private static func scenario(
    _ seed: Int, _ start: String = "2026-05-19T10:00:00Z", _ steps: String = ""
  ) -> String {
    """
    {"name": "hall", "start": "\(start)", "duration_s": 420,
      "radio": {"loss": 0.3, "seed": \(seed)}, "observer": [[0, \(seed), 0]],
      "clock_steps": [\(steps)],
      "beacons": [
        {"name": "a", "kind": "ibeacon", "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "major": 1,
          "minor": 1, "address": "c4:a1:00:00:01:01", "at": [3, 4], "interval_ms": 300},
        {"name": "b", "kind": "ibeacon", "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "major": 1,
          "minor": 2, "address": "c4:a1:00:00:01:02", "at": [5, 2], "interval_ms": 500}]}
    """
  }

  init() throws {
    scratch = try Scratch()
    try make("north.pcapng", Self.scenario(1))
    try make("south.btsnoop", Self.scenario(2))
    try make("pi.pcapng", Self.scenario(3, "2026-05-19T07:59:57Z"))
    try make(
      "set.pcapng",
      Self.scenario(4, "2001-01-01T00:00:10Z", #"{"at_s": 200, "step_s": 800877590.5}"#))
  }

  private func make(_ name: String, _ scenario: String) throws {
    try scratch.write("\(name).json", Array(scenario.utf8))
    let made = try Tool.run(
      "synth", "--scenario", "\(name).json", "--out", name, in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
  }

  private func run(_ words: [String]) throws -> Run { try Tool.run(words, in: scratch.folder) }

  private static let all = ["north.pcapng", "south.btsnoop", "pi.pcapng", "set.pcapng"]

  /// What `--clock` options it proposes.
  private static func proposals(_ output: String) -> [String] {
    output.split(separator: "\n").filter { $0.hasPrefix("    --clock ") }
      .map { $0.dropFirst(12).trimmingCharacters(in: ["'"]) }
  }

  @Test func itTellsEachClockAndWhatMendsIt() throws {
    let run = try run(["clocks", "--against", "north.pcapng"] + Self.all)
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("    --clock ") })
    func words(_ name: String) -> String {
      run.lines.first { $0.hasPrefix("  \(name)") }?.split(separator: " ").joined(separator: " ")
        ?? ""
    }
    #expect(words("south.btsnoop").hasPrefix("south.btsnoop the same"))
    #expect(words("pi.pcapng").hasPrefix("pi.pcapng 2 h 00 min 03.000 s behind"))
    #expect(words("set.pcapng").hasPrefix("set.pcapng was set while it recorded"))
    let proposals = Self.proposals(run.output)
    #expect(proposals.count == 3)
    #expect(proposals.first == "pi.pcapng=+7203.000s")
    #expect(proposals.dropFirst().first?.hasPrefix("set.pcapng=+800877590.000s,until=") == true)
    #expect(proposals.last?.hasPrefix("set.pcapng=-0.500s,from=") == true)
  }

  /// By the proposed options clocks agree, and what was heard is where it belongs.
  @Test func whatItProposesMakesThemAgree() throws {
    let proposals = Self.proposals(
      try run(["clocks", "--against", "north.pcapng"] + Self.all).output)
    let options = proposals.flatMap { ["--clock", $0] }
    let after = try run(["clocks", "--against", "north.pcapng"] + options + Self.all)
    #expect(after.output.contains("Their clocks agree within 50 ms."), "\(after.output)")
    #expect(Self.proposals(after.output).isEmpty)
    let told = try run(["info", "--format", "json"] + options + Self.all)
    for capture in try JSON(told.bytes)["captures"]?.list ?? [] {
      #expect(capture["from"]?.text?.hasPrefix("2026-05-19T09:59:59") == true)
      #expect(capture["to"]?.text?.hasPrefix("2026-05-19T10:0") == true)
    }
    let case1 = try run(["analyze", "--case", "one.sqlite"] + options + Self.all)
    #expect(case1.status == 0, "\(case1.errors)")
    #expect(try run(["case", "verify", "one.sqlite"]).status == 0)
  }

  @Test func aClockThatWasSetBackIsToBeCut() throws {
    try make(
      "back.pcapng",
      Self.scenario(6, "2026-05-19T10:00:00Z", #"{"at_s": 200, "step_s": -20}"#))
    let run = try run(["clocks", "--against", "north.pcapng", "north.pcapng", "back.pcapng"])
    let words = run.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(
      words.contains("back.pcapng was set back while it recorded, and shows some times twice"))
    #expect(Self.proposals(run.output).isEmpty)
    #expect(!words.contains("agree"))
  }

  /// What is moved in parts is not proposed to be moved once more as a whole.
  @Test func whatIsMovedInPartsIsLeftToItsMaker() throws {
    let run = try run([
      "clocks", "--against", "north.pcapng", "--clock", "pi.pcapng=+2h,drift=500ppm",
      "north.pcapng",
      "pi.pcapng",
    ])
    let words = run.output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(words.contains("pi.pcapng is moved in parts, or without its drift, by --clock already"))
    #expect(!words.contains("agree"))
  }

  @Test func jsonHasEveryPoint() throws {
    let run = try run(["clocks", "--format", "json", "--against", "north.pcapng"] + Self.all)
    let json = try JSON(run.bytes)
    let group = json["groups"]?.list?.first
    #expect(group?["against"]?.text == "north.pcapng")
    let captures = group?["captures"]?.list ?? []
    #expect(captures.map { $0["capture"]?.text } == ["south.btsnoop", "pi.pcapng", "set.pcapng"])
    let ahead = try #require(captures.dropFirst().first?["ahead_s"]?.number)
    #expect(abs(ahead + 7203) < 0.001)
    let pieces = captures.last?["pieces"]?.list ?? []
    #expect(pieces.count == 2)
    for piece in pieces {
      let points = piece["points"]?.list ?? []
      #expect(!points.isEmpty)
      let packets = points.compactMap { $0["packets"]?.number }.reduce(0, +)
      #expect(packets == piece["packets"]?.number)
    }
  }

  @Test func whatIsOfAnotherDayOrEmptyIsNamed() throws {
    try scratch.write("walk.gz", Captures.read(Captures.walk))
    try make(
      "c.pcapng",
      Self.scenario(5).replacing("c4:a1:00:00", with: "c4:a1:77:77"))
    let run = try run(["clocks", "north.pcapng", "south.btsnoop", "walk.gz", "c.pcapng"])
    #expect(run.output.contains("NOT KNOWN"))
    #expect(
      run.output.contains("  walk.gz: 2 advertisers in common with another capture, and too few"))
    #expect(run.output.contains("  c.pcapng: no other capture has an advertiser that it has."))
  }

  @Test func analysesOfSeveralCapturesSayWhetherTheirClocksAgree() throws {
    let two = try run(["analyze", "north.pcapng", "south.btsnoop"])
    #expect(two.output.contains("The clocks of these captures agree within 50 ms"))
    #expect(!(try run(["analyze", "north.pcapng"])).output.contains("clocks of these"))
  }

  @Test(arguments: [
    (["north.pcapng"], Int32(64), "name two or more"),
    (["--against", "x", "north.pcapng", "pi.pcapng"], 64, "'x' is none of the captures"),
    (["north.pcapng", "missing.pcapng"], 66, "missing.pcapng"),
  ])
  func mistakesAreNamed(_ words: [String], _ status: Int32, _ said: String) throws {
    let run = try run(["clocks"] + words)
    #expect(run.status == status)
    #expect(run.errors.contains(said), "\(run.errors)")
  }

  @Test(arguments: [
    ("pi.pcapng=+2h,drift=2", "drift is how much faster"),
    ("pi.pcapng=+2h,drift=200000ppm", "drift is how much faster"),
    ("pi.pcapng=+2h,until=tomorrow", "'tomorrow' is no time"),
    ("pi.pcapng=+2h,until=2026-05-19T10:00:00", "the time has no zone"),
    (
      "pi.pcapng=+2h,from=2026-05-19T10:00:00Z,until=2026-05-19T10:00:00Z",
      "nothing is from that time on"
    ),
    ("pi.pcapng=2026-05-19T10:00:00Z,until=2001-05-19T10:00:00Z", "has a time in it"),
  ])
  func mistakesInPartsAreNamed(_ word: String, _ said: String) throws {
    let run = try run(["info", "--clock", word, "pi.pcapng"])
    #expect(run.status == 64)
    #expect(run.errors.contains(said), "\(run.errors)")
  }

  /// A clock that gains a tenth: an hour of it is 3272.727… s.
  @Test func aDriftIsTakenOut() throws {
    let run = try run([
      "sightings", "--format", "ndjson", "--clock", "+0s,drift=100000ppm", "north.pcapng",
    ])
    let plain = try self.run(["sightings", "--format", "ndjson", "north.pcapng"])
    func times(_ run: Run) throws -> [Double] {
      try run.lines.map { line in
        let text = try #require(try JSON(line)["time"]?.text)
        let clock = text.dropFirst(11).dropLast().split(separator: ":").compactMap { Double($0) }
        return clock[0] * 3600 + clock[1] * 60 + clock[2]
      }
    }
    let (moved, shown) = (try times(run), try times(plain))
    #expect(moved.count == shown.count && moved.count > 100)
    // The first record is that of the scan's beginning, at 10:00:00 or a moment before.
    let begin = try #require(shown.first)
    let early = begin - moved[0]
    #expect(early >= 0 && early < 0.2)
    for (moved, shown) in zip(moved, shown) {
      #expect(abs((shown - begin) / 1.1 - (moved - begin + early)) < 0.001)
    }
  }
}
