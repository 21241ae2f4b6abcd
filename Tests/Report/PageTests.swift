import CaptureReader
import CaseStore
import Foundation
import GRDB
import Testing

@testable import Exports
@testable import Report

@Suite("The page of a case") struct PageTests {
  @Test("tells the story in words") func summary() throws {
    let page = try Cases.page(Cases.small())
    for sentence in [
      "One capture was read: lobby.pcap, pcap, 40 records.",
      "It reaches over 1 h 00 min, 2026-05-19 10:00:00–11:00:00 UTC.",
      "1 beacon (1 iBeacon) was heard 30 times, sent from 1 address.",
      "<b>lobby</b>: 1 visit, 10 min 00 s in all (10:10:00–10:20:00); outside at the end.",
      "lobby was deaf for 6 min 00 s (10 % of its time): its scan was off, or nothing was recorded, and its silence then says nothing.",
      "Of 1 exit, 1 fell into a time when the receiver was deaf.",
      "<p>1 alert: 1 warning.</p>",
      "data-severity=\"warning\">warning</span> <button class=\"event\" data-event=\"2\" data-id=\"00000000000000a2\" title=\"What decided 00000000000000a2\">10:20:00.000</button> Beware of lobby",
      "times in all have exit periods in them.",
      "1.2 m (0.8–1.9)",
      "beacontrace explain --region lobby=ibeacon:1 ID lobby.pcap",
    ] {
      #expect(page.contains(sentence), "\(sentence)")
    }
  }

  @Test("names the nearest beacon of a visit where its region has several")
  func nearest() throws {
    let file = try Cases.small()
    let (identity, name) = try #require(
      try file.database.write { database -> (String, String)? in
        try database.execute(sql: "UPDATE stays SET nearest_transmitter_id = 1")
        return try Row.fetchOne(
          database,
          sql: """
            SELECT b.identity, b.short_name FROM transmitters t JOIN beacons b ON b.id = t.beacon_id
            WHERE t.id = 1
            """
        ).map { ($0[0], $0[1]) }
      })
    #expect(try Cases.page(file).contains("<br><small>iBeacon \(name)</small></td>"))
    // Of one beacon's own region nobody asks.
    try file.database.write {
      try $0.execute(
        sql: "UPDATE regions SET condition = 'ibeacon:' || ?", arguments: [identity])
    }
    #expect(try !Cases.page(file).contains("<small>iBeacon \(name)</small>"))
  }

  @Test("dates a visit where the recording is of more than a day") func dated() throws {
    let file = try Cases.small()
    try file.database.write {
      try $0.execute(
        sql: "UPDATE facts SET value = \(Cases.start + 90_000 * Cases.second) WHERE name = 'to_ns'")
    }
    #expect(try Cases.page(file).contains("in all (2026-05-19 10:10:00–10:20:00);"))
    try file.database.write {
      try $0.execute(
        sql: "UPDATE stays SET until_ns = NULL; UPDATE observers SET to_ns = to_ns + 86400000000000"
      )
    }
    #expect(try Cases.page(file).contains("in all (from 2026-05-19 10:10:00 on);"))
  }

  @Test("has what decided an event, for the script") func evidence() throws {
    let page = try Cases.page(Cases.small())
    let start = try #require(page.range(of: "id=\"evidence\">"))
    let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    let json = try JSONSerialization.jsonObject(
      with: Data(page[start.upperBound..<end.lowerBound].utf8))
    let data = try #require(json as? [String: Any])
    let texts = try #require(data["texts"] as? [String])
    let frame = try #require((data["frames"] as? [[Any]])?.first)
    #expect(frame[1] as? Int == 7)
    #expect(frame[5] as? String == "BD7/")
    let events = try #require(data["events"] as? [String: [Any]])
    let event = try #require(events["1"])
    #expect(event[0] as? String == "00000000000000a1")
    let title = try #require((event[1] as? [Any])?.first as? Int)
    #expect(texts[title] == "enter of lobby")
    let proof = try #require((event[3] as? [[Any]])?.first)
    #expect(proof[0] as? Int == 0)
    let mark = try #require((proof[2] as? [[Int]])?.first)
    #expect(texts[mark[0]] == "uuid" && mark[1...] == [1, 2])
    let cited = try #require((events["2"]?[4] as? [[Any]])?.first)
    #expect(cited[0] as? String == "00000000000000a1" && cited[1] as? Int == 1)
  }

  @Test("keeps what texts of evidence share once, and puts them together again")
  func pieces() {
    let text = "last at 10:05:51.118; the limit is 30 s; event 00000000000000a1"
    let pieces = EvidenceText.pieces(text)
    #expect(pieces.map(\.piece).joined() == text)
    #expect(pieces.filter { !$0.isShared }.map(\.piece) == ["10:05:51.118", "00000000000000a1"])
    let hash = String(repeating: "ab", count: 32)
    #expect(EvidenceText.pieces(hash).map(\.isShared) == [true])
    #expect(EvidenceText.pieces("").isEmpty)
  }

  @Test(
    "does not say that nothing was lost where nobody counted",
    arguments: [
      ("pcap", 0, "not told"), ("packetlogger", 0, "not told"), ("pcapng", 0, "none told"),
      ("pcapng", 7, "7"), ("btsnoop", 0, "0"), ("btsnoop", 7, "7"),
    ])
  func lost(_ container: String, _ packets: Int, _ words: String) throws {
    let file = try Cases.small()
    try file.database.write {
      try $0.execute(
        sql: "UPDATE captures SET container = ?, lost_packets = ?", arguments: [container, packets])
    }
    let page = try Cases.page(file)
    let row = try #require(page.firstMatch(of: /<tr><th scope="row">lobby.pcap.*?<\/tr>/)).output
    #expect(row.hasSuffix(">\(words)</td></tr>"), "\(row)")
  }

  @Test("says of a capture that only ends early just that") func cut() throws {
    let file = try Cases.small()
    try file.database.write { try $0.execute(sql: "UPDATE captures SET is_damaged = 1") }
    try file.insert([
      AccountingRow(
        captureId: 1, kind: "warning", code: "file_truncated", count: 1, firstFrame: 40,
        detail: "the input ends 12 bytes into a record")
    ])
    let page = try Cases.page(file)
    #expect(page.contains("lobby.pcap: the input ends 12 bytes into a record."))
    #expect(!page.contains("0 places") && !page.contains("0 bytes skipped"))
    #expect(!page.contains("nothing is known to be lost"))
    #expect(
      page.contains(
        "<h3>Damage</h3><ul><li><b>lobby.pcap</b>: the input ends 12 bytes into a record (after frame 40)"
      ))
  }

  @Test("has powers with their sign and unit") func power() throws {
    let file = try Cases.small()
    #expect(try Cases.page(file).contains(">−59 dBm at 1 m</td>"))
    try file.database.write {
      try $0.execute(sql: "UPDATE beacons SET power_min = 3, power_max = 12")
    }
    #expect(try Cases.page(file).contains(">+3…+12 dBm at 1 m</td>"))
  }

  @Test("is the same for the same case") func determinism() throws {
    #expect(try Cases.page(Cases.small()) == Cases.page(Cases.small()))
  }

  @Test("names of others are words in it, nothing else") func hostile() throws {
    let page = try Cases.page(Cases.small(name: Cases.hostile))
    #expect(!page.contains("<img"))
    #expect(page.components(separatedBy: "</script>").count == 6)
    #expect(!page.contains("\u{202E}") && !page.contains("\u{1B}") && !page.contains("\0"))
    #expect(page.contains("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;\\u{202e}"))
  }

  @Test("has no markup of its own that became text") func ownMarkup() throws {
    let page = try Cases.page(Cases.small())
    #expect(!page.contains("&lt;"), "a piece of the page was taken for text")
  }

  @Test("lets its own script run and no other one, and asks for nothing") func policy() throws {
    let page = try Cases.page(Cases.small())
    var scripts: [String] = []
    var rest = page[...]
    while let start = rest.range(of: "<script>") {
      rest = rest[start.upperBound...]
      let end = try #require(rest.range(of: "</script>"))
      scripts.append(String(rest[..<end.lowerBound]))
      rest = rest[end.upperBound...]
    }
    #expect(page.contains("default-src 'none'"))
    #expect(scripts.count == 2)
    let allowed = scripts.map { "'\(PageFiles.hash($0))'" }.joined(separator: " ")
    #expect(page.contains("script-src \(allowed);"))
    #expect(PageFiles.hash("") == "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=")
    #expect(!page.contains("http:") && !page.contains("https:"))
  }

  @Test("of an empty case says that there is nothing") func empty() throws {
    let page = try Cases.page(CaseFile.temporary())
    for words in ["No capture could be read.", "No region was followed.", "No record has a time"] {
      #expect(page.contains(words), "\(words)")
    }
  }

  @Test("quotes what a shell would take for something else") func quoting() {
    #expect(Words.quoted("--region") == "--region")
    #expect(Words.quoted("a b") == "'a b'")
    #expect(Words.quoted("it's $HOME") == "'it'\\''s $HOME'")
    #expect(Words.quoted("") == "''")
  }

  @Test("has the same words for a distance as the other outputs") func distances() {
    // The case has centimetres.
    let near: [Double] = (0...2000).map { Double($0) / 100 }
    let far: [Double] = (20...4000).map { Double($0) * 13.7 }
    for value in near + far + [2e6] {
      let words = Words.metres(value).replacing("\u{A0}", with: " ")
      #expect(words == Figures.metres(value), "\(value)")
    }
  }

  @Test("gives no more digits than a number is worth") func numbers() {
    #expect(
      [0.04, 0.8, 12.3, 1300].map { Words.metres($0) } == ["0.04", "0.8", "12", "1\u{A0}300"])
    #expect(
      [0, 0.001, 0.5, 0.999, 1].map { Words.percent($0) } == [
        "0\u{A0}%", "under 1\u{A0}%", "50\u{A0}%", "over 99\u{A0}%", "100\u{A0}%",
      ])
    #expect(Words.list(["a", "b", "c"]) == "a, b and c")
    #expect(Words.dBm(-59) == "−59\u{A0}dBm")
  }
}
