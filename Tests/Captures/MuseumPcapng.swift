import FrameEncoder
import CaptureWriter
import TestSupport

/// pcapng: both byte orders, interfaces with clocks of their own, every kind of packet block.
extension Museum {
  static func pcapng() -> [Exhibit] {
    [
      twoInterfaces("pcapng-le.pcapng", .little), twoInterfaces("pcapng-be.pcapng", .big),
      sections(),
    ]
  }

  /// A host controller and a sniffer side by side. The host's interface counts nanoseconds from an
  /// offset, the sniffer's microseconds; the sniffer's packets tell where they were heard.
  private static func twoInterfaces(_ name: String, _ order: ByteOrder) -> Exhibit {
    let host = HCIScene.legacy()
    let air = AirScene(tellsPHY: true)
    let writer = PcapngWriter(
      order,
      [
        .init(
          linkType: 201, name: "bluetooth0", resolution: 9,
          offset: Scene.start / 1_000_000_000 - 3600),
        .init(linkType: 256, name: "sniffer"),
      ])
    var blocks: [(time: Int64, bytes: [UInt8])] = []
    for packet in host.packets {
      let direction = writer.direction(packet.packet.kind == .event ? 1 : 2)
      let record = Record(packet.nanoseconds, packet.packet.h4WithDirection)
      blocks.append(
        (record.nanoseconds, writer.enhancedPacket(record, interface: 0, options: direction)))
    }
    for (number, record) in air.withHeader().enumerated() {
      let place = place(number)
      let bytes =
        number % 8 == 3
        ? writer.obsoletePacket(record, interface: 1)
        : writer.enhancedPacket(record, interface: 1, options: writer.kismet(place))
      blocks.append((record.nanoseconds, bytes))
    }
    // Stable: a host's packet comes before the sniffer's of the same moment.
    let ordered = blocks.enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }
    var expected = host.expected
    expected.merge(air.expected)
    expected.fixes = air.packets.indices.filter { $0 % 8 != 3 }.map { Fix(place($0)) }
    return exhibit(
      name, "pcapng", "201,256", writer.header + ordered.flatMap(\.element.bytes), expected)
  }

  /// The sniffer walks north.
  private static func place(_ number: Int) -> Position {
    Position(latitude: 52.5 + Double(number) * 0.00001, longitude: 13.25, altitude: 34)
  }

  /// Two sections with different byte orders: the first counts 2⁻²⁰ s, the second has packets
  /// without a time.
  private static func sections() -> Exhibit {
    let first = HCIScene.extended()
    let second = AirScene(tellsPHY: true)
    let little = PcapngWriter(.little, [.init(linkType: 187, resolution: 0x80 | 20)])
    let big = PcapngWriter(.big, [.init(linkType: 272)])
    let packets = first.records { ($0.h4, 0) }.flatMap { little.enhancedPacket($0) }
    let simple = second.nordic(version: 3).enumerated().flatMap { number, record in
      number % 4 == 1 ? big.simplePacket(record) : big.enhancedPacket(record)
    }
    // Interface statistics: a block that readers step over.
    let statistics = little.block(
      5, join(UInt32(0).le, UInt32(0).le, UInt32(0).le))
    var expected = first.expected
    expected.merge(second.expected)
    expected.codes["no_timestamp"] = second.packets.indices.count { $0 % 4 == 1 }
    let before = first.expected.seen.count
    for (place, packet) in second.packetOfSighting.enumerated() where packet % 4 == 1 {
      expected.seen[before + place].milliseconds = nil
    }
    return exhibit(
      "pcapng-sections.pcapng", "pcapng", "187,272",
      join(little.header, packets, statistics, big.header, simple), expected)
  }
}

extension Expectation {
  mutating func merge(_ other: Expectation) {
    records += other.records
    reports += other.reports
    sightings.merge(other.sightings, uniquingKeysWith: +)
    identities.formUnion(other.identities)
    seen += other.seen
    listening += other.listening
    fixes += other.fixes
    codes.merge(other.codes, uniquingKeysWith: +)
    labels.merge(other.labels, uniquingKeysWith: +)
  }
}
