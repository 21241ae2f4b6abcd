import Deliveries
import Foundation
import Testing

/// Files of lines in which a power cut left zeros.
@Suite struct PowerCutTests {
  private static func zeros(_ count: Int) -> String { String(repeating: "\0", count: count) }

  private func bytes(_ place: Receiving) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: place.path("eve.json"))), as: UTF8.self)
  }

  /// What is told of the file when a run begins, which then gives it an alert.
  private func start(_ place: Receiving, alert number: Int) throws -> String? {
    let file = try AlertFile(place.path("eve.json"))
    file.deliver(Receiving.alert(number))
    file.finish(waiting: 60)
    #expect(file.counts.delivered == 1)
    return file.damage?.replacing("\(place.path("eve.json")): ", with: "")
  }

  @Test(
    "are appended to at every start, behind a new line, and what is lost is told at the first",
    arguments: [
      // A line that is gone, behind a whole one; all there is; behind half a line; at its end alone.
      ("{\"a\":1}\n" + zeros(845), 8, 845), (zeros(100), 0, 100), (zeros(5000), 0, 5000),
      ("{\"a\":1}\n{\"b\"" + zeros(845), 12, 845), ("{\"a\":1" + zeros(1), 6, 1),
      // Within lines of a file that is whole otherwise, the first of them or a later one.
      ("{\"a\"" + zeros(100) + "}\n{\"b\":2}\n", 4, 100),
      (zeros(100) + "\"a\":1}\n{\"b\":2}\n", 0, 100),
      ("{\"a\":1}\n{\"b\"" + zeros(7) + "}\n", 12, 7),
      // In two places.
      ("{\"a\"" + zeros(10) + "}\n{\"b\"" + zeros(10), 4, 20),
      // An empty line of somebody else, before them.
      ("{\"a\":1}\n\n" + zeros(9), 9, 9),
      // Far behind, and across pieces that are read.
      (String(repeating: "{\"a\":1}\n", count: 8191) + "{\"b\"" + zeros(99), 65_532, 99),
    ])
  func taken(_ text: String, _ offset: Int, _ count: Int) throws {
    let place = try Receiving()
    try Data(text.utf8).write(to: URL(filePath: place.path("eve.json")))
    let told = try start(place, alert: 1)
    let words = told?.replacing(" ", with: "")
    #expect(
      words?.hasPrefix("\(count)zero\(count == 1 ? "" : "s"),thefirstatbyteoffset\(offset),")
        == true, "\(told ?? "nothing is told")")
    #expect(told?.hasSuffix(", as a power cut leaves them: what stood there is lost") == true)
    #expect(try start(place, alert: 2) == nil)
    #expect(try start(place, alert: 3) == nil)
    let after = try bytes(place)
    #expect(after.hasPrefix(text))
    #expect(
      after.dropFirst(text.count).drop { $0 == "\n" }
        == "{\"n\":1,\"x\":\"\"}\n{\"n\":2,\"x\":\"\"}\n{\"n\":3,\"x\":\"\"}\n")
    // Nothing of what stood before is on a line with what came.
    #expect(after.dropFirst(text.count).first == "\n")
  }

  @Test("are told again when there is a second cut") func twice() throws {
    let place = try Receiving()
    try Data(Self.zeros(9).utf8).write(to: URL(filePath: place.path("eve.json")))
    #expect(try start(place, alert: 1) != nil)
    let size = try bytes(place).utf8.count
    try Data((try bytes(place) + Self.zeros(50)).utf8).write(
      to: URL(filePath: place.path("eve.json")))
    #expect(
      try start(place, alert: 2)?.hasPrefix("50 zeros, the first at byte offset \(size),") == true)
    #expect(try start(place, alert: 3) == nil)
  }

  @Test("are those of undelivered alerts, too") func undelivered() throws {
    let place = try Receiving()
    try Data(Self.zeros(100).utf8).write(to: URL(filePath: place.path("kept")))
    for number in 1...3 {
      let kept = try UndeliveredFile(place.path("kept"))
      #expect((kept.damage != nil) == (number == 1))
      var settings = DeliverySettings()
      settings.undelivered = kept
      let file = try AlertFile("/dev/full", settings)
      file.deliver(Receiving.alert(number))
      file.finish(waiting: 60)
      kept.finish()
    }
    #expect(place.lines("kept").count == 4)
  }

  @Test(
    "are not what zeros of something else are",
    arguments: [
      // UTF-16 of both kinds, and UTF-32.
      "{\0\"\0a\0\"\0", "\0{\0\"\0a", "{\0\n\0\"\0a\0", "{\0\0\0\"\0\0\0",
      // Text behind zeros, which no line of JSON ends with; other bytes between them.
      zeros(100) + "a note\n", zeros(100) + "a note", zeros(512) + "\u{1}{\n",
      "a note" + zeros(100),
    ])
  func foreign(_ text: String) throws {
    let place = try Receiving()
    let url = URL(filePath: place.path("eve.json"))
    try Data(text.utf8).write(to: url)
    #expect {
      _ = try AlertFile(place.path("eve.json"))
    } throws: {
      ($0 as? DeliveryProblem)?.isForeign == true
    }
    #expect(try Data(contentsOf: url) == Data(text.utf8))
  }
}
