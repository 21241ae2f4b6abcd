import CaptureWriter
import FrameEncoder
import Testing

/// Packets of the air against published values.
struct AirTests {
  @Test func checksum() {
    let pdu = [UInt8](
      hex: "4224010000eeffc002011a1aff4c000215000102030405060708090a0b0c0d0e0f00010002c5")
    #expect(Air.crc(pdu).hex == "2c1fbd")
    #expect(Air.crc([7, 1, 0]).hex == "7595ae")
  }

  @Test(arguments: [
    (UInt8(37), "8dd257a13da766b0753111489677f8e3"), (0, "40b2bcc31f374a5f85f69c9ac1d6c544"),
    (36, "442059dee18f1ba5af427b4ecd60eb62"),
  ])
  func whitening(_ channel: UInt8, _ stream: String) {
    let zeros = [UInt8](repeating: 0, count: 20)
    #expect(Air.whiten(zeros, channel: channel).dropFirst(4).map { $0 } == [UInt8](hex: stream))
  }

  @Test func legacyPacketInOnePiece() {
    let sender = Address(0xC0FF_EE00_0001)
    let data = [UInt8](0..<31)
    var packet: [UInt8] = [9]
    Air.put(legacy: 2, sender, data, to: &packet)
    #expect(packet == [9] + Air.packet(Air.legacy(sender, data)))
  }

  @Test func reportsInOnePiece() {
    let report = HCI.LegacyReport(Address(0xC0FF_EE00_0001), [2, 1, 6], rssi: -60)
    var packet: [UInt8] = []
    HCI.put([report, report], to: &packet)
    #expect(packet == HCI.advertisingReport(report, report).bytes)
  }
}
