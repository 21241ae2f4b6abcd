import Foundation
import Testing

/// Two radios of one site, and five minutes of one that are put together of others of its own.
@Suite(.timeLimit(.minutes(60))) struct UnsharedPacketsTests {
  private let scratch: Scratch

  init() throws {
    scratch = try Scratch()
    for (name, seed) in [("door", 1), ("hall", 2)] {
      let beacons = (1...5).map { minor in
        """
        {"name": "b\(minor)", "kind": "ibeacon", "uuid": "\(SiteScene.uuid)", "major": 1,
         "minor": \(minor), "address": "c4:b0:00:00:01:0\(minor)", "at": [\(minor), 1],
         "interval_ms": \(200 + 100 * minor)}
        """
      }
      try scratch.synthesize(
        name,
        """
        {"name": "\(name)", "start": "2026-11-17T09:00:00Z", "duration_s": 1200, "observer": [[0, 0, 0]],
         "radio": {"seed": \(seed), "loss": 0.1},
         "scan": {"commands": "legacy", "interval_ms": 100, "window_ms": 100},
         "beacons": [\(beacons.joined(separator: ",\n"))]}
        """)
    }
  }

  private func words(_ words: String...) throws -> String {
    try Tool.run(words, in: scratch.folder).output.split(whereSeparator: \.isWhitespace)
      .joined(separator: " ")
  }

  /// The part of a capture from one second to another, and of the hall's five minutes once more 500 s later.
  private func cut(_ name: String, _ seconds: Range<Int>, as other: String) throws {
    let records = try BtsnoopRecords.of(name, scratch)
    try write(BtsnoopRecords.part(records, seconds), as: other)
  }

  private func loop() throws {
    let records = try BtsnoopRecords.of("hall.btsnoop", scratch)
    func part(_ from: Int, _ to: Int) -> [[UInt8]] { BtsnoopRecords.part(records, from..<to) }
    let again = part(200, 500).map { BtsnoopRecords.later($0, by: 500) }
    try write(part(0, 700) + again + part(1000, 2000), as: "looped.btsnoop")
  }

  private func write(_ records: [[UInt8]], as name: String) throws {
    let header = try Data(contentsOf: scratch.folder.appending(path: "hall.btsnoop")).prefix(16)
    try scratch.write(name, Array(header) + records.flatMap { $0 })
  }

  /// The door recorded nothing of the time from which they are.
  @Test func areNamedWithWhenTheyWere() throws {
    try loop()
    try cut("door.btsnoop", 550..<2000, as: "late.btsnoop")
    for command in ["clocks", "analyze"] {
      let told = try words(command, "late.btsnoop", "looped.btsnoop")
      #expect(
        told.contains(
          /heard the same beacons 2026-11-17 09:11:[345]\d–09:16:[345]\d UTC as often as/),
        "\(told)")
      #expect(told.contains("hardly the same packets ("), "\(told)")
      let honest = try words(command, "late.btsnoop", "hall.btsnoop")
      #expect(!honest.contains("hardly the same packets"), "\(honest)")
    }
    let options = ["clocks", "--format", "json", "late.btsnoop", "looped.btsnoop"]
    let document = try JSON(try Tool.run(options, in: scratch.folder).bytes)
    #expect(document["remarks"]?.list?.map { $0["code"]?.text } == ["packets_unshared"])
  }

  /// The door heard what was copied when it was sent: no clock that is set makes that.
  @Test func blameNoClockWhereTheyAreKnown() throws {
    try loop()
    for captures in [("door.btsnoop", "looped.btsnoop"), ("looped.btsnoop", "door.btsnoop")] {
      let clocks = try words("clocks", captures.0, captures.1)
      #expect(clocks.contains("to which no clock goes that is set:"), "\(clocks)")
      #expect(clocks.contains("Records of one of the two were copied to another time"), "\(clocks)")
      #expect(!clocks.contains("was set back"), "\(clocks)")
      let told = try words("analyze", captures.0, captures.1)
      #expect(told.contains("do not step back as those of a clock would"), "\(told)")
      #expect(!told.contains("set back"), "\(told)")
    }
  }

  /// One clock that is set back by more than it has recorded, of whichever of the two.
  @Test func isNoneOfAClockThatWasSetBack() throws {
    let records = try BtsnoopRecords.of("hall.btsnoop", scratch)
    try write(
      BtsnoopRecords.part(records, 0..<600)
        + BtsnoopRecords.part(records, 600..<2000).map { BtsnoopRecords.later($0, by: -3600) },
      as: "set.btsnoop")
    for captures in [("door.btsnoop", "set.btsnoop"), ("set.btsnoop", "door.btsnoop")] {
      for against in ["door.btsnoop", "set.btsnoop"] {
        let clocks = try words("clocks", "--against", against, captures.0, captures.1)
        #expect(!clocks.contains("copied to another time"), "\(clocks)")
      }
      let told = try words("analyze", captures.0, captures.1)
      #expect(!told.contains("copied to another time"), "\(told)")
    }
  }
}
