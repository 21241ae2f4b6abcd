import CaptureReader
import CaptureWriter
import FrameEncoder

/// One record of a capture before it has a place among others.
struct Packet {
  var link: LinkType
  var data: [UInt8]
  var interface: UInt16 = 0
  var tag: UInt32 = 0
  var fault = RecordFault.none
  var time = Timestamp.none

  init(_ link: LinkType, _ data: [UInt8]) {
    self.link = link
    self.data = data
  }

  /// A packet of HCI as a link type wraps it.
  init(_ packet: HCIPacket, on link: LinkType) {
    var record = Record(0, [])
    Self.wrapping(link).begin(packet.kind, in: &record)
    self.init(link, record.data + packet.bytes)
    tag = record.tag
  }

  /// Every link type that carries HCI.
  static let hciLinks: [LinkType] = [
    .hciH4, .btsnoopH4, .hciH4WithDirection, .btsnoopH1, .linuxMonitor, .btsnoopMonitor,
    .packetLogger,
  ]

  private static func wrapping(_ link: LinkType) -> HCILink {
    switch link {
    case .hciH4WithDirection: .h4WithDirection
    case .btsnoopH1: .h1
    case .linuxMonitor: .monitor
    case .btsnoopMonitor: .btsnoopMonitor
    case .packetLogger: .packetLogger
    default: .h4
    }
  }

  /// Every link type that carries packets of the air.
  static let airLinks: [(link: LinkType, framing: AirFraming)] = [
    (.leLinkLayer, .bare), (.leLinkLayerWithHeader, .withHeader(isWhitened: false)),
    (.nordicSniffer, .nordic(version: 3)), (.ppi, .ppi),
  ]

  /// An advertisement of the air as a sniffer wraps it.
  init(_ pdu: [UInt8], rssi: Int8, by sniffer: (link: LinkType, framing: AirFraming)) {
    var record = Record(0, [])
    sniffer.framing.put(
      Air.packet(pdu), AirLink.Header(channel: 37, rssi: rssi), number: 0, position: nil,
      in: &record)
    self.init(sniffer.link, record.data)
  }
}

/// Records and what they lie in, as a reader hands them on.
struct Batch {
  private(set) var records: [CaptureRecord] = []
  private(set) var bytes: [UInt8] = []

  /// - Parameters:
  ///   - first: frame number of the first packet.
  ///   - gap: bytes before each packet, as a container's headers lie there.
  ///   - tail: bytes behind the last one.
  init(_ packets: ArraySlice<Packet>, from first: Int, gap: Int, tail: Int) {
    for packet in packets {
      bytes += [UInt8](repeating: 0xA5, count: gap)
      records.append(
        CaptureRecord(
          time: packet.time, frame: first + records.count, start: bytes.count,
          count: packet.data.count, originalCount: UInt32(packet.data.count), link: packet.link,
          interface: packet.interface, fault: packet.fault, tag: packet.tag))
      bytes += packet.data
    }
    bytes += [UInt8](repeating: 0x5A, count: tail)
  }
}
