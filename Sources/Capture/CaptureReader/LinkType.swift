/// What the bytes of a record are: a pcap link-type number, a btsnoop datalink, or PacketLogger.
///
/// The three number spaces are kept apart, so that a pcap file with link type 1002 is not taken for
/// btsnoop's H4.
package struct LinkType: RawRepresentable, Hashable, Sendable {
  package let rawValue: UInt32
  @inlinable package init(rawValue: UInt32) { self.rawValue = rawValue }
  @inlinable @inline(__always)
  package static func == (a: LinkType, b: LinkType) -> Bool { a.rawValue == b.rawValue }

  package static func pcap(_ number: UInt16) -> LinkType { LinkType(rawValue: UInt32(number)) }
  package static func btsnoop(_ number: UInt16) -> LinkType {
    LinkType(rawValue: 0x1_0000 | UInt32(number))
  }

  /// The number within its own space; nil for PacketLogger, which has none.
  package var number: Int? { self == .packetLogger ? nil : Int(rawValue & 0xffff) }

  package static let hciH4 = pcap(187)
  package static let ppi = pcap(192)
  package static let hciH4WithDirection = pcap(201)
  package static let leLinkLayer = pcap(251)
  package static let linuxMonitor = pcap(254)
  package static let leLinkLayerWithHeader = pcap(256)
  package static let nordicSniffer = pcap(272)
  package static let btsnoopH1 = btsnoop(1001)
  package static let btsnoopH4 = btsnoop(1002)
  package static let btsnoopMonitor = btsnoop(2001)
  package static let packetLogger = LinkType(rawValue: 0x2_0000)
}
