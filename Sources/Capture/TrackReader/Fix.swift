public import CaptureReader

/// Where something was at a moment.
public struct Fix: BitwiseCopyable, Sendable {
  public let time: Timestamp
  /// Degrees, WGS-84; north and east positive.
  public let latitude: Double
  public let longitude: Double

  public init(time: Timestamp, latitude: Double, longitude: Double) {
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
  }
}
