import Foundation
import Testing

/// Receivers that recorded on several days, each day in a file of its own: what `clocks` and `analyze` say.
@Suite("clocks of receivers with several sessions", .timeLimit(.minutes(60)))
final class SessionClocksTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  /// - Parameters:
  ///   - path: of the recording: `hall/1.btsnoop`.
  ///   - start: by its clock.
  ///   - day: what is sent on it is the same for all.
  private func make(
    _ path: String, start: String, day: Int, seconds: Int = 420, steps: String = ""
  ) throws {
    let folder = scratch.folder.appending(path: path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let scenario = """
      {"name": "site", "start": "\(start)", "duration_s": \(seconds), "clock_steps": [\(steps)],
        "radio": {"loss": 0.3, "seed": \(path.utf8.reduce(0) { $0 * 3 % 1009 + Int($1) })},
        "observer": [[0, 1, 0]],
        "beacons": [
          {"name": "a\(day)", "kind": "ibeacon", "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "major": 1,
            "minor": 1, "address": "c4:a1:00:00:01:01", "at": [3, 4], "interval_ms": \(300 + day)},
          {"name": "b\(day)", "kind": "ibeacon", "uuid": "b9407f30-f5f8-466e-aff9-25556b57fe6d", "major": 1,
            "minor": 2, "address": "c4:a1:00:00:01:02", "at": [5, 2], "interval_ms": \(500 + day)}]}
      """
    try scratch.write("scenario.json", Array(scenario.utf8))
    let made = try Tool.run(
      "synth", "--scenario", "scenario.json", "--out", path, in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
  }

  private func run(_ words: [String]) throws -> Run {
    let run = try Tool.run(words, in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    return run
  }

  private static func flat(_ text: String) -> String {
    text.split { " \n".contains($0) }.joined(separator: " ")
  }

  /// Values of the `--clock` options that it proposes.
  private static func proposals(_ output: String) -> [String] {
    output.split(separator: "\n").filter { $0.hasPrefix("    --clock ") }
      .map { $0.dropFirst(12).trimmingCharacters(in: ["'"]) }
  }

  private static let folders = ["--observers", "folder"]

  @Test("never agree where one session is minutes off; one of the two was set, nobody knows which")
  func sessionOff() throws {
    try make("site/hall/1.btsnoop", start: "2026-05-19T10:00:00Z", day: 1)
    try make("site/door/1.btsnoop", start: "2026-05-19T10:00:00Z", day: 1)
    try make("site/hall/2.btsnoop", start: "2026-05-27T10:07:00Z", day: 2)
    try make("site/door/2.btsnoop", start: "2026-05-27T10:00:00Z", day: 2)
    let told = try run(["clocks", "--against", "door"] + Self.folders + ["site"])
    let text = Self.flat(told.output)
    #expect(!text.contains("agree within"), "\(told.output)")
    #expect(
      text.contains(
        "hall does not keep one difference: hall was set between site/hall/1.btsnoop and site/hall/2.btsnoop, or door "
          + "between site/door/1.btsnoop and site/door/2.btsnoop"), "\(told.output)")
    #expect(Self.proposals(told.output) == ["site/hall/2.btsnoop=-420.000s"])
    let analysis = Self.flat(try run(["analyze"] + Self.folders + ["site"]).output)
    #expect(analysis.contains("is at times 7 min 00.000 s"), "\(analysis)")
    #expect(analysis.contains("packets do not tell which"))
    #expect(!analysis.contains("while it recorded"))
    let after = try run(
      ["clocks", "--clock", "site/hall/2.btsnoop=-420s"] + Self.folders + ["site"])
    #expect(after.output.contains("Their clocks agree within 50 ms."), "\(after.output)")
  }

  @Test("a third receiver settles which of them was set") func third() throws {
    for name in ["hall", "door", "yard"] {
      try make("site/\(name)/1.btsnoop", start: "2026-05-19T10:00:00Z", day: 1)
      let minute = name == "hall" ? "07" : "00"
      try make("site/\(name)/2.btsnoop", start: "2026-05-27T10:\(minute):00Z", day: 2)
    }
    let told = try run(["clocks"] + Self.folders + ["site"])
    #expect(
      Self.flat(told.output).contains(
        "hall was set between site/hall/1.btsnoop and site/hall/2.btsnoop:"),
      "\(told.output)")
    #expect(Self.proposals(told.output) == ["site/hall/2.btsnoop=-420.000s"])
  }

  @Test("a drift over days is told as that, with an option for each file") func drift() throws {
    // 20 ppm: a millisecond in 50 s, 1.728 s in a day.
    let steps = stride(from: 25, to: 420, by: 50).map { #"{"at_s": \#($0), "step_s": 0.001}"# }
      .joined(separator: ", ")
    for (day, late) in [(19, 0.0), (20, 1.728), (21, 3.456)] {
      try make("site/hall/\(day).btsnoop", start: "2026-05-\(day)T10:00:00Z", day: day)
      try make(
        "site/yard/\(day).btsnoop", start: "2026-05-\(day)T10:07:00Z", day: day,
        steps: (late > 0 ? #"{"at_s": 0.001, "step_s": \#(late)}, "# : "") + steps)
    }
    let told = try run(["clocks", "--against", "hall"] + Self.folders + ["site"])
    let proposals = Self.proposals(told.output)
    #expect(!told.output.contains("was set"), "\(told.output)")
    #expect(
      proposals.count == 3
        && proposals.allSatisfy { $0.contains(",drift=20.") || $0.contains(",drift=19.") })
    let analysis = Self.flat(try run(["analyze"] + Self.folders + ["site"]).output)
    #expect(analysis.contains("drifts: at times it is 7 min 03.4"), "\(analysis)")
    let after = try run(
      ["clocks"] + proposals.flatMap { ["--clock", $0] } + Self.folders + ["site"])
    #expect(after.output.contains("Their clocks agree within 50 ms."), "\(after.output)")
  }

  @Test(
    "what may be a drift is told as one of two things, where no session was long enough to measure it"
  )
  func guessedDrift() throws {
    for (day, late) in [(19, "00"), (21, "03")] {
      try make(
        "site/hall/\(day).btsnoop", start: "2026-05-\(day)T10:00:00Z", day: day, seconds: 120)
      try make(
        "site/yard/\(day).btsnoop", start: "2026-05-\(day)T10:00:\(late)Z", day: day, seconds: 120)
    }
    let told = Self.flat(
      try run(["clocks", "--against", "hall"] + Self.folders + ["site"]).output)
    #expect(
      told.contains(
        "yard drifts, or was set between site/yard/19.btsnoop and site/yard/21.btsnoop:"),
      "\(told)")
    let analysis = Self.flat(try run(["analyze"] + Self.folders + ["site"]).output)
    #expect(analysis.contains("drifts, or was set between"), "\(analysis)")
  }

  @Test("a step back of another size does not settle which of two was set") func otherStep() throws
  {
    try make(
      "hall.btsnoop", start: "2026-05-19T10:01:00Z", day: 1, seconds: 900,
      steps: #"{"at_s": 3, "step_s": -60}"#)
    try make(
      "door.btsnoop", start: "2026-05-19T10:00:00Z", day: 1, seconds: 900,
      steps: #"{"at_s": 400, "step_s": 5}"#)
    let told = Self.flat(
      try run(["clocks", "--against", "hall.btsnoop", "hall.btsnoop", "door.btsnoop"]).output)
    #expect(
      told.contains("door.btsnoop or hall.btsnoop was set while both recorded"), "\(told)")
  }

  @Test("captures that were not compared are named, and nothing is said of how they go")
  func notCompared() throws {
    try make("site/hall/1.btsnoop", start: "2026-05-19T10:00:00Z", day: 1)
    try make("site/door/1.btsnoop", start: "2026-05-19T10:00:00Z", day: 1)
    try make("site/door/2.btsnoop", start: "2026-05-27T10:00:00Z", day: 2)
    let told = Self.flat(try run(["clocks"] + Self.folders + ["site"]).output)
    #expect(
      told.contains(
        "NOT KNOWN site/door/2.btsnoop: no packet of it was found in another receiver's"),
      "\(told)")
    #expect(told.contains("agree within 50 ms where they were compared"))
    let json = try JSON(try run(["clocks", "--format", "json"] + Self.folders + ["site"]).bytes)
    #expect(json["not_compared"]?.list?.map(\.text) == ["site/door/2.btsnoop"])
    let analysis = try JSON(
      try run(["analyze", "--format", "json"] + Self.folders + ["site"]).bytes)
    let remarks = (analysis["remarks"]?.list ?? []).filter {
      $0["code"]?.text?.hasPrefix("clocks_") == true
    }
    #expect(remarks.map { $0["code"]?.text } == ["clocks_not_known"])
    #expect(remarks.first?["text"]?.text?.contains("No packet of site/door/2.btsnoop was") == true)
  }

  @Test("stays within 80 columns over two days, and where clocks go back") func width() throws {
    for (name, start) in [("days", "2026-05-19T23:57:00Z"), ("night", "2026-10-25T00:57:00Z")] {
      let long = "\(name)/a-recording-of-the-northern-hall.btsnoop"
      try make(long, start: start, day: 1)
      try make(
        "\(name)/set.btsnoop", start: start, day: 1, steps: #"{"at_s": 120, "step_s": 900}"#)
      for zone in ["", " --local"] {
        let told = try Tool.shell(
          "TZ=CET-1CEST,M3.5.0,M10.5.0/3 \"$TOOL\" clocks\(zone) --against \(long) \(name)",
          in: scratch.folder)
        #expect(told.status == 0, "\(told.errors)")
        #expect(told.lines.allSatisfy { $0.count <= 80 }, "\(told.output)")
        // Figures stand below their headings.
        let heading = try #require(told.lines.first { $0.hasSuffix("   packets") })
        let figures = told.lines.filter { $0.contains(" ppm ") || $0.contains("–   ") }
        #expect(figures.count == 2 && figures.allSatisfy { $0.count == heading.count })
      }
    }
  }

  @Test("what it proposes is safe for a terminal, and a shell takes it") func names() throws {
    try make("hall.btsnoop", start: "2026-05-19T10:00:00Z", day: 1)
    let odd = "o'dd/e\u{1b}[31mx\u{202e}\n\\.btsnoop"
    try make(odd, start: "2026-05-19T10:05:00Z", day: 1)
    let told = try run(["clocks", "--against", "hall.btsnoop", "hall.btsnoop", "o'dd"])
    #expect(!told.output.contains("\u{1b}") && !told.output.contains("\u{202e}"), "\(told.output)")
    let option = try #require(told.lines.first { $0.hasPrefix("    --clock ") })
    let after = try Tool.shell(
      "\"$TOOL\" clocks \(option.dropFirst(4)) hall.btsnoop o\\'dd", in: scratch.folder)
    #expect(
      after.output.contains("Their clocks agree within 50 ms."), "\(after.output)\(after.errors)")
  }
}
