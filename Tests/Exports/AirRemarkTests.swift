import CaptureReader
import CaptureWriter
import FrameEncoder
import TestSupport
import Testing

@testable import Analysis
@testable import Exports

/// What packets of the air are that are no advertisement, as people and programs are told.
@Suite("Packets of the air that are no advertisement") struct AirRemarkTests {
  /// Link type 256, of auxiliary advertising where a packet of that is meant.
  private static func header(_ flags: UInt16) -> [UInt8] {
    [7, 0xCE, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: flags | 3), UInt8(flags >> 8)]
  }

  private static func capture(requests: Int, foreign: Int, periodic: Int) -> CaptureSource {
    let one = Address(0xC000_0000_0C01, isRandom: true)
    let strange: [UInt8] = [0x29, 0x41, 0x76, 0x71, 7, 1, 0, 1, 2, 3]
    let packets =
      [header(0) + Air.packet(Air.legacy(one, [2, 1, 6]))]
      + Array(
        repeating: header(0) + Air.packet(Air.scanRequest(from: one, to: one)), count: requests)
      + Array(repeating: header(0) + strange, count: foreign)
      + Array(repeating: header(0x2080) + strange, count: periodic)
    let records = packets.enumerated().map { number, bytes in
      Record(1_779_184_800_000_000_000 + Int64(number) * 10_000_000, bytes)
    }
    return .bytes(PcapWriter(linkType: 256).file(records), name: "air.pcap")
  }

  private static func result(
    requests: Int = 0, foreign: Int = 0, periodic: Int = 0
  ) throws -> AnalysisResult {
    var analysis = Analysis(
      [capture(requests: requests, foreign: foreign, periodic: periodic)],
      options: Analysis.Options())
    var none = NoSink()
    return try analysis.run(into: &none)
  }

  private static func words(_ lines: [String]) -> String {
    lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
  }

  private static func analysed(_ result: AnalysisResult) -> String {
    words(AnalysisText(style: Style(colour: false), showsAll: false).lines(result))
  }

  @Test("are told by what they are, with how many there are") func kinds() throws {
    let result = try Self.result(requests: 3, foreign: 2)
    #expect(
      Self.analysed(result).contains(
        "1 advertising · 5 other (2 not_advertising_access_address; 3 scan_request)"))
    #expect(
      Self.words(InfoText.lines(result)).contains(
        "5 other 2 not_advertising_access_address, first in frame 5 3 scan_request, first in frame 2"
      ))
    let collector = EventCollector()
    try InfoJSON.write(result, to: collector)
    let packed = collector.string.filter { !$0.isWhitespace }
    #expect(
      packed.contains(
        "\"reasons\":{\"other\":[{\"code\":\"not_advertising_access_address\",\"count\":2,\"first_frame\":5},"
          + "{\"code\":\"scan_request\",\"count\":3,\"first_frame\":2}]}"), "\(packed)")
    #expect(Remarks.made(result.captures[0]).isEmpty)
    #expect(Self.analysed(result).contains("payload was seen ALSO HEARD"))
  }

  @Test("of periodic advertising may have beacons, which nobody says there are none of")
  func periodic() throws {
    let result = try Self.result(requests: 1, periodic: 100)
    let remark =
      "has 100 packets of periodic advertising on the air, first in frame 3, which are not read: beacons in "
      + "them are not found."
    #expect(Remarks.made(result.captures[0]) == [remark])
    #expect(Self.words(InfoText.lines(result)).contains("it \(remark)"))
    let analysed = Self.analysed(result)
    #expect(analysed.contains("! air.pcap \(remark)"), "\(analysed)")
    #expect(
      analysed.contains(
        "BEACONS none: no iBeacon, Eddystone or AltBeacon payload was seen "
          + "but 100 packets of periodic advertising are not read, and may have some"),
      "\(analysed)")
    let one = try Self.result(periodic: 1)
    #expect(
      Remarks.made(one.captures[0]) == [
        "has 1 packet of periodic advertising on the air, first in frame 2, which is not read: beacons in it "
          + "are not found."
      ])
    #expect(Self.analysed(one).contains("but 1 packet of periodic advertising is not read"))
  }
}
