import CaptureReader
import CaptureWriter
import Checks
import FrameEncoder
import Synth
import TestSupport
import Testing

/// HCI events as controllers send them, and as they should not: several reports in one, fragments of
/// several advertisers mixed, the same report again, chains without an end, resets in between.
@Suite struct EventTests {
  @Test(arguments: 0..<8 as Range<UInt64>)
  func decoderAndTwinAgree(_ share: UInt64) {
    var random = SplitMix64(seed: AgreementTests.seed &+ share)
    for round in 0..<AgreementTests.rounds {
      let records = (0..<(5 + random.below(60))).map { number in
        let packet = Self.event(&random)
        return Record(
          1_779_184_800_000_000_000 + Int64(number) * 1_000_000, packet.bytes,
          tag: BtsnoopWriter.monitorFlags(
            adapter: UInt16(random.below(2)), opcode: packet.monitorOpcode))
      }
      let file = BtsnoopWriter(datalink: 2001).file(records)
      let reading = Reading(file)
      let faults =
        TwinComparison.differences(reading, file) + TwinComparison.differences(reading)
        + Soundness.faults(reading, file)
      #expect(
        faults.isEmpty, "seed \(AgreementTests.seed), share \(share), round \(round): \(file.hex)")
      #expect(reading.log.gaps.isEmpty && reading.records.count == records.count)
      if !faults.isEmpty { return }
    }
  }

  /// The same by the way that compares reports with those seen lately: everything twice.
  @Test(arguments: 0..<8 as Range<UInt64>)
  func knownReportsAndTwinAgree(_ share: UInt64) throws {
    var random = SplitMix64(seed: AgreementTests.seed &+ share)
    for round in 0..<AgreementTests.rounds {
      let packets = (0..<(5 + random.below(30))).map { _ in Self.event(&random) }
      let records = (packets + packets).enumerated().map { number, packet in
        Record(
          1_779_184_800_000_000_000 + Int64(number) * 1_000_000, packet.h4,
          tag: packet.btsnoopFlags)
      }
      let file = BtsnoopWriter(datalink: 1002).file(records)
      let faults =
        try KnownReportsCheck.faults(file) + TwinComparison.differences(Reading(file), file)
      #expect(
        faults.isEmpty, "seed \(AgreementTests.seed), share \(share), round \(round): \(file.hex)")
      if !faults.isEmpty { return }
    }
  }

  /// Interfaces of any number, each with an advertiser of its own that is heard again.
  @Test(arguments: [0, 1, 0x3FFF, 0x4000, 0xFFFF] as [UInt16])
  func knownReportsOfAnyInterface(_ interface: UInt16) {
    let beacon = Payload.iBeacon(uuid: [UInt8](0..<16), major: 1, minor: 2, power: -59)
    let event = HCI.advertisingReport(HCI.LegacyReport(Address(1), beacon, rssi: -60)).h4
    let records = (0..<4).map { number in
      CaptureRecord(
        time: Timestamp(nanoseconds: 1_700_000_000_000_000_000 + Int64(number)),
        frame: number + 1, start: number * event.count, count: event.count,
        originalCount: UInt32(event.count), link: .hciH4, interface: interface)
    }
    let check = KnownReportsCheck()
    check.feed(records, event + event + event + event)
    check.finish()
    #expect(check.faults.isEmpty)
    #expect(check.plain.sightings.count == 4)
  }

  private static func event(_ random: inout SplitMix64) -> HCIPacket {
    switch random.below(12) {
    case 0...2: legacy(&random)
    case 3...7: extended(&random)
    case 8:
      HCI.syncEstablished(
        handle: UInt16(random.below(3)), sid: UInt8(random.below(2)), address(&random), interval: 80
      )
    case 9, 10:
      HCI.periodicReport(
        handle: UInt16(random.below(3)), rssi: rssi(&random), data(&random, most: 100),
        status: UInt8(random.below(4)))
    default:
      random.below(4) == 0
        ? HCI.commandComplete(0x0C03) : HCI.leMeta(0x10, [UInt8(random.below(3)), 0])
    }
  }

  private static func legacy(_ random: inout SplitMix64) -> HCIPacket {
    let count = 1 + random.below(4)
    let reports = (0..<count).flatMap { _ in
      HCI.LegacyReport(
        type: UInt8(random.below(6)), address(&random), data(&random, most: 33), rssi: rssi(&random)
      ).bytes
    }
    return meta(0x02, count, reports, &random)
  }

  private static func extended(_ random: inout SplitMix64) -> HCIPacket {
    let count = 1 + random.below(3)
    let reports = (0..<count).flatMap { _ in
      var report = HCI.ExtendedReport(
        address(&random), data(&random, most: 60), rssi: rssi(&random))
      report.status = UInt16(random.below(4))
      report.type = random.below(5) == 0 ? 0x12 : 0
      report.sid = UInt8(random.below(2))
      report.secondaryPHY = UInt8(random.below(5))
      return report.bytes
    }
    return meta(0x0D, count, reports, &random)
  }

  /// Mostly with the right count of reports, mostly whole.
  private static func meta(
    _ subevent: UInt8, _ count: Int, _ reports: [UInt8], _ random: inout SplitMix64
  ) -> HCIPacket {
    let wanted = random.below(8) == 0 ? random.below(30) : count
    let cut = random.below(8) == 0 ? random.below(reports.count + 1) : reports.count
    return HCI.leMeta(subevent, [UInt8(wanted)] + reports.prefix(min(cut, 250)))
  }

  private static func address(_ random: inout SplitMix64) -> Address {
    Address(0xC000_0000_0001 + UInt64(random.below(3)), isRandom: random.below(4) > 0)
  }

  private static func rssi(_ random: inout SplitMix64) -> Int8 {
    Int8(truncatingIfNeeded: random.below(256))
  }

  /// A beacon, or a part of one, or anything.
  private static func data(_ random: inout SplitMix64, most: Int) -> [UInt8] {
    let beacons = [
      Payload.iBeacon(uuid: random.bytes(16), major: 1, minor: 2, power: -59),
      Payload.eddystoneUID(namespace: random.bytes(10), instance: random.bytes(6), power: -20),
      Payload.eddystoneTLM(millivolts: 3000, temperature: -384, count: 7, uptime: 600),
      Payload.altBeacon(id: random.bytes(20), power: -60),
      Payload.eddystoneURL(scheme: 3, rest: random.bytes(9), power: -18),
      random.bytes(40),
    ]
    let beacon = beacons[random.below(beacons.count)]
    let whole = random.below(4) == 0 ? Array(beacon.prefix(random.below(beacon.count))) : beacon
    return Array(whole.prefix(most))
  }
}
