import CaptureReader
import FrameDecoder
import Testing

/// What packets of the air are that are no advertisement.
@Suite struct AirKindTests {
  private static let train: [UInt8] = [0x29, 0x41, 0x76, 0x71]

  private static func kinds(_ feeding: borrowing Feeding) -> [String: Int] {
    var kinds: [String: Int] = [:]
    let counts = feeding.decoder.tally.reasons[Int(RecordClass.other.rawValue)]
    for (name, count) in zip(FrameReason.names, counts) where count.count > 0 {
      kinds["\(name)"] = count.count
    }
    return kinds
  }

  /// Another access address than that of advertising, in front of any PDU and checksum.
  private static func foreign(_ address: [UInt8] = train) -> [UInt8] {
    address + [0x07, 0x01, 0x00, 1, 2, 3]
  }

  /// AUX_ADV_IND with SyncInfo, its checksum right.
  private static func announcement(of address: [UInt8] = train, txPower: Bool = false) -> [UInt8] {
    let info: [UInt8] =
      [0, 0, 80, 0, 0xFF, 0xFF, 0xFF, 0xFF, 0x1F] + address + [0x11, 0x22, 0x33, 0, 0]
    let fields = [1, 2, 3, 4, 5, 0xC6, 7, 0x20] + info + (txPower ? [4] : [])
    let payload = [UInt8(fields.count + 1), txPower ? 0x69 : 0x29] + fields
    return Air.packet([0x47, UInt8(payload.count)] + payload)
  }

  /// Link type 256, de-whitened.
  private static func withHeader(_ packet: [UInt8], flags: UInt16) -> [UInt8] {
    [7, 0xCE, 0, 0, 0, 0, 0, 0, UInt8(truncatingIfNeeded: flags | 3), UInt8(flags >> 8)] + packet
  }

  private static func nordic(
    _ packet: [UInt8], version: UInt8 = 3, id: UInt8, flags: UInt8
  ) -> [UInt8] {
    let radio = [10, flags, 6, 60, 0, 0, 0, 0, 0, 0] + packet
    return [1, UInt8(radio.count), 0, version, 0, 0, id] + radio
  }

  @Test func requestsAndOtherTypesAreTold() {
    var feeding = Feeding()
    for type in UInt8(0)..<16 where type != 7 {
      feeding.feed(Air.packet([type, 12] + [UInt8](repeating: 1, count: 12)), .leLinkLayer)
    }
    #expect(Self.kinds(feeding) == ["scan_request": 1, "connect_request": 1, "other_pdu_type": 8])
    #expect(feeding.count(.other) == 10 && feeding.count(.advertising) == 5)
    let counts = feeding.decoder.tally.reasons[Int(RecordClass.other.rawValue)]
    #expect(counts[Int(FrameReason.connectRequest.rawValue)].firstFrame == 6)
  }

  @Test func anotherAccessAddressIsTold() {
    var feeding = Feeding()
    let pdu: [UInt8] = [0x42, 6, 1, 2, 3, 4, 5, 6]
    var damaged = Air.packet(pdu)
    damaged[0] ^= 1
    feeding.feed(damaged, .leLinkLayer)
    feeding.feed(Self.foreign(), .leLinkLayer)
    feeding.feed(Self.train, .leLinkLayer)
    #expect(Self.kinds(feeding) == ["not_advertising_access_address": 3])
    #expect(feeding.decoder.tally.records == 3)
  }

  /// Of a connection the same bits say whether it is checked.
  @Test(
    arguments: [
      (0x0080, false), (0x1080, true), (0x2080, true), (0x3080, false), (0x2000, false),
      (0x2100, false), (0x2180, false), (0x2380, false),
    ] as [(UInt16, Bool)])
  func aHeaderTellsOfPeriodicAdvertising(_ flags: UInt16, _ isPeriodic: Bool) {
    var feeding = Feeding()
    feeding.feed(Self.withHeader(Self.foreign(), flags: flags), .leLinkLayerWithHeader)
    #expect(
      Self.kinds(feeding) == [
        isPeriodic ? "periodic_advertising" : "not_advertising_access_address": 1
      ])
  }

  @Test func nordicsSnifferTellsOfPeriodicAdvertising() {
    var feeding = Feeding()
    for flags in [0x00, 0x02, 0x04, 0x06] as [UInt8] {
      feeding.feed(Self.nordic(Self.foreign(), id: 2, flags: flags), .nordicSniffer)
    }
    #expect(
      Self.kinds(feeding) == ["periodic_advertising": 2, "not_advertising_access_address": 2])
    // A connection's direction, and versions whose id says nothing.
    feeding.feed(Self.nordic(Self.foreign(), id: 6, flags: 2), .nordicSniffer)
    feeding.feed(Self.nordic(Self.foreign(), version: 2, id: 2, flags: 2), .nordicSniffer)
    feeding.feed(Self.nordic([], id: 0x10, flags: 0), .nordicSniffer)
    #expect(
      Self.kinds(feeding)
        == [
          "periodic_advertising": 2, "not_advertising_access_address": 4, "nordic_not_a_packet": 1,
        ])
  }

  @Test(arguments: [false, true])
  func whatWasAnnouncedIsPeriodicAdvertising(_ hasPower: Bool) {
    var feeding = Feeding()
    feeding.feed(Self.foreign(), .leLinkLayer)
    feeding.feed(Self.announcement(txPower: hasPower), .leLinkLayer)
    feeding.feed(Self.foreign(), .leLinkLayer)
    feeding.feed(Self.foreign([0x29, 0x41, 0x76, 0x72]), .leLinkLayer)
    #expect(
      Self.kinds(feeding) == ["periodic_advertising": 1, "not_advertising_access_address": 2])
    // Another radio, which did not hear that.
    feeding.feed(Self.foreign(), .leLinkLayer, interface: 1)
    #expect(
      Self.kinds(feeding) == ["periodic_advertising": 1, "not_advertising_access_address": 3])
  }

  @Test func nothingIsAnnouncedByWhatIsDamagedOrZero() {
    var feeding = Feeding(FrameDecoder.Options(keepBadCRC: true))
    var damaged = Self.announcement()
    damaged[damaged.count - 1] ^= 1
    feeding.feed(damaged, .leLinkLayer)
    // Its header has room for one byte less than its flags ask for.
    var short = Array(Self.announcement().dropFirst(4).dropLast(3))
    short[2] -= 1
    feeding.feed(Air.packet(short), .leLinkLayer)
    feeding.feed(Self.announcement(of: [0, 0, 0, 0]), .leLinkLayer)
    feeding.feed(Self.foreign(), .leLinkLayer)
    feeding.feed(Self.foreign([0, 0, 0, 0]), .leLinkLayer)
    #expect(Self.kinds(feeding) == ["not_advertising_access_address": 2])
  }

  @Test func theLastAnnouncementsAreKept() {
    var feeding = Feeding()
    for number in UInt8(0)..<65 {
      feeding.feed(Self.announcement(of: [number, 1, 2, 3]), .leLinkLayer)
    }
    for number in [0, 1, 64] as [UInt8] {
      feeding.feed(Self.foreign([number, 1, 2, 3]), .leLinkLayer)
    }
    #expect(
      Self.kinds(feeding) == ["not_advertising_access_address": 1, "periodic_advertising": 2])
  }

  @Test func packetsThatAreNoAdvertisementHaveNamesOfTheirOwn() {
    let named = FrameReason.names.indices.map { FrameReason(rawValue: UInt8($0)) }
      .filter(\.isOfOther).map { "\($0.name)" }
    #expect(
      named == [
        "scan_request", "connect_request", "other_pdu_type", "not_advertising_access_address",
        "periodic_advertising", "nordic_not_a_packet",
      ])
  }
}
