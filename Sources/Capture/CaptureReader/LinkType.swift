/// What the bytes of a record are: a pcap link-type number, a btsnoop datalink, or PacketLogger.
///
/// The number spaces are kept apart, so that a pcap file with link type 1002 is not taken for
/// btsnoop's H4.
public struct LinkType: RawRepresentable, Hashable, BitwiseCopyable, Sendable {
  public let rawValue: UInt32
  @inlinable public init(rawValue: UInt32) { self.rawValue = rawValue }
  @inlinable @inline(__always)
  public static func == (a: LinkType, b: LinkType) -> Bool { a.rawValue == b.rawValue }

  public static func pcap(_ number: UInt16) -> LinkType { LinkType(rawValue: UInt32(number)) }
  public static func btsnoop(_ number: UInt16) -> LinkType {
    LinkType(rawValue: 0x1_0000 | UInt32(number))
  }

  /// The number within its own space; nil for PacketLogger and `none`, which have none.
  public var number: Int? {
    self == .packetLogger || self == .none ? nil : Int(rawValue & 0xffff)
  }

  public static let hciH4 = pcap(187)
  public static let ppi = pcap(192)
  public static let hciH4WithDirection = pcap(201)
  public static let leLinkLayer = pcap(251)
  public static let linuxMonitor = pcap(254)
  public static let leLinkLayerWithHeader = pcap(256)
  public static let nordicSniffer = pcap(272)
  public static let btsnoopH1 = btsnoop(1001)
  public static let btsnoopH4 = btsnoop(1002)
  public static let btsnoopMonitor = btsnoop(2001)
  public static let packetLogger = LinkType(rawValue: 0x2_0000)
  /// No link type: a record that is no packet, or one of an interface that nobody described. (Link
  /// type 0 of pcap is a real one, BSD loopback.)
  public static let none = LinkType(rawValue: 0x3_0000)
}
