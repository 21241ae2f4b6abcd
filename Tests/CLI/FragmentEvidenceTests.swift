import Foundation
import Testing

/// Events of beacons whose advertisements came in several frames, each of which may be the one in which they stand.
@Suite(.timeLimit(.minutes(60)))
struct FragmentEvidenceTests {
  private static let region = "ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:3:1"
  private static let uuid = "e2c56db5dffb48d2b060d0f5a71096e0"

  private static func scene(link: Int) throws -> (Scratch, [String]) {
    let scratch = try Scratch()
    let made = try Tool.run(
      "synth", "--scenario", "workshop", "--link", "\(link)", "--out", "day.pcapng",
      in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    return (scratch, ["--region", "g=\(region)", "day.pcapng"])
  }

  private static func entry(_ words: [String], in folder: URL) throws -> JSON {
    let events = try Tool.run(["events", "--format", "ndjson"] + words, in: folder)
    return try #require(
      try events.lines.map { try JSON($0) }.first { ["enter", "state"].contains($0["type"]?.text) })
  }

  /// Beside the frame that the event cites stands that which holds the identity, with its bytes.
  @Test(arguments: [187, 272])
  func theProofHoldsTheIdentity(_ link: Int) throws {
    let (scratch, words) = try Self.scene(link: link)
    let event = try Self.entry(words, in: scratch.folder)
    let id = try #require(event["id"]?.text)
    let cited = try #require(event["evidence"]?.list?.first?["frame"]?.int)
    let run = try Tool.run(["explain", "--format", "json", id] + words, in: scratch.folder)
    let chain = try JSON(run.output)
    let evidence = try #require(chain["evidence"]?.list)
    let own = try #require(evidence.first { $0["frame"]?.int == cited })
    #expect(own["words"]?.text?.contains(" dBm") == true, "\(own)")
    #expect(own["words"]?.text?.contains("no RSSI") == false, "\(own)")
    #expect(own["bytes"]?.text?.contains(Self.uuid) == false, "it is no case of several frames")
    let holder = try #require(evidence.first { $0["bytes"]?.text?.contains(Self.uuid) == true })
    #expect(holder["marks"]?.list?.contains { $0["name"]?.text == "uuid" } == true, "\(holder)")
    let number = try #require(holder["frame"]?.int)
    #expect(holder["words"]?.text?.contains("what began in frame \(cited)") == true, "\(holder)")
    #expect(chain["captures"]?.list?.first?["tshark"]?.text?.contains("\(number)") == true)
  }

  @Test(arguments: [187, 272])
  func aCaseKeepsAndExportsAllOfIt(_ link: Int) throws {
    let (scratch, words) = try Self.scene(link: link)
    let folder = scratch.folder
    let made = try Tool.run(["analyze", "-q", "--case", "c.sqlite"] + words, in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let id = try #require(try Self.entry(words, in: folder)["id"]?.text)
    let fromCase = try Tool.run("explain", id, "c.sqlite", in: folder)
    #expect(fromCase.output == (try Tool.run(["explain", id] + words, in: folder)).output)
    let parts = try Tool.run(
      "case", "query", "--format", "csv", "c.sqlite",
      "SELECT count(*) FROM evidence JOIN frames ON frame = number WHERE part_of IS NOT NULL",
      in: folder)
    #expect((parts.lines.last.flatMap { Int($0.filter(\.isNumber)) } ?? 0) > 0, "\(parts.output)")
    let cut = try Tool.run("export", "--to", "pcapng", "-o", "cited.pcapng", "c.sqlite", in: folder)
    #expect(cut.status == 0, "\(cut.errors)")
    let sightings = try Tool.run(
      "sightings", "--format", "ndjson", "-q", "cited.pcapng", in: folder)
    let seen = try sightings.lines.map { try JSON($0) }.filter { $0["major"]?.int == 3 }
    #expect(seen.contains { $0["minor"]?.int == 1 && $0["rssi"]?.int != nil })
    #expect(try Tool.run("case", "verify", "c.sqlite", in: folder).status == 0)
  }
}
