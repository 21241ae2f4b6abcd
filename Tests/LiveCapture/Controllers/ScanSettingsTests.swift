@testable import LiveCapture
import Testing

@Suite("Commands to scan") struct ScanSettingsTests {
  @Test("say the settings, and never filter duplicates")
  func bytes() {
    let passive = ScanSettings(.passive)
    let active = ScanSettings(.active, interval: 0x0120, window: 0x0012)
    #expect(
      ScanCommands.legacy.parameters(passive, ownAddress: 0)
        == [1, 0x0b, 0x20, 7, 0, 16, 0, 16, 0, 0, 0])
    #expect(
      ScanCommands.legacy.parameters(active, ownAddress: 1)
        == [1, 0x0b, 0x20, 7, 1, 0x20, 0x01, 0x12, 0, 1, 0])
    #expect(
      ScanCommands.extended.parameters(active, ownAddress: 1)
        == [1, 0x41, 0x20, 8, 1, 0, 1, 1, 0x20, 0x01, 0x12, 0])
    #expect(ScanCommands.legacy.enable(true) == [1, 0x0c, 0x20, 2, 1, 0])
    #expect(ScanCommands.legacy.enable(false) == [1, 0x0c, 0x20, 2, 0, 0])
    #expect(ScanCommands.extended.enable(true) == [1, 0x42, 0x20, 6, 1, 0, 0, 0, 0, 0])
  }

  @Test("are the extended ones where a controller has both of these")
  func choice() {
    func chosen(_ octets: [Int: UInt8]) -> ScanCommands? {
      var bits = [UInt8](repeating: 0, count: 64)
      for (octet, value) in octets { bits[octet] = value }
      return ScanCommands(supported: bits)
    }
    #expect(chosen([26: 0x0c]) == .legacy)
    #expect(chosen([26: 0x0c, 37: 0x60]) == .extended)
    #expect(chosen([26: 0x0c, 37: 0x20]) == .legacy)
    #expect(chosen([26: 0x04]) == nil)
    #expect(chosen([:]) == nil)
    #expect(ScanCommands(supported: []) == nil)
  }

  @Test(
    "are not made of numbers that no controller takes",
    arguments: [
      (UInt16(16), UInt16(16), true), (4, 4, true), (0x4000, 0x4000, true), (3, 3, false),
      (0x4001, 16, false), (16, 17, false), (16, 3, false),
    ])
  func ranges(_ interval: UInt16, _ window: UInt16, _ isWell: Bool) {
    let settings = ScanSettings(.passive, interval: interval, window: window)
    #expect((settings.problem == nil) == isWell)
  }

  @Test(
    "name their times in milliseconds",
    arguments: [
      (UInt16(16), "10 ms"), (18, "11.25 ms"), (4, "2.5 ms"), (1, "0.625 ms"), (0, "0 ms"),
    ])
  func times(_ units: UInt16, _ text: String) {
    #expect(ScanSettings.milliseconds(units) == text)
  }

  @Test(
    "to what is no controller are refused",
    arguments: ["eth0", "bluetooth-monitor", "hci", ""])
  func names(_ name: String) {
    #expect {
      _ = try ScanSession.start(on: name, ScanSettings(.passive))
    } throws: {
      ($0 as? ControllerProblem)?.kind == .noController
    }
  }
}
