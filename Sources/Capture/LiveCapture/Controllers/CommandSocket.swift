import CaptureReader

/// Commands to one controller, each with its answer.
final class CommandSocket: Sendable {
  private let socket: HCISocket
  private let controller: UInt16
  /// So long an answer is waited for. Controllers answer within milliseconds; the kernel itself
  /// gives up after two seconds.
  static let patience = 2_000

  init(controller: UInt16) throws(SystemError) {
    self.controller = controller
    socket = try HCISocket(.answers, controller: controller)
  }

  /// Answers to others that came since; what is left unread would fill the socket, and the answers
  /// to our own would find no room.
  func answersToOthers() throws(SystemError) -> [CommandAnswer] {
    var answers: [CommandAnswer] = []
    while let message = try socket.receive(within: 0) {
      if let answer = CommandAnswer(packet: message) { answers.append(answer) }
    }
    return answers
  }

  func controllerIsUp() throws(SystemError) -> Bool {
    Controller(information: try socket.information(of: controller))?.isUp ?? false
  }

  /// - Returns: nil where the controller gives no answer in time.
  func ask(_ packet: [UInt8]) throws(SystemError) -> CommandAnswer? {
    try socket.send(packet)
    let opcode = packet.word(at: 1)
    var answer: CommandAnswer?
    try socket.receive(forMilliseconds: Self.patience) { message in
      guard let one = CommandAnswer(packet: message), one.opcode == opcode else { return true }
      answer = one
      return false
    }
    return answer
  }
}
