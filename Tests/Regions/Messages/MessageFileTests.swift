import Regions
import TestSupport
import Testing
import TrackReader

@Suite struct MessageFileTests {
  static let beacon = "\"beacon\":\"eid:0001020304050607\""

  private func read(_ text: String) throws -> [BeaconMessage] {
    try MessageFile.read(Array(text.utf8), name: "m.ndjson")
  }

  @Test func contentIsATextOrBytes() throws {
    let lines = [#""hällo\n""#, #"{"hex":"0aFF"}"#, #"{"base64":"Chs="}"#, #""""#].map {
      "{\(Self.beacon),\"namespace\":\"n\",\"type\":\"t\",\"content\":\($0)}"
    }
    let messages = try read("\u{FEFF}" + lines.joined(separator: "\r\n\r\n"))
    #expect(
      messages.map(\.content) == [
        .text("hällo\n"), .bytes([10, 255]), .bytes([10, 27]), .text(""),
      ])
    #expect(messages.first?.namespace == "n" && messages.first?.type == "t")
    #expect(try read("").isEmpty)
  }

  @Test(arguments: [
    ("{", "m.ndjson: line 2: is no JSON object; each line has to be one, with beacon, namespace"),
    ("[1]", "line 2: is no JSON object"), ("\"x\"", "line 2: is no JSON object"),
    (
      "{\"x\":1,\"a\":2}",
      "line 2, a: is unknown; the members are beacon, namespace, type, content."
    ),
    ("{}", "line 2, beacon: is missing."),
    ("{\"beacon\":7}", "line 2, beacon: has to be a text that is not empty, not a number."),
    ("{\"beacon\":\"ibeacon:1\"}", "line 2, beacon: 'ibeacon:1' is not of the form ibeacon:UUID"),
    ("{\(beacon)}", "line 2, namespace: is missing."),
    (
      "{\(beacon),\"namespace\":\"\"}",
      "namespace: has to be a text that is not empty, not an empty"
    ),
    (
      "{\(beacon),\"namespace\":\"n\",\"type\":null}",
      "type: has to be a text that is not empty, not null"
    ),
    ("{\(beacon),\"namespace\":\"n\",\"type\":\"t\"}", "content: is missing."),
    (
      "{\(beacon),\"namespace\":\"n\",\"type\":\"t\",\"content\":[]}",
      "content: has to be a text, {\"hex\": \"…\"} or {\"base64\": \"…\"}, not a list"
    ),
    (
      "{\(beacon),\"namespace\":\"n\",\"type\":\"t\",\"content\":{\"hex\":\"0\"}}",
      "content: has to be"
    ),
    (
      "{\(beacon),\"namespace\":\"n\",\"type\":\"t\",\"content\":{\"base64\":\"?\"}}",
      "content: has to"
    ),
    (
      "{\(beacon),\"namespace\":\"n\",\"type\":\"t\",\"content\":{\"hex\":\"00\",\"base64\":\"\"}}",
      "content: has to be"
    ),
  ])
  func aMistakeIsToldWithItsLineAndMember(_ line: String, _ sentence: String) {
    let problem = #expect(throws: TextProblem.self) { try read("\n" + line) }
    #expect(problem?.description.contains(sentence) == true)
  }

  @Test func whateverIsMadeOfTheFileReadingEnds() {
    let good =
      "{\(Self.beacon),\"namespace\":\"n\",\"type\":\"t\",\"content\":{\"hex\":\"0aFF\"}}\n"
    var random = Seeded(4)
    let tokens = ["{", "}", "[", "\"", "\\", "\\u", "\\ud800", ":", ",", "1e999", "null", "\u{0}"]
    for round in 0..<2000 {
      var bytes = Array(good.utf8) + Array(good.utf8)
      for _ in 0...random.below(4) {
        let at = random.below(bytes.count)
        switch random.below(3) {
        case 0: bytes[at] = UInt8(random.below(256))
        case 1: bytes.remove(at: at)
        default: bytes.insert(contentsOf: tokens[random.below(tokens.count)].utf8, at: at)
        }
      }
      do {
        #expect(try MessageFile.read(bytes, name: "m").count <= 4, "round \(round)")
      } catch {
        #expect(error.line != nil, "round \(round)")
      }
    }
    let deep = String(repeating: "[", count: 100_000)
    #expect(throws: TextProblem.self) { try read("{\"content\":\(deep)") }
  }
}
