import CaptureReader
import CaptureWriter
import FrameEncoder
import TestSupport
import Testing

@testable import Analysis
@testable import Exports

/// Files that one recorder wrote one after the other, and what is told of times that cannot be.
@Suite("Remarks about several captures") struct RotatedLogsTests {
  private static let start: Int64 = 1_779_184_800

  /// A beacon heard every second.
  private static func capture(
    _ name: String, _ seconds: Range<Int64>, from start: Int64 = start
  ) -> CaptureSource {
    let records = seconds.map { second in
      let address = Address(0xC4A1_0000_0401)
      let data = Payload.iBeacon(uuid: [UInt8](0..<16), major: 1, minor: 1, power: -59)
      let packet = HCI.advertisingReport(HCI.LegacyReport(address, data, rssi: -60))
      return Record((start + second) * 1_000_000_000, packet.h4, tag: packet.btsnoopFlags)
    }
    return .bytes(BtsnoopWriter(datalink: 1002).file(records), name: name)
  }

  private static func remarks(
    _ sources: [CaptureSource]
  ) throws -> [String: [String]] {
    var analysis = Analysis(sources)
    var none = NoSink()
    let result = try analysis.run(into: &none)
    var texts: [String: [String]] = [:]
    Remarks.forEach(result, result.statistics.summaries()) {
      texts[$0.code, default: []].append($0.text)
    }
    return texts
  }

  @Test(
    "names of one recorder, one after the other",
    arguments: [
      ["hci.log.last", "hci.log"],
      ["gate_00001_20260519.pcapng", "gate_00002_20260520.pcapng"],
      ["site.pcap", "site.pcap1", "site.pcap2.gz"],
    ])
  func rotated(names: [String]) throws {
    let sources = names.enumerated().map { place, name in
      Self.capture(name, Int64(100 * place)..<Int64(100 * place + 90))
    }
    for order in [sources, sources.reversed()] {
      let found = try #require(try Self.remarks(order)["rotated_logs"])
      #expect(
        found == [
          "\(names[0]) to \(names[names.count - 1]): \(names.count) captures that follow one another, each "
            + "taken for a radio of its own. If one wrote them all: --observer "
            + "NAME=\(names.joined(separator: ","))"
        ])
    }
  }

  @Test("all of a folder are named by it, and not where something else lies below it")
  func folder() throws {
    let logs = ["a/hci.log.2", "a/hci.log.1", "a/hci.log"].enumerated().map { place, name in
      Self.capture(name, Int64(100 * place)..<Int64(100 * place + 90))
    }
    func option(_ other: String) throws -> Substring? {
      let sources = logs + [Self.capture(other, 1000..<1090)]
      return try Self.remarks(sources)["rotated_logs"]?.first?.split(separator: " ").last
    }
    #expect(try option("ab/hci.log") == "NAME=a")
    #expect(try option("a/b/hci.log") == "NAME=a/hci.log.2,a/hci.log.1,a/hci.log")
  }

  @Test(
    "neither other names nor other folders, nor times that overlap or lie far apart",
    arguments: [
      ("north.log", "south.log", 100),
      ("a/hci.log", "b/hci.log", 100),
      ("hci.log.1", "hci.log", 50),
      ("hci.log.1", "hci.log", 1000),
    ])
  func others(first: String, second: String, start: Int64) throws {
    let sources = [Self.capture(first, 0..<90), Self.capture(second, start..<(start + 90))]
    #expect(try Self.remarks(sources)["rotated_logs"] == nil)
  }

  @Test("what a shell would take apart is quoted, and what the option cannot name is not offered")
  func quoting() throws {
    func told(_ name: String) throws -> String? {
      try Self.remarks([Self.capture("\(name).1", 0..<9), Self.capture(name, 10..<20)])[
        "rotated_logs"]?.first
    }
    #expect(
      try told("it's a.log")?.hasSuffix("--observer 'NAME=it'\\''s a.log.1,it'\\''s a.log'") == true
    )
    #expect(try told("a,b.log")?.hasSuffix("each taken for a radio of its own.") == true)
  }

  @Test("a clock from before there was low energy")
  func clock() throws {
    let old = try Self.remarks([Self.capture("old", 0..<9, from: 978_307_200)])
    #expect(
      old["clock_not_set"] == [
        "old says it is of 2001-01-01, before there was Bluetooth Low Energy: its clock was not set. Times "
          + "in it can be compared with each other only."
      ])
    #expect(try Self.remarks([Self.capture("new", 0..<9)])["clock_not_set"] == nil)
  }
}
