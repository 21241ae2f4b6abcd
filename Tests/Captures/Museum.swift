import CaptureWriter
import FrameEncoder
import TestSupport

/// One capture that is made here and committed under `Captures`.
struct Exhibit: Sendable {
  /// Below `Captures`.
  let file: String
  let container: String
  var compression = "-"
  let linkTypes: String
  let bytes: [UInt8]
  let expected: Expectation
}

/// Every supported combination of container and link type, each with the same scene.
enum Museum {
  static func exhibits() -> [Exhibit] { btsnoop() + pcap() + magics() + pcapng() + others() }

  private static func btsnoopFile(_ datalink: UInt32, _ scene: HCIScene) -> [UInt8] {
    BtsnoopWriter(datalink: datalink).file(
      scene.records { (datalink == 1001 ? $0.bytes : $0.h4, $0.btsnoopFlags) })
  }

  private static func btsnoop() -> [Exhibit] {
    let plain = HCIScene.legacy()
    var phone = HCIScene.legacy()
    phone.addBatch()
    var monitor = HCIScene.extended()
    monitor.addPeriodic()
    let watched = monitor.monitorRecords { adapter, opcode, data in
      Record(0, data, tag: BtsnoopWriter.monitorFlags(adapter: adapter, opcode: opcode))
    }
    return [
      exhibit("btsnoop-h1.btsnoop", "btsnoop", "1001", btsnoopFile(1001, plain), plain.expected),
      exhibit("btsnoop-h4.btsnoop", "btsnoop", "1002", btsnoopFile(1002, phone), phone.expected),
      exhibit(
        "btsnoop-monitor.btsnoop", "btsnoop", "2001",
        BtsnoopWriter(datalink: 2001).file(watched), monitor.expected, more: 6),
    ]
  }

  private static func pcap() -> [Exhibit] {
    let plain = HCIScene.legacy()
    let extended = HCIScene.extended()
    var monitor = extended
    monitor.addPeriodic()
    let watched = monitor.monitorRecords { adapter, opcode, data in
      Record(0, Monitor.packet(adapter: adapter, opcode: opcode, data))
    }
    let air = AirScene(tellsPHY: false)
    let sniffed = AirScene(tellsPHY: true)
    var located = air.expected
    located.fixes = air.packets.indices.map { Fix(AirScene.place($0)) }
    func pcap(_ name: String, _ link: UInt32, _ records: [Record], _ expected: Expectation)
      -> Exhibit
    {
      exhibit(
        "pcap-\(name).pcap", "pcap", "\(link)", PcapWriter(linkType: link).file(records), expected,
        more: records.count - expected.records)
    }
    return [
      pcap("187-hci", 187, plain.records { ($0.h4, 0) }, plain.expected),
      pcap(
        "201-hci-direction", 201, extended.records { ($0.h4WithDirection, 0) }, extended.expected),
      pcap("254-monitor", 254, watched, monitor.expected),
      pcap("251-air", 251, air.records(\.bytes), air.expected),
      pcap("256-air-header", 256, sniffed.withHeader(), sniffed.expected),
      pcap("256-whitened", 256, sniffed.withHeader(isWhitened: true), sniffed.expected),
      pcap("272-nordic-v1", 272, sniffed.nordic(version: 1), sniffed.expected),
      pcap("272-nordic-v2", 272, sniffed.nordic(version: 2), sniffed.expected),
      pcap("272-nordic-v3", 272, sniffed.nordic(version: 3), sniffed.expected),
      pcap("192-ppi-gps", 192, air.ppi(), located),
    ]
  }

  /// The other five magics of pcap.
  private static func magics() -> [Exhibit] {
    let plain = HCIScene.legacy()
    let directed = plain.records { ($0.h4WithDirection, 0) }
    let air = AirScene(tellsPHY: false)
    let sniffed = AirScene(tellsPHY: true)
    func pcap(
      _ name: String, _ magic: PcapWriter.Magic, _ order: ByteOrder, _ link: UInt32,
      _ records: [Record], _ expected: Expectation
    ) -> Exhibit {
      let writer = PcapWriter(linkType: link, magic: magic, order: order)
      return exhibit("pcap-\(name).pcap", "pcap", "\(link)", writer.file(records), expected)
    }
    return [
      pcap("be-microseconds", .microseconds, .big, 201, directed, plain.expected),
      pcap("le-nanoseconds", .nanoseconds, .little, 256, sniffed.withHeader(), sniffed.expected),
      pcap("be-nanoseconds", .nanoseconds, .big, 251, air.records(\.bytes), air.expected),
      pcap("le-modified", .modified, .little, 201, directed, plain.expected),
      pcap("be-modified", .modified, .big, 256, sniffed.withHeader(), sniffed.expected),
    ]
  }

  private static func others() -> [Exhibit] {
    let plain = HCIScene.legacy()
    let extended = HCIScene.extended()
    let sniffed = AirScene(tellsPHY: true)
    func logged(_ scene: HCIScene) -> [Record] {
      scene.records { ($0.bytes, UInt32($0.packetLoggerType)) }
    }
    var phone = HCIScene.legacy()
    phone.addBatch()
    let ring = phone.records { ($0.bytes, UInt32($0.btsnoozType)) }
    let air = PcapWriter(linkType: 256).file(sniffed.withHeader())
    func report(_ name: String, _ layout: BtsnoozWriter.Layout) -> Exhibit {
      exhibit(
        "bugreport-\(name).txt", "btsnooz", "1002", BtsnoozWriter(layout).file(ring),
        phone.expected)
    }
    return [
      exhibit(
        "packetlogger-be.pklg", "packetlogger", "-", PacketLoggerWriter(.big).file(logged(plain)),
        plain.expected),
      exhibit(
        "packetlogger-le.pklg", "packetlogger", "-",
        PacketLoggerWriter(.little).file(logged(extended)), extended.expected),
      report("v1", .version1), report("v2", .version2), report("v2-wide", .version2Wide),
      exhibit(
        "btsnoop-h4-stored.btsnoop.gz", "btsnoop", "1002", Packing.gzip(btsnoopFile(1002, phone)),
        phone.expected, compression: "gzip"),
      exhibit(
        "pcap-256.pcap.gz", "pcap", "256", Packing.gzip(air, blocks: Deflate.compress(air)),
        sniffed.expected, compression: "gzip"),
      exhibit(
        "pcap-256.pcap.zst", "pcap", "256", Packing.zstd(air), sniffed.expected,
        compression: "zstd"),
    ]
  }

  /// `more`: records that carry no HCI packet and no packet of the air.
  static func exhibit(
    _ name: String, _ container: String, _ linkTypes: String, _ bytes: [UInt8],
    _ expected: Expectation, more: Int = 0, compression: String = "-"
  ) -> Exhibit {
    var expected = expected
    expected.records += more
    return Exhibit(
      file: "museum/\(name)", container: container, compression: compression,
      linkTypes: linkTypes, bytes: bytes, expected: expected)
  }
}
