@testable import LiveCapture
import Testing

@Suite("Messages of the monitor") struct MonitorMessageTests {
  static func message(_ kind: UInt8, _ body: [UInt8], controller: UInt16 = 0) -> [UInt8] {
    [
      kind, 0, UInt8(controller & 0xff), UInt8(controller >> 8), UInt8(body.count & 0xff),
      UInt8(body.count >> 8),
    ] + body
  }

  static func opened(_ format: UInt8, _ program: String, controller: UInt16 = 0xffff) -> [UInt8] {
    let name = Array(program.utf8) + [UInt8](repeating: 0, count: 16 - program.utf8.count)
    return message(
      14, [7, 0, 0, 0, format, 0, 2, 22, 0, 1, 0, 0, 0, 16] + name, controller: controller)
  }

  @Test(
    "are commands, events, restarts and opened sockets",
    arguments: [
      (
        message(2, [0x0c, 0x20, 2, 1, 0], controller: 3),
        .command(controller: 3, opcode: 0x200C, parameters: [1, 0])
      ),
      (
        message(3, [0x0e, 4, 1, 0x0c, 0x20, 0]),
        .event(controller: 0, code: 0x0e, parameters: [1, 0x0c, 0x20, 0])
      ),
      (message(0, [UInt8](repeating: 0, count: 16)), .restart(controller: 0)),
      (message(1, []), .restart(controller: 0)), (message(8, []), .restart(controller: 0)),
      (message(9, []), .restart(controller: 0)),
      (
        opened(2, "bluetoothd"),
        .opened(SocketHolder(program: "bluetoothd", use: .management, controller: nil))
      ),
      (
        opened(1, "someone", controller: 1),
        .opened(SocketHolder(program: "someone", use: .exclusive, controller: 1))
      ),
      (opened(9, "new"), .other), (message(4, [1, 2, 3]), .other),
    ] as [([UInt8], MonitorMessage)])
  func kinds(_ bytes: [UInt8], _ expected: MonitorMessage) {
    #expect(MonitorMessage(bytes) == expected)
    for length in 0..<bytes.count { #expect(MonitorMessage(Array(bytes.prefix(length))) == .other) }
  }

  @Test("whose lengths contradict each other are nothing")
  func contradicting() {
    #expect(MonitorMessage(Self.message(2, [0x0c, 0x20, 3, 1, 0])) == .other)
    #expect(MonitorMessage(Self.message(3, [0x0e, 9, 1])) == .other)
    #expect(
      MonitorMessage(Self.message(14, [7, 0, 0, 0, 0, 0, 2, 22, 0, 1, 0, 0, 0, 99])) == .other)
  }

  @Test(
    "hold what a controller answers",
    arguments: [
      ([4, 0x0e, 4, 1, 0x0c, 0x20, 0x0c], CommandAnswer(opcode: 0x200C, status: 0x0c)),
      (
        [4, 0x0e, 6, 1, 0x02, 0x10, 0, 8, 9],
        CommandAnswer(opcode: 0x1002, status: 0, results: [8, 9])
      ),
      ([4, 0x0f, 4, 1, 1, 0x41, 0x20], CommandAnswer(opcode: 0x2041, status: 1)),
      ([4, 0x3e, 4, 1, 1, 0x41, 0x20], nil), ([2, 0x0f, 4, 1, 1, 0x41, 0x20], nil),
      ([4, 0x0e, 3, 1, 0x0c, 0x20], nil), ([4, 0x0f, 3, 1, 1, 0x41], nil),
      ([4, 0x0e, 5, 1, 0x0c, 0x20, 0], nil), ([], nil),
    ] as [([UInt8], CommandAnswer?)])
  func answers(_ packet: [UInt8], _ expected: CommandAnswer?) {
    #expect(CommandAnswer(packet: packet) == expected)
  }
}
