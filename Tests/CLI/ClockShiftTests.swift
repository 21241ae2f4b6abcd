import Foundation
import Testing

/// Captures whose clocks were wrong.
@Suite(.timeLimit(.minutes(60)))
struct ClockShiftTests {
  private static let walk = Captures.folder.appending(path: Captures.walk).path

  private static func words(_ output: String) -> String {
    output.split { " \n".contains($0) }.joined(separator: " ")
  }

  private static func lines(_ run: Run) throws -> [JSON] { try run.lines.map { try JSON($0) } }

  @Test func everyTimeIsMovedAndNothingElse() throws {
    let plain = try Tool.run("sightings", "--format", "ndjson", Self.walk)
    let moved = try Tool.run(
      "sightings", "--format", "ndjson", "--clock", "\(Self.walk)=+2h", Self.walk)
    #expect(moved.output.replacing("T12:", with: "T10:") == plain.output)
    let earlier = try Tool.run("sightings", "--format", "ndjson", "--clock=-10h", Self.walk)
    #expect(earlier.output.replacing("T00:", with: "T10:") == plain.output)
  }

  /// Regions, visits, grades: as they were, but for their times and what follows from these.
  @Test func regionsAreThoseOfTheCaptureAtOtherTimes() throws {
    func told(_ options: [String]) throws -> [String] {
      let run = try Tool.run(["events", "--format", "ndjson"] + options + [Self.walk])
      return try Self.lines(run).map { event in
        "\(event["type"]?.text ?? "") \(event["region"]?.text ?? "") \(event["grade"]?.text ?? "") "
          + (event["time"]?.text ?? "").replacing("T12:", with: "T10:")
      }
    }
    #expect(try told(["--clock", "+2h"]) == told([]))
  }

  @Test func theTimeOfTheFirstRecordSetsTheClock() throws {
    let run = try Tool.run(
      "analyze", "--format", "json", "--clock", "\(Self.walk)=2024-02-29T23:59:59+01:00", Self.walk)
    let capture = try JSON(run.bytes)["captures"]?.list?.first
    #expect(
      capture?["from"]?.text?.hasPrefix("2024-02-29T22:59:59.000") == true,
      "\(capture as Any)")
  }

  @Test func itIsToldWhereverTimesAre() throws {
    let text = try Tool.run("analyze", "--clock", "+2h", Self.walk)
    #expect(
      Self.words(text.output).contains(
        "! its times are told 2 h 00 min later than they stand in it: --clock says that its clock was "
          + "wrong."))
    let json = try Tool.run("analyze", "--format", "json", "--clock=-90s", Self.walk)
    let clock = try JSON(json.bytes)["captures"]?.list?.first?["clock"]
    #expect(clock?["moved_s"]?.number == -90)
    let events = try Tool.run("events", "--format", "ndjson", "--clock", "+2h", Self.walk)
    let exit = try Self.lines(events).first { $0["type"]?.text == "exit" }
    let id = try #require(exit?["id"]?.text)
    let why = try Tool.run("explain", "--clock", "+2h", id, Self.walk)
    #expect(why.status == 0)
    #expect(Self.words(why.output).contains("its times are told 2 h 00 min later"))
  }

  @Test func infoSaysWhatCapturesComeToTogether() throws {
    let run = try Tool.run("info", Self.walk, Captures.h4, "--clock", "\(Self.walk)=+2h")
    #expect(run.output.contains("2 captures together\n  size        "))
    #expect(run.lines.filter { $0.hasPrefix("  from ") }.count == 3)
    #expect(Self.words(run.output).contains("its times are told 2 h 00 min later"))
    #expect(!(try Tool.run("info", Self.walk)).output.contains("together"))
  }

  @Test func aFolderStandsForItsCaptures() throws {
    let scratch = try Scratch()
    for name in ["pi/a.btsnoop", "pi/b.btsnoop", "phone.btsnoop"] {
      try FileManager.default.createDirectory(
        at: scratch.folder.appending(path: "pi"), withIntermediateDirectories: true)
      var bytes = try Captures.read(Captures.h4)
      // Copies, byte for byte, would be left out.
      if name == "pi/b.btsnoop" { bytes[bytes.count - 1] ^= 1 }
      try scratch.write(name, bytes)
    }
    let run = try Tool.run(
      "analyze", "--format", "json", "--clock", "pi=+1h", "pi", "phone.btsnoop", in: scratch.folder)
    let moved = try JSON(run.bytes)["captures"]?.list?.map { $0["clock"]?["moved_s"]?.number }
    #expect(moved == [3600, 3600, nil])
  }

  @Test(arguments: [
    ("+2", Int32(0), ""), ("x=+2h", 64, "'x' is none of the captures"),
    ("2h", 64, "says neither by how much"), ("+2y", 64, "says neither by how much"),
    ("2026-05-19T10:00:00", 64, "the time has no zone"),
  ])
  func mistakesAreNamed(_ word: String, _ status: Int32, _ said: String) throws {
    let run = try Tool.run("analyze", "--clock", word, Self.walk)
    #expect(run.status == status)
    #expect(run.errors.contains(said) || said.isEmpty, "\(run.errors)")
  }

  @Test func aClockIsMovedOnce() throws {
    let run = try Tool.run("analyze", "--clock", "+2h", "--clock", "\(Self.walk)=+3h", Self.walk)
    #expect(run.status == 64)
    #expect(run.errors.contains("is moved twice"))
    let pipe = try Tool.shell(
      "cat '\(Self.walk)' | \"$TOOL\" sightings --clock 2026-05-19T12:00:00Z - | sed -n 2p")
    #expect(pipe.output.hasPrefix("12:00:00"))
    let shifted = try Tool.shell(
      "cat '\(Self.walk)' | \"$TOOL\" sightings --clock +2h - | sed -n 2p")
    #expect(shifted.output.hasPrefix("12:00:00"))
  }

  /// A word for one side is not asked of the other, and one for neither is refused.
  @Test func eachSideOfAComparisonHasItsOwnClocks() throws {
    let run = try Tool.run(
      "compare", "--format", "json", "--clock", "\(Captures.h4)=+24h", Self.walk, Captures.h4)
    #expect(run.status == 0, "\(run.errors)")
    let plain = try Tool.run("compare", "--format", "json", Self.walk, Captures.h4)
    let sides = try [run, plain].map { try JSON($0.bytes) }
    #expect(sides[0]["before"]?["from"] == sides[1]["before"]?["from"])
    #expect(sides[0]["before"]?["from"]?.text != nil)
    #expect(sides[0]["after"]?["from"] != sides[1]["after"]?["from"])
    let neither = try Tool.run("compare", "--clock", "x=+24h", Self.walk, Captures.h4)
    #expect(neither.status == 64)
    #expect(neither.errors.contains("'x' is none of the captures"))
  }

  /// btsnoop counts from the year 0: one record at the end of what 64 bits hold, and one without a time.
  @Test func whatCannotBeMovedSoFarIsTold() throws {
    let scratch = try Scratch()
    let head = Array("btsnoop\0".utf8) + [0, 0, 0, 1, 0, 0, 0x03, 0xEA]
    func file(_ microseconds: Int64) -> [UInt8] {
      let time = UInt64(bitPattern: microseconds &+ 0x00DC_DDB3_0F2F_8000)
      return head + [0, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 0]
        + (0..<8).map { UInt8(truncatingIfNeeded: time >> UInt64(56 - 8 * $0)) } + [4, 0x13, 1, 0]
    }
    try scratch.write("far.btsnoop", file(9_200_000_000_000_000))
    let far = try Tool.run(
      "info", "--clock", "far.btsnoop=1700-01-01T00:00:00Z", "far.btsnoop", in: scratch.folder)
    #expect(far.status == 64)
    #expect(far.errors.contains("than clocks can be moved"), "\(far.output)\(far.errors)")
    try scratch.write("none.btsnoop", file(.max / 4))
    let none = try Tool.run(
      "info", "--clock", "none.btsnoop=2026-01-01T00:00:00Z", "none.btsnoop", in: scratch.folder)
    #expect(none.status == 64)
    #expect(
      none.errors.contains("no record of none.btsnoop has a time"), "\(none.output)\(none.errors)")
  }

  @Test func aCaseKeepsItAndTakesOthers() throws {
    let scratch = try Scratch()
    try scratch.write("a.btsnoop", Captures.read(Captures.h4))
    try scratch.write("b.gz", Array(Data(contentsOf: URL(filePath: Self.walk))))
    let made = try Tool.run(
      "analyze", "--case", "c.sqlite", "--clock", "+1h", "a.btsnoop", in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let added = try Tool.run(
      "analyze", "--case", "c.sqlite", "--clock", "b.gz=-30s", "b.gz", in: scratch.folder)
    #expect(added.status == 0, "\(added.errors)")
    let words = try Tool.run(
      "case", "query", "--format", "csv", "c.sqlite", "SELECT word FROM options", in: scratch.folder
    )
    #expect(words.output.contains("--clock=a.btsnoop=+1h"))
    #expect(words.output.contains("--clock=b.gz=-30s"))
    let why = try Tool.run(
      "explain", "--clock", "+1h", "0000000000000000", "c.sqlite", in: scratch.folder)
    #expect(why.status == 64)
    #expect(why.errors.contains("--clock: a case has the options of its run"))
    let verified = try Tool.run("case", "verify", "c.sqlite", in: scratch.folder)
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
  }
}
