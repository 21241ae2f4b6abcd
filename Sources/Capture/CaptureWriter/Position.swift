/// A place on earth as capture files write it.
package struct Position: Sendable {
  /// Degrees.
  package var latitude: Double
  package var longitude: Double
  /// Metres.
  package var altitude: Double

  package init(latitude: Double, longitude: Double, altitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  private static func angle(_ degrees: Double) -> UInt32 {
    UInt32(((degrees + 180) * 10_000_000).rounded())
  }
  private var height: UInt32 { UInt32(((altitude + 180_000) * 10_000).rounded()) }

  /// PPI-GPS: latitude, longitude, altitude.
  package var ppi: [UInt8] {
    join(
      [2, 0], UInt16(20).le, UInt32(0x0E).le, Self.angle(latitude).le, Self.angle(longitude).le,
      height.le)
  }

  /// Kismet's custom option 2989 with its enterprise number: longitude first.
  package func kismet(_ order: ByteOrder) -> [UInt8] {
    join(
      order.bytes(UInt32(55922)), [0x47, 1], order.bytes(UInt16(12)), order.bytes(UInt32(0x0E)),
      order.bytes(Self.angle(longitude)), order.bytes(Self.angle(latitude)), order.bytes(height))
  }
}
