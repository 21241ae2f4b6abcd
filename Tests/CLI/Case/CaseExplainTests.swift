import Foundation
import Testing

/// The chain behind an event out of a case, where its captures may be somewhere else.
@Suite("explain out of a case", .timeLimit(.minutes(60))) struct CaseExplainTests {
  private static let rule = """
    on("exit", function(e) alert { title = "left " .. e.region, fields = { a = 1 } } end)
    """

  @Test("says what it says of the captures, byte by byte") func same() throws {
    let scene = try WalkScene()
    let folder = scene.scratch.folder
    try scene.scratch.write("rule.lua", Array(Self.rule.utf8))
    let words = [
      "--region", WalkScene.circle, "--region", WalkScene.beacon, "--track", "walk.gpx",
      "--plugin", "rule.lua", "--set", "exit_after=10", "walk.btsnoop",
    ]
    let made = try Tool.run(["analyze", "-q", "--case", "c.sqlite"] + words, in: folder)
    #expect(made.status == 0, "\(made.errors)")
    let kinds = ["state", "enter", "exit", "alert", "observer"]
    let events = try Tool.run(["events", "--format", "ndjson"] + words, in: folder).lines
      .map { try JSON($0) }.filter { kinds.contains($0["type"]?.text ?? "") }
    let found = Set(events.map { $0["type"]?.text ?? "" })
    #expect(found.isSuperset(of: ["enter", "exit", "alert"]))
    for event in events {
      let id = try #require(event["id"]?.text)
      let fromCaptures = try Tool.run(["explain", id] + words, in: folder)
      #expect(fromCaptures.status == 0, "\(fromCaptures.errors)")
      let fromCase = try Tool.run(["explain", id, "c.sqlite"], in: folder)
      #expect(fromCase.output == fromCaptures.output, "\(id)")
      let json = try Tool.run(["explain", "--format", "json", id] + words, in: folder)
      #expect(json.status == 0, "\(json.errors)")
      let jsonOfCase = try Tool.run(["explain", "--format", "json", id, "c.sqlite"], in: folder)
      #expect(jsonOfCase.output == json.output, "\(id)")
      try Self.compare(JSON(json.output), with: event, and: fromCaptures.output)
    }
  }

  /// What programs get of a chain is what people do, and cites what the event does.
  private static func compare(_ chain: JSON, with event: JSON, and text: String) throws {
    #expect(chain["event"] == event["id"])
    // Long words are broken, too.
    let words = text.filter { !$0.isWhitespace }
    for step in try #require(chain["steps"]?.list) {
      let told = "\(step["label"]?.text ?? "") \(step["text"]?.text ?? "")"
      #expect(words.contains(told.filter { !$0.isWhitespace }), "\(told)")
    }
    let evidence = try #require(chain["evidence"]?.list)
    let cited = try #require(event["evidence"]?.list)
    #expect(evidence.map { $0["capture"] } == cited.map { $0["capture"] })
    #expect(evidence.map { $0["frame"] } == cited.map { $0["frame"] })
    #expect(evidence.map { $0["line"] } == cited.map { $0["line"] })
    for proof in evidence {
      let digits = Array(proof["bytes"]?.text ?? "")
      for mark in proof["marks"]?.list ?? [] where mark["name"]?.text == "address" {
        let first = try #require(mark["first"]?.int)
        let bytes = (first..<(first + 6)).reversed().map { String(digits[(2 * $0)...(2 * $0 + 1)]) }
        let address = bytes.joined(separator: ":")
        #expect(proof["words"]?.text?.lowercased().contains(address) == true, "\(address)")
      }
    }
  }

  @Test("says why there is nothing to tell") func nothing() throws {
    let scratch = try Scratch()
    let made = try Tool.run(
      "analyze", "-q", "--case", "c.sqlite", Captures.folder.path + "/" + Captures.h4,
      in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let unknown = try Tool.run("explain", "0123456789abcdef", "c.sqlite", in: scratch.folder)
    #expect(unknown.status == 64)
    #expect(unknown.errors.hasPrefix("beacontrace: no event 0123456789abcdef in this case."))
    let odd = try Tool.run("explain", "abc\u{1B}[31m", "c.sqlite", in: scratch.folder)
    #expect(odd.status == 64 && !odd.errors.utf8.contains(0x1B))
    #expect(odd.errors.contains("'abc\\u{1b}[31m' is no id of an event"), "\(odd.errors)")
    let options = try Tool.run(
      "explain", "--set", "exit_after=5", "0123456789abcdef", "c.sqlite", in: scratch.folder)
    #expect(options.status == 64)
    #expect(options.errors.contains("a case has the options of its run; leave it out."))
  }

  @Test("has changes of proximity where they are kept, and else says who explains them")
  func proximity() throws {
    let scratch = try Scratch()
    try scratch.write("it's a.log", Captures.read(Captures.h4))
    func run(_ words: [String]) throws -> Run { try Tool.run(words, in: scratch.folder) }
    let options = ["--set", "exit_after=20", "it's a.log"]
    let told = try run(["events", "--format", "ndjson"] + options)
    let change = try told.lines.map { try JSON($0) }.first { $0["type"]?.text == "proximity" }
    let id = try #require(change?["id"]?.text)
    let fromCapture = try run(["explain", id] + options)
    #expect(try run(["analyze", "-q", "--case", "c.sqlite"] + options).status == 0)
    let lacking = try run(["explain", id, "c.sqlite"])
    #expect(lacking.status == 64)
    let command = "beacontrace explain --set=exit_after=20 \(id) 'it'\\''s a.log'"
    #expect(lacking.errors.contains("It was made without --keep-proximity"))
    #expect(lacking.errors.hasSuffix(": \(command)\n"), "\(lacking.errors)")
    #expect(
      try Tool.shell(command.replacing("beacontrace", with: "\"$TOOL\""), in: scratch.folder).output
        == fromCapture.output)

    let made = try run(["analyze", "-q", "--case", "k.sqlite", "--keep-proximity"] + options)
    #expect(made.status == 0, "\(made.errors)")
    let kept = try run(["explain", id, "k.sqlite"])
    #expect(kept.status == 0 && kept.output == fromCapture.output, "\(kept.errors)")
    let rows = try run([
      "case", "query", "--format", "json", "k.sqlite", "SELECT json FROM events ORDER BY id",
    ])
    let lines = try JSONSerialization.jsonObject(with: rows.bytes) as? [[String: String]]
    #expect(lines?.compactMap { $0["json"] } == told.lines)
    let verify = try run(["case", "verify", "k.sqlite"])
    #expect(verify.status == 0, "\(verify.output)")
    #expect(verify.output.contains("every event is derived again (\(told.lines.count))"))
  }
}
