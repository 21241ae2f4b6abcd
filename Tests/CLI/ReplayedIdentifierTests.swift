import Foundation
import Testing

/// Eddystone-EIDs of a key that somebody recorded and sends again: what is said of them, and of which frame.
@Suite(.timeLimit(.minutes(60)))
struct ReplayedIdentifierTests {
  private static let key = "0102030405060708090a111213141516"
  private static let line = "gate=eid:\(key),exponent=6,clock=65000@2026-05-19T10:00:00Z"

  private static func words(_ output: String) -> String {
    output.split { " \n".contains($0) }.joined(separator: " ")
  }

  /// A record of a btsnoop file; microseconds.
  private struct Heard {
    var time: UInt64
    let bytes: [UInt8]
    /// Whether it holds an Eddystone-EID.
    var isEID: Bool {
      bytes.count > 40 && bytes.dropFirst(24).contains(0x30) && has([0xAA, 0xFE, 0x30])
    }

    private func has(_ part: [UInt8]) -> Bool {
      bytes.indices.contains { bytes[$0...].starts(with: part) }
    }

    /// From another address: at the same distances from one another packets of the same one are taken for a receiver's
    /// clock that differs.
    func fromElsewhere() -> Heard {
      var bytes = bytes
      bytes[31] ^= 0x11
      return Heard(time: time, bytes: bytes)
    }

    func at(_ time: UInt64) -> Heard {
      var bytes = bytes
      for place in 0..<8 {
        bytes[16 + place] = UInt8(truncatingIfNeeded: time >> UInt64(56 - 8 * place))
      }
      return Heard(time: time, bytes: bytes)
    }
  }

  private let scratch: Scratch
  private let head: [UInt8]
  private let others: [Heard]
  private let beacon: [Heard]

  /// Twenty-five minutes of a beacon with a key, and of one without.
  init() throws {
    scratch = try Scratch()
    try scratch.write("keys", Array("\(Self.line)\n".utf8))
    try scratch.write(
      "gate.json",
      Array(
        """
        {"name": "gate", "start": "2026-05-19T10:00:00Z", "duration_s": 1500, "observer": [[0, 0, 0]],
         "scan": {"commands": "legacy"}, "beacons": [
          {"name": "e", "kind": "eddystone-eid", "key": "\(Self.key)", "exponent": 6, "clock_s": 65000,
           "at": [3, 3], "interval_ms": 1000},
          {"name": "i", "kind": "ibeacon", "uuid": "f7826da6-4fa2-4e98-8024-bc5b71e0893e", "major": 1,
           "minor": 1, "at": [3, 4], "interval_ms": 500}]}
        """.utf8))
    let made = try Tool.run(
      "synth", "--scenario", "gate.json", "--out", "gate.btsnoop", in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let file = try Array(Data(contentsOf: scratch.folder.appending(path: "gate.btsnoop")))
    head = Array(file[..<16])
    let all = Self.records(file)
    (others, beacon) = (all.filter { !$0.isEID }, all.filter(\.isEID))
    try #require(beacon.count > 1000)
  }

  private static func records(_ file: [UInt8]) -> [Heard] {
    func number(_ range: Range<Int>) -> UInt64 { file[range].reduce(0) { $0 << 8 | UInt64($1) } }
    var records: [Heard] = []
    var at = 16
    while at < file.count {
      let end = at + 24 + Int(number(at + 4..<at + 8))
      records.append(Heard(time: number(at + 16..<at + 24), bytes: Array(file[at..<end])))
      at = end
    }
    return records
  }

  private func write(_ name: String, _ heard: [Heard]) throws {
    try scratch.write(name, head + heard.sorted { $0.time < $1.time }.flatMap(\.bytes))
  }

  private func told(_ captures: String...) throws -> String {
    let run = try Tool.run(["analyze", "--keys", "keys"] + captures, in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    return Self.words(run.output)
  }

  /// Seconds from the beginning.
  private func first(from: UInt64, to: UInt64) -> [Heard] {
    let start = others[0].time
    return beacon.filter { $0.time >= start + from * 1_000_000 && $0.time < start + to * 1_000_000 }
  }

  private func later(_ heard: [Heard], by seconds: UInt64) -> [Heard] {
    heard.map { $0.at($0.time + seconds * 1_000_000) }
  }

  @Test func aBeaconThatIsHeardByTwoIsNothingOdd() throws {
    try write(
      "east.btsnoop",
      others + later(beacon, by: 0).enumerated().filter { $0.offset % 3 > 0 }.map(\.element))
    for captures in [["gate.btsnoop"], ["gate.btsnoop", "east.btsnoop"]] {
      let run = try Tool.run(["analyze", "--keys", "keys"] + captures, in: scratch.folder)
      let told = Self.words(run.output)
      #expect(!told.contains("sends it again") && !told.contains("--keys:"), "\(told)")
    }
  }

  /// However wrong its line says that its clock is.
  @Test func oneThatIsSentForLongerThanItLasts() throws {
    let sent = first(from: 10, to: 11)[0]
    try write(
      "shop.btsnoop", others + (0..<300).map { sent.at(sent.time + 900_000_000 + $0 * 1_000_000) })
    let told = try told("shop.btsnoop")
    #expect(told.contains("! gate: identifier "), "\(told)")
    #expect(
      told.contains(
        "300 sightings) lasts 1 min 04 s, and was sent for 4 min 59 s: somebody recorded it and sends it again, or the "
          + "beacon's clock stands still."), "\(told)")
    #expect(
      told.contains(
        "--keys: an identifier of 'gate' was sent for 4 min 59 s, and lasts 1 min 04 s: it is a recording that is "
          + "sent again, or the beacon's clock stands still. That it is about 20 min"), "\(told)")
    #expect(!told.contains("Write clock="))
    let events = try Tool.run(
      "events", "--keys", "keys", "--format", "ndjson", "shop.btsnoop", in: scratch.folder)
    let entry = try #require(
      events.lines.compactMap { try? JSON(Data($0.utf8)) }.first {
        $0["type"]?.text == "enter" && $0["region"]?.text == "gate"
      }?["id"]?.text, "\(events.output)")
    let why = try Tool.run("explain", "--keys", "keys", entry, "shop.btsnoop", in: scratch.folder)
    // The beacon's clock was 65 010 s or so when it was recorded, and 900 s have passed.
    #expect(
      Self.words(why.output).contains(
        "by its key: what it sends from 64 960 s of its clock on, for 64 s; by the key's line its clock says 65 91"
      ),
      "\(why.output)")
  }

  @Test func identifiersThatChangeTooEarlyAreNoReasonToWriteAClock() throws {
    let start = min(others[0].time, beacon[0].time)
    try write("shop.btsnoop", others + beacon.map { $0.at(start + ($0.time - start) / 3) })
    let told = try told("shop.btsnoop")
    #expect(told.contains("--keys: identifiers of 'gate' last about 2"), "\(told)")
    #expect(told.contains(" s, and 64 s are expected (exponent 6): its clock runs at "), "\(told)")
    #expect(!told.contains("Write clock=") && !told.contains("where its line has it"), "\(told)")
  }

  @Test func oneThatComesBackIsNamedAndNotTheBeacon() throws {
    try write("shop.btsnoop", others + beacon + later(first(from: 100, to: 110), by: 800))
    let told = try told("shop.btsnoop")
    #expect(told.components(separatedBy: "sends it again").count == 2, "\(told)")
    #expect(
      told.contains(/about 1[23] min \d\d s behind what else/)
        && told.contains("behind what else it sent there before and after"), "\(told)")
    #expect(
      told.contains("somebody recorded it and sends it again, or another device has its key."),
      "\(told)")
  }

  @Test func oneOfTheFutureIsNamedAndNotTheBeacon() throws {
    // What is to be sent in ten minutes' time.
    let sent = first(from: 1200, to: 1205).map { $0.at($0.time - 800_000_000) }
    try write("shop.btsnoop", others + beacon + sent)
    let told = try told("shop.btsnoop")
    #expect(told.contains("ahead of what else it sent there before and after"), "\(told)")
    #expect(
      told.contains("; \(sent.count) sightings)") && !told.contains("sends it again"), "\(told)")
  }

  @Test func whatAnotherReceiverHearsAtTheTimeIsCompared() throws {
    try write(
      "far.btsnoop", later(first(from: 0, to: 300), by: 900).map { $0.fromElsewhere() })
    try write("near.btsnoop", others + later(first(from: 0, to: 300), by: 900))
    let unknown = try told("gate.btsnoop", "far.btsnoop")
    #expect(unknown.contains("behind what gate heard of it at the time"), "\(unknown)")
    #expect(
      unknown.contains("the receivers' clocks differ by as much, or somebody recorded them"),
      "\(unknown)")
    let known = try told("gate.btsnoop", "near.btsnoop")
    #expect(known.contains("by what both receivers heard it is not their clocks"), "\(known)")
    // Alone its clock may be slow.
    let alone = try told("near.btsnoop")
    #expect(
      !alone.contains("behind what")
        && alone.contains(", and it is no recording that somebody sends again."), "\(alone)")
  }

  /// A receiver's clock that was found to be off is told in place of the beacon's.
  @Test func aReceiversClockIsNoReasonToWriteAnotherLine() throws {
    try write("late.btsnoop", later(others + beacon, by: 300).sorted { $0.time < $1.time })
    let told = try told("gate.btsnoop", "late.btsnoop")
    #expect(!told.contains("sends it again") && !told.contains("Write clock="), "\(told)")
    #expect(told.contains("--keys: by the clock of late 'gate' is about "), "\(told)")
    #expect(
      told.contains("by that of gate where the line has it: the receivers' clocks differ"),
      "\(told)")
  }
}

/// Tests of plugins have beacons with keys whose clocks run, and recordings may have keys.
extension ReplayedIdentifierTests {
  private func tested(_ test: String) throws -> Run {
    try scratch.write(
      "r.lua",
      Array(
        """
        on("sighting", { kind = "eddystone-eid-resolved" }, function(s)
          print(s.key, s.clock_s, s.lasts_s, s.clock_due_s)
          state.count = (state.count or 0) + 1
        end)
        """.utf8))
    try scratch.write("r.test.lua", Array(test.utf8))
    return try Tool.run("plugin", "test", "r.lua", in: scratch.folder)
  }

  @Test func clocksOfTestsRun() throws {
    let run = try tested(
      """
      test "runs" {
        sightings = { { at = 0, key = "cart" }, { at = 1024, key = "cart" },
          { at = 2000, ["until"] = 4000, every = 2000, key = "cart", clock_s = 2048 },
          { at = 5000, ["until"] = 7000, every = 2000, key = "cart", clock_s = 2048, clock_stands = true } },
        alerts = {},
        print = {
          "cart\\t1048576\\t1024\\t1048576", "cart\\t1049600\\t1024\\t1049600", "cart\\t2048\\t1024\\t1050576",
          "cart\\t3072\\t1024\\t1052576", "cart\\t2048\\t1024\\t1053576", "cart\\t2048\\t1024\\t1055576" },
      }
      """)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }

  @Test func recordingsOfTestsHaveKeys() throws {
    let run = try tested(
      """
      test "knows it" {
        capture = "gate.btsnoop", keys = { "\(Self.line)" }, alerts = {},
        finish = function(state) assert(state.count > 1000) end,
      }
      """)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
    let wrong = try tested(
      """
      test "has none" { sightings = { { at = 0, key = "cart" } }, keys = { "\(Self.line)" }, alerts = {} }
      """)
    #expect(wrong.status != 0)
    #expect(
      (wrong.output + wrong.errors).contains(
        "keys are of captures; in sightings key = \"NAME\" has one that is made up"),
      "\(wrong.output)\(wrong.errors)")
  }
}
