import CaptureReader
import FrameDecoder
import Testing

/// PPI-GPS (PROTOCOLS.md 9.3).
@Suite struct PositionTests {
  /// A PPI record with a GPS field and no packet.
  private func record(present: UInt32, _ values: [UInt32], missing: Int = 0) -> [UInt8] {
    let little = { (value: UInt32) in (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
    let field = Array(
      ([2, 0, UInt8(8 + 4 * values.count), 0] + little(present) + values.flatMap(little))
        .dropLast(missing))
    return [0, 0, UInt8(12 + field.count), 0, 251, 0, 0, 0]
      + [0x32, 0x75, UInt8(field.count), 0] + field
  }

  private static let latitude: UInt32 = 2_325_000_000
  private static let longitude: UInt32 = 1_932_500_000

  @Test func aFixNamesItsFrameAndItsHorizontalError() {
    var feeding = Feeding()
    feeding.feed([], .ppi)
    // Flags, latitude, longitude, altitude, above ground, seconds, nanoseconds, horizontal error.
    let bytes = record(
      present: 0xFF, [0, Self.latitude, Self.longitude, 1_800_345_000, 0, 9, 9, 2_500_000])
    feeding.feed(bytes, .ppi)
    #expect(
      feeding.decoder.fixes == [
        PositionFix(
          time: Timestamp(nanoseconds: 1_700_000_000_000_000_000), frame: 2, latitude: 52.5,
          longitude: 13.25, altitude: 34.5, accuracy: 2.5)
      ])
  }

  @Test func aFieldCutBehindThePlaceKeepsThePlace() {
    var feeding = Feeding()
    feeding.feed(
      record(present: 0x86, [Self.latitude, Self.longitude, 2_500_000], missing: 1), .ppi)
    #expect(feeding.decoder.fixes.map(\.latitude) == [52.5])
    #expect(feeding.decoder.fixes.map(\.accuracy) == [nil])
    feeding.feed(record(present: 0x06, [Self.latitude, Self.longitude], missing: 1), .ppi)
    #expect(feeding.decoder.fixes.isEmpty)
  }

  /// Fixed point: 0 is −180°, 1 800 000 000 is 0°.
  @Test(
    arguments: [
      (900_000_000, 0, -90, -180), (2_700_000_000, 3_600_000_000, 90, 180),
      (1_800_000_000, 1_800_000_001, 0, 0.0000001), (1_799_999_999, 1_800_000_000, -0.0000001, 0),
    ] as [(UInt32, UInt32, Double, Double)])
  func placesUpToThePolesAndTheDateLineAreTaken(
    _ latitude: UInt32, _ longitude: UInt32, _ north: Double, _ east: Double
  ) throws {
    var feeding = Feeding()
    feeding.feed(record(present: 0x06, [latitude, longitude]), .ppi)
    let fix = try #require(feeding.decoder.fixes.first)
    #expect(abs(fix.latitude - north) < 1e-9 && abs(fix.longitude - east) < 1e-9)
  }

  @Test(
    arguments: [
      (899_999_999, 1_932_500_000, .gpsValueOutOfRange),
      (2_700_000_001, 1_932_500_000, .gpsValueOutOfRange),
      // 120°.
      (3_000_000_000, 1_932_500_000, .gpsValueOutOfRange),
      (2_325_000_000, 3_600_000_001, .gpsValueOutOfRange),
      (0, 0, .gpsValueOutOfRange), (1_800_000_000, 1_800_000_000, .positionZero),
    ] as [(UInt32, UInt32, FrameWarnings)])
  func whatIsNoPlaceIsLeftOutAndCounted(
    _ latitude: UInt32, _ longitude: UInt32, _ warning: FrameWarnings
  ) {
    var feeding = Feeding()
    feeding.feed(record(present: 0x06, [latitude, longitude]), .ppi)
    #expect(feeding.decoder.fixes.isEmpty)
    #expect(feeding.count(warning) == 1)
  }

  @Test func aPositionFlaggedAsNoFixIsLeftOutAndCounted() {
    var feeding = Feeding()
    // No fix; no fix, and by GPS; by GPS; nothing said; differential.
    for flags in [1, 3, 2, 0, 4] as [UInt32] {
      feeding.feed(record(present: 0x07, [flags, Self.latitude, Self.longitude]), .ppi)
      #expect(feeding.decoder.fixes.count == (flags & 1 == 0 ? 1 : 0))
    }
    #expect(feeding.count(.positionWithoutFix) == 2)
  }
}
