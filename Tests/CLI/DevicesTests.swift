import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// `devices` through the built tool: addresses, counted once each.
@Suite("devices", .timeLimit(.minutes(60))) struct DevicesTests {
  /// 10:00 UTC.
  private static let start: Int64 = 1_779_184_800
  private static let beacon = Address(0xC235_3330_2550, isRandom: true)
  private static let watch = Address(0xC111_1111_1111, isRandom: true)
  private static let phone = Address(0x4A11_1111_1111, isRandom: true)
  private static let phoneLater = Address(0x5B22_2222_2222, isRandom: true)
  private static let passing = Address(0x0C33_3333_3333, isRandom: true)
  private static let printer = Address(0x0012_3456_789A, isRandom: false)
  private static let flags: [UInt8] = [2, 1, 6]
  /// Nearby info.
  private static let apple: [UInt8] = [7, 0xFF, 0x4C, 0, 0x10, 2, 1, 2]
  let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    let uuid = [UInt8](0..<16)
    let records = [
      Self.heard(Self.beacon, Payload.iBeacon(uuid: uuid, major: 1, minor: 1, power: -59), at: 0),
      Self.heard(Self.watch, Self.flags + Payload.name("Watch, \u{1b}[1m"), at: 1, rssi: -50),
      Self.heard(Self.phone, Self.apple, at: 2),
      Self.heard(Self.phone, Self.apple, at: 3),
      // The beacon's address once more, and no beacon: still one.
      Self.heard(Self.beacon, Self.flags, at: 4),
      Self.heard(Self.watch, Self.flags, at: 61, rssi: -50),
      Self.heard(Self.phoneLater, Self.apple, at: 900),
      Self.heard(Self.passing, Self.flags, at: 3500, rssi: -95),
      Self.heard(Self.printer, Self.flags, at: 3600, rssi: 127),
      Self.heard(Self.watch, Self.flags, at: 3601, rssi: -50),
    ]
    try scratch.write("site.btsnoop", BtsnoopWriter(datalink: 1002).file(records))
  }

  private static func heard(
    _ address: Address, _ data: [UInt8], at second: Int64, rssi: Int8 = -70
  ) -> Record {
    let packet = HCI.advertisingReport(HCI.LegacyReport(address, data, rssi: rssi))
    return Record(
      (start + second) * 1_000_000_000, packet.h4, tag: packet.btsnoopFlags)
  }

  private func run(_ words: String...) throws -> Run {
    try Tool.run(["devices"] + words + ["site.btsnoop"], in: scratch.folder)
  }

  @Test("counts each address once an hour, beacons apart, others by the kind of their address")
  func hours() throws {
    let run = try run("--format", "csv")
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      run.lines == [
        "from,to,minutes,addresses,beacons,others,new,at_once,at_once_most,public,random_static,"
          + "random_resolvable,random_nonresolvable,unknown_type",
        "2026-05-19T10:00:00.000000000Z,2026-05-19T11:00:00.000000000Z,4,5,1,4,4,1,2,0,1,2,1,0",
        "2026-05-19T11:00:00.000000000Z,2026-05-19T12:00:00.000000000Z,1,2,0,2,1,2,2,1,1,0,0,0",
      ])
  }

  @Test("has a row for so long as was asked, and none where nobody was heard") func every() throws {
    let rows = try run("--format", "csv", "--every", "10min").lines.dropFirst()
    #expect(
      rows.map { String($0.prefix(16)) } == [
        "2026-05-19T10:00", "2026-05-19T10:10", "2026-05-19T10:50", "2026-05-19T11:00",
      ])
  }

  @Test("leaves out who is weak or of no known strength, where that is asked for") func near()
    throws
  {
    let run = try run("--format", "json", "--min-rssi", "-60")
    let document = try JSON(run.bytes)
    #expect(document["rows"]?.list?.compactMap { $0["addresses"]?.int } == [1, 1])
    #expect(document["too_weak"]?.int == 7)
  }

  @Test("counts a part of the time") func part() throws {
    let rows = try run("--format", "csv", "--from", "2026-05-19 10:10", "--to", "2026-05-19 10:30")
      .lines.dropFirst()
    #expect(rows.count == 1)
    #expect(rows.first?.contains("Z,1,1,0,1,1,1,1,") == true)
  }

  @Test("says why it has nobody: another time, or all too weak") func nobody() throws {
    func words(_ run: Run) -> String {
      run.output.split { " \n".contains($0) }.joined(separator: " ")
    }
    let later = try words(run("--from", "2027-05-19 10:10"))
    #expect(
      later.contains("nobody was heard in that time; there are reports 2026-05-19 10:00"),
      "\(later)")
    let strong = try words(run("--min-rssi", "10"))
    #expect(
      strong.contains("nobody was heard as strongly as that: 10 reports are weaker"), "\(strong)")
  }

  @Test("says it to people, with what others say they are") func text() throws {
    let run = try run()
    #expect(
      run.lines.prefix(6).map { $0 } == [
        "DEVICES   whoever advertised, by the address; UTC",
        "2026-05-19    addresses  beacons  others  at once  most  public  static  private",
        "10:00–11:00          5        1       4        1     2       0       1        3",
        "             heard anybody in 4 of 60 minutes",
        "11:00–12:00          2        0       2        2     2       1       1        0",
        "             heard anybody in 1 of 60 minutes",
      ])
    #expect(run.output.contains("apple nearby info 2"))
    #expect(run.lines.allSatisfy { $0.count <= 80 })
  }

  @Test("tells what of a damaged capture it could not read, and counts the rest") func damaged()
    throws
  {
    var bytes = try Data(contentsOf: scratch.folder.appending(path: "site.btsnoop"))
    bytes.removeLast(5)
    try bytes.write(to: scratch.folder.appending(path: "site.btsnoop"))
    let run = try run("--format", "csv")
    #expect(run.status == 65)
    #expect(run.lines.count == 3)
    #expect(run.errors.contains("site.btsnoop"))
  }

  @Test("refuses lengths that are no minutes, and options that mean nothing") func refused() throws
  {
    let odd = try run("--every", "90s")
    #expect(odd.status == 64 && odd.errors.contains("whole minutes"))
    let both = try run("--every", "10min", "--each")
    #expect(both.status == 64 && both.errors.contains("give one of them"))
    for word in [["--all"], ["--order", "first"]] {
      let alone = try Tool.run(["devices"] + word + ["site.btsnoop"], in: scratch.folder)
      #expect(
        alone.status == 64 && alone.errors.contains("\(word[0]) means something with --each only"))
    }
  }

  @Test("lists each address with what it says it is, most heard first") func each() throws {
    let run = try run("--each")
    #expect(run.status == 0 && run.errors == "")
    #expect(
      run.lines.prefix(7).map { $0 } == [
        "DEVICES   6 addresses, most heard first; 2026-05-19, UTC",
        "                                     reports  minutes   RSSI min/med/max",
        "c1:11:11:11:11:11  static                  3        3    -50   -50   -50",
        #"  10:00:01–11:00:01  "Watch, \u{1b}[1m""#,
        "c2:35:33:30:25:50  static                  2        1    -70   -70   -70",
        "  10:00:00–10:00:04  iBeacon 0001…0e0f:1:1",
        "4a:11:11:11:11:11  private                 2        1    -70   -70   -70",
      ])
    #expect(run.lines[7] == "  10:00:02–10:00:03  apple nearby info")
    #expect(
      run.output.contains(
        "00:12:34:56:78:9a  public                  1        1          not given"))
    #expect(run.lines.allSatisfy { $0.count <= 80 } && !run.output.contains("\u{1b}"))
  }

  @Test("breaks names that are longer than a line, in letters that take two columns, too")
  func longNames() throws {
    let name = String(repeating: "長", count: 9)
    let records = (0..<4 as Range<Int64>).map { number in
      Self.heard(Self.watch, Payload.name(name + "\(number)"), at: number)
    }
    try scratch.write("long.btsnoop", BtsnoopWriter(datalink: 1002).file(records))
    let run = try Tool.run("devices", "--each", "long.btsnoop", in: scratch.folder)
    #expect(run.output.contains("\"\(name)0\" · \"\(name)1\""), "\(run.output)")
    let columns = run.lines.map { line in line.reduce(0) { $0 + ($1 == "長" ? 2 : 1) } }
    #expect(columns.allSatisfy { $0 <= 80 })
    // Control characters are written as six each, and nothing is left to break at.
    let control = Payload.name(String(repeating: "\u{7}", count: 26))
    try scratch.write(
      "long.btsnoop", BtsnoopWriter(datalink: 1002).file([Self.heard(Self.watch, control, at: 0)]))
    let escaped = try Tool.run("devices", "--each", "long.btsnoop", in: scratch.folder)
    #expect(escaped.output.contains("\\u{7}") && escaped.lines.allSatisfy { $0.count <= 80 })
  }

  @Test("keeps a name in its cell, and its row in one line") func namesInCells() throws {
    let name = "a\r\n2026-11-20,\tb\u{E0041}"
    try scratch.write(
      "name.btsnoop",
      BtsnoopWriter(datalink: 1002).file([Self.heard(Self.watch, Payload.name(name), at: 0)]))
    let words = ["devices", "--each", "--format", "csv", "name.btsnoop"]
    let run = try Tool.run(words, in: scratch.folder)
    #expect(run.lines.count == 2, "\(run.output)")
    #expect(run.output.contains(#","a\u{d}\u{a}2026-11-20,\u{9}b\u{e0041}","#), "\(run.output)")
  }

  @Test("lists by when they came, and by how strong they are") func orders() throws {
    func addresses(_ words: String...) throws -> [String] {
      try Tool.run(
        ["devices", "--each", "--format", "csv", "--order"] + words + ["site.btsnoop"],
        in: scratch.folder
      ).lines.dropFirst().map { String($0.prefix(5)) }
    }
    #expect(try addresses("first") == ["c2:35", "c1:11", "4a:11", "5b:22", "0c:33", "00:12"])
    #expect(try addresses("signal") == ["c1:11", "c2:35", "4a:11", "5b:22", "0c:33", "00:12"])
  }

  @Test("lists each for programs") func eachForPrograms() throws {
    let document = try JSON(try run("--each", "--format", "json").bytes)
    let rows = try #require(document["advertisers"]?.list)
    #expect(rows.map { $0["reports"]?.int } == [3, 2, 2, 1, 1, 1])
    let watch = rows[0]
    #expect(watch["names"]?.list?.map(\.text) == ["Watch, \u{1b}[1m"])
    #expect(watch["first"]?.text == "2026-05-19T10:00:01.000000000Z")
    #expect(watch["last"]?.text == "2026-05-19T11:00:01.000000000Z")
    #expect(watch["address_type"]?.text == "random_static" && watch["minutes"]?.int == 3)
    let beacon = rows[1]["beacons"]?.list ?? []
    #expect(beacon.count == 1 && beacon[0]["kind"]?.text == "ibeacon")
    #expect(beacon[0]["id"]?.text == "00010203-0405-0607-0809-0a0b0c0d0e0f:1:1")
    #expect(rows[2]["labels"]?.list?.map(\.text) == ["apple_nearby_info"])
    #expect(rows[2]["companies"]?.list?.map(\.int) == [76])
    #expect(rows[5]["rssi_median"] == .null && rows[5]["address_type"]?.text == "public")
    let table = try run("--each", "--format", "csv").lines
    #expect(
      table[1]
        == "c1:11:11:11:11:11,random_static,3,3,2026-05-19T10:00:01.000000000Z,"
        + "2026-05-19T11:00:01.000000000Z,-50,-50,-50,,\"Watch, \\u{1b}[1m\",,,,,")
    #expect(table[2].hasSuffix(",ibeacon:00010203-0405-0607-0809-0a0b0c0d0e0f:1:1,,,,76,,"))
  }

  @Test("names who claims to send a beacon and does not, and why") func eachThatIsRefused() throws {
    let broken = Payload.manufacturer(0x004C, [0x02, 0x14] + [UInt8](0..<21))
    let records = (0..<3).map { Self.heard(Self.watch, broken, at: $0) }
    try scratch.write("bad.btsnoop", BtsnoopWriter(datalink: 1002).file(records))
    func devices(_ words: String...) throws -> Run {
      try Tool.run(["devices", "--each"] + words + ["bad.btsnoop"], in: scratch.folder)
    }
    let text = try devices()
    #expect(
      text.lines.contains { $0.hasSuffix("  no iBeacon (ibeacon_bad_length)") }, "\(text.output)")
    #expect(try devices("--format", "csv").lines[1].hasSuffix(",,,,,76,,ibeacon_bad_length"))
    let rows = try JSON(try devices("--format", "json").bytes)["advertisers"]?.list
    #expect(rows?.first?["refused"]?.list?.map(\.text) == ["ibeacon_bad_length"])
  }

  @Test("leaves out of the list what is weak, and says so") func eachThatIsNear() throws {
    let run = try run("--each", "--min-rssi", "-60")
    #expect(run.lines[0].hasPrefix("DEVICES   1 address, "))
    #expect(run.output.contains("7 reports left out"))
  }
}
