import Testing

@testable import CaptureReader

@Suite struct TimeOutlierTests {
  /// The second of the first record: what is earlier, too, is no negative number, which samples cannot write.
  static let base = 10_000

  /// Records a second apart, but for those whose second is given.
  static func capture(_ sample: Sample, _ seconds: [Int: Int], count: Int = 40) -> [UInt8] {
    sample.file((0..<count).map { sample.record(base + (seconds[$0] ?? $0), Sample.event($0)) })
  }

  static func second(_ number: Int) -> Timestamp {
    Timestamp(nanoseconds: Int64(Sample.start + base + number) * 1_000_000_000)
  }

  /// Indices of the records without a time.
  static func untimed(_ reading: Reading) -> [Int] {
    reading.times.indices.filter { !reading.times[$0].isKnown }
  }

  /// The samples' fraction of a second is their number.
  static func isSecond(_ time: Timestamp, _ number: Int) -> Bool {
    time.isKnown && abs(time.nanoseconds - second(number).nanoseconds) < 1_000_000_000
  }

  @Test(arguments: Sample.all, [7200, -7200])
  func aTimeThatTheNextRecordContradictsIsNotUsed(_ sample: Sample, _ leap: Int) throws {
    let reading = Reading(Self.capture(sample, [20: 20 + leap]))
    #expect(Self.untimed(reading) == [20])
    #expect(reading.frames == Array(1...40))
    #expect(reading.codes == ["timestamp_outlier"])
    #expect(reading.log.notes[.timestampOutlier]?.firstFrame == 21)
    let span = try #require(reading.span)
    #expect(Self.isSecond(span.earliest, 0) && Self.isSecond(span.latest, 39))
    #expect(span.largestStepBack == 0 && span.largestStepForward == 0)
    #expect(Self.isSecond(span.firstOutlier, 20 + leap))
  }

  @Test(arguments: Sample.all)
  func theFirstRecordsTimeIsNotUsedWhereItIsMuchLater(_ sample: Sample) {
    let late = Reading(Self.capture(sample, [0: 7200]))
    #expect(Self.untimed(late) == [0])
    #expect(late.codes == ["timestamp_outlier"])
    // A clock may have been set forward, or nothing have come, behind it.
    let early = Reading(Self.capture(sample, [0: -7200]))
    #expect(Self.untimed(early).isEmpty)
    #expect(early.codes == ["time_jumps_forward"])
  }

  @Test func aSecondRecordThatIsWrongLeavesTheFirstAlone() {
    let reading = Reading(Self.capture(.btsnoop, [1: -7200]))
    #expect(Self.untimed(reading) == [1])
    let two = Reading(Self.capture(.btsnoop, [1: -7200], count: 2))
    #expect(Self.untimed(two).isEmpty && two.codes == ["time_goes_backwards"])
  }

  @Test func whatMayBeAPauseOrAClockThatWasSetStands() {
    let cases: [(seconds: [Int: Int], codes: Set<String>)] = [
      // The last record: nothing contradicts it.
      ([39: 7200], ["time_jumps_forward"]),
      // Two in a row.
      ([20: 7200, 21: 7201], ["time_jumps_forward", "time_goes_backwards"]),
      // From there on.
      (Dictionary(uniqueKeysWithValues: (20..<40).map { ($0, $0 + 7200) }), ["time_jumps_forward"]),
      (
        Dictionary(uniqueKeysWithValues: (20..<40).map { ($0, $0 - 7200) }), ["time_goes_backwards"]
      ),
      // Just ten minutes.
      ([20: 619], ["time_goes_backwards"]),
      // The next one is as near to it as to the one before.
      ([20: 720, 21: 430], ["time_jumps_forward", "time_goes_backwards"]),
    ]
    for (seconds, codes) in cases {
      let reading = Reading(Self.capture(.btsnoop, seconds))
      #expect(Self.untimed(reading).isEmpty, "\(seconds)")
      #expect(reading.codes == codes, "\(seconds)")
    }
  }

  @Test(arguments: Sample.all)
  func howTheBytesComeDoesNotMatter(_ sample: Sample) throws {
    let bytes = Self.capture(sample, [0: 9000, 7: -9000, 20: 7200, 33: 7200, 39: 7200])
    let whole = Reading(bytes)
    #expect(whole.log.notes[.timestampOutlier]?.count == 4)
    for length in [1, 7, 60, 200, 10_000] {
      for capacity in [1, 2, 3, 100] {
        let input = MemoryPieces(bytes, of: length)
        let reader = try CaptureReader.open(input)
        var batch = RecordBatch(capacity: capacity)
        var (times, data): ([Timestamp], [[UInt8]]) = ([], [])
        while try reader.next(into: &batch) {
          reader.withBytes { span in
            for record in batch.records.array {
              let end = Int(record.start) + Int(record.count)
              times.append(record.time)
              data.append(span.extracting(Int(record.start)..<end).array())
            }
          }
        }
        #expect(times == whole.times, "\(length) \(capacity)")
        #expect(data.map { $0.suffix(14) } == whole.data.map { $0.suffix(14) })
        #expect(reader.log.notes[.timestampOutlier]?.count == 4)
        #expect(reader.timeSpan.latest == whole.span?.latest)
        #expect(reader.sha256 == whole.sha256)
      }
    }
  }

  @Test func whatWasHeldBackIsReadBeforeAnEndWithinTheFile() {
    // Nothing but a torn record behind the one whose time leaps.
    let bytes =
      Self.capture(.btsnoop, [39: 7200])
      + Sample.btsnoop.record(Self.base + 40, Sample.event(40)).prefix(9)
    let reading = Reading(bytes)
    #expect(reading.frames == Array(1...40))
    #expect(Self.isSecond(reading.times[39], 7200))
    #expect(reading.codes == ["time_jumps_forward", "file_truncated"])
  }

  @Test func damageBehindItIsSaidToComeBehindIt() throws {
    let noise = [UInt8](repeating: 0xF5, count: 300)
    for rest in [0..<0, 41..<60] {
      let records = rest.map { Sample.btsnoop.record(Self.base + $0, Sample.event($0)) }
      let bytes = Self.capture(.btsnoop, [39: 7200]) + noise + records.joined()
      let gap = try #require(Reading(bytes).log.gaps.first)
      #expect(Self.isSecond(gap.from, rest.isEmpty ? 7200 : 38), "\(rest)")
    }
  }

  @Test func damageBehindItDecidesNothing() {
    for length in [100, 200_000, 1_500_000] {
      let noise = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 167 ^ 0xA5) }
      let bytes =
        Self.capture(.btsnoop, [39: 7200]) + noise
        + (40..<80).flatMap { Sample.btsnoop.record(Self.base + $0, Sample.event($0)) }
      let reading = Reading(bytes)
      #expect(reading.frames.count >= 79, "\(length)")
      #expect(reading.codes.contains("damage_skipped"))
      #expect(reading.problem == nil)
      #expect(!reading.codes.contains("read_error"))
    }
  }

  @Test func anInterfaceThatIsSeldomHeardIsJudged() {
    let description = Sample.pcapng.header.suffix(20)
    let records = (0..<400).map { number -> [UInt8] in
      var bytes = Sample.pcapng.record(number == 200 ? 90_000 : number, Sample.event(number))
      bytes[8] = number % 40 == 0 ? 1 : 0
      return bytes
    }
    let reading = Reading(Sample.pcapng.header + description + records.flatMap { $0 })
    #expect(Self.untimed(reading) == [200])
  }

  @Test func interfacesAreJudgedEachByItself() {
    // Two interfaces, whose clocks are hours apart, in turn; one time of the second is wrong.
    let description = Sample.pcapng.header.suffix(20)
    let records = (0..<40).map { number -> [UInt8] in
      let second = number % 2 == 0 ? number : number == 21 ? 90_000 : number + 20_000
      var bytes = Sample.pcapng.record(second, Sample.event(number))
      bytes[8] = UInt8(number % 2)
      return bytes
    }
    let reading = Reading(Sample.pcapng.header + description + records.flatMap { $0 })
    #expect(Self.untimed(reading) == [21])
    #expect(reading.codes == ["timestamp_outlier"])
  }
}

/// Gives its bytes a few at a time.
private final class MemoryPieces: ByteInput {
  let name = "pieces"
  let isStream = true
  private var rest: ArraySlice<UInt8>
  private let length: Int

  init(_ bytes: [UInt8], of length: Int) {
    rest = bytes[...]
    self.length = length
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureProblem) -> Int {
    let piece = rest.prefix(min(length, buffer.count))
    unsafe buffer.copyBytes(from: piece)
    rest = rest.dropFirst(piece.count)
    return piece.count
  }
}
