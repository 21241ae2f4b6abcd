import CaptureReader
import FrameDecoder
import Testing

@testable import Beacons

/// The decoder remembers payloads; what it says must not depend on what it remembers.
@Suite struct PayloadMemoryTests {
  /// Payloads that differ in one bit, in length only, in their middle, or not at all.
  private static func payloads() -> [[UInt8]] {
    let iBeacon: [UInt8] =
      [0x02, 0x01, 0x06, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15] + Array(0..<16) + [0, 1, 0, 2, 0xC5]
    let uid: [UInt8] = [0x17, 0x16, 0xAA, 0xFE, 0x00, 0xEE] + Array(1...16) + [0, 0]
    let tlm: [UInt8] =
      [0x11, 0x16, 0xAA, 0xFE, 0x20, 0x00, 0x0B, 0xB8, 0x15, 0x00] + [0, 0, 0, 1, 0, 0, 0, 10]
    let short: [UInt8] = [0x19, 0xFF, 0x4C, 0x00, 0x02, 0x15] + Array(0..<20)
    let nearby: [UInt8] = [0x0A, 0xFF, 0x4C, 0x00, 0x10, 0x05, 0x03, 0x1C, 0xAB, 0xCD, 0xEF]
    var all = [iBeacon, uid, tlm, short, nearby, uid + tlm, [], [0x02, 0x01, 0x06]]
    for source in [iBeacon, uid, tlm, nearby] {
      for at in source.indices {
        var changed = source
        changed[at] ^= 1
        all.append(changed)
      }
      for count in source.indices { all.append(Array(source[..<count])) }
      all.append(source + [0])
    }
    return all
  }

  /// Every payload twice and from two addresses, one behind the other in one batch.
  private static func batch() -> (reports: [AdvertisingReport], bytes: [UInt8]) {
    var reports: [AdvertisingReport] = []
    var bytes: [UInt8] = []
    for round in 0..<2 {
      for payload in payloads() {
        for address in 1...2 {
          var report = AdvertisingReport(
            time: Timestamp(nanoseconds: Int64(reports.count)), frame: reports.count + 1,
            address: DeviceAddress(UInt64(address + round), .publicDevice), observer: 0,
            source: .legacy)
          report.start = Int32(bytes.count)
          report.count = Int32(payload.count)
          report.rssi = Int8(-40 - round)
          reports.append(report)
          bytes += payload
        }
      }
    }
    return (reports, bytes)
  }

  @Test func rememberedPayloadsDecodeToWhatTheyDidAtFirst() {
    let (reports, bytes) = Self.batch()
    var remembering = BeaconDecoder()
    var plain = BeaconDecoder()
    bytes.withRawSpan { remembering.decode(reports, $0, joined: []) }
    bytes.withRawSpan { span in
      for report in reports {
        let start = Int(report.start)
        plain.decode(report, span.extracting(start..<(start + Int(report.count))))
      }
    }
    #expect(remembering.sightings.count == plain.sightings.count)
    #expect(remembering.sightings.count > reports.count / 3)
    for (a, b) in zip(remembering.sightings, plain.sightings) {
      #expect(Self.same(a, b), "frame \(b.frame)")
    }
    #expect(remembering.identities.identities == plain.identities.identities)
    #expect(remembering.tally.labels == plain.tally.labels)
    #expect(remembering.tally.unlabelled == plain.tally.unlabelled)
    #expect(remembering.tally.reasons.map(\.count) == plain.tally.reasons.map(\.count))
    #expect(remembering.tally.warnings.map(\.count) == plain.tally.warnings.map(\.count))
    #expect(remembering.tally.frameWarnings.map(\.count) == plain.tally.frameWarnings.map(\.count))
  }

  @Test func keysOfDifferentPayloadsDiffer() {
    let all = Self.payloads().filter {
      $0.count >= PayloadKey.shortest && $0.count <= PayloadKey.longest
    }
    for (place, a) in all.enumerated() {
      for b in all[place...] {
        let equal = a.withRawSpan { first in
          b.withRawSpan { second in PayloadKey(first) == PayloadKey(second) }
        }
        #expect(equal == (a == b), "\(a) and \(b)")
      }
    }
  }

  private static func same(_ a: Sighting, _ b: Sighting) -> Bool {
    a.time == b.time && a.frame == b.frame && a.address == b.address && a.extra == b.extra
      && a.frameWarnings == b.frameWarnings && a.warnings == b.warnings
      && a.identity == b.identity && a.kind == b.kind && a.rssi == b.rssi && a.power == b.power
      && a.index == b.index && a.observer == b.observer
  }
}
