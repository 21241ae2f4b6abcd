import CaptureWriter
import FrameEncoder
import FuzzTargets
import Synth
import TestSupport
import Testing

/// What is shared says the same, also of captures that are damaged.
@Suite struct SharedAgreementTests {
  private static let seeds = FuzzTarget.all.first { $0.name == "share" }?.seeds() ?? []

  @Test func goldenCasesAndCaptures() {
    #expect(Self.seeds.count > 50)
    for input in Self.seeds {
      #expect(ShareTarget.faults(input, comparing: true).isEmpty, "\(input.hex)")
    }
  }

  /// A report that is not there as a whole is none in the copy either, wherever its event ends.
  @Test func cutReports() throws {
    let name: [UInt8] = [11, 9] + Array("annasmith1".utf8)
    let sender = Address(0x4433_2211_00C1, isRandom: true)
    let legacy = HCI.advertisingReport(
      HCI.LegacyReport(sender, name, rssi: -60), HCI.LegacyReport(sender, name, rssi: -61))
    let extended = HCI.extendedReport(HCI.ExtendedReport(sender, name, rssi: -60))
    let periodic = HCI.periodicReport(handle: 1, rssi: -60, name)
    let batch = HCI.batchResults(
      HCI.BatchResult(sender, rssi: -60, age: 0, data: name, response: name))
    for whole in [legacy, extended, periodic, batch].map(\.h4) {
      var records: [Record] = []
      for count in 3...whole.count {
        let cut = Array(whole.prefix(count))
        // The event says how long it is, or how long it was; the recorder says that it cut it, or does not.
        let short = cut[..<2] + [UInt8(count - 3)] + cut[3...]
        for (packet, original) in [(cut, count), (cut, whole.count), (Array(short), count)] {
          records.append(
            Record(
              (1_779_184_800_000 + Int64(records.count)) * 1_000_000, packet, tag: 3,
              original: original))
        }
      }
      let file = BtsnoopWriter(datalink: 1002).file(records)
      #expect(ShareTarget.faults(file, comparing: true).isEmpty, "\(whole)")
    }
  }

  /// What a content filter hides is thin in the copy, too; whom its filters ask for is not in it.
  @Test func contentFilter() {
    var records: [Record] = []
    func add(_ packet: HCIPacket, at milliseconds: Int64) {
      records.append(
        Record(
          (1_779_184_800_000 + milliseconds) * 1_000_000, packet.h4, tag: packet.btsnoopFlags))
    }
    let uuid = [UInt8](0..<16)
    let orders: [[UInt8]] = [
      [6, 0, 1, 0x4C, 0, 2, 0x15] + uuid,
      [1, 0, 1, 0x20, 0, 0x11, 0x11, 1, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 1],
    ]
    for second in Int64(0)..<240 {
      if second < 60 {
        let data = Payload.iBeacon(uuid: uuid, major: 1, minor: 1, power: -59)
        add(
          HCI.advertisingReport(HCI.LegacyReport(Address(1, isRandom: true), data, rssi: -60)),
          at: second * 1000)
      }
      let other = Payload.eddystoneUID(
        namespace: [UInt8](1...10), instance: [UInt8](1...6), power: -20)
      add(
        HCI.advertisingReport(HCI.LegacyReport(Address(2, isRandom: true), other, rssi: -60)),
        at: second * 1000 + 1)
      for order in second == 60 ? orders : [] {
        add(HCIPacket(.command, [0x57, 0xFD, UInt8(order.count)] + order), at: second * 1000 + 2)
        add(HCI.commandComplete(0xFD57, Array(order.prefix(2))), at: second * 1000 + 3)
      }
    }
    let file = BtsnoopWriter(datalink: 1002).file(records)
    #expect(ShareTarget.faults(file, comparing: true).isEmpty)
  }

  @Test(arguments: 0..<4 as Range<UInt64>)
  func damagedAtRandom(share: UInt64) {
    var random = SplitMix64(seed: AgreementTests.seed &+ share)
    for round in 0..<AgreementTests.rounds {
      let input = Damage.mutant(of: Self.seeds, using: &random)
      let faults = ShareTarget.faults(input, comparing: true)
      #expect(faults.isEmpty, "share \(share), round \(round): \(input.hex)")
      if !faults.isEmpty { return }
    }
  }
}
