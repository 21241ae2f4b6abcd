import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// Two recordings of `bluetooth0` in one file, as mergecap makes it: two radios.
@Suite("Interfaces of one name", .timeLimit(.minutes(60)))
struct SameInterfaceTests {
  private let scratch: Scratch

  /// The first hears 1:1 once a second, and the scan of the second is off.
  init() throws {
    scratch = try Scratch()
    let interface = PcapngWriter.Interface(linkType: 187, name: "bluetooth0", resolution: 9)
    let writer = PcapngWriter(.little, [interface, interface])
    var bytes = writer.header
    for second in 0..<60 {
      let time = WordingTests.start + Int64(second) * 1_000_000_000
      bytes += writer.enhancedPacket(
        WordingTests.heard(WordingTests.iBeacon(1), at: time), interface: 0)
      if second < 10 {
        bytes += writer.enhancedPacket(
          WordingTests.heard(WordingTests.iBeacon(2), at: time), interface: 1)
      }
    }
    try scratch.write("two.pcapng", bytes)
  }

  @Test("are told apart, in every output, and no event id stands for two facts")
  func apart() throws {
    func rows(_ command: String) throws -> [JSON] {
      let run = try Tool.run(
        [command, "-q", "--format", "ndjson", "two.pcapng"], in: scratch.folder)
      try #require(run.status == 0, "\(run.errors)")
      return try run.lines.map { try JSON($0) }
    }
    let heard = try rows("sightings")
    func observers(_ minor: Int) -> Set<String> {
      Set(heard.filter { $0["minor"]?.int == minor }.compactMap { $0["observer"]?.text })
    }
    #expect(observers(1) == ["two/bluetooth0"] && observers(2) == ["two/bluetooth0#2"])
    let ids = try rows("events").compactMap { $0["id"]?.text }
    #expect(ids.count == Set(ids).count && ids.count > 2)
    let made = try Tool.run(
      ["analyze", "-q", "--case", "two.sqlite", "two.pcapng"], in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
    #expect(made.output.contains("RECEIVERS"))
    #expect(made.output.contains("! 2 interfaces are called two/bluetooth0"), "\(made.output)")
    let asked = try Tool.run(
      "case", "query", "--format", "csv", "two.sqlite",
      "SELECT name, reports FROM observers ORDER BY id", in: scratch.folder)
    #expect(asked.output.hasSuffix("two/bluetooth0,60\r\ntwo/bluetooth0#2,10\r\n"))
  }
}
