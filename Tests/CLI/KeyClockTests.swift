import Foundation
import Testing

/// Whose clock is off where a key is not where its line has it: a beacon's, or a receiver's.
@Suite(.timeLimit(.minutes(60)))
struct KeyClockTests {
  private static let clocks = [90_000_000, 40_000_000, 40_100_000]
  private static let day: Int64 = 86_400

  /// A record of a btsnoop file; microseconds.
  private struct Heard {
    var time: UInt64
    let bytes: [UInt8]

    func later(by seconds: Int64) -> Heard {
      var bytes = bytes
      let time = UInt64(Int64(time) + seconds * 1_000_000)
      for place in 0..<8 {
        bytes[16 + place] = UInt8(truncatingIfNeeded: time >> UInt64(56 - 8 * place))
      }
      return Heard(time: time, bytes: bytes)
    }
  }

  private let scratch: Scratch
  private let head: [UInt8]
  /// Half an hour of three beacons with keys.
  private let heard: [Heard]

  init() throws {
    scratch = try Scratch()
    let lines = Self.clocks.enumerated().map { number, clock in
      "t\(number)=eid:\(Self.key(number)),exponent=10,clock=\(clock)@2026-05-19T10:00:00Z\n"
    }
    try scratch.write("keys", Array(lines.joined().utf8))
    try scratch.write("key", Array(lines[0].utf8))
    (head, heard) = try Self.made(Self.clocks, "2026-05-19T10:00:00Z", scratch)
    try #require(heard.count > 3000)
  }

  private static func key(_ number: Int) -> String {
    "0102030405060708090a11121314150\(number)"
  }

  private static func made(_ clocks: [Int], _ start: String, _ scratch: Scratch) throws -> (
    [UInt8], [Heard]
  ) {
    let beacons = clocks.enumerated().map { number, clock in
      """
      {"name": "b\(number)", "kind": "eddystone-eid", "key": "\(key(number))", "exponent": 10,
       "clock_s": \(clock), "at": [3, \(number + 1)], "interval_ms": 1000}
      """
    }
    try scratch.write(
      "site.json",
      Array(
        """
        {"name": "site", "start": "\(start)", "duration_s": 1800, "observer": [[0, 0, 0]],
         "scan": {"commands": "legacy"}, "beacons": [\(beacons.joined(separator: ",\n"))]}
        """.utf8))
    let made = try Tool.run(
      "synth", "--scenario", "site.json", "--out", "made.btsnoop", in: scratch.folder)
    #expect(made.status == 0, "\(made.errors)")
    let place = scratch.folder.appending(path: "made.btsnoop")
    let file = try Array(Data(contentsOf: place))
    try FileManager.default.removeItem(at: place)
    func number(_ range: Range<Int>) -> UInt64 { file[range].reduce(0) { $0 << 8 | UInt64($1) } }
    var records: [Heard] = []
    var at = 16
    while at < file.count {
      let end = at + 24 + Int(number(at + 4..<at + 8))
      records.append(Heard(time: number(at + 16..<at + 24), bytes: Array(file[at..<end])))
      at = end
    }
    return (Array(file[..<16]), records)
  }

  private func write(_ name: String, _ heard: [Heard]) throws {
    try scratch.write(name, head + heard.flatMap(\.bytes))
  }

  /// What another receiver may have heard.
  private func most(of heard: [Heard], later seconds: Int64) -> [Heard] {
    heard.enumerated().filter { $0.offset < 8 || $0.offset % 5 > 0 }
      .map { $0.element.later(by: seconds) }
  }

  private func told(_ words: String..., keys: String = "keys") throws -> String {
    let run = try Tool.run(["analyze", "--keys", keys] + words, in: scratch.folder)
    #expect(run.status == 0, "\(run.errors)")
    return run.output.split { " \n".contains($0) }.joined(separator: " ")
  }

  /// A battery was changed: its clock began anew, in the capture or by the next day's.
  @Test func aBeaconThatIsSetAnewIsToldBesideWhatItWas() throws {
    var after = Self.clocks.map { $0 + 1800 }
    after[0] = 65_280
    let (_, anew) = try Self.made(after, "2026-05-19T10:30:00Z", scratch)
    try write("one.btsnoop", heard + anew)
    try write("before.btsnoop", heard)
    try write("after.btsnoop", anew)
    for captures in [["one.btsnoop"], ["before.btsnoop", "after.btsnoop"]] {
      let run = try Tool.run(["analyze", "--keys", "keys"] + captures, in: scratch.folder)
      let told = run.output.split { " \n".contains($0) }.joined(separator: " ")
      #expect(
        told.contains(
          "--keys: 't0' was heard within its window and, from 2026-05-19 10:30:0"), "\(told)")
      #expect(
        told.contains(
          "beyond it: what it sent so counts as that of nobody. By the same clock 2 other keys are where their "
            + "lines have them: it is this beacon's that was set anew (a new battery?). Write clock=6"
        ),
        "\(told)")
      #expect(
        told.contains(" for what comes from then on if the captures' clock is right"), "\(told)")
      #expect(told.components(separatedBy: "--keys: ").count == 2, "\(told)")
    }
  }

  /// Another battery, and the old one again.
  @Test func aLineThatIsRightAgainIsLeft() throws {
    var amid = Self.clocks.map { $0 + 1800 }
    amid[0] = 65_280
    let (_, anew) = try Self.made(amid, "2026-05-19T10:30:00Z", scratch)
    let (_, again) = try Self.made(Self.clocks.map { $0 + 3600 }, "2026-05-19T11:00:00Z", scratch)
    for (name, part) in [("a", heard), ("b", anew), ("c", again)] {
      try write("\(name).btsnoop", part)
    }
    let told = try told("a.btsnoop", "b.btsnoop", "c.btsnoop")
    #expect(
      told.contains(
        #/'t0' was heard within its window and, from 2026-05-19 10:30:0\S+ to 2026-05-19 10:5/#),
      "\(told)")
    #expect(
      told.contains("that was set otherwise. The line is right for what came later."), "\(told)")
    #expect(!told.contains("Write clock="), "\(told)")
  }

  /// Its clock was set five minutes after it had begun.
  @Test func aReceiverThatBeganAtAWrongTimeIsTold() throws {
    let start = heard[0].time
    try write(
      "boot.btsnoop",
      heard.map { $0.time < start + 300_000_000 ? $0.later(by: -3 * Self.day) : $0 })
    let told = try told("boot.btsnoop")
    #expect(
      told.contains(
        #/--keys: by the clock of boot, until 2026-05-16 10:0\S+, 3 keys \('t0', 't1' and 't2'\) are all about /#
      ), "\(told)")
    let word = try #require(
      told.firstMatch(
        of: #/--clock (boot\.btsnoop=\+2(?:5[89]|60)\d+s,until=2026-05-16T10:0\S+Z) would set/#),
      "\(told)")
    let right = try self.told("--clock", String(word.1), "boot.btsnoop")
    #expect(!right.contains("--keys: by the clock"), "\(right)")
  }

  @Test func aSecondReceiverThatIsDaysOffIsTold() throws {
    try write("r1.btsnoop", heard)
    try write("r2.btsnoop", most(of: heard, later: 2 * Self.day))
    let told = try told("r1.btsnoop", "r2.btsnoop")
    #expect(
      told.contains("--keys: by the clock of r2 3 keys ('t0', 't1' and 't2') are all about "),
      "\(told)")
    #expect(
      told.contains(
        "beyond their windows: what they sent so counts as that of nobody. By that of r1 they are where the lines "
          + "have them: the receivers' clocks differ, or recordings of them are sent again, and the lines are to be left. "
          + "--clock r2.btsnoop=-17"
      ), "\(told)")
    #expect(!told.contains("Write clock="), "\(told)")
  }

  /// What is left out nobody can move.
  @Test func eachCaptureOfAReceiverThatIsOffIsNamed() throws {
    let part = heard.count / 4
    for (number, name) in ["a", "b", "c", "d"].enumerated() {
      try write(
        "site/late/\(name).btsnoop",
        heard[number * part..<(number + 1) * part].map { $0.later(by: 3 * Self.day) })
    }
    let told = try told("--observers", "folder", "site")
    #expect(told.matches(of: #/--clock \S+\.btsnoop=-/#).count == 4, "\(told)")
    #expect(told.contains(" would set the receiver's right"), "\(told)")
  }

  /// The clocks of a capture's receivers are moved together.
  @Test func aReceiverOfACaptureWithSeveralIsNotMovedByItself() throws {
    func word(_ value: UInt64, _ bytes: Int) -> [UInt8] {
      (0..<bytes).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * $0)) }
    }
    func block(_ kind: UInt64, _ body: [UInt8]) -> [UInt8] {
      let body = body + [UInt8](repeating: 0, count: (4 - body.count % 4) % 4)
      let length = word(UInt64(body.count + 12), 4)
      return word(kind, 4) + length + body + length
    }
    // LINKTYPE_BLUETOOTH_HCI_H4.
    let interface = block(1, word(187, 2) + word(0, 2) + word(0, 4))
    var file = block(0x0A0D_0D0A, word(0x1A2B_3C4D, 4) + word(1, 2) + word(0, 2) + word(.max, 8))
    file += interface + interface
    for (receiver, late) in [(UInt64(0), Int64(0)), (1, 2 * Self.day)] {
      for one in heard {
        let packet = Array(one.bytes[24...])
        let time = one.later(by: late).time - 0x00DC_DDB3_0F2F_8000
        let size = word(UInt64(packet.count), 4)
        file += block(
          6, word(receiver, 4) + word(time >> 32, 4) + word(time, 4) + size + size + packet)
      }
    }
    try scratch.write("two.pcapng", file)
    let told = try told("two.pcapng")
    #expect(told.contains("3 keys ('t0', 't1' and 't2') are all about "), "\(told)")
    #expect(
      told.contains(
        "Set the receiver's clock right before the keys' lines; no --clock does that by itself, as two.pcapng has 2 "
          + "receivers, which it moves together."), "\(told)")
    #expect(!told.contains("--clock two.pcapng="), "\(told)")
  }

  /// By their stamps they were not there at a time.
  @Test func aLineThatIsRightAtOneReceiverIsLeft() throws {
    try write("r1.btsnoop", heard)
    try write("r2.btsnoop", most(of: heard, later: 5 * 3600))
    let all = try told("r1.btsnoop", "r2.btsnoop")
    #expect(all.contains("--keys: by the clock of r2 3 keys"), "\(all)")
    #expect(!all.contains("Write clock="), "\(all)")
    let one = try told("r1.btsnoop", "r2.btsnoop", keys: "key")
    #expect(one.contains("('beacontrace clocks')") && !one.contains("Write clock="), "\(one)")
    // Both heard the same identifier last.
    try write("r2.btsnoop", heard.map { $0.later(by: 5 * 3600) })
    for captures in [["r1.btsnoop", "r2.btsnoop"], ["r2.btsnoop", "r1.btsnoop"]] {
      let same = try told(captures[0], captures[1], keys: "key")
      #expect(!same.contains("Write clock="), "\(same)")
    }
    // Nothing that both heard shows how their clocks go.
    let half = heard.count / 2
    try write("r1.btsnoop", Array(heard[..<half]))
    try write("r2.btsnoop", heard[half...].map { $0.later(by: 5 * 3600) })
    let apart = try told("r1.btsnoop", "r2.btsnoop", keys: "key")
    #expect(apart.contains("--keys: by the clock of r2 't0' is about "), "\(apart)")
    #expect(
      apart.contains(
        "and by that of r1, at another time, where the line has it: the receivers' clocks differ "
          + "('beacontrace clocks'), or the beacon's was set in between. Set those right (--clock) before the key's "
          + "line."), "\(apart)")
    #expect(!apart.contains("Write clock="), "\(apart)")
  }

  /// Their batteries were changed on one day.
  @Test func beaconsThatAllBeganAnewAreNoReceiversAlone() throws {
    let (_, anew) = try Self.made([65_300, 65_310, 65_320], "2026-05-19T10:00:00Z", scratch)
    try write("anew.btsnoop", anew)
    let lines = (0..<3).map {
      "t\($0)=eid:\(Self.key($0)),exponent=10,clock=40000000@2026-05-19T10:00:00Z\n"
    }
    try scratch.write("lines", Array(lines.joined().utf8))
    let told = try told("anew.btsnoop", keys: "lines")
    #expect(
      told.contains("--keys: by the clock of anew 3 keys ('t0', 't1' and 't2') are all about "))
    #expect(
      told.contains(
        "or recordings of them are sent again, or the beacons got new batteries, all about the same time: their "
          + "clocks began not long ago."), "\(told)")
    #expect(!told.contains("hardly the beacons'"), "\(told)")
  }

  @Test func keysThatAgreeAreToldAtOnce() throws {
    for seconds: Int64 in [3 * Self.day, 5 * 3600] {
      try write("late.btsnoop", heard.map { $0.later(by: seconds) })
      let told = try told("late.btsnoop")
      #expect(told.components(separatedBy: "--keys: ").count == 2, "\(told)")
      #expect(
        told.contains("--keys: by the clock of late 3 keys ('t0', 't1' and 't2') are all about "),
        "\(told)")
      #expect(
        told.contains(
          "It is that clock that is off, or the one by which all these lines were written, or recordings of them are "
            + "sent again, and hardly the beacons'. --clock late.btsnoop=-"), "\(told)")
    }
  }
}
