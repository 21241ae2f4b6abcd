import CaptureReader
import Testing

/// After damage the next record that makes sense is found, and what was skipped is told.
@Suite struct ResynchronisationTests {
  static let noise: [(name: String, bytes: [UInt8])] = [
    ("ones", [UInt8](repeating: 0xFF, count: 37)),
    ("zeros", [UInt8](repeating: 0x00, count: 160)),
    ("few zeros", [UInt8](repeating: 0x00, count: 7)),
    ("counting", (0..<120).map { UInt8($0) }),
    ("a line of text", Array("the disk was full here, and something else was written\n".utf8)),
  ]

  @Test(arguments: Sample.all, noise.map(\.name))
  func recordsBehindGarbageAreFound(_ sample: Sample, _ name: String) throws {
    let garbage = try #require(Self.noise.first { $0.name == name }).bytes
    let before = sample.file(0..<5)
    let bytes = before + garbage + (5..<12).flatMap { sample.record($0, Sample.event($0)) }
    let reading = Reading(bytes)
    #expect(reading.data == (0..<12).map { Sample.event($0) })
    #expect(reading.frames == Array(1...12))
    let gap = try #require(reading.log.gaps.first)
    #expect(reading.log.gaps.count == 1)
    #expect(gap.offset == Int64(before.count))
    #expect(gap.bytes == Int64(garbage.count))
    #expect(gap.resumedAtFrame == 6)
    #expect(reading.codes.contains("damage_skipped"))
  }

  @Test(arguments: Sample.all, [60, 100, 200, 800, 4000, 65_000, 200_000, 262_144])
  func aLegalButWrongLengthSwallowsNothing(_ sample: Sample, _ length: Int) {
    // Shorter than the claim and longer than it: both ends of the input are tried.
    for count in [20, length < 5000 ? 200 : 9000] {
      var records = (0..<count).map { sample.record($0, Sample.event($0)) }
      records[7] = sample.record(7, claiming: length)
      let reading = Reading(sample.file(records))
      let expected = (0..<count).filter { $0 != 7 }.map { Sample.event($0) }
      #expect(reading.data == expected, "\(count) records")
      #expect(reading.log.gaps.map(\.bytes) == [Int64(records[7].count)])
      #expect(reading.log.gaps.first?.resumedAtFrame == 8)
      #expect(!reading.codes.contains("file_truncated"))
    }
  }

  @Test(arguments: Sample.all)
  func damageToTheEndIsOneGapWithNothingBehind(_ sample: Sample) {
    let garbage = [UInt8](repeating: 0xFF, count: 5000)
    let reading = Reading(sample.file(0..<6) + garbage)
    #expect(reading.data.count == 6)
    #expect(reading.log.gaps.map(\.bytes) == [5000])
    #expect(reading.log.gaps.first?.resumedAtFrame == nil)
  }

  @Test(arguments: Sample.all)
  func aCutLastRecordIsReportedAndNeverHandedOn(_ sample: Sample) {
    let whole = sample.file(0..<6)
    let last = sample.record(5, Sample.event(5)).count
    for missing in 1..<last {
      let reading = Reading(Array(whole.dropLast(missing)))
      #expect(reading.data == (0..<5).map { Sample.event($0) }, "\(missing) bytes missing")
      #expect(reading.codes == ["file_truncated"], "\(missing) bytes missing")
      #expect(reading.log.gaps.isEmpty)
      let note = reading.log.notes[.fileTruncated]
      #expect(note?.firstOffset == Int64(whole.count - last))
    }
  }

  @Test(arguments: Sample.all)
  func severalPlacesOfDamageAreToldApart(_ sample: Sample) {
    let garbage = [UInt8](repeating: 0xFF, count: 50)
    var bytes = sample.header
    for group in 0..<4 {
      bytes += (0..<5).flatMap { sample.record(group * 5 + $0, Sample.event(group * 5 + $0)) }
      if group < 3 { bytes += garbage }
    }
    let reading = Reading(bytes)
    #expect(reading.data == (0..<20).map { Sample.event($0) })
    #expect(reading.log.gaps.map(\.bytes) == [50, 50, 50])
    #expect(reading.log.gaps.map(\.resumedAtFrame) == [6, 11, 16])
  }

  @Test func damageAcrossWindowsIsOneGap() {
    let garbage = [UInt8](repeating: 0xFF, count: 700_001)
    for sample in Sample.all {
      let records = (10..<20).flatMap { sample.record($0, Sample.event($0)) }
      let reading = Reading(sample.file(0..<10) + garbage + records)
      #expect(reading.data == (0..<20).map { Sample.event($0) }, "\(sample)")
      #expect(reading.log.gaps.map(\.bytes) == [700_001], "\(sample)")
    }
  }

  /// Also where a batch ends, and where records before and behind it are of other batches.
  @Test(arguments: Sample.all, [0, 1, 5, 1023, 1024, 1025, 2048])
  func aGapHasTheTimesOfTheRecordsOnBothSides(_ sample: Sample, _ count: Int) throws {
    let garbage = [UInt8](repeating: 0xFF, count: 50)
    // PacketLogger has no header to be known by.
    guard count > 1 || !sample.header.isEmpty else { return }
    func records(_ numbers: Range<Int>) -> [UInt8] {
      numbers.flatMap { sample.record($0, Sample.event($0)) }
    }
    let before = sample.header + records(0..<count) + garbage
    let whole = Reading(before + records(count..<(count + 9)))
    let gap = try #require(whole.log.gaps.first)
    #expect(whole.log.gaps.count == 1 && whole.times.count == count + 9)
    #expect(gap.from == (count == 0 ? .none : whole.times[count - 1]))
    #expect(gap.to == whole.times[count])
    let torn = Reading(before)
    guard count > 0 else { return }
    #expect(torn.log.gaps.map(\.from) == [whole.times[count - 1]])
    #expect(torn.log.gaps.map(\.to) == [.none])
  }

  @Test func aGapHasTheTimesOfTheCorrectedClock() throws {
    let sample = Sample.pcap
    let garbage = [UInt8](repeating: 0xFF, count: 50)
    let bytes =
      sample.file(0..<5) + garbage + (5..<9).flatMap { sample.record($0, Sample.event($0)) }
    let hour: Int64 = 3_600_000_000_000
    let reader = try CaptureReader.open(
      .corrected(.bytes(bytes, name: "a"), ClockCorrection([.init(by: hour)])))
    var batch = RecordBatch()
    var times: [Timestamp] = []
    while try reader.next(into: &batch) { times += batch.records.array.map(\.time) }
    #expect(reader.gaps.map(\.from) == [times[4]] && reader.gaps.map(\.to) == [times[5]])
    #expect(reader.log.gaps[0].from.nanoseconds == times[4].nanoseconds - hour)
  }

  @Test func clocksThatWereNeverSetDoNotHinderFindingTheWayBack() {
    // 1970: times only make sense beside those of the records before.
    func record(_ number: Int) -> [UInt8] {
      let data = Sample.event(number)
      return Bytes.little(100 + number, 4) + Bytes.little(0, 4) + Bytes.little(data.count, 4)
        + Bytes.little(data.count, 4) + data
    }
    let garbage = [UInt8](repeating: 0xFF, count: 61)
    let bytes =
      Sample.pcap.header + (0..<5).flatMap(record) + garbage + (5..<10).flatMap(record)
    let reading = Reading(bytes)
    #expect(reading.data == (0..<10).map { Sample.event($0) })
    #expect(reading.log.gaps.map(\.bytes) == [61])
    #expect(reading.codes.contains("clock_not_set"))
  }
}
