import Beacons
import CaptureReader
import FrameDecoder
import FrameEncoder
import Testing

/// Payloads that claim to be a beacon and are none are counted by who sent them.
@Suite struct RefusedPayloadsTests {
  private static let broken = Payload.manufacturer(0x004C, [0x02, 0x14] + [UInt8](0..<21))
  private static let telemetry = Payload.eddystone([0x20, 0x02] + [UInt8](0..<12))
  private static let whole = Payload.iBeacon(
    uuid: [UInt8](0..<16), major: 1, minor: 1, power: -59)

  private static func refused(
    _ sent: [(address: UInt64, data: [UInt8])], on link: LinkType = .hciH4, batch size: Int = 100
  ) -> RefusedPayloads {
    var decoder = CaptureDecoder()
    var frame = 1
    for start in stride(from: 0, to: sent.count, by: size) {
      let packets = sent[start..<min(start + size, sent.count)].enumerated().map { place, one in
        let address = Address(0xC000_0000_0000 + one.address, isRandom: true)
        var packet = Packet(
          HCI.advertisingReport(HCI.LegacyReport(type: 3, address, one.data, rssi: -60)), on: link)
        packet.time = Timestamp(nanoseconds: 1_000_000_000 + Int64(start + place) * 1_000_000)
        return packet
      }
      let batch = Batch(packets[...], from: frame, gap: 16, tail: 200)
      batch.bytes.withRawSpan { decoder.decode(batch.records.span, $0) }
      frame += packets.count
    }
    [UInt8](repeating: 0, count: 64).withRawSpan { decoder.finish(at: .none, $0) }
    return decoder.beacons.tally.refused
  }

  private static func told(_ refused: RefusedPayloads) -> [String] {
    refused.counts.map { sender, count in
      "\(sender.address.address & 0xFFFF) \(sender.reason.name) \(count.count) \(count.firstFrame)"
    }.sorted()
  }

  @Test("by address and reason, with the first frame, also of reports that are known again")
  func senders() {
    var sent: [(UInt64, [UInt8])] = [(9, Self.whole)]
    for _ in 0..<200 { sent += [(1, Self.broken), (2, Self.broken), (3, Self.whole)] }
    for _ in 0..<50 { sent.append((2, Self.telemetry)) }
    for size in [1, 7, 1000] {
      let refused = Self.refused(sent, batch: size)
      #expect(
        Self.told(refused) == [
          "1 ibeacon_bad_length 200 2", "2 ibeacon_bad_length 200 3",
          "2 tlm_unknown_version 50 602",
        ])
      #expect(refused.others == 0)
    }
  }

  @Test("of so many senders, and those of more in one number")
  func bounded() {
    let addresses = UInt64(RefusedPayloads.most + 100)
    let sent = (0..<3 * addresses).map { (address: $0 % addresses, data: Self.broken) }
    let refused = Self.refused(sent, batch: 1000)
    #expect(refused.counts.count == RefusedPayloads.most)
    #expect(refused.counts.values.allSatisfy { $0.count == 3 })
    #expect(refused.others == 300)
    #expect(refused.counts.keys.allSatisfy { $0.address.address & 0xFFFF < RefusedPayloads.most })
  }

  @Test("each reason says what the payload claims to be")
  func claims() {
    #expect(BeaconReason.iBeaconBadLength.claim == "iBeacon")
    #expect(BeaconReason.altBeaconBadLength.claim == "AltBeacon")
    #expect(BeaconReason.urlBadScheme.claim == "Eddystone-URL")
    #expect(BeaconReason.tlmUnknownVersion.claim == "Eddystone-TLM")
    #expect(BeaconReason.eddystoneReservedNibble.claim == "Eddystone frame")
  }
}
