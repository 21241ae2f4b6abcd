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
    #expect(ObserverNames.stem(of: capture) == expected)
    #expect(ObserverNames.stems(of: [capture]) == [expected])
  }

  @Test(
    "captures of one name are told apart by what differs, whatever their order",
    arguments: [
      (["anna/hci.log", "bert/hci.log"], ["anna/hci", "bert/hci"]),
      (["anna/logs/hci.log", "bert/logs/hci.log"], ["anna/hci", "bert/hci"]),
      (
        [
          "site/bugreport-anna/FS/data/misc/bluetooth/logs/hci.log",
          "site/bugreport-bert/FS/data/misc/bluetooth/logs/hci.log",
        ], ["bugreport-anna/hci", "bugreport-bert/hci"]
      ),
      (["anna/data/misc/bluetooth/logs/hci.log", "bert/hci.log"], ["anna/hci", "bert/hci"]),
      (["FS/data/misc/bluetooth/logs/hci.log", "bert/hci.log"], ["logs/hci", "bert/hci"]),
      (["a/x/hci.log", "b/x/hci.log", "a/hci.log"], ["a/x/hci", "b/x/hci", "a/hci"]),
      (["site.pcap", "site.pcapng"], ["site.pcap", "site.pcapng"]),
      (["a/site.pcap", "b/site.pcapng"], ["site.pcap", "site.pcapng"]),
      (["a/site.pcap", "b/site.pcap", "site.pcapng"], ["a/site", "b/site", "site"]),
      (
        ["a/site.pcap", "a/site.pcapng", "b/site.pcap"],
        ["a/site.pcap", "a/site.pcapng", "b/site.pcap"]
      ),
      (["hci.log", "bert/hci.log", "gate.log"], ["hci", "bert/hci", "gate"]),
      (["./hci.log", "../bert/hci.log"], ["hci", "bert/hci"]),
      (["/a/hci.log", "a/hci.log"], ["/a/hci", "a/hci"]),
      (["a/x.log", "b/x.log", "a/y.log", "b/y.log"], ["a/x", "b/x", "a/y", "b/y"]),
    ] as [([String], [String])])
  func toldApart(_ captures: [String], _ expected: [String]) {
    #expect(ObserverNames.stems(of: captures) == expected)
    #expect(ObserverNames.stems(of: captures.reversed()) == expected.reversed())
  }

  @Test("what has one path is counted") func counted() {
    #expect(ObserverNames.stems(of: ["-", "-", "a/b", "a/b"]) == ["stdin", "stdin#2", "b", "b#2"])
    #expect(
      ObserverNames.stems(of: ["a/b", "a/b", "c/b"]) == ["a/b", "a/b#2", "c/b"])
    #expect(
      ObserverNames.counted(["a/site.pcap", "b/site.pcap", "site#2.pcap", "site"])
        == ["site", "site#2", "site#2#2", "site#3"])
  }

  @Test("names that are given stay, and nobody else has them") func given() {
    let captures = ["anna/hci.log", "bert/hci.log", "carl/hci.log"]
    #expect(
      ObserverNames.stems(of: captures, given: ["anna/hci.log": "hci"])
        == ["hci", "bert/hci", "carl/hci"])
    #expect(
      ObserverNames.stems(of: captures, given: ["anna/hci.log": "bert/hci"])
        == ["bert/hci", "bert/hci.log", "carl/hci.log"])
    #expect(ObserverNames.stems(of: ["x/phone.log"], taken: ["phone"]) == ["phone.log"])
    #expect(ObserverNames.stems(of: ["phone"], taken: ["phone"]) == ["phone#2"])
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
