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

  @Test func areNamedWithWhenTheyWere() throws {
    let records = try BtsnoopRecords.of("hall.btsnoop", scratch)
    func part(_ from: Int, _ to: Int) -> [[UInt8]] { BtsnoopRecords.part(records, from..<to) }
    let header = try Data(contentsOf: scratch.folder.appending(path: "hall.btsnoop")).prefix(16)
    let changed = part(0, 600) + part(200, 500).map { BtsnoopRecords.later($0, by: 400) }
    try scratch.write("looped.btsnoop", Array(header) + (changed + part(900, 2000)).flatMap { $0 })
    for command in ["clocks", "analyze"] {
      let told = try words(command, "door.btsnoop", "looped.btsnoop")
      #expect(
        told.contains(
          /heard the same beacons 2026-11-17 09:(09:[45]|10:[01])\d–09:(14:[45]|15:[01])\d UTC as often as/
        ),
        "\(told)")
      #expect(told.contains("hardly the same packets ("), "\(told)")
      let honest = try words(command, "door.btsnoop", "hall.btsnoop")
      #expect(!honest.contains("hardly the same packets"), "\(honest)")
    }
    let document = try JSON(
      try Tool.run(
        "clocks", "--format", "json", "door.btsnoop", "looped.btsnoop", in: scratch.folder
      )
      .bytes)
    #expect(document["remarks"]?.list?.map { $0["code"]?.text } == ["packets_unshared"])
  }
}
