import Foundation
import Testing

/// What alerts on ranging lists cite: the frames of those whom they are about.
@Suite("An alert on a ranging list", .timeLimit(.minutes(60)))
struct RangingEvidenceTests {
  private static let rule = """
    region "all" { ibeacon = "\(SiteScene.uuid)" }
    on("ranging", { region = "all" }, function(e)
      for _, x in ipairs(e.entries) do
        if x.minor == 3 and x.samples > 0 then
          alert { title = "one", evidence = x, once_per = 3600 }
          alert { title = "all", evidence = e, once_per = 3600 }
          alert { title = "each", evidence = e.entries, once_per = 3600 }
        end
      end
    end)
    """

  @Test("cites the latest frames of its entries, or of the one that is named") func frames() throws
  {
    let scene = try SiteScene()
    try scene.record(beacons: 3, seconds: 60)
    try scene.scratch.write("r.lua", Array(Self.rule.utf8))
    var minors: [Int: Set<Int>] = [:]
    for line in try scene.run("sightings", "--format", "ndjson", "-q", "site.btsnoop").lines {
      let json = try JSON(Data(line.utf8))
      minors[json["frame"]?.int ?? 0, default: []].insert(json["minor"]?.int ?? 0)
    }
    let run = try scene.run(
      "events", "--ranging", "--format", "ndjson", "-q", "--plugin", "r.lua", "site.btsnoop")
    let events = try run.lines.map { try JSON(Data($0.utf8)) }
    let lists = events.filter { $0["type"]?.text == "ranging" }
    let cited = { (json: JSON) in (json["evidence"]?.list ?? []).compactMap { $0["frame"]?.int } }
    #expect(!lists.isEmpty)
    for list in lists {
      let entries = list["entries"]?.list ?? []
      for entry in entries {
        let frame = entry["frame"]?.int ?? 0
        #expect(minors[frame]?.contains(entry["minor"]?.int ?? 0) == true, "\(list)")
      }
      let new = entries.filter { ($0["samples"]?.int ?? 0) > 0 }
      #expect(cited(list) == (new.isEmpty ? entries : new).compactMap { $0["frame"]?.int })
    }
    let one = try #require(events.first { $0["title"]?.text == "one" }, "\(run.errors)")
    let all = try #require(events.first { $0["title"]?.text == "all" })
    let list = try #require(lists.first { all["events"]?.list?.first?.text == $0["id"]?.text })
    #expect(one["transmitter"]?["minor"]?.int == 3)
    #expect(cited(one).count == 1 && minors[cited(one)[0]] == [3])
    #expect(one["events"]?.list?.map(\.text) == [list["id"]?.text])
    #expect(cited(all) == cited(list) && cited(all).count > 1)
    let each = try #require(events.first { $0["title"]?.text == "each" })
    #expect(each["transmitter"] == nil && cited(each).count == list["entries"]?.list?.count)
    #expect(each["events"]?.list?.map(\.text) == [list["id"]?.text])
  }
}
