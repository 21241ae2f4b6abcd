import CaptureReader
import CaptureWriter

/// A record of a capture as a packet of a link type that pcap has a number for.
struct ReplayLink: Hashable {
  /// pcap's number.
  let number: UInt16

  static let h4 = ReplayLink(number: 187)
  static let monitor = ReplayLink(number: 254)

  /// Nil where records of that link type are no packets.
  init?(_ link: LinkType) {
    switch link {
    case .btsnoopH1, .btsnoopH4, .packetLogger: self = .h4
    case .btsnoopMonitor: self = .monitor
    case .none: return nil
    default:
      guard link.rawValue <= 0xFFFF else { return nil }
      self.init(number: UInt16(link.rawValue))
    }
  }

  private init(number: UInt16) { self.number = number }

  /// What stands before the record's bytes: what its container kept outside them.
  static func head(of record: CaptureRecord) -> [UInt8] {
    switch record.link {
    case .btsnoopMonitor: record.tag.be
    case .btsnoopH1: [h1Type(record.tag)]
    case .packetLogger: packetLoggerType(record.tag)
    default: []
    }
  }

  /// Bit 1 of btsnoop's flags: a command or an event; bit 0: from the controller.
  private static func h1Type(_ flags: UInt32) -> UInt8 {
    switch flags & 3 {
    case 2: 1
    case 3: 4
    default: 2
    }
  }

  /// H4 has no number for what is no HCI: it keeps its own, which no reader knows.
  private static func packetLoggerType(_ tag: UInt32) -> [UInt8] {
    switch tag {
    case 0x00: [1]
    case 0x01: [4]
    case 0x02, 0x03: [2]
    case 0x08, 0x09: [3]
    case 0x12, 0x13: [5]
    default: [UInt8(truncatingIfNeeded: tag)]
    }
  }
}

extension CaptureItem.Direction {
  init(_ direction: PacketDirection) {
    switch direction {
    case .unknown: self = .unknown
    case .hostToController: self = .hostToController
    case .controllerToHost: self = .controllerToHost
    }
  }
}
