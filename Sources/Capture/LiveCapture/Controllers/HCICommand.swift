/// Commands to a controller, and their numbers.
package enum HCICommand {
  package static let reset: UInt16 = 0x0C03
  package static let readSupportedCommands: UInt16 = 0x1002
  package static let setScanParameters: UInt16 = 0x200B
  package static let setScanEnable: UInt16 = 0x200C
  package static let setExtendedScanParameters: UInt16 = 0x2041
  package static let setExtendedScanEnable: UInt16 = 0x2042

  /// As a raw socket takes it.
  package static func packet(_ opcode: UInt16, _ parameters: [UInt8] = []) -> [UInt8] {
    [1, UInt8(opcode & 0xff), UInt8(opcode >> 8), UInt8(parameters.count)] + parameters
  }
}

/// What a controller answers to a command.
package struct CommandAnswer: Equatable, Sendable {
  package let opcode: UInt16
  package let status: UInt8
  /// Behind the status; none in a Command Status.
  package let results: [UInt8]

  package static let success: UInt8 = 0
  package static let unknownCommand: UInt8 = 0x01
  package static let commandDisallowed: UInt8 = 0x0C

  package init(opcode: UInt16, status: UInt8, results: [UInt8] = []) {
    self.opcode = opcode
    self.status = status
    self.results = results
  }

  /// Parameters of an event; nil for other events, and where they are cut.
  package init?(event code: UInt8, parameters: [UInt8]) {
    switch code {
    case 0x0E:
      guard let opcode = parameters.word(at: 1), let status = parameters.byte(at: 3)
      else { return nil }
      self.init(opcode: opcode, status: status, results: Array(parameters.dropFirst(4)))
    case 0x0F:
      guard let status = parameters.byte(at: 0), let opcode = parameters.word(at: 2)
      else { return nil }
      self.init(opcode: opcode, status: status)
    default: return nil
    }
  }

  /// A message of a raw socket.
  package init?(packet bytes: [UInt8]) {
    guard bytes.byte(at: 0) == 4, let code = bytes.byte(at: 1), let length = bytes.byte(at: 2),
      let parameters = bytes.bytes(at: 3, count: Int(length))
    else { return nil }
    self.init(event: code, parameters: parameters)
  }
}
