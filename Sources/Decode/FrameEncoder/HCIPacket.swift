import CaptureWriter

/// One HCI packet, without its type byte.
package struct HCIPacket: Sendable {
  package enum Kind: UInt8, Sendable {
    case command = 1
    case acl = 2
    case event = 4

    /// Bit 0: from the controller; bit 1: command or event.
    package var btsnoopFlags: UInt32 {
      switch self {
      case .command: 2
      case .acl: 0
      case .event: 3
      }
    }

    /// The kernel monitor's opcode.
    package var monitorOpcode: UInt16 {
      switch self {
      case .command: 2
      case .acl: 4
      case .event: 3
      }
    }

    package var packetLoggerType: UInt8 {
      switch self {
      case .command: 0
      case .acl: 2
      case .event: 1
      }
    }

    package var btsnoozType: UInt8 {
      switch self {
      case .command: 0x20
      case .acl: 0x21
      case .event: 0x10
      }
    }
  }
  package let kind: Kind
  package let bytes: [UInt8]

  package init(_ kind: Kind, _ bytes: [UInt8]) {
    self.kind = kind
    self.bytes = bytes
  }

  /// Link type 187 and btsnoop 1002: the type byte first.
  package var h4: [UInt8] { [kind.rawValue] + bytes }

  /// Link type 201: the direction as four bytes, 1 = received from the controller.
  package var h4WithDirection: [UInt8] { UInt32(kind == .event ? 1 : 0).be + h4 }

  package var btsnoopFlags: UInt32 { kind.btsnoopFlags }
  package var monitorOpcode: UInt16 { kind.monitorOpcode }
  package var packetLoggerType: UInt8 { kind.packetLoggerType }
  package var btsnoozType: UInt8 { kind.btsnoozType }
}

/// The kernel monitor (link type 254, btsnoop 2001).
package enum Monitor {
  package static let noAdapter: UInt16 = 0xFFFF

  /// Link type 254: adapter and opcode before the payload.
  package static func packet(adapter: UInt16, opcode: UInt16, _ payload: [UInt8]) -> [UInt8] {
    join(adapter.be, opcode.be, payload)
  }

  /// Opcode 0: type primary, bus USB, address, name in eight bytes.
  package static func newIndex(_ address: Address, name: String) -> [UInt8] {
    let text = Array(name.utf8.prefix(8))
    return join([0, 1], address.bytes, text, [UInt8](repeating: 0, count: 8 - text.count))
  }

  /// Opcode 10: address and manufacturer.
  package static func indexInfo(_ address: Address, manufacturer: UInt16) -> [UInt8] {
    address.bytes + manufacturer.le
  }

  /// Opcode 12: text with a zero behind.
  package static func systemNote(_ text: String) -> [UInt8] { Array(text.utf8) + [0] }
}
