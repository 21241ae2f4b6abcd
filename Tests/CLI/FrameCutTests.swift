import Foundation
import Testing

/// `sightings --write`: the frames of sightings, cut out.
@Suite(.timeLimit(.minutes(60)))
struct FrameCutTests {
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    try scratch.write("walk.gz", Captures.read(Captures.walk))
    try scratch.write("phone.log", Captures.read(Captures.h4))
  }

  private func run(_ words: [String]) throws -> Run { try Tool.run(words, in: scratch.folder) }

  private static let tag = #"address == "c4:a1:00:00:04:01""#
  private static let window = ["--from", "2026-05-19 10:06", "--to", "2026-05-19 10:12"]

  private func cutHolds(_ text: String) throws -> Bool {
    let bytes = [UInt8](try Data(contentsOf: scratch.folder.appending(path: "cut.pcapng")))
    return bytes.firstRange(of: Array(text.utf8)) != nil
  }

  /// What sightings of the cut say, but for names and frame numbers, is what those of the captures say.
  private func sightings(_ words: [String]) throws -> [String] {
    let run = try run(["sightings", "--format", "ndjson", "-q"] + words)
    return try run.lines.map { line in
      let json = try JSON(line)
      return ["time", "address", "rssi", "kind", "uuid", "major", "minor"].map { key in
        json[key]?.text ?? json[key]?.number.map { "\($0)" } ?? "-"
      }.joined(separator: " ")
    }
  }

  @Test func theCutHoldsTheSightingsThatWereAskedFor() throws {
    let made = try run(
      ["sightings", "--where", Self.tag] + Self.window + [
        "--write", "cut.pcapng", "walk.gz", "phone.log",
      ])
    #expect(made.status == 0 && made.output.isEmpty, "\(made.errors)")
    let asked = try sightings(["--where", Self.tag] + Self.window + ["walk.gz", "phone.log"])
    #expect(asked.count > 300)
    #expect(try sightings(["cut.pcapng"]).sorted() == asked.sorted())
    #expect(made.errors.contains("Wrote cut.pcapng: "))
    let info = try JSON(try run(["info", "--format", "json", "cut.pcapng"]).bytes)
    let times = info["captures"]?.list?.first?["clock"]
    #expect(times?["largest_step_back_s"]?.number == 0)
  }

  /// The same packets, found in the captures by the numbers in the comments.
  @Test func eachFrameSaysWhereItComesFrom() throws {
    _ = try run(["sightings", "--where", Self.tag, "--write", "cut.pcapng", "walk.gz"])
    let all = try run(["sightings", "--format", "ndjson", "--where", Self.tag, "walk.gz"])
    #expect(all.lines.count > 1000)
    for line in all.lines.prefix(50) {
      let frame = try #require(try JSON(line)["frame"]?.number)
      #expect(try cutHolds("walk.gz frame \(Int(frame))"))
    }
    #expect(try cutHolds("Frames cut out by beacontrace: --where 'address"))
    #expect(try cutHolds("sha256 "))
  }

  /// Radios of one capture stay apart.
  @Test func interfacesStayApart() throws {
    // Of several captures a cut is one with several interfaces.
    _ = try run(["sightings", "--write", "both.pcapng", "walk.gz", "phone.log"])
    func observers(_ name: String) throws -> [Double] {
      let run = try run(["sightings", "--format", "ndjson", "-q", name])
      var counts: [String: Double] = [:]
      for line in run.lines { counts[try JSON(line)["observer"]?.text ?? "", default: 0] += 1 }
      return counts.values.sorted()
    }
    _ = try run(["sightings", "--write", "cut.pcapng", "both.pcapng"])
    #expect(try observers("cut.pcapng") == observers("both.pcapng"))
    #expect(try observers("both.pcapng").count == 2)
  }

  @Test func aMovedClockMovesTheFramesAndSaysSo() throws {
    let made = try run([
      "sightings", "--where", Self.tag, "--clock", "+2h", "--write", "cut.pcapng", "walk.gz",
    ])
    #expect(made.status == 0)
    let moved = try sightings(["--where", Self.tag, "--clock", "+2h", "walk.gz"])
    #expect(try sightings(["cut.pcapng"]) == moved)
    #expect(try cutHolds("its times are told 2 h 00 min later"))
  }

  /// A recorder, or a hostile hand, may claim that packets were as long as a number can say; a cut puts a header
  /// before each.
  @Test func framesThatClaimTheLargestLengthAreCutOut() throws {
    var bytes = try Captures.read(Captures.h4)
    var (place, number) = (16, 0)
    while place + 24 <= bytes.count {
      let included = bytes[(place + 4)..<(place + 8)].reduce(0) { $0 << 8 | Int($1) }
      // More of them in a row would be damage.
      if number % 4 == 3 {
        bytes.replaceSubrange(place..<(place + 4), with: [0xFF, 0xFF, 0xFF, 0xFF])
      }
      place += 24 + included
      number += 1
    }
    try scratch.write("long.log", bytes)
    let made = try run(["sightings", "--write", "cut.pcapng", "long.log"])
    #expect(made.status == 0, "\(made.errors)")
    let asked = try sightings(["phone.log"])
    #expect(asked.count > 10)
    #expect(try sightings(["cut.pcapng"]) == asked)
    #expect(try run(["share", "--into", "shared", "long.log"]).status == 0)
  }

  /// What an earlier run wrote there is not taken for what this one found.
  @Test func whereNothingMatchesTheCutIsEmpty() throws {
    _ = try run(["sightings", "-q", "--write", "cut.pcapng", "phone.log"])
    let none = try run(["sightings", "--where", Self.tag, "--write", "cut.pcapng", "phone.log"])
    #expect(none.status == 0)
    #expect(none.errors.contains("cut.pcapng"))
    #expect(none.errors.contains("a capture without a frame"), "\(none.errors)")
    let read = try run(["sightings", "cut.pcapng"])
    #expect(read.output.isEmpty)
    let info = try JSON(try run(["info", "--format", "json", "cut.pcapng"]).bytes)
    #expect(info["captures"]?.list?.first?["records"]?["total"]?.int == 0)
  }

  /// Who is sighted may stand in another frame than the one in which the advertisement began. Over the air that is
  /// a chain of packets, and the address may stand in what points to it.
  @Test("what was put together from several frames is cut out whole", arguments: [187, 251, 272])
  func severalFrames(_ link: Int) throws {
    let made = try run([
      "synth", "--scenario", "workshop", "--link", "\(link)", "--out", "day.pcapng",
    ])
    #expect(made.status == 0, "\(made.errors)")
    _ = try run(["sightings", "-q", "--write", "cut.pcapng", "day.pcapng"])
    let asked = try sightings(["day.pcapng"])
    #expect(asked.count > 900)
    #expect(try sightings(["cut.pcapng"]) == asked)
  }

  @Test(arguments: [
    (["--write", "cut.pcapng", "--format", "csv", "phone.log"], Int32(64), "leave --format out"),
    (["--write", "cut.pcapng.gz", "phone.log"], 64, "call it cut.pcapng."),
    (["--write", "cut.csv", "phone.log"], 64, "call it cut.pcapng."),
    (["--write", "phone.log", "phone.log"], 64, "phone.log"),
    (["--write", "no/where.pcapng", "phone.log"], 74, "no/where.pcapng"),
    (["--write", "cut.pcapng", "none.log"], 66, "none.log"),
  ])
  func mistakesAreNamed(_ words: [String], _ status: Int32, _ said: String) throws {
    let run = try run(["sightings"] + words)
    #expect(run.status == status, "\(run.errors)")
    #expect(run.errors.contains(said), "\(run.errors)")
  }
}
