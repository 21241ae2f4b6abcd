import CaptureReader
import FrameDecoder
import Testing

/// Radios, and what they were listening to.
@Suite struct ObserverTests {
  private static let enable = Hex.bytes("010c20020100")
  private static let enabled = Hex.bytes("040e04010c2000")
  private static let setParameters = Hex.bytes("010b200701100010000000")
  private static let parametersSet = Hex.bytes("040e04010b2000")
  private static let report = Hex.bytes("043e0f0201000055443322110003020106d4")

  /// A monitor record of adapter 0: u16 adapter, u16 opcode, then the packet without its H4 byte.
  private static func monitor(_ opcode: UInt8, _ packet: [UInt8]) -> [UInt8] {
    [0, 0, 0, opcode] + packet
  }

  @Test func theVeryLastInterfaceAndAdapterAreAnObserver() {
    var feeding = Feeding()
    feeding.feed(
      [0xFF, 0xFF, 0, 3] + Self.report.dropFirst(), .linuxMonitor, interface: .max)
    #expect(feeding.reports.count == 1)
    #expect(feeding.decoder.observers.map(\.adapter) == [0xFFFF])
  }

  @Test func moreRadiosThanAreKeptApartAreCounted() {
    var feeding = Feeding()
    for adapter in 0..<1030 {
      let head = [UInt8(adapter >> 8), UInt8(adapter & 0xFF), 0, 3]
      feeding.feed(head + Self.report.dropFirst(), .linuxMonitor)
    }
    #expect(feeding.decoder.observers.count == 1024)
    #expect(feeding.count(.tooManyObservers) == 6)
    #expect(feeding.count(.advertising) == 1030)
  }

  @Test func anOpenScanWindowRunsToTheEndOfTheCapture() {
    var feeding = Feeding()
    feeding.feed(Self.enable, at: 0)
    feeding.feed(Self.enabled, at: 1000)
    let end = Timestamp(nanoseconds: 1_700_000_100_000_000_000)
    feeding.decoder.finish(at: end)
    let windows = feeding.decoder.observers[0].scan.windows
    #expect(windows.map(\.end) == [end])
    #expect(windows.map(\.endReason) == [.endOfCapture])
  }

  /// LE Set Extended Scan Parameters (window 16 of 32), and Enable with a duration of 10 s and a period of 30.72 s, or
  /// without a period.
  @Test func aScanThatRestsListensForItsDurationOfItsPeriod() {
    for (enable, share) in [
      ("01422006 0100 e803 1800", 0.5 * 10 / 30.72), ("01422006 0100 e803 0000", 0.5),
      ("01422006 0100 0000 0000", 0.5),
    ] {
      var feeding = Feeding()
      feeding.feed(Hex.bytes("0141200800000100" + "20001000"), at: 0)
      feeding.feed(Hex.bytes("040e0401412000"), at: 1)
      feeding.feed(Hex.bytes(enable.replacing(" ", with: "")), at: 10)
      feeding.feed(Hex.bytes("040e0401422000"), at: 11)
      feeding.finish()
      let own = feeding.decoder.observers[0].scan.windows.first?.parameters?.share
      #expect(abs((own ?? 0) - share) < 1e-9, "\(enable)")
    }
  }

  @Test func aRemovedAdapterTakesItsScanParametersAlong() {
    var feeding = Feeding()
    feeding.feed(Self.monitor(2, Array(Self.setParameters.dropFirst())), .linuxMonitor, at: 0)
    feeding.feed(Self.monitor(3, Array(Self.parametersSet.dropFirst())), .linuxMonitor, at: 1)
    for round in 0..<2 {
      let start = Int64(round * 1000)
      feeding.feed(Self.monitor(2, Array(Self.enable.dropFirst())), .linuxMonitor, at: start + 10)
      feeding.feed(Self.monitor(3, Array(Self.enabled.dropFirst())), .linuxMonitor, at: start + 11)
      feeding.feed(Self.monitor(1, []), .linuxMonitor, at: start + 500)
    }
    let windows = feeding.decoder.observers[0].scan.windows
    #expect(windows.map(\.endReason) == [.adapterRemoved, .adapterRemoved])
    #expect(windows.map { $0.parameters?.interval } == [16, nil])
  }

  @Test func aHostControllerWithoutReportsIsNoAirSniffer() {
    var feeding = Feeding()
    feeding.feed(Hex.bytes("0240000800040004000a0b0c0d"))
    feeding.finish()
    #expect(feeding.decoder.observers.map(\.carriesHCI) == [true])
  }

  @Test func aBatchScanResponseIsAReportOfItsOwn() {
    // Two full results with a scan response each: four reports, four places.
    let result =
      Hex.bytes("c89e1c5eec180180a20400") + [3, 0x02, 0x01, 0x06] + [3, 0x02, 0x0A, 0x04]
    let parameters = [1, 0x56, 0xFD, 0, 4, 2, 2] + result + result
    var feeding = Feeding()
    feeding.feed([4, 0x0E, UInt8(parameters.count)] + parameters)
    #expect(feeding.reports.map(\.index) == [0, 1, 2, 3])
    #expect(feeding.reports.map(\.pdu) == [.unknown, .scanRsp, .unknown, .scanRsp])
  }
}
