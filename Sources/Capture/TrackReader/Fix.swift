public import CaptureReader

/// Where something was at a moment.
public struct Fix: BitwiseCopyable, Equatable, Sendable {
  public let time: Timestamp
  /// Degrees, WGS-84; north and east positive. −90…90 and −180 ≤ longitude < 180.
  public let latitude: Double
  public let longitude: Double
  /// Metres above sea level.
  public var altitude: Double?
  /// Metres per second over ground.
  public var speed: Double?
  /// Degrees from true north, clockwise, 0 ≤ course < 360.
  public var course: Double?
  /// Horizontal error in metres, as the source gives it.
  public var accuracy: Double?
  public let place: FixPlace

  public init(
    time: Timestamp, latitude: Double, longitude: Double, altitude: Double? = nil,
    speed: Double? = nil, course: Double? = nil, accuracy: Double? = nil,
    place: FixPlace = .line(0)
  ) {
    self.time = time
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
    self.speed = speed
    self.course = course
    self.accuracy = accuracy
    self.place = place
  }

  /// A position that a capture carries.
  public init(_ position: PositionFix, file: Int = 0) {
    // A capture may say 180, which is the same meridian.
    let longitude = position.longitude == 180 ? -180 : position.longitude
    self.init(
      time: position.time, latitude: position.latitude, longitude: longitude,
      altitude: position.altitude, accuracy: position.accuracy,
      place: .frame(position.frame, file: file))
  }
}

/// Where a fix was read: the evidence for what follows from it.
public struct FixPlace: Hashable, BitwiseCopyable, Sendable {
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// A line of a track file.
    case line
    /// A record of a capture.
    case frame
  }
  public let kind: Kind
  /// Which of the files of its kind, as the caller numbers them.
  public let file: UInt32
  /// 1-based line or frame; 0 where there is none.
  public let number: Int

  public static func line(_ number: Int, file: Int = 0) -> FixPlace {
    FixPlace(kind: .line, file: UInt32(truncatingIfNeeded: file), number: number)
  }

  public static func frame(_ number: Int, file: Int = 0) -> FixPlace {
    FixPlace(kind: .frame, file: UInt32(truncatingIfNeeded: file), number: number)
  }
}
