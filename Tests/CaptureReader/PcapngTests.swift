import CaptureReader
import Testing

/// Blocks of pcapng that are not packets, or not what they say.
@Suite struct PcapngTests {
  private static func block(_ type: Int, _ body: [UInt8]) -> [UInt8] {
    Bytes.little(type, 4) + Bytes.little(body.count + 12, 4) + body
      + Bytes.little(body.count + 12, 4)
  }

  private static func records(_ numbers: Range<Int>) -> [UInt8] {
    numbers.flatMap { Sample.pcapng.record($0, Sample.event($0)) }
  }

  @Test(arguments: [0, 4, 100, 300_000, 600_000, 2_000_000])
  func unknownBlocksOfAnySizeAreSteppedOver(_ size: Int) {
    // Long ones are read through without being kept.
    let unknown = Self.block(0x0000_00A5, [UInt8](repeating: 0x06, count: size))
    let reading = Reading(
      Sample.pcapng.header + Self.records(0..<4) + unknown + Self.records(4..<8))
    #expect(reading.data == (0..<8).map { Sample.event($0) })
    #expect(reading.codes.isEmpty)
  }

  @Test func anUnknownBlockCutByTheEndIsReported() {
    let unknown = Self.block(0x0000_00A5, [UInt8](repeating: 0x06, count: 2_000_000))
    let bytes = Sample.pcapng.header + Self.records(0..<4) + unknown.dropLast(1000)
    let reading = Reading(bytes)
    #expect(reading.data.count == 4)
    #expect(reading.codes == ["file_truncated"])
  }

  @Test(arguments: [1, 100, 4000, 12_000])
  func anUnknownBlockThatRunsOverOthersIsDamage(_ behind: Int) {
    // A damaged header: nobody knows the type, the length is over 512 KiB.
    var damaged = Sample.pcapng.record(4, claiming: 900_000)
    damaged.replaceSubrange(0..<4, with: Bytes.little(0xA5, 4))
    // Garbage behind it, so that the blocks are not at hand yet when the header is seen.
    damaged += [UInt8](repeating: 0xFF, count: 400_000)
    let rest = Self.records(5..<(5 + behind + 2))
    let reading = Reading(Sample.pcapng.header + Self.records(0..<4) + damaged + rest)
    #expect(reading.data.count == 4 + behind + 2)
    #expect(reading.log.gaps.map(\.bytes) == [Int64(damaged.count)])
    #expect(reading.log.gaps.map(\.reason) == [.blockLengthInvalid])
    #expect(reading.codes == ["block_length_invalid", "damage_skipped"])
  }

  @Test func anUnknownBlockWithAnotherLengthAtItsEndIsDamage() {
    let size = 700_000
    var unknown = Self.block(0xA5, [UInt8](repeating: 0x06, count: size))
    unknown.replaceSubrange((unknown.count - 4)..., with: [1, 2, 3, 4])
    let reading = Reading(
      Sample.pcapng.header + Self.records(0..<4) + unknown + Self.records(4..<8))
    #expect(reading.data == (0..<8).map { Sample.event($0) })
    #expect(reading.log.gaps.map(\.bytes) == [Int64(unknown.count)])
    #expect(reading.log.gaps.map(\.reason) == [.blockLengthMismatch])
  }

  @Test func interfacesBeyondWhatRecordsCanNumberAreUnknown() {
    // Link type of its own for the one that would be taken for the first.
    let interface = Self.block(1, [251, 0, 0, 0, 0, 0, 0, 0])
    let more = (1..<65_536).flatMap { _ in interface }
    var packets = Self.records(0..<2)
    let length = packets.count / 2
    packets.replaceSubrange((length + 8)..<(length + 12), with: Bytes.little(65_535, 4))
    let reading = Reading(Sample.pcapng.header + more + packets)
    #expect(reading.log.interfaces.count == 65_535)
    #expect(reading.faults == [.none, .unknownInterface])
    #expect(reading.links == [.hciH4, .none])
  }

  @Test func recordsThatAreNoPacketsHaveNoLinkType() {
    // Link type 0 of pcap is a real one.
    let loopback = Self.block(1, [0, 0, 0, 0, 0, 0, 0, 0])
    let header = Array(Sample.pcapng.header.prefix(28)) + loopback
    let reading = Reading(header + Self.records(0..<1) + Self.block(0xBAD, [1, 2, 3, 4]))
    #expect(reading.links == [.pcap(0), .none])
    #expect(reading.faults == [.none, .note])
    #expect(LinkType.none.number == nil)
    #expect(LinkType.pcap(0).number == 0)
  }

  @Test func packetsOfAbsurdLengthAreDamage() {
    var bytes = Sample.pcapng.header + Self.records(0..<4)
    bytes += Sample.pcapng.record(4, claiming: 8 << 20) + Self.records(5..<4000)
    let reading = Reading(bytes)
    #expect(reading.data.count == 3999)
    #expect(reading.log.gaps.map(\.reason) == [.blockLengthInvalid])
  }

  @Test func sectionsStartAnew() {
    let reading = Reading(Sample.pcapng.file(0..<3) + Sample.pcapng.file(3..<6))
    #expect(reading.data == (0..<6).map { Sample.event($0) })
    #expect(reading.frames == Array(1...6))
    // The same interface goes on: one radio, as with other files that were joined.
    #expect(reading.log.interfaces.count == 1)
    #expect(reading.codes == ["captures_joined"])
  }

  @Test func whatIsAnotherInterfaceInALaterSectionStaysOne() {
    var other = Sample.pcapng.file(3..<6)
    // The link type of its interface: 187 becomes 201.
    other[28 + 8] = 201
    let reading = Reading(Sample.pcapng.file(0..<3) + other)
    #expect(reading.log.interfaces.count == 2 && reading.codes.isEmpty)
  }

  @Test func timesInWholeSecondsBeyondTheCalendarAreNone() {
    // if_tsresol 0: units of one second, 2⁶³ of them.
    let options: [UInt8] = [9, 0, 1, 0, 0, 0, 0, 0]
    let header = Sample.pcapng.header.prefix(28)
    let interface = Self.block(1, [187, 0, 0, 0, 0, 0, 0, 0] + options)
    let event = Sample.event(0) + [0]
    let packet = Self.block(
      6,
      Bytes.little(0, 4) + Bytes.little(0x8000_0000, 4) + Bytes.little(0, 4)
        + Bytes.little(event.count - 1, 4) + Bytes.little(event.count - 1, 4) + event)
    let reading = Reading(header + interface + packet)
    #expect(reading.times == [.none])
    #expect(reading.codes == ["timestamp_out_of_range"])
  }
}

/// The clock of a capture, as its records show it.
@Suite struct ClockTests {
  private static func capture(_ seconds: [Int]) -> [UInt8] {
    let data = Sample.event(0)
    var bytes = Sample.pcap.header
    for second in seconds {
      for field in [second, 0, data.count, data.count] { bytes += Bytes.little(field, 4) }
      bytes += data
    }
    return bytes
  }

  @Test func stepsAreToldAndTheOrderOfTheFileIsKept() {
    let start = Sample.start
    let reading = Reading(Self.capture([start, start + 5, start + 2, start + 700, start + 701]))
    #expect(
      reading.times.map { Int($0.nanoseconds / 1_000_000_000) - start } == [0, 5, 2, 700, 701])
    #expect(reading.codes == ["time_goes_backwards", "time_jumps_forward"])
    #expect(reading.log.notes[.timeGoesBackwards]?.firstFrame == 3)
    #expect(reading.log.notes[.timeJumpsForward]?.firstFrame == 4)
    #expect(reading.span?.largestStepBack == 3_000_000_000)
    #expect(reading.span?.largestStepForward == 698_000_000_000)
    #expect(reading.span?.earliest.nanoseconds == Int64(start) * 1_000_000_000)
  }

  @Test func aClockThatWasNeverSetIsSaidToBeSo() {
    let reading = Reading(Self.capture([10, 11, 12]))
    #expect(reading.codes == ["clock_not_set"])
    #expect(reading.log.notes[.clockNotSet]?.count == 3)
    #expect(reading.times.first?.nanoseconds == 10_000_000_000)
  }
}
