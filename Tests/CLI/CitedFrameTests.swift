import Foundation
import Testing

/// What `explain` says of the frames that a rule cites: what is in them, not what the rule is about.
@Suite("cited frames", .timeLimit(.minutes(60))) struct CitedFrameTests {
  /// Rows that begin with `cited frame` or `and`, of the first alert.
  private static func proofs(_ rule: String) throws -> [String] {
    let scratch = try Scratch()
    try scratch.write("rule.lua", Array(rule.utf8))
    let words = ["--plugin", "rule.lua", Captures.folder.path + "/" + Captures.walk]
    let events = try Tool.run(["events", "--format", "ndjson"] + words, in: scratch.folder)
    let alert = try events.lines.map { try JSON($0) }.first { $0["type"]?.text == "alert" }
    let id = try #require(alert?["id"]?.text, "\(events.errors)")
    let told = try Tool.run(["explain", id] + words, in: scratch.folder).lines
    // As a case tells it.
    let made = try Tool.run(["analyze", "-q", "--case", "c.sqlite"] + words, in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    #expect(try Tool.run("explain", id, "c.sqlite", in: scratch.folder).lines == told)
    return told
  }

  @Test("an HCI command and another advertiser's frame have no identity of the alert's transmitter")
  func framesOfOthers() throws {
    let lines = try Self.proofs(
      """
      local note, other
      on("observer", function(e) note = { capture = e.capture, frame = e.frame } end)
      on("sighting", { kind = "eddystone-url" }, function(s) other = s:copy() end)
      on("sighting", { kind = "ibeacon" }, function(s)
        if note and other then
          alert { title = "both", evidence = { s, note, other }, once_per = 1e6 }
        end
      end)
      """)
    let frames = lines.filter { $0.hasPrefix("  cited frame ") || $0.hasPrefix("  and ") }
    try #require(frames.count == 3, "\(lines)")
    let words = lines.joined(separator: " ")
    #expect(words.components(separatedBy: "no sighting").count == 2, "\(lines)")
    #expect(words.components(separatedBy: "ibeacon").count == 2, "\(lines)")
    #expect(words.components(separatedBy: "eddystone-url").count == 2, "\(lines)")
  }

  @Test("a sighting that was kept is shown with its identity and its fields")
  func keptSighting() throws {
    let lines = try Self.proofs(
      """
      local last
      on("sighting", { kind = "ibeacon" }, function(s) last = s:copy() end)
      every(10, function() if last then alert { title = "late", evidence = last } end end)
      """)
    let words = lines.joined(separator: " ")
    #expect(words.contains("ibeacon "), "\(lines)")
    #expect(words.contains("uuid─"), "\(lines)")
    #expect(words.contains("major"), "\(lines)")
  }

  @Test("the capture is told by its digest, and a command shows the frames in tshark")
  func capturesAreTold() throws {
    let lines = try Self.proofs(
      """
      on("sighting", { kind = "ibeacon" }, function(s)
        alert { title = "one", evidence = { s }, once_per = 1e6 }
      end)
      """)
    let digest = try #require(
      Tool.shell("sha256sum \(Captures.walk)", in: Captures.folder).output.split(separator: " ")
        .first)
    #expect(lines.contains("      SHA-256 \(digest)"), "\(lines)")
    let cited = try #require(lines.first { $0.hasPrefix("  cited frame ") })
    let number = cited.split(separator: " ").dropFirst(3).prefix { Int($0) != nil }.joined()
    #expect(
      lines.last
        == "      tshark -r \(Captures.folder.path)/\(Captures.walk) -x -Y 'frame.number == \(number)'",
      "\(lines)")
  }
}
