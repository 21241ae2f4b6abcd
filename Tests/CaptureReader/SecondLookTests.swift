import CaptureReader
import Testing

/// Headers that could be believed, and are looked at twice.
@Suite struct SecondLookTests {
  static let headed = [Sample.btsnoop, .pcap, .packetLogger]

  /// Records of this time in seconds: where the clock was never set, a number since 1970.
  private static func record(_ sample: Sample, _ number: Int, seconds: Int) -> [UInt8] {
    let data = Sample.event(number)
    let claimed = sample.record(seconds - Sample.start, data)
    switch sample.format {
    case "pcap": return Array(claimed[..<4]) + Bytes.little(number, 4) + claimed[8...]
    case "packetlogger": return Array(claimed[..<8]) + Bytes.big(number, 4) + claimed[12...]
    default: return claimed
    }
  }

  @Test func aMisalignedHeaderSwallowsNothing() {
    // One byte lost: what then reads as a header is plausible but for its time, and as long as
    // fifteen records.
    for sample in [Sample.btsnoop, .pcap] {
      let padded = (0..<40).map { Sample.event($0, padding: 5) }
      var records = padded.indices.map { sample.record($0, padded[$0]) }
      let header = records[9].count - padded[9].count
      var odd = [UInt8](repeating: 0, count: header)
      let length = 15 * records[9].count + 11
      let places = sample.format == "pcap" ? [8, 12] : [0, 4]
      for place in places {
        odd.replaceSubrange(
          place..<(place + 4),
          with: sample.isBigEndian ? Bytes.big(length, 4) : Bytes.little(length, 4))
      }
      // Times far from all others.
      if sample.format == "pcap" {
        odd.replaceSubrange(0..<4, with: Bytes.little(0x0102_0304, 4))
      }
      records.insert(odd, at: 10)
      let reading = Reading(sample.file(records))
      #expect(reading.data == padded, "\(sample)")
      #expect(reading.log.gaps.map(\.bytes) == [Int64(odd.count)], "\(sample)")
    }
  }

  @Test(arguments: headed)
  func aClockThatIsLostOrSetOnTheWayIsNoDamage(_ sample: Sample) {
    // Set, lost (restart in 1970), set again; and one stray time in between.
    let seconds =
      (0..<4).map { Sample.start + $0 } + (0..<4).map { 60 + $0 }
      + [200_000_000] + (5..<8).map { 60 + $0 } + (0..<4).map { Sample.start + 900 + $0 }
    let records = seconds.enumerated().map { Self.record(sample, $0, seconds: $1) }
    let reading = Reading(sample.file(records))
    #expect(reading.data == seconds.indices.map { Sample.event($0) })
    #expect(reading.log.gaps.isEmpty)
  }

  @Test func recordsWithoutATimeAmongOthersAreNoDamage() {
    let sample = Sample.btsnoop
    var records = (0..<9).map { sample.record($0, Sample.event($0)) }
    for number in 3..<6 {
      records[number].replaceSubrange(16..<24, with: [0x7F, 0, 0, 0, 0, 0, 0, UInt8(number)])
    }
    let reading = Reading(sample.file(records))
    #expect(reading.data == (0..<9).map { Sample.event($0) })
    #expect(reading.codes.contains("timestamp_out_of_range"))
    #expect(reading.log.gaps.isEmpty)
  }

  @Test(arguments: headed)
  func anOddTimeAtTheEndOfTheInputIsKept(_ sample: Sample) {
    let reading = Reading(sample.file(0..<5) + Self.record(sample, 5, seconds: 200_000_000))
    #expect(reading.data == (0..<6).map { Sample.event($0) })
    #expect(reading.log.gaps.isEmpty)
  }

  @Test func aRecordThatTookInOthersIsFoundBehindOneReadAfterIt() {
    // Record 5 claims five records, and what then stands in its place reads as one more.
    let sample = Sample.btsnoop
    var records = (0..<30).map { sample.record($0, Sample.event($0)) }
    let size = records[5].count
    let data = size - 24
    let length = data + 5 * size
    records[5].replaceSubrange(0..<8, with: Bytes.big(length, 4) + Bytes.big(length, 4))
    // A last, false record behind the ones swallowed; then garbage.
    records.insert(
      sample.record(11, [4, 0x3E, 0]) + [UInt8](repeating: 0xFF, count: 50), at: 11)
    let reading = Reading(sample.file(records))
    #expect(
      Array(reading.data.prefix(11)) == [0, 1, 2, 3, 4, 6, 7, 8, 9, 10].map {
        Sample.event($0)
      } + [[4, 0x3E, 0]])
    #expect(reading.data.count == 30)
    #expect(reading.log.gaps.map(\.bytes) == [Int64(size), 50])
  }
}
