import CaptureReader

/// A frame as pcapng can hold it. Captures of pcap and pcapng keep their bytes; btsnoop and
/// PacketLogger say beside the bytes what a packet is, which here goes before them.
package struct PcapngPacket {
  package let linkType: UInt16
  package let bytes: [UInt8]
  /// As `epb_flags` has it; 0 for not known.
  package let direction: UInt32

  private enum Link {
    static let h4: UInt16 = 187
    static let h4WithDirection: UInt16 = 201
    static let monitor: UInt16 = 254
  }

  /// Nil where it is not known what the packet is.
  init?(_ record: CaptureRecord, _ bytes: [UInt8]) {
    self.init(
      bytes, linkType: record.link.number, tag: record.link.hasTag ? Int(record.tag) : nil,
      isReceived: record.direction.isReceived)
  }

  /// Nil where it is not known what the packet is.
  /// - Parameters:
  ///   - linkType: the capture's own number; nil for PacketLogger, which has none.
  ///   - tag: what stands beside the bytes: btsnoop's flags or opcode, PacketLogger's type.
  package init?(_ bytes: [UInt8], linkType: Int?, tag: Int?, isReceived: Bool?) {
    switch linkType {
    case 1002: self.init(h4: bytes, before: [], isReceived: isReceived)
    case 1001:
      guard let tag else { return nil }
      // Bit 0: from the controller; bit 1: a command or an event.
      let type: UInt8 = tag & 2 == 0 ? 2 : (tag & 1 == 0 ? 1 : 4)
      self.init(h4: bytes, before: [type], isReceived: tag & 1 == 1)
    case 2001:
      guard let tag else { return nil }
      let header = (0..<4).map { UInt8(truncatingIfNeeded: tag >> (24 - 8 * $0)) }
      self.init(linkType: Link.monitor, bytes: header + bytes, direction: 0)
    case nil:
      guard let tag, let kind = Self.packetLogger[tag] else { return nil }
      self.init(h4: bytes, before: [kind.type], isReceived: kind.isReceived)
    case let number?:
      guard let linkType = UInt16(exactly: number) else { return nil }
      let direction: UInt32 = isReceived.map { $0 ? 1 : 2 } ?? 0
      self.init(linkType: linkType, bytes: bytes, direction: direction)
    }
  }

  private init(linkType: UInt16, bytes: [UInt8], direction: UInt32) {
    self.linkType = linkType
    self.bytes = bytes
    self.direction = direction
  }

  /// With the direction before it where that is known.
  private init(h4 bytes: [UInt8], before: [UInt8], isReceived: Bool?) {
    guard let isReceived else {
      self.init(
        linkType: Link.h4, bytes: before + bytes, direction: 0)
      return
    }
    let header: [UInt8] = [0, 0, 0, isReceived ? 1 : 0]
    self.init(
      linkType: Link.h4WithDirection, bytes: header + before + bytes, direction: 0)
  }

  /// PacketLogger's types that H4 has, too.
  private static let packetLogger: [Int: (type: UInt8, isReceived: Bool)] = [
    0x00: (1, false), 0x01: (4, true), 0x02: (2, false), 0x03: (2, true), 0x08: (3, false),
    0x09: (3, true), 0x12: (5, false), 0x13: (5, true),
  ]
}

extension LinkType {
  /// Whether the container keeps something outside the bytes: btsnoop and PacketLogger do.
  package var hasTag: Bool {
    self == .packetLogger || (self != .none && self == .btsnoop(UInt16(number ?? 0)))
  }
}

extension PacketDirection {
  /// Whether the controller sent it to the host; nil where nobody says.
  package var isReceived: Bool? {
    switch self {
    case .unknown: nil
    case .hostToController: false
    case .controllerToHost: true
    }
  }
}
