import Analysis
import CaptureReader
import CaptureWriter
import FrameEncoder
import TestSupport
import Testing

@Suite struct ObserverNamesTests {
  @Test(arguments: [
    ("site.pcap", "site"), ("/var/log/site.btsnoop.gz", "site"), ("a/b.pcapng.zst", "b"),
    ("btsnoop_hci.log", "btsnoop_hci"), ("report.txt", "report"), ("-", "stdin"),
    ("no.ending.here", "no.ending.here"), (".pcap", ".pcap"), ("x.gz.pcap", "x.gz"),
    ("folder/", "folder"), ("phone.pklg", "phone"),
  ])
  func stems(_ capture: String, _ expected: String) {
    var names = ObserverNames()
    #expect(names.stem(of: capture) == expected)
  }

  @Test func stemsAreToldApart() {
    var names = ObserverNames()
    let found = ["a/site.pcap", "b/site.pcap", "site.pcapng", "site#2.pcap", "site"].map {
      names.stem(of: $0)
    }
    #expect(found == ["site", "site#2", "site#3", "site#2#2", "site#4"])
    #expect(Set(found).count == found.count)
  }

  /// Names of interfaces come from the file; what is odd about them is left to the output.
  @Test(
    arguments: [
      (["left", "right"], ["site/left", "site/right"]), ([nil, nil], ["site/0", "site/1"]),
      (["hall", ""], ["site/hall", "site/1"]),
      (["\u{1B}[31mred\n", nil], ["site/\u{1B}[31mred\n", "site/1"]),
      ([nil], ["site"]), (["radio"], ["site/radio"]),
    ] as [([String?], [String])])
  func interfaces(_ interfaces: [String?], _ expected: [String]) throws {
    let writer = PcapngWriter(
      .little, interfaces.map { PcapngWriter.Interface(linkType: 201, name: $0) })
    var bytes = writer.header
    for number in interfaces.indices {
      let packet = HCI.advertisingReport(
        HCI.LegacyReport(Address(0xC000_0000_0001), Recording.iBeacon(1), rssi: -60))
      bytes += writer.enhancedPacket(
        Record((Recording.start + Int64(number)) * 1_000_000, packet.h4WithDirection),
        interface: number)
    }
    var sink = NoSink()
    var analysis = Analysis([.bytes(bytes, name: "site.pcapng")])
    #expect(try analysis.run(into: &sink).observers == expected)
  }
}
