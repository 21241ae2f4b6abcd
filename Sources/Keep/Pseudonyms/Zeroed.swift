/// What zeros were made of behind the head of a packet.
package enum Zeroed: Int, CaseIterable, Sendable {
  case keys
  /// That there is a connection, whose, and how it goes on.
  case connections
  /// What goes over it.
  case data
  case commands, events
  /// A packet of the air with another access address than that of advertising: a connection's, periodic advertising.
  case otherAccess
  /// A packet of the air with a wrong checksum.
  case wrongChecksum
  /// Bytes that belong to no packet known here, or to one that is not there as a whole.
  case unread
}

/// Of what HCI commands and events are that are not about advertising (Core, Vol 4 Part E 7).
enum HCIKind {
  /// Link keys, PINs, keys of LE and its privacy, what pairing is reckoned with.
  private static let keyCommands: Set<UInt16> = [
    0x040B, 0x040D, 0x042C, 0x042E, 0x0430, 0x0445, 0x0C0D, 0x0C11, 0x0C57, 0x0C7D, 0x2017, 0x2019,
    0x201A, 0x2025, 0x2026, 0x2027, 0x205E,
  ]
  private static let keyEvents: Set<UInt8> = [0x15, 0x18, 0x33, 0x3B]
  private static let keySubevents: Set<UInt8> = [0x05, 0x08, 0x09]

  private static let connectionCommands: Set<UInt16> = [
    0x200D, 0x200E, 0x2013, 0x2016, 0x2020, 0x2021, 0x2022, 0x2043, 0x2085,
  ]
  private static let connectionEvents: Set<UInt8> =
    Set([0x16, 0x17, 0x2C, 0x31, 0x32, 0x36] + (0x03...0x08) + (0x0B...0x0D) + (0x12...0x14))
  private static let connectionSubevents: Set<UInt8> = [
    0x01, 0x03, 0x04, 0x06, 0x07, 0x0A, 0x0C, 0x29,
  ]

  static func command(_ opcode: UInt16) -> Zeroed {
    if keyCommands.contains(opcode) { return .keys }
    // Those of links of the classic radio, behind the inquiry's.
    if opcode >> 10 == 1, opcode >= 0x0405 { return .connections }
    return connectionCommands.contains(opcode) ? .connections : .commands
  }

  /// What a command gave back.
  static func answer(_ opcode: UInt16) -> Zeroed {
    let kind = command(opcode)
    return kind == .commands ? .events : kind
  }

  static func event(_ code: UInt8) -> Zeroed {
    if keyEvents.contains(code) { return .keys }
    return connectionEvents.contains(code) ? .connections : .events
  }

  static func subevent(_ code: UInt8) -> Zeroed {
    if keySubevents.contains(code) { return .keys }
    return connectionSubevents.contains(code) ? .connections : .events
  }
}
