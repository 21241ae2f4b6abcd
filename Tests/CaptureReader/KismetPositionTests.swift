import CaptureReader
import Testing

/// Kismet's GPS in pcapng (PROTOCOLS.md 9.4).
@Suite struct KismetPositionTests {
  private static func block(_ type: Int, _ body: [UInt8]) -> [UInt8] {
    Bytes.little(type, 4) + Bytes.little(body.count + 12, 4) + body
      + Bytes.little(body.count + 12, 4)
  }

  private static let fields = fields([1_932_500_000, 2_325_000_000])

  /// - Parameter values: longitude, latitude, and what else is present, in the order of its bit.
  private static func fields(_ values: [Int], present: Int = 6) -> [UInt8] {
    Bytes.little(55922, 4) + [0x47, 1] + Bytes.little(4 * values.count, 2)
      + Bytes.little(present, 4) + values.flatMap { Bytes.little($0, 4) }
  }

  /// What a capture with one block of positions gives.
  private static func read(_ fields: [UInt8]) throws -> (fixes: [PositionFix], log: ContainerLog) {
    let bytes =
      Sample.pcapng.header + Sample.pcapng.record(0, Sample.event(0)) + block(0xBAD, fields)
    let reader = try CaptureReader.open(.bytes(bytes, name: "k.pcapng"))
    var batch = RecordBatch()
    var fixes: [PositionFix] = []
    while try reader.next(into: &batch) { fixes += reader.log.fixes }
    return (fixes, reader.log)
  }

  /// A packet of four bytes with the position as an option.
  private static let located = located(at: 0)

  /// - Parameter seconds: as `Sample.record` counts them; 0: of 1970.
  private static func located(at seconds: Int) -> [UInt8] {
    let time = seconds == 0 ? 0 : (Sample.start + seconds) * 1_000_000
    return block(
      6,
      Bytes.little(0, 4) + Bytes.little(time >> 32, 4) + Bytes.little(time & 0xFFFF_FFFF, 4)
        + Bytes.little(4, 4) + Bytes.little(4, 4) + [1, 3, 0x0C, 0]
        + Bytes.little(2989, 2) + Bytes.little(fields.count, 2) + fields + Bytes.little(0, 4))
  }

  /// Of a record whose time is not believed it has that of the record before, and is moved as that is.
  @Test func aFixOfAWrongTimeStandsAtTheRecordBefore() throws {
    let bytes =
      Sample.pcapng.header + (0..<20).flatMap { Sample.pcapng.record($0, Sample.event($0)) }
      + Self.located(at: 7200) + (21..<40).flatMap { Sample.pcapng.record($0, Sample.event($0)) }
    for by in [Int64(0), 3_600_000_000_000] {
      let source = CaptureSource.bytes(bytes, name: "k.pcapng")
      let reader = try CaptureReader.open(
        by == 0 ? source : .corrected(source, ClockCorrection([.init(by: by)])))
      var batch = RecordBatch()
      var fixes: [PositionFix] = []
      while try reader.next(into: &batch) { fixes += reader.log.fixes }
      let before = Int64(Sample.start + 19) * 1_000_000_000 + by
      #expect(fixes.map(\.time) == [Timestamp(nanoseconds: before)])
    }
  }

  @Test func aFixNamesTheFrameThatCarriesIt() throws {
    let bytes =
      Sample.pcapng.header + Sample.pcapng.record(0, Sample.event(0)) + Self.located
      + Self.block(0xBAD, Self.fields) + Sample.pcapng.record(1, Sample.event(1))
    let reader = try CaptureReader.open(.bytes(bytes, name: "k.pcapng"))
    var batch = RecordBatch()
    var fixes: [PositionFix] = []
    var frames: [Int] = []
    while try reader.next(into: &batch) {
      fixes += reader.log.fixes
      frames += batch.records.array.map(\.frame)
    }
    #expect(frames == [1, 2, 3, 4])
    #expect(fixes.map(\.frame) == [2, 3])
    #expect(fixes.map(\.latitude) == [52.5, 52.5])
    #expect(fixes.map(\.longitude) == [13.25, 13.25])
  }

  @Test(
    arguments: [
      (1_932_500_000, 3_000_000_000, .gpsValueOutOfRange),
      (1_932_500_000, 899_999_999, .gpsValueOutOfRange),
      (3_600_000_001, 2_325_000_000, .gpsValueOutOfRange),
      (1_800_000_000, 1_800_000_000, .positionZero),
    ] as [(Int, Int, ProblemCode)])
  func whatIsNoPlaceIsLeftOutAndCounted(
    _ longitude: Int, _ latitude: Int, _ code: ProblemCode
  ) throws {
    let (fixes, log) = try Self.read(Self.fields([longitude, latitude]))
    #expect(fixes.isEmpty)
    #expect(log.notes[code]?.count == 1)
    #expect(log.notes[code]?.firstFrame == 2)
  }

  /// Longitude, latitude, altitude, horizontal error: bits 1, 2, 3 and 7.
  @Test func aFixHasItsHorizontalError() throws {
    let values = [1_932_500_000, 2_325_000_000, 1_800_345_000, 12_500_000]
    let fix = try #require(try Self.read(Self.fields(values, present: 0x8E)).fixes.first)
    #expect(fix.altitude == 34.5 && fix.accuracy == 12.5)
    #expect(try Self.read(Self.fields).fixes.first?.accuracy == nil)
  }
}
