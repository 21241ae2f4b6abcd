import Foundation
import Testing

/// Beacons with keys, from the option on to what is told of them.
@Suite(.timeLimit(.minutes(60)))
struct KeyTests {
  private static let walk = Captures.folder.appending(path: Captures.walk).path
  private static let key = "0102030405060708090a111213141516"
  private static let line = "locator=eid:\(key),exponent=10,clock=600@2026-05-19T10:00:00Z"

  private static func scratch(_ lines: String...) throws -> Scratch {
    let scratch = try Scratch()
    try scratch.write("keys", Array((lines.joined(separator: "\n") + "\n").utf8))
    return scratch
  }

  private static func words(_ output: String) -> String {
    output.split { " \n".contains($0) }.joined(separator: " ")
  }

  /// What the generator says it sent, and what is made of it with the keys that it says it had.
  @Test func sightingsAreThoseOfTheTruthUnderTheNameOfTheKey() throws {
    let scratch = try Scratch()
    let made = try Tool.run(
      "synth", "--out", "m.pcapng", "--link", "251", "--truth", "truth", "--keys", "keys",
      in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let truth = try Tool.shell("grep eddystone-e truth | grep -c '^{\"capture'", in: scratch.folder)
    let run = try Tool.run(
      "sightings", "--format", "ndjson", "--keys", "keys", "m.pcapng", in: scratch.folder)
    #expect(run.errors == "")
    var count = 0
    var clocks: Set<Int> = []
    for line in run.lines where line.contains("eddystone-e") {
      let sighting = try JSON(line)
      count += 1
      if sighting["kind"]?.text == "eddystone-eid-resolved" {
        #expect(sighting["key"]?.text == "loan-locator")
        #expect(sighting["id"]?.text == "loan-locator")
        clocks.insert(try #require(sighting["clock_s"]?.int))
      } else {
        #expect(sighting["kind"]?.text == "eddystone-etlm-opened")
        #expect(sighting["battery_mv"]?.int.map { (2990...3010).contains($0) } == true)
      }
    }
    #expect("\(count)" == truth.output.trimmingCharacters(in: .whitespacesAndNewlines))
    // The clock begins at 600 s, and the walk is 900 s long.
    #expect(clocks == [0, 1024])
  }

  @Test func aBeaconWithAKeyHasABatteryAndARegionOfItsOwn() throws {
    let scratch = try Self.scratch(Self.line)
    let run = try Tool.run("analyze", "--keys", "keys", Self.walk, in: scratch.folder)
    #expect(run.status == 0)
    #expect(run.errors == "")
    #expect(run.output.contains("resolved Eddystone-EID\n  locator                          293"))
    #expect(run.output.contains("6b:31:94:c7:0d:2e  10:00:50–10:14:58  3 008 mV  21.9 °C"))
    #expect(run.lines.contains { $0.hasPrefix("locator    4 visits") })
    #expect(!run.output.contains("--keys"))
    let without = try Tool.run("analyze", Self.walk, in: scratch.folder)
    #expect(
      Self.words(without.output).contains(
        "Identifiers of Eddystone-EID change: --device NAME=ADDRESS follows who sends them, keys tell whose they "
          + "are (--keys)."))
    #expect(without.output.contains("Eddystone-EID\n  2 identifiers in turn            293"))
    #expect(without.output.contains("\n    the last 4144413e45fefa58\n"))
    let all = try Tool.run("analyze", "--all", Self.walk, in: scratch.folder)
    #expect(all.output.contains("\n    a9b76a71c5f89290  10:00:50–10:06:41  × 145\n"))
    let json = try JSON(
      Tool.run("analyze", "--format", "json", Self.walk, in: scratch.folder).output)
    let chain = try #require(json["identifiers_in_turn"]?.list?.first)
    #expect(chain["sightings"]?.int == 293)
    #expect(chain["ids"]?.list?.map(\.text) == ["a9b76a71c5f89290", "4144413e45fefa58"])
    #expect(chain["addresses"]?.list?.map(\.text) == ["6b:31:94:c7:0d:2e"])
    let beacons = try Tool.run(
      "analyze", "--no-regions", "--keys", "keys", Self.walk, in: scratch.folder)
    #expect(beacons.output.contains("3 008 mV"))
  }

  @Test func aListOfRegionsHasABeaconWithAKeyByTheKeysName() throws {
    let scratch = try Self.scratch(Self.line)
    let made = try Tool.run(
      "export", "--to", "regions", "-o", "site.txt", "--keys", "keys", Self.walk, in: scratch.folder
    )
    #expect(made.status == 0, "\(made.errors)")
    let list = try String(
      contentsOf: scratch.folder.appending(path: "site.txt"), encoding: .utf8)
    let line = try #require(list.split(separator: "\n").first { $0.hasSuffix("=eid:locator") })
    let run = try Tool.run(
      "analyze", "--keys", "keys", "--regions", "site.txt", Self.walk, in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    let name = String(line.dropLast("=eid:locator".count))
    #expect(run.lines.contains { $0.hasPrefix("\(name)  ") && $0.contains("4 visits") }, "\(name)")
  }

  @Test func aRegionGoesByTheNameOfTheKey() throws {
    let scratch = try Self.scratch(Self.line)
    let options = ["--keys", "keys", "--region", "shelf=eid:locator,exit_after=60"]
    let run = try Tool.run(
      ["events", "--format", "ndjson"] + options + [Self.walk], in: scratch.folder)
    let exit = try run.lines.map { try JSON($0) }.first { $0["type"]?.text == "exit" }
    let id = try #require(exit?["id"]?.text)
    let why = try Tool.run(["explain"] + options + [id, Self.walk], in: scratch.folder)
    #expect(why.status == 0)
    #expect(
      Self.words(why.output).contains("by its key: what it sends from 0 s of its clock on"))
    #expect(why.output.contains("eid────────────────────"))
    let unknown = try Tool.run(
      "analyze", "--keys", "keys", "--region", "x=eid:cart", Self.walk, in: scratch.folder)
    #expect(unknown.status == 64)
    #expect(unknown.errors.contains("there is no key 'cart'; there are: locator"))
    let none = try Tool.run("analyze", "--region", "x=eid:cart", Self.walk, in: scratch.folder)
    #expect(none.status == 64)
    #expect(none.errors.contains("name the file that has it with --keys"))
  }

  @Test func aMessageGoesByTheNameOfTheKey() throws {
    let scratch = try Self.scratch(Self.line)
    for (name, status) in [("locator", Int32(0)), ("cart", 64)] {
      let message =
        "{\"beacon\": \"eid:\(name)\", \"namespace\": \"m\", \"type\": \"t\", \"content\": \"hello\"}\n"
      try scratch.write("messages", Array(message.utf8))
      let run = try Tool.run(
        "events", "--keys", "keys", "--messages", "messages", Self.walk, in: scratch.folder)
      #expect(run.status == status)
      #expect(run.output.contains("message found") == (status == 0))
      #expect(run.errors.contains("there is no key 'cart'; there are: locator") == (status != 0))
    }
  }

  @Test func aKeyThatWasForNothingIsTold() throws {
    let late = Self.line.replacingOccurrences(of: "600@", with: "900000@")
    let other = "bed=eid:ff\(Self.key.dropFirst(2))"
    let scratch = try Self.scratch(late, other)
    let said = "--keys: of 'bed' no identifier was heard."
    for command in [
      ["sightings"], ["events"], ["compare", Self.walk], ["analyze", "--no-regions"],
    ] {
      let run = try Tool.run(command + ["--keys", "keys", Self.walk], in: scratch.folder)
      #expect(run.status == 0)
      #expect(run.errors.contains(said), "\(command)")
    }
    let text = try Tool.run("analyze", "--keys", "keys", Self.walk, in: scratch.folder)
    #expect(Self.words(text.output).contains(said))
    let live = try Tool.run(
      "replay", "--speed", "max", "--keys", "keys", Self.walk, in: scratch.folder)
    #expect(Self.words(live.output + live.errors).contains(said))
    let json = try Tool.run(
      "analyze", "--format", "json", "--keys", "keys", Self.walk, in: scratch.folder)
    #expect(json.output.contains(said))
  }

  @Test func aRegionOfAnIdentifierThatAKeyMadeIsTold() throws {
    let scratch = try Self.scratch(Self.line)
    try scratch.write(
      "messages",
      Array(
        "{\"beacon\":\"eid:a9b76a71c5f89290\",\"namespace\":\"m\",\"type\":\"t\",\"content\":\"c\"}\n"
          .utf8))
    let run = try Tool.run(
      "analyze", "--keys", "keys", "--region", "x=eid:a9b76a71c5f89290", "--messages", "messages",
      Self.walk, in: scratch.folder)
    let words = Self.words(run.output)
    #expect(
      words.contains(
        "region 'x' is of the Eddystone-EID a9b76a71c5f89290, and what sent it is known by its key here: "
          + "write eid:locator."))
    #expect(words.contains("a message is of the Eddystone-EID a9b76a71c5f89290"))
  }

  @Test func mistakesInTheFileAreToldWithTheirLine() throws {
    let scratch = try Self.scratch("# keys", "", "locator=eid:0102")
    for command in [["analyze"], ["sightings"], ["compare", Self.walk]] {
      let run = try Tool.run(command + ["--keys", "keys", Self.walk], in: scratch.folder)
      #expect(run.status == 64)
      #expect(
        run.errors.hasPrefix("beacontrace: keys: line 3: key 'locator': the key is malformed"))
    }
    let missing = try Tool.run("analyze", "--keys", "nowhere", Self.walk, in: scratch.folder)
    #expect(missing.status == 64)
    #expect(missing.errors.contains("nowhere: cannot be opened"))
  }

  /// What stands in place of a file is not told: it may be the key.
  @Test func aKeyInPlaceOfAFileIsNotShown() throws {
    let scratch = try Scratch()
    let pairs = (1...16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16).uppercased() }
    let words =
      [
        "x=eid:\(Self.key)", Self.key, "x=irk:0102", "X=EID:0102", "eid:0102", "IRK:0102",
        "lists/eid:0102",
      ]
      + [":", "-", " "].map { pairs.joined(separator: $0) } + ["01020304-05060708.key"]
    for word in words {
      let run = try Tool.run("analyze", "--keys", word, Self.walk, in: scratch.folder)
      #expect(run.status == 64)
      #expect(run.errors.contains("may be a key itself"), "\(run.errors)")
      #expect(!run.errors.contains(/01.?02/), "\(run.errors)")
    }
    // Of a folder's name there is no key.
    let folder = "0102030405060708090a111213141516/keys"
    let run = try Tool.run("analyze", "--keys", folder, Self.walk, in: scratch.folder)
    #expect(run.errors.contains("\(folder): cannot be opened"), "\(run.errors)")
  }

  @Test func wrongLinesAreToldAtOnce() throws {
    let scratch = try Scratch()
    let lines = (0..<12).map { "k\($0)=eid:01\n" } + ["fine=eid:\(Self.key)\n"]
    try scratch.write("wrong", Array(lines.joined().utf8))
    let run = try Tool.run("analyze", "--keys", "wrong", Self.walk, in: scratch.folder)
    #expect(run.status == 64)
    #expect(run.complaints.count == 11, "\(run.errors)")
    #expect(run.errors.contains("wrong: line 10: key 'k9': the key is malformed"))
    #expect(run.errors.hasSuffix("beacontrace: wrong: 2 more lines are wrong.\n"), "\(run.errors)")
  }

  /// The beacon is one on both sides, whatever it sends; a key that is for one side alone is for something.
  @Test func sidesAreComparedByTheNameOfTheKey() throws {
    let scratch = try Self.scratch(Self.line, "bed=eid:ff\(Self.key.dropFirst(2))")
    let made = try Tool.shell(
      """
      "$TOOL" synth --print-scenario museum > m.json
      "$TOOL" synth --scenario m.json --out a.btsnoop
      sed 's/"clock_s": 600/"clock_s": 9000/; s/6b:31:94:c7:0d:2e/6b:31:94:c7:0d:99/' m.json > later.json
      "$TOOL" synth --scenario later.json --seed 2 --out b.btsnoop
      """, in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let without = try Tool.run("compare", "--all", "a.btsnoop", "b.btsnoop", in: scratch.folder)
    #expect(without.output.contains("14 beacons before, 14 now"))
    #expect(without.output.contains("  Eddystone-EID: 2 before, 2 now"))
    let run = try Tool.run(
      "compare", "--all", "--keys", "keys", "a.btsnoop", "b.btsnoop", in: scratch.folder)
    #expect(run.output.contains("15 beacons before, 15 now: 0 missing, 0 new"), "\(run.output)")
    #expect(!run.output.contains("Eddystone-EID"))
    #expect(run.errors == "beacontrace: --keys: of 'bed' no identifier was heard.\n")
  }

  @Test func aCaseKnowsItsKeysFileAndNoKey() throws {
    let scratch = try Self.scratch(Self.line)
    let made = try Tool.run(
      "analyze", "--keys", "keys", "--case", "c.sqlite", Self.walk, in: scratch.folder)
    #expect(made.status == 0)
    let file = try Tool.run(
      "case", "query", "--format", "csv", "c.sqlite",
      "SELECT role, name, bytes FROM files WHERE role = 'keys'", in: scratch.folder)
    #expect(file.output.contains("keys,keys,\(Self.line.utf8.count + 1)"))
    let verified = try Tool.run("case", "verify", "c.sqlite", in: scratch.folder)
    #expect(verified.status == 0, "\(verified.output)\(verified.errors)")
    let bytes = try Data(contentsOf: scratch.folder.appending(path: "c.sqlite"))
    #expect(bytes.range(of: Data(Self.key.utf8)) == nil)
    // Another key, another story.
    try scratch.write("keys", Array("locator=eid:ff\(Self.key.dropFirst(2))\n".utf8))
    let changed = try Tool.run("case", "verify", "c.sqlite", in: scratch.folder)
    #expect(changed.status == 65)
  }

  @Test func identifiersThatWereRecordedAndSentAgainAreTold() throws {
    // The walk, and what it held some minutes before, from another address: somebody sends what he recorded.
    let scratch = try Self.scratch(
      "locator=eid:\(Self.key),exponent=5,clock=600@2026-05-19T10:00:00Z")
    let scenario = try Tool.run("synth", "--print-scenario", "museum", in: scratch.folder)
    let fast = scenario.output.replacingOccurrences(of: "\"exponent\": 10", with: "\"exponent\": 5")
    try scratch.write("fast.json", Array(fast.utf8))
    let replayed = fast.replacingOccurrences(of: "\"clock_s\": 600", with: "\"clock_s\": 400")
      .replacingOccurrences(of: "6b:31:94:c7:0d:2e", with: "6b:31:94:c7:0d:2f")
    try scratch.write("replayed.json", Array(replayed.utf8))
    for name in ["fast", "replayed"] {
      let made = try Tool.run(
        "synth", "--scenario", "\(name).json", "--out", "\(name).btsnoop", in: scratch.folder)
      #expect(made.status == 0, "\(made.errors)")
    }
    let plain = try Tool.run("analyze", "--keys", "keys", "fast.btsnoop", in: scratch.folder)
    #expect(!plain.output.contains("sends them again"))
    // Both on one air: what the recorders wrote, one behind the other in time.
    let recordings = try ["fast", "replayed"].map {
      try Self.records(Array(Data(contentsOf: scratch.folder.appending(path: "\($0).btsnoop"))))
    }
    let all = recordings.flatMap(\.records).sorted { $0.time < $1.time }
    try scratch.write("both.btsnoop", recordings[0].head + all.flatMap(\.bytes))
    let run = try Tool.run("analyze", "--keys", "keys", "both.btsnoop", in: scratch.folder)
    let told = Self.words(run.output)
    #expect(
      told.contains("! locator: ")
        && told.contains("behind what else it sent there before and after (frame ")
        && told.contains(
          "somebody recorded them and sends them again, or another device has its key."),
      "\(told)")
  }

  @Test func telemetryThatTheKeyDoesNotOpenIsTold() throws {
    let scratch = try Self.scratch(Self.line)
    let made = try Tool.run("synth", "--out", "whole.btsnoop", in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let (head, records) = try Self.records(
      Array(Data(contentsOf: scratch.folder.appending(path: "whole.btsnoop"))))
    // The tag ends before the signal strength.
    let changed = records.flatMap { record in
      var bytes = record.bytes
      let isTelemetry = bytes.indices.contains {
        bytes[$0...].starts(with: [0xAA, 0xFE, 0x20, 0x01])
      }
      if isTelemetry { bytes[bytes.count - 2] ^= 1 }
      return bytes
    }
    try scratch.write("bad.btsnoop", head + changed)
    func run(_ words: String...) throws -> Run {
      try Tool.run(words + ["--keys", "keys"], in: scratch.folder)
    }
    let count = try run("sightings", "--format", "ndjson", "bad.btsnoop").lines
      .count { $0.contains("etlm_tag_mismatch") }
    try #require(count > 1)
    let sentence =
      "\(count) telemetry frames of locator are not opened by its key (etlm_tag_mismatch, first in frame "
    let told = Self.words(try run("analyze", "--all", "bad.btsnoop").output)
    #expect(told.contains("! \(sentence)"), "\(told)")
    let json = try JSON(run("analyze", "--format", "json", "bad.btsnoop").bytes)
    let remark = json["remarks"]?.list?.first { $0["code"]?.text == "etlm_tag_mismatch" }
    #expect(remark?["text"]?.text?.hasPrefix(sentence) == true)
    #expect(remark?["id"]?.text == "locator" && remark?["kind"]?.text == "eddystone-eid-resolved")
    let whole = try run("analyze", "--all", "whole.btsnoop").output
    #expect(!whole.contains("etlm_tag_mismatch"))
  }

  /// The header of a btsnoop file and its records.
  private static func records(_ file: [UInt8]) -> (
    head: [UInt8], records: [(time: UInt64, bytes: [UInt8])]
  ) {
    func number(_ range: Range<Int>) -> UInt64 { file[range].reduce(0) { $0 << 8 | UInt64($1) } }
    var records: [(time: UInt64, bytes: [UInt8])] = []
    var at = 16
    while at < file.count {
      let end = at + 24 + Int(number(at + 4..<at + 8))
      records.append((number(at + 16..<at + 24), Array(file[at..<end])))
      at = end
    }
    return (Array(file[..<16]), records)
  }
}
