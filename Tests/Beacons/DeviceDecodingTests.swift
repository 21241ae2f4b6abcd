import BeaconKeys
import CaptureReader
import CaptureWriter
import FrameDecoder
import FrameEncoder
import Testing

@testable import Beacons

/// Sightings of devices whose keys are there.
@Suite struct DeviceDecodingTests {
  private static let phone = DeviceKey(
    name: "phone", irk: [UInt8](hex: "ec0234a357c8ad05341010a60a397d9b"))
  private static let own: UInt64 = 0x7081_940D_FBAA
  private static let nearby = Payload.appleNearbyInfo([0x1B, 0x18, 1, 2, 3])
  private static let iBeacon = Payload.iBeacon(
    uuid: [UInt8](repeating: 7, count: 16), major: 1, minor: 2, power: -59)

  private static func address(_ number: UInt32) -> UInt64 {
    let prand = 0x40_0000 | number
    return UInt64(prand) << 24 | UInt64(phone.hash(prand))
  }

  /// What a recording with one report a second comes to: kinds, ids and whose address it is.
  private static func decode(
    _ reports: [(address: UInt64, data: [UInt8])], isRandom: Bool = true,
    keys: KeyRing? = KeyRing([], devices: [phone])
  ) -> (told: [String], tally: BeaconTally) {
    var decoder = CaptureDecoder(keys: keys)
    var told: [String] = []
    for (number, report) in reports.enumerated() {
      var packet = Packet(
        HCI.advertisingReport(
          HCI.LegacyReport(
            type: 3, Address(report.address, isRandom: isRandom), report.data, rssi: -60)),
        on: .hciH4)
      packet.time = Timestamp(nanoseconds: Int64(number) * 1_000_000_000)
      let batch = Batch([packet][...], from: number + 1, gap: 16, tail: 200)
      batch.bytes.withRawSpan { decoder.decode(batch.records.span, $0) }
      let table = decoder.beacons.identities
      for sighting in decoder.beacons.sightings.array {
        let format = BeaconFormats.format(sighting.kind)
        let id = format.identityText(table.bytes(of: table[sighting.identity]))
        told.append("\(format.name) \(id) \(table.device(at: sighting.address) ?? "-")")
      }
    }
    return (told, decoder.beacons.tally)
  }

  @Test func whateverADeviceSendsIsASightingOfIt() {
    let (told, tally) = Self.decode([
      (Self.own, Self.nearby), (Self.own, Self.nearby), (Self.address(1), []),
      (0x7081_940D_FBAB, Self.nearby),
    ])
    #expect(told == [String](repeating: "device phone phone", count: 3))
    // What it sends is labelled as ever.
    #expect(tally.others == 1)
    let (none, all) = Self.decode([(Self.own, Self.nearby)], keys: nil)
    #expect(none.isEmpty && all.others == 1)
  }

  @Test func aBeaconThatItSendsIsASightingBesideIt() {
    let id = "07070707-0707-0707-0707-070707070707:1:2"
    let (told, _) = Self.decode([
      (Self.own, Self.iBeacon), (Self.own, Self.iBeacon), (0xC000_0000_0001, Self.iBeacon),
    ])
    let pair = ["device phone phone", "ibeacon \(id) phone"]
    #expect(told == pair + pair + ["ibeacon \(id) -"])
  }

  /// A public address with such bits is nobody's; the controller has resolved those of the types 2 and 3.
  @Test func addressesThatAreNotPrivateStayAsTheyAre() {
    #expect(Self.decode([(Self.own, Self.nearby)], isRandom: false).told.isEmpty)
    for kind in [DeviceAddress.Kind.publicIdentity, .randomIdentity, .unresolved, .publicDevice] {
      var decoder = BeaconDecoder(keys: KeyRing([], devices: [Self.phone]))
      let report = AdvertisingReport(
        time: Timestamp(nanoseconds: 0), frame: 1, address: DeviceAddress(Self.own, kind),
        observer: 0, source: .legacy)
      [UInt8]().withRawSpan { decoder.decode([report].span, $0, joined: []) }
      #expect(decoder.sightings.count == 0)
    }
  }

  /// Of whatever kind the address is; and what was said goes before a key.
  @Test(arguments: [true, false]) func aNamedDeviceIsKnownByItsAddresses(_ isRandom: Bool) {
    let named = NamedDevice(
      name: "watch", addresses: [0xC111_1111_1111, Self.own, 0x0011_2233_4455])
    let keys = KeyRing([], devices: [Self.phone], named: [named])
    let (told, tally) = Self.decode(
      [
        (0xC111_1111_1111, Self.nearby), (Self.own, []), (0x0011_2233_4455, Self.iBeacon),
        (0xC111_1111_1112, Self.nearby), (Self.address(1), Self.nearby),
        (0xC111_1111_1111, Self.nearby),
      ], isRandom: isRandom, keys: keys)
    let id = "07070707-0707-0707-0707-070707070707:1:2"
    #expect(
      told == [
        "device watch watch", "device watch watch", "device watch watch", "ibeacon \(id) watch",
      ] + (isRandom ? ["device phone phone"] : []) + ["device watch watch"])
    #expect(tally.others == (isRandom ? 1 : 2))
    #expect(keys.devices.unheard.isEmpty)
  }

  /// Whoever invents addresses drives out what is remembered, and nothing is forgotten by it.
  @Test func inventedAddressesTakeNoMemoryAndChangeNothing() {
    let ring = DeviceRing([Self.phone])
    var known = ResolvedAddresses(ring)
    let places = known.places
    for number in 0..<20_000 as Range<UInt64> {
      let invented = 0x4000_0000_0000 | number &* 0x1234_5677 & 0x3FFF_FFFF_FFFF
      #expect(known.device(DeviceAddress(invented, .random)) == nil)
      if number % 1000 == 0 {
        let own = DeviceAddress(Self.address(UInt32(number)), .random)
        #expect(known.device(own)?.kind == .device)
        #expect(known.device(DeviceAddress(Self.own, .random))?.kind == .device)
      }
    }
    #expect(known.places == places)
  }
}
