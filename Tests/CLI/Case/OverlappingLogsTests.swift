import CaptureWriter
import Foundation
import FrameEncoder
import TestSupport
import Testing

/// A phone's log of Monday, and the same log on Tuesday, longer: what a case has of both.
@Suite("A case of logs that overlap", .timeLimit(.minutes(60))) struct OverlappingLogsTests {
  /// Scans for 100 s, or throughout, and goes on with something else.
  private static func log(seconds: Int64, scansOn: Bool = false) -> [UInt8] {
    func record(_ packet: HCIPacket, at second: Int64) -> Record {
      Record(WordingTests.start + second * 1_000_000_000, packet.h4)
    }
    var records = [
      HCI.setScanEnable(true, filterDuplicates: false), HCI.commandComplete(0x200C, [0]),
    ].map { record($0, at: 0) }
    for second in 0..<seconds {
      if second == 100, !scansOn {
        records += [
          HCI.setScanEnable(false, filterDuplicates: false), HCI.commandComplete(0x200C, [0]),
        ].map { record($0, at: second) }
      }
      let time = WordingTests.start + second * 1_000_000_000 + 1_000_000
      if second < 100 || scansOn {
        records.append(WordingTests.heard(WordingTests.iBeacon(1), at: time))
      } else {
        records.append(record(HCI.commandComplete(0x1009, [0]), at: second))
      }
    }
    return PcapWriter(linkType: 187).file(records)
  }

  @Test("counts once what both have, in its rows and on its page") func listened() throws {
    let scratch = try Scratch()
    try scratch.write("mon.pcap", Self.log(seconds: 201))
    try scratch.write("tue.pcap", Self.log(seconds: 301))
    try scratch.write("hall.pcap", Self.log(seconds: 301, scansOn: true))
    let made = try Tool.run(
      "analyze", "-q", "--observer", "phone=mon.pcap,tue.pcap", "--case", "c.sqlite", "--report",
      "c.html", "mon.pcap", "tue.pcap", "hall.pcap", in: scratch.folder)
    try #require(made.status == 0, "\(made.errors)")
    let head = try #require(made.lines.firstIndex { $0.hasPrefix("RECEIVERS ") })
    #expect(made.lines[head + 1].contains(" 33 %"), "\(made.lines[head + 1])")
    let asked = try Tool.run(
      "case", "query", "--format", "csv", "c.sqlite",
      "SELECT listening_ns / 1000000000 FROM observers WHERE name = 'phone'", in: scratch.folder)
    #expect(asked.output.hasSuffix("\r\n100\r\n"), "\(asked.output)")
    let page = try String(
      contentsOf: scratch.folder.appending(path: "c.html"), encoding: .utf8)
    let tables = page.components(separatedBy: "id=\"receiver-table\"").dropFirst()
    let rows = tables.first?.components(separatedBy: "<th scope=\"row\">phone</th>") ?? []
    let cells = rows.dropFirst().first?.components(separatedBy: "</tr>")[0] ?? ""
    #expect(cells.contains(">33\u{A0}%"), "\(cells)")
  }
}
