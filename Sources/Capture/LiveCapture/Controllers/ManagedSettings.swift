package import CaptureReader
import Glibc

/// What the kernel's management says of a controller (Read Controller Information).
package struct ManagedSettings: Equatable, Sendable {
  package let isPowered: Bool
  package let supportsLowEnergy: Bool
  /// The host has switched Low Energy on. Scanning by raw commands works without, too.
  package let lowEnergyIsOn: Bool

  static func question(_ controller: UInt16) -> [UInt8] {
    [
      UInt8(readInformation & 0xff), UInt8(readInformation >> 8), UInt8(controller & 0xff),
      UInt8(controller >> 8), 0, 0,
    ]
  }

  /// An answer to the question; nil where the message is another, or says no more than a status.
  package init?(message bytes: [UInt8], controller: UInt16) {
    guard bytes.word(at: 0) == Self.commandComplete, bytes.word(at: 2) == controller,
      bytes.word(at: 6) == Self.readInformation, bytes.byte(at: 8) == 0,
      let supported = bytes.long(at: 18), let current = bytes.long(at: 22)
    else { return nil }
    isPowered = current & Self.powered != 0
    supportsLowEnergy = supported & Self.lowEnergy != 0
    lowEnergyIsOn = current & Self.lowEnergy != 0
  }

  /// The kernel has answered the question, whatever it said.
  private static func isAnswer(_ bytes: [UInt8]) -> Bool {
    (bytes.word(at: 0) == commandComplete || bytes.word(at: 0) == commandStatus)
      && bytes.word(at: 6) == readInformation
  }

  private static let readInformation: UInt16 = 0x0004
  private static let commandComplete: UInt16 = 0x0001
  private static let commandStatus: UInt16 = 0x0002
  private static let powered: UInt32 = 1
  private static let lowEnergy: UInt32 = 1 << 9

  /// Asks the kernel. It then takes the controller for one that is managed, as it is wherever
  /// `bluetoothd` runs: pairing waits for a word of a manager, nothing else changes.
  ///
  /// Nil where the kernel does not tell: a controller that another program has for itself, or
  /// whose set-up is not complete.
  package static func read(_ controller: UInt16) throws(SystemError) -> ManagedSettings? {
    let socket = try HCISocket(.management)
    try socket.send(question(controller))
    var settings: ManagedSettings?
    try socket.receive(forMilliseconds: 1_000) { message in
      settings = ManagedSettings(message: message, controller: controller)
      return !isAnswer(message)
    }
    return settings
  }
}
