import CaptureWriter
import Checks
import FrameEncoder
import FuzzTargets
import Synth
import TestSupport
import Testing

/// Extended advertising on the air: pointers that lead somewhere or nowhere, chains of several devices with one data id
/// and set, packets that are lost, come late or in another order.
@Suite struct ChainTests {
  @Test(arguments: 0..<8 as Range<UInt64>)
  func decoderAndTwinAgree(_ share: UInt64) {
    var random = SplitMix64(seed: AgreementTests.seed &+ share)
    for round in 0..<AgreementTests.rounds {
      let file = Self.file(&random)
      let reading = Reading(file)
      let faults =
        TwinComparison.differences(reading, file) + TwinComparison.differences(reading)
        + Soundness.faults(reading, file)
      #expect(
        faults.isEmpty, "seed \(AgreementTests.seed), share \(share), round \(round): \(file.hex)")
      if !faults.isEmpty { return }
    }
  }

  /// What is cut between two packets has the pseudonym of the whole, and is joined with nothing else.
  @Test(arguments: 0..<4 as Range<UInt64>)
  func sharedOnesSayTheSame(_ share: UInt64) {
    var random = SplitMix64(seed: AgreementTests.seed &+ share)
    for round in 0..<AgreementTests.rounds {
      let file = Self.file(&random)
      let faults = ShareTarget.faults(file, comparing: true)
      #expect(
        faults.isEmpty, "seed \(AgreementTests.seed), share \(share), round \(round): \(file.hex)")
      if !faults.isEmpty { return }
    }
  }

  /// What never became whole is told of among the others by the record that ended its wait, in batches of any size.
  @Test(arguments: 0..<2 as Range<UInt64>)
  func analysisDoesNotDependOnBatches(_ share: UInt64) {
    var random = SplitMix64(seed: AgreementTests.seed &+ share)
    for round in 0..<AgreementTests.rounds {
      let file = Self.file(&random)
      let faults = AnalyzeTarget.batchFaults(file, batch: 1 + Int(round % 7))
      #expect(
        faults.isEmpty, "seed \(AgreementTests.seed), share \(share), round \(round): \(file.hex)")
      if !faults.isEmpty { return }
    }
  }

  private static func file(_ random: inout SplitMix64) -> [UInt8] {
    let saysChannels = random.below(4) > 0
    let isSlow = random.below(3) == 0
    var time: Int64 = 1_779_184_800_000_000_000
    let records = (0..<(5 + random.below(60))).map { _ in
      time += steps[random.below(isSlow ? steps.count : 3)]
      let (header, packet) = packet(&random)
      guard saysChannels else { return Record(time, packet) }
      var bytes = AirLink.withHeader(header, packet)
      // What a sniffer may take it for.
      if header.channel < 37 { bytes[9] |= UInt8(random.below(4)) << 4 }
      return Record(time, bytes)
    }
    return PcapWriter(linkType: saysChannels ? 256 : 251).file(records)
  }

  /// To the next record: at once, when a pointer says so, a little later; long after, and back.
  private static let steps: [Int64] = [
    0, 1_000_000, 300_000, 8_000_000, 30_000_000, 3_000_000_000, -2_000_000,
  ]

  private static func packet(_ random: inout SplitMix64) -> (AirLink.Header, [UInt8]) {
    let channel = ([37, 38, 5, 5, 9, 9] as [UInt8])[random.below(6)]
    let sender = random.below(2) == 0 ? Address(UInt64(random.below(3)), isRandom: true) : nil
    let set = (sid: UInt8(random.below(2)), id: UInt16(random.below(2)))
    let pointer = Air.AuxPointer(
      channel: ([5, 9, 9, 60] as [UInt8])[random.below(4)],
      offset: ([33, 33, 66, 0, 8191] as [UInt32])[random.below(5)])
    let pdu = Air.extended(
      sender, set: random.below(5) > 0 ? set : nil,
      pointer: random.below(5) > 1 ? pointer : nil, data(&random))
    let kind: AirLink.Header.Packet = random.below(2) == 0 ? .auxiliary : .primary
    return (
      AirLink.Header(
        channel: channel, rssi: -Int8(40 + random.below(50)),
        packet: channel >= 37 ? .primary : kind), Air.packet(pdu)
    )
  }

  /// A beacon, its beginning or its end; or anything.
  private static func data(_ random: inout SplitMix64) -> [UInt8] {
    let beacon = Payload.eddystoneUID(
      namespace: [UInt8](1...10), instance: [UInt8](1...6), power: -20)
    switch random.below(5) {
    case 0: return beacon
    case 1: return Array(beacon.prefix(20))
    case 2: return Array(beacon.dropFirst(20))
    default: return random.bytes(random.below(4) * 60)
    }
  }
}
