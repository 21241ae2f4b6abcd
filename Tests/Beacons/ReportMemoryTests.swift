import Beacons
import CaptureReader
import CaptureWriter
import Checks
import FrameDecoder
import FrameEncoder
import TestSupport
import Testing

/// Reports that are known again come to what they would have come to if they had been decoded.
@Suite struct ReportMemoryTests {
  /// Difference and share of repeats of a recording decoded in batches of given sizes.
  private static func compare(
    _ packets: [Packet], cut sizes: [Int], seed: Int = 0
  ) -> (difference: String?, repeats: Double) {
    var random = Seeded(seed + 1_000_000)
    var comparison = Comparison()
    comparison.decode(packets, cut: sizes, &random)
    comparison.finish()
    return (
      comparison.difference, Double(comparison.repeats) / Double(max(1, comparison.sightings))
    )
  }

  private static func expectSame(
    _ packets: [Packet], cut sizes: [Int] = [1024], seed: Int = 0,
    location: SourceLocation = #_sourceLocation
  ) {
    let difference = compare(packets, cut: sizes, seed: seed).difference
    #expect(difference == nil, "seed \(seed), batches of \(sizes)", sourceLocation: location)
  }

  @Test(arguments: 0..<12)
  func whatIsWishedForComesWholeAndNotesTheSame(_ seed: Int) {
    var kind = Traffic.Kind()
    kind.interfaces = 1 + seed % 3
    kind.damagedOneIn = seed % 2 * 8
    var traffic = Traffic(seed: seed + 2000, kind)
    let check = KnownReportsCheck()
    var frame = 1
    for _ in 0..<4 {
      let packets = traffic.packets(500)
      let batch = Batch(packets[...], from: frame, gap: 3, tail: 0)
      frame += packets.count
      check.feed(batch.records, batch.bytes)
    }
    check.finish()
    #expect(check.faults.isEmpty)
    let kinds = Set(check.plain.notes.map(\.kind))
    #expect(kinds.contains(.clock))
    #expect(kinds.contains(.malformed) || kind.damagedOneIn == 0)
  }

  @Test func everyFieldOfASightingIsCompared() {
    var random = Seeded(1)
    let beacon = Advertiser(.iBeacon, isExtended: false, &random)
    let packet = Packet(HCI.advertisingReport(beacon.legacyReport(&random)), on: .hciH4)
    let batch = Batch([packet], from: 1, gap: 0, tail: 0)
    var decoder = CaptureDecoder()
    batch.bytes.withRawSpan { decoder.decode(batch.records.span, $0) }
    #expect(decoder.beacons.sightings.count == 1)
    let fields = decoder.beacons.sightings.array.map { Mirror(reflecting: $0).children.count }
    #expect(fields == [Sighting.comparedFields + Sighting.otherFields])
  }

  @Test func beaconsThatRepeatThemselvesAreKnown() {
    var kind = Traffic.Kind()
    kind.links = [.hciH4]
    kind.contents = [.iBeacon, .altBeacon, .uid, .url, .eid]
    kind.hasOthers = false
    var traffic = Traffic(seed: 3, kind)
    let (difference, repeats) = Self.compare(traffic.packets(3000), cut: [1024])
    #expect(difference == nil)
    // The rest: first reports, signals out of range, events with one of these.
    #expect(repeats > 0.8)
  }

  @Test(arguments: 0..<24)
  func knownReportsComeToTheSameAmongAnythingElse(_ seed: Int) {
    var kind = Traffic.Kind()
    kind.interfaces = 1 + seed % 3
    kind.advertisers = [1, 3, 30, 100][seed % 4]
    var traffic = Traffic(seed: seed, kind)
    Self.expectSame(traffic.packets(2200), cut: [1023, 1024, 1025], seed: seed)
  }

  @Test(arguments: Packet.hciLinks.indices, 0..<3)
  func theSameOnEachLinkThatCarriesHCI(_ link: Int, _ seed: Int) {
    var kind = Traffic.Kind()
    kind.links = [Packet.hciLinks[link]]
    kind.interfaces = 2
    var traffic = Traffic(seed: seed, kind)
    Self.expectSame(traffic.packets(1000), cut: [300, 1, 64], seed: seed)
  }

  @Test(arguments: 0..<6)
  func theSameWhereLinksOfAirAndHCITakeTurns(_ seed: Int) {
    var kind = Traffic.Kind()
    kind.links = Packet.hciLinks + Packet.airLinks.map(\.link) + [.pcap(1)]
    kind.interfaces = 3
    var traffic = Traffic(seed: seed, kind)
    Self.expectSame(traffic.packets(1500), cut: [500, 7], seed: seed)
  }

  @Test(arguments: 0..<40)
  func theSameWithWrongBytesInKnownReports(_ seed: Int) {
    var kind = Traffic.Kind()
    kind.links = [[.hciH4], [.hciH4WithDirection], Packet.hciLinks][seed % 3]
    kind.advertisers = [2, 8, 26][seed % 3]
    kind.damagedOneIn = [2, 3, 6][seed % 3]
    var traffic = Traffic(seed: seed + 500, kind)
    Self.expectSame(traffic.packets(1500), cut: [1, 2, 40, 1024], seed: seed)
  }

  @Test(arguments: 0..<12)
  func theSameWithRecordsOfOneEach(_ seed: Int) {
    var traffic = Traffic(seed: seed + 900)
    Self.expectSame(traffic.packets(400), cut: [1], seed: seed)
  }

  @Test(arguments: 0..<3)
  func theSameWhereverABatchEnds(_ seed: Int) {
    var kind = Traffic.Kind()
    kind.links = [.hciH4]
    kind.advertisers = 4
    var traffic = Traffic(seed: seed + 1300, kind)
    let packets = traffic.packets(60)
    for cut in 1..<60 { Self.expectSame(packets, cut: [cut, 60], seed: seed) }
  }

  @Test(arguments: Advertiser.Content.allCases, [false, true])
  func theSameWithAnyByteOfAKnownEventChanged(_ content: Advertiser.Content, _ extended: Bool) {
    var random = Seeded(77)
    let sender = Advertiser(content, isExtended: extended, &random)
    func event() -> [UInt8] {
      extended
        ? HCI.extendedReport(sender.extendedReport(&random)).h4
        : HCI.advertisingReport(sender.legacyReport(&random)).h4
    }
    var packets: [Packet] = []
    func add(_ bytes: [UInt8]) {
      var packet = Packet(.hciH4, bytes)
      packet.time = Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(packets.count))
      packets.append(packet)
    }
    for place in event().indices {
      for change: (UInt8) -> UInt8 in [{ $0 ^ 1 }, { $0 ^ 0x80 }, { $0 &+ 1 }, { _ in 0 }] {
        add(event())
        var bytes = event()
        bytes[place] = change(bytes[place])
        add(bytes)
      }
    }
    Self.expectSame(packets)
  }

  @Test func whatWasCountedOfReportsThatHadToMakeRoomIsNotLost() {
    var kind = Traffic.Kind()
    kind.links = [.hciH4]
    kind.advertisers = 20_000
    kind.contents = [.name, .nearby, .otherCompany, .longURL, .badExposure, .iBeacon, .bareTLM]
    var random = Seeded(4)
    let senders = Traffic(seed: 4, kind).advertisers
    var packets: [Packet] = []
    for sender in senders + senders.shuffled(using: &random).prefix(6000) {
      // Learnt, and found again at once: later it may have gone.
      for _ in 0..<3 {
        let event =
          sender.isExtended
          ? HCI.extendedReport(sender.extendedReport(&random))
          : HCI.advertisingReport(sender.legacyReport(&random))
        var packet = Packet(event, on: .hciH4)
        packet.time = Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(packets.count))
        packets.append(packet)
      }
    }
    Self.expectSame(packets)
  }

  @Test func reportsOfMoreShapesThanAreKeptApartComeToTheSame() {
    // Telemetry at each place of a report of each length: more than 256 masks.
    var random = Seeded(6)
    var packets: [Packet] = []
    for _ in 0..<3 {
      for before in 0..<20 {
        for behind in 0..<20 {
          let telemetry = Payload.serviceData(0xFEAA, [0x20, 0x00] + random.bytes(12))
          let data =
            (before < 2 ? [] : Payload.structure(0x30, [UInt8](repeating: 7, count: before - 2)))
            + telemetry + [UInt8](repeating: 0, count: behind)
          let report = HCI.ExtendedReport(Address(9), data, rssi: -50)
          var packet = Packet(HCI.extendedReport(report), on: .hciH4)
          packet.time = Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(packets.count))
          packets.append(packet)
        }
      }
    }
    Self.expectSame(packets)
  }

  @Test func aRecordOfZerosIsNoEventWhileFragmentsWait() {
    var random = Seeded(8)
    let sender = Advertiser(.iBeacon, isExtended: true, &random)
    var report = sender.extendedReport(&random)
    report.rssi = -60
    let event = HCI.extendedReport(report).h4
    var first = HCI.ExtendedReport(Address(77), [2, 1], rssi: -40)
    first.status = 1
    var zeros = event
    for place in [0, 1, 3, 4] { zeros[place] = 0 }
    let packets = [event, event, HCI.extendedReport(first).h4, zeros, event].map { bytes in
      var packet = Packet(.hciH4, bytes)
      packet.time = Timestamp(nanoseconds: 1_700_000_000_000_000_000)
      return packet
    }
    Self.expectSame(packets)
  }

  @Test(arguments: 0..<3)
  func moreInterfacesThanThereAreObserversComeToTheSame(_ seed: Int) {
    var kind = Traffic.Kind()
    kind.links = [.hciH4]
    kind.advertisers = 3
    var traffic = Traffic(seed: seed, kind)
    // Each interface with a few records in a row.
    let packets = traffic.packets(4800).enumerated().map { place, packet in
      var packet = packet
      packet.interface = UInt16(place / 4)
      return packet
    }
    Self.expectSame(packets, seed: seed)
  }
}
