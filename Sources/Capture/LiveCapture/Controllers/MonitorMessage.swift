/// A message of the kernel's monitor: what passed between a controller and the kernel, or a socket
/// that a program has opened.
package enum MonitorMessage: Equatable, Sendable {
  /// - parameters: without opcode and length.
  case command(controller: UInt16, opcode: UInt16, parameters: [UInt8])
  /// - parameters: without code and length.
  case event(controller: UInt16, code: UInt8, parameters: [UInt8])
  /// A controller was opened, closed, added or removed: it does not scan.
  case restart(controller: UInt16)
  case opened(SocketHolder)
  case other

  /// Cut messages are `other`.
  package init(_ bytes: [UInt8]) {
    self = .other
    guard let kind = bytes.word(at: 0), let controller = bytes.word(at: 2),
      let length = bytes.word(at: 4), let body = bytes.bytes(at: 6, count: Int(length))
    else { return }
    switch kind {
    case 0, 1, 8, 9: self = .restart(controller: controller)
    case 2:
      guard let opcode = body.word(at: 0), let size = body.byte(at: 2),
        let parameters = body.bytes(at: 3, count: Int(size))
      else { return }
      self = .command(controller: controller, opcode: opcode, parameters: parameters)
    case 3:
      guard let code = body.byte(at: 0), let size = body.byte(at: 1),
        let parameters = body.bytes(at: 2, count: Int(size))
      else { return }
      self = .event(controller: controller, code: code, parameters: parameters)
    case 14:
      if let holder = SocketHolder(controller: controller, opened: body) { self = .opened(holder) }
    default: return
    }
  }
}

/// A program that has a Bluetooth socket open.
package struct SocketHolder: Equatable, Hashable, Sendable {
  package enum Use: String, Sendable {
    /// Sends commands of its own.
    case raw
    /// Has the controller for itself; the kernel keeps out.
    case exclusive
    /// Manages controllers, as `bluetoothd` does.
    case management
  }
  /// As the kernel knows it: at most 15 characters.
  package let program: String
  package let use: Use
  /// Nil: of all.
  package let controller: UInt16?

  package init(program: String, use: Use, controller: UInt16?) {
    self.program = program
    self.use = use
    self.controller = controller
  }

  init?(controller: UInt16, opened body: [UInt8]) {
    guard let format = body.word(at: 4), let length = body.byte(at: 13),
      let name = body.text(at: 14, count: Int(length))
    else { return nil }
    switch format {
    case 0: use = .raw
    case 1: use = .exclusive
    case 2: use = .management
    default: return nil
    }
    program = name
    self.controller = controller == 0xffff ? nil : controller
  }
}
