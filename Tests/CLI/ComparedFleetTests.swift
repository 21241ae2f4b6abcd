import CaptureReader
import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// A fleet of sites, each walked through once a month: a folder for each below one for each month.
@Suite("A fleet that is walked through", .timeLimit(.minutes(60)))
struct ComparedFleetTests {
  private let scratch: Scratch

  init() throws { scratch = try Scratch() }

  private struct Sender {
    let data: [UInt8]
    let address: Address
    let from: Int
  }

  private static func beacon(_ minor: UInt16, from: Int, address: UInt64? = nil) -> Sender {
    Sender(
      data: WordingTests.iBeacon(minor),
      address: Address(0xC4BE_0000_0000 + (address ?? UInt64(minor))), from: from)
  }

  /// Twelve beacons that are passed one after the other, a minute each.
  private static func way(_ first: UInt16) -> [Sender] {
    (0..<12).map { beacon(first + $0, from: 25 * Int($0)) }
  }

  /// - Parameter end: when the walk is broken off, seconds.
  private func walk(
    _ folder: String, _ senders: [Sender], day: Int64, hour: Int64, until end: Int = 400
  ) throws {
    let start = WordingTests.start + (day * 24 + hour) * 3_600_000_000_000
    var records = [
      Record(start, HCI.setScanEnable(true, filterDuplicates: false).h4),
      Record(start + 1_000_000, HCI.commandComplete(0x200C, [0]).h4),
    ]
    for second in 1..<end {
      for (place, sender) in senders.enumerated()
      where (sender.from..<sender.from + 60).contains(second) {
        let time = start + Int64(second) * 1_000_000_000 + Int64(place) * 1_000_000
        records.append(WordingTests.heard(sender.data, from: sender.address, at: time))
      }
    }
    try FileManager.default.createDirectory(
      at: scratch.folder.appending(path: folder), withIntermediateDirectories: true)
    try scratch.write("\(folder)/walk.pcap", PcapWriter(linkType: 187).file(records))
  }

  private func fleet(
    _ month: String, day: Int64, north: [Sender]? = way(100), south: [Sender]? = way(200),
    until end: Int = 400
  ) throws {
    if let north { try walk("\(month)/north", north, day: day, hour: 1, until: end) }
    if let south { try walk("\(month)/south", south, day: day, hour: 3) }
  }

  private func words(_ arguments: String...) throws -> String {
    let run = try Tool.run(["compare"] + arguments, in: scratch.folder)
    try #require(run.status == 0, "\(run.errors)")
    #expect(run.lines.allSatisfy { $0.count <= 80 }, "\(run.output)")
    return run.output.split { " \n".contains($0) }.joined(separator: " ")
  }

  @Test(
    "receivers that listened one after the other are taken as one, and it is said what compares them"
  )
  func inTurn() throws {
    try fleet("may", day: 0)
    try fleet("june", day: 30)
    let text = try words("may", "june")
    #expect(
      text.contains(
        "listened one after the other on both sides: they are taken as one receiver"), "\(text)")
    let joined = try words("--observers", "folder", "may", "june")
    #expect(!joined.contains("one after the other"), "\(joined)")
  }

  @Test("a receiver that takes no part is named before everything else, and in the rows")
  func missing() throws {
    try fleet("may", day: 0)
    try fleet("june", day: 30, north: nil, south: Self.way(200).dropLast())
    let text = try words("--all", "--observers", "folder", "may", "june")
    #expect(
      text.contains(
        "as before ! Observer north (heard 12 beacons) of BEFORE has no counterpart in AFTER"),
      "\(text)"
    )
    #expect(
      text.components(separatedBy: "heard by north alone, which takes no part now").count == 13)
    #expect(text.contains(":1:211 gone:"), "\(text)")
    let later = try words("--observers", "folder", "june", "may")
    #expect(
      later.contains("Observer north (heard 12 beacons) of AFTER has no counterpart"), "\(later)")
    #expect(later.contains("heard by north alone, which took no part before"), "\(later)")
    let json = try JSON(
      try Tool.run(
        "compare", "--observers", "folder", "--format", "json", "may", "june", in: scratch.folder
      ).bytes)
    let heard = json["missing"]?.list?.map { $0["heard_by"]?.list?.compactMap(\.text) ?? [] }
    #expect(heard?.count { $0 == ["north"] } == 12 && heard?.count { $0.isEmpty } == 1)
  }

  @Test("of a walk that was broken off counts what had been heard by then")
  func brokenOff() throws {
    try fleet("may", day: 0)
    try fleet("june", day: 30, north: Self.way(100).filter { $0.from != 25 }, until: 120)
    let text = try words("--all", "--observers", "folder", "may", "june")
    #expect(
      text.contains("! north listened for 1 min 59 s in AFTER, for 5 min 34 s in BEFORE"), "\(text)"
    )
    #expect(text.contains("It walks: of BEFORE counts what it heard in as much time"), "\(text)")
    #expect(
      text.contains(":1:101 gone: last heard") && text.components(separatedBy: " gone: ").count == 2
    )
    #expect(
      text.contains(
        "60 sightings; none of them in the first 1 min 59 s of its radio, which went on for no longer now"
      ), "\(text)")
  }

  @Test("two receivers that hear addresses of their own hear two devices")
  func copied() throws {
    try fleet("may", day: 0)
    try fleet("june", day: 30, south: Self.way(200) + [Self.beacon(103, from: 60, address: 999)])
    let sentence =
      "2 addresses one after the other, each heard by another receiver: several devices or a clone"
    #expect(try words("--observers", "folder", "may", "june").contains(":1:103 \(sentence)"))
    // Nobody says that they are two.
    let run = try Tool.run("compare", "may", "june", in: scratch.folder)
    #expect(run.output.contains("2 addresses one after the other: one device"), "\(run.output)")
  }

  @Test("an Eddystone-EID that no key makes is told of the address that had sent those of a key")
  func clockOff() throws {
    let key = "0102030405060708090a0b0c0d0e0f10"
    func record(_ name: String, day: String, clock: Int) throws {
      let shelf = (1...4).map { number in
        """
        {"name": "b\(number)", "kind": "eddystone-uid", "namespace": "0102030405060708090a", "interval_ms": 500,
         "instance": "00000000000\(number)", "address": "c4:be:00:00:00:0\(number)", "at": [\(number), 1]}
        """
      }
      let locator = """
        {"name": "locator", "kind": "eddystone-eid", "key": "\(key)", "exponent": 10, "clock_s": \(clock),
         "address": "c4:be:00:00:01:f4", "at": [2, 2], "interval_ms": 500}
        """
      try scratch.synthesize(
        name,
        """
        {"name": "\(name)", "start": "\(day)T10:00:00Z", "duration_s": 60, "observer": [[0, 0, 0]],
         "beacons": [\((shelf + [locator]).joined(separator: ",\n"))]}
        """)
    }
    try scratch.write(
      "keys", Array("locator=eid:\(key),exponent=10,clock=3600@2026-05-01T10:00:00Z\n".utf8))
    try record("may", day: "2026-05-01", clock: 3600)
    try record("fine", day: "2026-05-31", clock: 3600 + 30 * 86_400)
    try record("reset", day: "2026-05-31", clock: 0)
    let told = "c4:be:00:00:01:f4 sends an Eddystone-EID now that its key does not make within 1 d"
    let text = try words("--keys", "keys", "may.btsnoop", "reset.btsnoop")
    #expect(text.contains(told) && text.contains("1 missing (1 whose address sends"), "\(text)")
    #expect(try words("--keys", "keys", "may.btsnoop", "fine.btsnoop").contains("0 missing"))
    let region = try Tool.run(
      "analyze", "--all", "--keys", "keys", "--region", "cart=eid:locator", "reset.btsnoop",
      in: scratch.folder
    ).output.split { " \n".contains($0) }.joined(separator: " ")
    #expect(
      region.contains(
        "Region cart was never matched: no Eddystone-EID of its key was heard, but some of no key"),
      "\(region)")
  }
}
