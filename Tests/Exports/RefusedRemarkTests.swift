import CaptureReader
import CaptureWriter
import FrameEncoder
import Foundation
import TestSupport
import Testing

@testable import Analysis
@testable import Exports

/// Who claims to send a beacon and does not is named, to people and to programs.
@Suite("Refused payloads") struct RefusedRemarkTests {
  private static let iBeacon = Payload.manufacturer(0x004C, [0x02, 0x14] + [UInt8](0..<21))
  private static let telemetry = Payload.eddystone([0x20, 0x02] + [UInt8](0..<12))
  private static let altBeacon = Payload.manufacturer(0x0118, [0xBE, 0xAC] + [UInt8](0..<20))

  /// - Parameter sent: by which address (its last byte), what, and how often.
  private static func capture(
    _ name: String, _ sent: [(address: UInt64, data: [UInt8], times: Int)], from start: Int64 = 0
  ) -> CaptureSource {
    let all = sent.flatMap { Array(repeating: ($0.address, $0.data), count: $0.times) }
    let records = all.enumerated().map { number, one in
      let report = HCI.LegacyReport(
        Address(0xC000_0000_0C00 + one.0, isRandom: true), one.1, rssi: -60)
      let packet = HCI.advertisingReport(report)
      return Record(
        (1_779_184_800 + start) * 1_000_000_000 + Int64(number) * 10_000_000, packet.h4,
        tag: packet.btsnoopFlags)
    }
    return .bytes(BtsnoopWriter(datalink: 1002).file(records), name: name)
  }

  private static func result(
    _ sources: [CaptureSource], readsAhead: Bool = true
  ) throws -> AnalysisResult {
    var options = Analysis.Options()
    options.readsAhead = readsAhead
    var analysis = Analysis(sources, options: options)
    var none = NoSink()
    return try analysis.run(into: &none)
  }

  private static func told(_ sources: CaptureSource...) throws -> [String] {
    Remarks.refused(try result(sources)).map(\.text)
  }

  @Test("with how often, why and the first frame") func one() throws {
    let good = Payload.iBeacon(uuid: [UInt8](0..<16), major: 1, minor: 1, power: -59)
    let source = Self.capture("gate.log", [(2, good, 9), (1, Self.iBeacon, 540)])
    let sentence =
      "c0:00:00:00:0c:01 claims to send an iBeacon 540 times and does not: ibeacon_bad_length "
      + "(first in frame 10)."
    #expect(try Self.told(source) == [sentence])
    let lines = AnalysisText(style: Style(colour: false), showsAll: false)
      .lines(try Self.result([source]))
    let words = lines.joined(separator: " ").split(separator: " ").joined(separator: " ")
    #expect(words.contains("! \(sentence)"), "\(words)")
    #expect(
      try Self.told(Self.capture("gate.log", [(2, good, 9)])).isEmpty)
  }

  @Test("of several reasons, and of several captures") func several() throws {
    let first = Self.capture("a.log", [(1, Self.telemetry, 2), (1, Self.iBeacon, 3)])
    let second = Self.capture("b.log", [(1, Self.telemetry, 1), (2, Self.altBeacon, 1)], from: 90)
    #expect(
      try Self.told(first, second) == [
        "c0:00:00:00:0c:01 claims to send beacons that are none: an iBeacon 3 times "
          + "(ibeacon_bad_length, first in frame 3 of a.log), an Eddystone-TLM 3 times "
          + "(tlm_unknown_version, first in frame 1 of a.log).",
        "c0:00:00:00:0c:02 claims to send an AltBeacon once and does not: altbeacon_bad_length "
          + "(first in frame 2 of b.log).",
      ])
  }

  @Test("the most frequent of them, and how many more there are") func many() throws {
    let sent = (1...8 as ClosedRange<UInt64>).map { ($0, Self.iBeacon, Int($0)) }
    let told = try Self.told(Self.capture("gate.log", sent))
    #expect(told.count == 6)
    #expect(told[0].hasPrefix("c0:00:00:00:0c:08 claims to send an iBeacon 8 times"))
    #expect(
      told[5]
        == "3 more addresses claim to send beacons that are none ('beacontrace devices --each' lists who does)."
    )
  }

  @Test("programs get all, the same with one processor and two") func json() throws {
    let source = Self.capture(
      "gate.log", [(3, Self.altBeacon, 4), (1, Self.iBeacon, 7), (3, Self.telemetry, 4)])
    var texts: [String] = []
    for readsAhead in [false, true] {
      let collector = EventCollector()
      try AnalysisJSON.write(try Self.result([source], readsAhead: readsAhead), to: collector)
      texts.append(collector.string)
    }
    #expect(texts[0] == texts[1])
    func entry(_ address: Int, _ code: String, _ count: Int, _ frame: Int) -> String {
      "{\"address\":\"c0:00:00:00:0c:0\(address)\",\"address_type\":\"random_static\",\"code\":\"\(code)\","
        + "\"count\":\(count),\"first_frame\":\(frame)}"
    }
    let wanted = [
      entry(1, "ibeacon_bad_length", 7, 5), entry(3, "altbeacon_bad_length", 4, 1),
      entry(3, "tlm_unknown_version", 4, 12),
    ]
    let packed = texts[0].filter { !$0.isWhitespace }
    #expect(
      packed.contains(
        "\"refused_payloads\":[\(wanted.joined(separator: ","))],\"refused_payloads_not_listed\":0"),
      "\(packed)")
    #expect(packed.contains("{\"code\":\"beacon_refused\",\"capture\":\"gate.log\""))
  }
}
