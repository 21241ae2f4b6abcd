import CaptureReader
import Testing

/// Kismet's GPS in pcapng (PROTOCOLS.md 9.4).
@Suite struct KismetPositionTests {
  private static func block(_ type: Int, _ body: [UInt8]) -> [UInt8] {
    Bytes.little(type, 4) + Bytes.little(body.count + 12, 4) + body
      + Bytes.little(body.count + 12, 4)
  }

  /// Longitude first.
  private static let fields =
    Bytes.little(55922, 4) + [0x47, 1, 8, 0] + Bytes.little(6, 4)
    + Bytes.little(1_932_500_000, 4) + Bytes.little(2_325_000_000, 4)

  /// A packet of four bytes with the position as an option.
  private static let located = block(
    6,
    Bytes.little(0, 12) + Bytes.little(4, 4) + Bytes.little(4, 4) + [1, 3, 0x0C, 0]
      + Bytes.little(2989, 2) + Bytes.little(fields.count, 2) + fields + Bytes.little(0, 4))

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
}
