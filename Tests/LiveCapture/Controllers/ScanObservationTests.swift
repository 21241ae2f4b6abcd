@testable import LiveCapture
import Testing

@Suite("What passes by") struct ScanObservationTests {
  static func seen(_ messages: [MonitorMessage]) -> ScanObservation {
    var seen = ScanObservation(controller: 0)
    seen.listenedMilliseconds = 1_500
    for message in messages { seen.take(message) }
    return seen
  }

  /// A command that the controller takes, or does not.
  static func told(_ opcode: UInt16, _ parameters: [UInt8], status: UInt8 = 0) -> [MonitorMessage] {
    let answer = [1, UInt8(opcode & 0xff), UInt8(opcode >> 8), status]
    return [
      .command(controller: 0, opcode: opcode, parameters: parameters),
      .event(controller: 0, code: 0x0e, parameters: answer),
    ]
  }

  static func report(_ kind: UInt8 = 3, data: [UInt8] = [2, 1, 6], rssi: UInt8 = 0xc0)
    -> MonitorMessage
  {
    let sender: [UInt8] = [kind, 0, 1, 2, 3, 4, 5, 6]
    return .event(
      controller: 0, code: 0x3e, parameters: [2, 1] + sender + [UInt8(data.count)] + data + [rssi])
  }

  static func extended(_ kind: UInt8 = 0x10, data: [UInt8] = [2, 1, 6], rssi: UInt8 = 0xc0)
    -> MonitorMessage
  {
    let head: [UInt8] = [kind, 0, 0, 1, 2, 3, 4, 5, 6, 1, 0, 0xff, 0x7f, rssi, 0, 0]
    let report = head + [UInt8](repeating: 0, count: 7) + [UInt8(data.count)] + data
    return .event(controller: 0, code: 0x3e, parameters: [0x0d, 1] + report)
  }

  @Test("tells parameters, scan and filter once the controller has taken them")
  func commands() {
    let legacy = Self.seen(
      Self.told(0x200B, [1, 0x20, 0, 0x12, 0, 0, 0]) + Self.told(0x200C, [1, 1]))
    #expect(legacy.parameters == .init(isActive: true, interval: 0x20, window: 0x12))
    #expect(legacy.isEnabled == true && legacy.filtersDuplicates == true)
    let extended = Self.seen(
      Self.told(0x2041, [0, 0, 1, 0, 0x10, 0, 0x10, 0]) + Self.told(0x2042, [1, 0, 0, 0, 0, 0]))
    #expect(extended.parameters == .init(isActive: false, interval: 0x10, window: 0x10))
    #expect(extended.isEnabled == true && extended.filtersDuplicates == false)
  }

  @Test("leaves out what was refused, of another controller, or without an answer")
  func ignored() {
    let messages =
      Self.told(0x200B, [1, 0x20, 0, 0x12, 0, 0, 0], status: 0x0c)
      + Self.told(0x200C, [1, 1], status: 1)
      + [
        .command(controller: 1, opcode: 0x200C, parameters: [1, 0]),
        .event(controller: 1, code: 0x0e, parameters: [1, 0x0c, 0x20, 0]),
        .command(controller: 0, opcode: 0x2042, parameters: [1, 0, 0, 0, 0, 0]),
      ]
    let seen = Self.seen(messages)
    #expect(seen.parameters == nil && seen.isEnabled == nil && seen.filtersDuplicates == nil)
  }

  @Test("ends with a reset, an end, or the controller's going")
  func ends() {
    let on = Self.told(0x200C, [1, 0])
    #expect(Self.seen(on + Self.told(0x200C, [0, 0])).isEnabled == false)
    #expect(Self.seen(on + Self.told(0x200C, [0, 0])).filtersDuplicates == nil)
    #expect(Self.seen(on + Self.told(0x0C03, [])).isEnabled == false)
    #expect(Self.seen(on + [.restart(controller: 0)]).isEnabled == nil)
    #expect(Self.seen(on + [.restart(controller: 1)]).isEnabled == true)
  }

  @Test("finds reports that came again, whatever their RSSI", arguments: [false, true])
  func repeats(isExtended: Bool) {
    func report(_ data: [UInt8] = [2, 1, 6], _ rssi: UInt8 = 0xc0) -> MonitorMessage {
      isExtended ? Self.extended(data: data, rssi: rssi) : Self.report(data: data, rssi: rssi)
    }
    #expect(Self.seen([report()]).repeated == 0)
    #expect(Self.seen([report(), report([2, 1, 6], 0xb0)]).repeated == 1)
    #expect(Self.seen([report(), report([2, 1, 5])]).repeated == 0)
    #expect(Self.seen([report(), report([2, 1, 5])]).reports == 2)
    // Another scan reports everybody anew.
    #expect(Self.seen([report()] + Self.told(0x200C, [1, 1]) + [report()]).repeated == 0)
  }

  @Test("knows an active scan by its responses")
  func responses() {
    #expect(Self.seen([Self.report(4), Self.report(3)]).scanResponses == 1)
    #expect(Self.seen([Self.extended(0x1b), Self.extended(0x10)]).scanResponses == 1)
  }

  @Test("counts several reports of one event, and none that is cut")
  func several() {
    guard case .event(_, _, var parameters) = Self.report() else { return }
    parameters += parameters.dropFirst(2)
    parameters[1] = 2
    #expect(Self.seen([.event(controller: 0, code: 0x3e, parameters: parameters)]).reports == 2)
    for length in 0..<parameters.count - 1 {
      let cut = Array(parameters.prefix(length))
      #expect(Self.seen([.event(controller: 0, code: 0x3e, parameters: cut)]).reports < 2)
    }
  }

  @Test("names each program that has a socket once")
  func holders() {
    let daemon = SocketHolder(program: "bluetoothd", use: .management, controller: nil)
    #expect(Self.seen([.opened(daemon), .opened(daemon)]).holders == [daemon])
  }
}
