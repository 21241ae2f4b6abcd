import Foundation
import Testing

/// Expressions over events, on the walk through the museum.
@Suite("events --where") struct WhereTests {
  private static let walk = "museum-walk.btsnoop.gz"

  private static func events(_ expression: String, _ words: String...) throws -> Run {
    try Tool.run(
      ["events", "--plugin", "beacon-silent", "--format", "ndjson", "--where", expression] + words
        + [walk])
  }

  @Test(
    "asks for a field that only some events have",
    arguments: [
      ("grade == \"gone\"", "\"grade\":\"gone\""),
      ("to == \"near\"", "\"to\":\"near\""),
      ("transmitter and transmitter.kind == \"ibeacon\" and not region", "\"type\":\"alert\""),
      ("type == \"alert\" and severity == \"warning\"", "\"severity\":\"warning\""),
      ("plugin == \"beacon-silent\" and held_back == 0 and #plugin_sha256 == 64", "\"plugin\""),
    ])
  func asksForSome(_ expression: String, _ every: String) throws {
    let run = try Self.events(expression)
    #expect(run.status == 0, "\(run.errors)")
    #expect(!run.lines.isEmpty)
    #expect(run.lines.allSatisfy { $0.contains(every) })
  }

  /// What the lines have, an expression can name.
  @Test func knowsEveryFieldOfTheOutput() throws {
    let all = try Self.events("true", "--ranging")
    var names: Set<String> = []
    for line in all.lines {
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      names.formUnion(try #require(object).keys)
    }
    #expect(names.isSuperset(of: ["severity", "fields", "entries", "evidence", "grade"]))
    // Whatever an event lacks is nil, and no mistake.
    let sum = names.sorted().map { "(\($0) ~= nil and 1 or 0)" }.joined(separator: " + ")
    let run = try Self.events(sum + " > 3", "--ranging")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.lines.count == all.lines.count)
  }

  @Test func knowsTheProfileOfEachEvent() throws {
    let run = try Self.events("profile == 'core-location'", "--profile", "site,core-location")
    #expect(!run.lines.isEmpty)
    #expect(run.lines.allSatisfy { $0.contains("\"profile\":\"core-location\"") })
  }

  @Test(
    "says what is wrong in the words of the text",
    arguments: [
      ("", "--where '': it has to be one expression, such as rssi and rssi > -60"),
      ("type ==", "--where 'type ==': unexpected symbol near <eof>"),
      (
        "type = 'exit'",
        "--where 'type = 'exit'': <eof> expected near '='; what is equal is written =="
      ),
      ("a) or (b", "--where 'a) or (b': <eof> expected near ')'"),
    ])
  func saysWhatIsWrong(_ expression: String, _ sentence: String) throws {
    let run = try Self.events(expression)
    #expect(run.status == 64)
    #expect(run.complaints == ["beacontrace: " + sentence])
  }

  @Test func countsOneFailure() throws {
    let alerts = try Self.events("type == 'alert'")
    let id = try #require(alerts.lines.first).split(separator: "\"")[3]
    let run = try Self.events("id ~= '\(id)' or title > 5")
    #expect(run.status == 70)
    #expect(run.errors.contains("the expression failed for 1 event, left out here"))
  }

  /// Whose status stands.
  @Test(arguments: [("events", "#grade > 1"), ("sightings", "battery_mv < 2500")])
  func failuresAreToldBesideInputsThatCannotBeRead(_ command: String, _ expression: String) throws {
    for (more, status) in [("nothing.log", Int32(66)), ("damaged.btsnoop", 65)] {
      let scratch = try Scratch()
      try scratch.write(Self.walk, Captures.read(Self.walk))
      if status == 65 { try scratch.write(more, Captures.read(Captures.h4).dropLast(3)) }
      let run = try Tool.run(command, "--where", expression, Self.walk, more, in: scratch.folder)
      #expect(run.status == status, "\(run.errors)")
      #expect(run.errors.contains("the expression failed for "), "\(run.errors)")
      let none = try Tool.run(command, "--where", "id == 'x'", Self.walk, more, in: scratch.folder)
      #expect(none.status == status && none.errors.contains(" matches --where"), "\(none.errors)")
    }
  }

  @Test func wordsHaveNoOrder() throws {
    let run = try Self.events("severity and severity >= 'warning'")
    #expect(run.errors.contains("texts are compared by their letters"), "\(run.errors)")
  }

  @Test func givesUpWhatNeverEnds() throws {
    let run = try Self.events("(function() while true do end end)()")
    #expect(run.status == 70)
    #expect(run.lines.isEmpty)
    #expect(run.complaints.count == 1)
    #expect(run.errors.contains("was given up after 100 events, one behind the other"))
  }

  @Test(
    "says that nothing matches, and how values are written", arguments: ["events", "sightings"])
  func matchesNothing(_ command: String) throws {
    let wanted = command == "events" ? "grade == 'Gone'" : "kind == 'iBeacon'"
    let run = try Tool.run(command, "--where", wanted, Self.walk)
    #expect(run.status == 0)
    #expect(
      run.errors.contains(" matches --where '\(wanted)'. Values are written as"), "\(run.errors)")
    let meant =
      command == "events"
      ? "grade is never 'Gone'; did you mean 'gone'?"
      : "kind is never 'iBeacon'; did you mean 'ibeacon'?"
    #expect(run.complaints.first == "beacontrace: --where: \(meant)")
    #expect(run.complaints.last?.hasPrefix("beacontrace: none of ") == true)
    #expect(try Tool.run(command, "-q", "--where", wanted, Self.walk).errors.isEmpty)
    let found = command == "events" ? "grade == 'gone'" : "kind == 'ibeacon'"
    #expect(try !Tool.run(command, "--where", found, Self.walk).errors.contains("none of"))
  }
}
