import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import TestSupport
import Testing

/// What a run knows of its captures and beacons at the end.
@Suite struct FactsTests {
  private static func run(_ bytes: [UInt8]) throws -> AnalysisResult {
    var analysis = Analysis([.bytes(bytes, name: "made")])
    var sink = NoSink()
    return try analysis.run(into: &sink)
  }

  /// A pcap file, µs and little-endian, a record a second.
  private static func pcap(_ link: UInt32, _ packets: [[UInt8]]) -> [UInt8] {
    func little(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
    var file: [UInt8] = [0xD4, 0xC3, 0xB2, 0xA1, 2, 0, 4, 0] + [UInt8](repeating: 0, count: 8)
    file += little(262_144) + little(link)
    for (place, packet) in packets.enumerated() {
      let count = UInt32(packet.count)
      file += little(1_700_000_000 + UInt32(place)) + little(0) + little(count) + little(count)
      file += packet
    }
    return file
  }

  /// An LE Advertising Report with service data for FEAA, H4.
  private static func eddystone(_ frame: [UInt8]) -> [UInt8] {
    let data = [3, 3, 0xAA, 0xFE] + [UInt8(frame.count + 3), 0x16, 0xAA, 0xFE] + frame
    let report: [UInt8] = [3, 1, 1, 2, 3, 4, 5, 0xC0, UInt8(data.count)] + data + [0xC4]
    return [4, 0x3E, UInt8(report.count + 2), 2, 1] + report
  }

  @Test func encryptedTelemetryIsToldOfTheIdentityOfItsAddress() throws {
    let uid: [UInt8] = [0x00, 0xEE] + Array(1...16) + [0, 0]
    let etlm: [UInt8] = [0x20, 0x01] + Array(1...16)
    let packets = [uid, etlm, etlm, uid].map(Self.eddystone)
    let beacons = try Self.run(Self.pcap(187, packets)).statistics.summaries()
    #expect(beacons.map(\.kind) == [.eddystoneUID])
    #expect(beacons.first?.sightings == 2)
    #expect(beacons.first?.encryptedTelemetry?.sightings == 2)
    #expect(
      beacons.first?.encryptedTelemetry?.last
        == Timestamp(nanoseconds: 1_700_000_002_000_000_000))
  }

  @Test func encryptedTelemetryOfNobodyStandsForItself() throws {
    let etlm: [UInt8] = [0x20, 0x01] + Array(1...16)
    let beacons = try Self.run(Self.pcap(187, [Self.eddystone(etlm)])).statistics.summaries()
    #expect(beacons.map(\.kind) == [.eddystoneETLM])
    #expect(beacons.first?.sightings == 1)
  }

  @Test func aCaptureWrappedAroundSomethingElseHoldsNothingBluetooth() throws {
    // PPI around Wi-Fi (105).
    let packet: [UInt8] = [0, 0, 8, 0, 105, 0, 0, 0] + [UInt8](repeating: 0, count: 24)
    let result = try Self.run(Self.pcap(192, [packet, packet]))
    #expect(result.captures.isEmpty)
    #expect(result.problems.map(\.code) == [.nothingBluetooth])
  }

  @Test func aCaptureWithoutInterfacesHoldsNothingBluetooth() throws {
    let section: [UInt8] =
      [0x0A, 0x0D, 0x0D, 0x0A, 28, 0, 0, 0, 0x4D, 0x3C, 0x2B, 0x1A, 1, 0, 0, 0]
      + [UInt8](repeating: 0xFF, count: 8) + [28, 0, 0, 0]
    let result = try Self.run(section)
    #expect(result.problems.map(\.code) == [.nothingBluetooth])
  }

  @Test func aHeaderAloneIsAnEmptyCapture() throws {
    let result = try Self.run(Self.pcap(201, []))
    #expect(result.problems.isEmpty)
    #expect(result.captures.map(\.accounting.records) == [0])
  }
}
