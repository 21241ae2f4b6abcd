import CaptureReader
import Foundation
import Testing

/// Captures larger than what is read at once.
@Suite struct WindowTests {
  @Test(arguments: Sample.all, [37, 61, 1400])
  func recordsAcrossWindowBordersComeOutRight(_ sample: Sample, _ padding: Int) {
    let count = 1_200_000 / (padding + 40)
    let events = (0..<count).map { Sample.event($0, padding: padding) }
    let bytes = sample.file(events.indices.map { sample.record($0, events[$0]) })
    #expect(bytes.count > 4 * 256 * 1024)
    let reading = Reading(bytes)
    #expect(reading.data == events)
    #expect(reading.frames == Array(1...count))
    #expect(reading.codes.isEmpty)
    #expect(reading.log.frames == count)
  }

  @Test func longestRecordsCrossWindowsToo() {
    let events = (0..<9).map { Sample.event($0, padding: 262_144 - 20) }
    #expect(events.allSatisfy { $0.count <= 262_144 })
    for sample in [Sample.btsnoop, Sample.pcap] {
      let reading = Reading(sample.file(events.indices.map { sample.record($0, events[$0]) }))
      #expect(reading.data == events, "\(sample)")
      #expect(reading.codes.isEmpty, "\(sample)")
    }
  }

  @Test func timesRunOnAcrossBatches() {
    let bytes = Sample.pcap.file(0..<10_000)
    let reading = Reading(bytes)
    #expect(reading.span?.earliest == reading.times.first)
    #expect(reading.span?.latest == reading.times.last)
    #expect(reading.span?.largestStepBack == 0)
  }
}

/// SHA-256 of the stored input, against digests that sha256sum gave.
@Suite struct DigestTests {
  /// Byte n of a long input behind a pcap header: (n · 31 + n / 251) mod 256.
  static func long(_ count: Int) -> [UInt8] {
    Sample.pcap.header + (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31 + $0 / 251) }
  }

  @Test(arguments: [
    (0, "1f78d7ebd3e88b921649a1a9d1c808fb40d84bb1c6641b3f76aa80d38e0bfbce"),
    (1000, "124616a154e80a307c4028652b90acac57d16a9cf146070fcf03b87227bb12b7"),
    (262_120, "572b2097145bdadb35ff7a4ef2b5f2b3b6d9c7684191b35cdf0021c3c6293bde"),
    (262_121, "e71c1f9596604431964580981e62bb02a2e693607ec12fc35584cc4ec924661a"),
    (1_000_003, "276eb2fcb35aa4f12ffb78f4ace68195206bd6da22a20155f920c66954abb181"),
  ])
  func digestIsThatOfTheWholeInput(_ count: Int, _ digest: String) {
    let reading = Reading(Self.long(count))
    #expect(reading.sha256.map(hex) == digest)
  }

  @Test func digestOfAPackedInputIsThatOfThePackedBytes() {
    let reading = Reading(Packed.gzip)
    #expect(
      reading.sha256.map(hex) == "4081ecb310477a0c58df47d34d1c65026a76ecf232c309ccfbdccc05a09161cc")
  }

  private func hex(_ bytes: [UInt8]) -> String {
    bytes.map { String(format: "%02x", $0) }.joined()
  }
}
