import Foundation
import Testing

/// What is the matter with the words of a run that goes on is said before it begins: its end may be weeks away.
@Suite("Remarks at the start of a run", .timeLimit(.minutes(60))) struct EarlyRemarksTests {
  private static let walk = Captures.folder.path(percentEncoded: false) + "/" + Captures.walk

  private func replay(_ words: String..., rule: String) throws -> Run {
    let scratch = try Scratch()
    try scratch.write("r.lua", Array(rule.utf8))
    return try Tool.run(
      ["replay", "--speed", "max", "--no-summary", "--plugin", "r.lua"] + words + [Self.walk],
      in: scratch.folder)
  }

  @Test("are told of regions, whether a summary comes or not")
  func regions() throws {
    let rule = """
      decoder "name" { ad_type = 9, decode = function(ad) return { id = ad.data } end }
      region "cart" { decoder = "nam" }
      region "hall" { address = "c2:35:33:30:25:50" }
      region "hall" { address = "c2:35:33:30:25:51" }
      on("enter", function(e) alert { title = e.region } end)
      """
    let run = try replay(rule: rule)
    #expect(run.status == 0)
    let errors = run.errors.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(errors.contains("region 'cart' takes what the decoder 'nam' finds, and no plugin"))
    #expect(errors.contains("region 'hall' is defined twice"), "\(errors)")
  }

  @Test(
    "are told of what only a shell understands",
    arguments: [
      ("true > told", "'>' goes"), ("true | true", "'|' goes"), ("sh -c 'cat > told'", ""),
    ])
  func shell(_ command: String, _ said: String) throws {
    let run = try replay(
      "--exec", command, rule: "every(60, function() alert { title = 'now' } end)")
    #expect(run.errors.contains("no shell reads it") == !said.isEmpty)
    #expect(said.isEmpty || run.errors.contains(said), "\(run.errors)")
  }
}
