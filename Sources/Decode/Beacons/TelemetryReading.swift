/// What plain telemetry tells, as every format of it keeps it in `Sighting.extra`: battery in bits 48–63,
/// temperature in 32–47, advertisements in 0–31; then the uptime. (As Eddystone-TLM sends it.)
public struct TelemetryReading: BitwiseCopyable, Sendable {
  private let extra: (UInt64, UInt64)

  public init(_ extra: (UInt64, UInt64)) { self.extra = extra }

  /// mV; nil where the beacon does not measure it.
  public var battery: Int? {
    let value = Int(extra.0 >> 48)
    return value == 0 ? nil : value
  }

  /// In 1/256 °C; nil where the beacon does not measure it.
  public var temperature: Int? {
    let value = Int16(truncatingIfNeeded: extra.0 >> 32)
    return value == .min ? nil : Int(value)
  }

  /// Sent since the beacon was switched on.
  public var advertisements: Int { Int(extra.0 & 0xFFFF_FFFF) }

  /// In 0.1 s.
  public var uptime: Int { Int(extra.1) }
}
