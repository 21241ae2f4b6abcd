import Foundation
import Testing

/// Two recordings of different days in one file, the later one first: what the second has is followed at the end of the
/// first, and whoever reads is told so wherever it is told.
@Suite("A file joined in the wrong order", .timeLimit(.minutes(60))) struct JoinedFileTests {
  private let site: SiteScene
  private var folder: URL { site.scratch.folder }
  private static let region = ["--region", "X=ibeacon:\(SiteScene.uuid):1:2"]

  /// `1:2` was there on 28 October alone.
  init() throws {
    site = try SiteScene()
    try site.record("first", beacons: 2, seconds: 300, start: "2026-10-28T22:30:00Z")
    try site.record("second", beacons: 1, seconds: 300, start: "2026-11-13T08:00:00Z")
    let own = site.scratch.folder
    let parts = try ["second", "first"].map {
      [UInt8](try Data(contentsOf: own.appending(path: "\($0).btsnoop")))
    }
    length = parts[0].count
    try site.scratch.write("cat.btsnoop", parts[0] + parts[1])
    try site.scratch.write("right.btsnoop", parts[1] + parts[0])
  }
  private let length: Int

  private func run(_ words: [String]) throws -> Run { try Tool.run(words, in: folder) }

  private static func flat(_ text: String) -> String {
    text.replacing("\u{A0}", with: " ").replacing(/\s+/, with: " ")
  }

  private static let stamps =
    "its frames are stamped from 2026-10-28 22:30:0"

  @Test("is told as such by visits, the document and the remedy")
  func visits() throws {
    let text = Self.flat(try run(["analyze"] + Self.region + ["cat.btsnoop"]).output)
    #expect(text.contains(Self.stamps), "\(text)")
    #expect(
      text.contains(
        "To have them apart: head -c \(length) cat.btsnoop >part1; tail -c +\(length + 1) cat.btsnoop >part2; and "
          + "give both."), "\(text)")
    #expect(text.contains("files were joined in the wrong order"))
    let document = try JSON(
      try run(["analyze", "--format", "json"] + Self.region + ["cat.btsnoop"]).bytes)
    let stay = try #require(document["timeline"]?["stays"]?.list?.first)
    #expect(stay["since"]?.text?.hasPrefix("2026-11-13T08:0") == true)
    #expect(stay["first"]?["stamped"]?.text?.hasPrefix("2026-10-28T22:30:0") == true)
    #expect(stay["last"]?["stamped"]?.text?.hasPrefix("2026-10-28T22:3") == true)
    let cut = try Tool.shell(
      "head -c \(length) cat.btsnoop >part1; tail -c +\(length + 1) cat.btsnoop >part2; "
        + "cmp part1 second.btsnoop && cmp part2 first.btsnoop", in: folder)
    #expect(cut.status == 0, "\(cut.errors)")
  }

  @Test("is told with each event, and explained with the dates of its frames")
  func events() throws {
    let run = try run(["events", "--format", "ndjson"] + Self.region + ["cat.btsnoop"])
    let enter = try #require(
      try run.lines.map { try JSON($0) }.first { $0["type"]?.text == "enter" })
    #expect(enter["stamped"]?.text?.hasPrefix("2026-10-28T22:30:0") == true)
    let lines = try self.run(["events"] + Self.region + ["cat.btsnoop"]).output
    #expect(
      Self.flat(lines).contains("its frame is stamped 2026-10-28 22:30:0"), "\(lines)")
    let table = try self.run(["events", "--format", "csv"] + Self.region + ["cat.btsnoop"])
    #expect(table.lines.first?.contains(",stamped,") == true)
    let id = try #require(enter["id"]?.text)
    let told = Self.flat(try self.run(["explain", id] + Self.region + ["cat.btsnoop"]).output)
    #expect(told.contains(/frame [\d ]+ of cat.btsnoop, 2026-10-28 22:30:0/), "\(told)")
    let chosen = try self.run(
      ["events", "--where", "stamped ~= nil"] + Self.region + ["cat.btsnoop"])
    #expect(chosen.lines.count >= 2, "\(chosen.errors)")
  }

  @Test("is told by the page, in its story and with how sure that is, and by exports of the case")
  func page() throws {
    let made = try run(
      ["analyze", "-q", "--case", "c.sqlite", "--report", "c.html"] + Self.region + ["cat.btsnoop"])
    #expect(made.status == 0, "\(made.errors)")
    let page = Self.flat(
      try String(contentsOf: folder.appending(path: "c.html"), encoding: .utf8))
    #expect(
      page.contains(
        /told at another time than that of its frames: its frames are stamped 2026-10-28 22:30:0/))
    #expect(page.contains("steps back, by up to 15 d 09 h"))
    #expect(page.contains("1 visit is told at another time than its frames are stamped"))
    #expect(page.contains("<small class=\"why\">" + Self.stamps))
    let rows = try run([
      "case", "query", "--format", "csv", "c.sqlite",
      "SELECT first_stamped LIKE '2026-10-28T22:30%', last_stamped LIKE '2026-10-28T22:3%' FROM visits",
    ]).lines.dropFirst().map { $0.replacing("\r", with: "") }
    #expect(rows == ["1,1"])
    let timesketch = try run(["export", "--to", "timesketch", "-o", "-", "c.sqlite"]).output
    #expect(timesketch.contains("its frame is stamped 2026-10-28 22:30:0"))
    #expect(try run(["case", "verify", "c.sqlite"]).status == 0)
  }

  @Test("is no scan that ends before it began, and no silence of weeks")
  func figures() throws {
    let info = try run(["info", "cat.btsnoop"]).output
    #expect(Self.flat(info).contains("scanning 2026-10-28 22:29:59–2026-11-13 08:05:00"), "\(info)")
    let advice = try run(["advise"] + Self.region + ["cat.btsnoop"]).output
    #expect(!advice.contains("not heard since"), "\(advice)")
  }

  @Test("in the right order nothing of that is said") func inOrder() throws {
    let text = try run(["analyze"] + Self.region + ["right.btsnoop"]).output
    #expect(!text.contains("stamped") && !text.contains("wrong order"))
    let events = try run(["events", "--format", "ndjson"] + Self.region + ["right.btsnoop"])
    #expect(!events.lines.isEmpty && !events.output.contains("stamped"))
  }
}
