/// What a container says between its records: that packets were lost, that capturing stopped or went
/// on.
public struct CaptureMark: BitwiseCopyable, Equatable, Sendable {
  public enum Kind: UInt8, BitwiseCopyable, Sendable {
    /// `count` packets did not get into the capture.
    case lost
    /// From here on nothing is captured on the interface.
    case off
    /// Capturing goes on.
    case on
  }

  public let kind: Kind
  /// Index into `ContainerLog.interfaces`.
  public let interface: UInt16
  /// When that was found out, or when it happened; unknown where the container does not say.
  public let time: Timestamp
  /// The record that says so, or the one before a block that does; 0 where there was none yet.
  public let frame: Int
  /// Whether it comes behind that record; otherwise the record itself says so.
  public let isBehind: Bool
  /// Packets lost since the last mark; 0 for any other mark.
  public let count: UInt64
  /// Of a loss that a container counts over a time, which `time` ends: when that began, and
  /// `wholeRecording` where it is everything so far. Unknown: it was at `time`.
  public let since: Timestamp

  /// Before anything that a capture holds.
  public static let wholeRecording = Timestamp(nanoseconds: .min + 1)

  public init(
    _ kind: Kind, interface: UInt16, time: Timestamp, frame: Int, isBehind: Bool,
    count: UInt64 = 0, since: Timestamp = .none
  ) {
    self.kind = kind
    self.interface = interface
    self.time = time
    self.frame = frame
    self.isBehind = isBehind
    self.count = count
    self.since = since
  }

  /// The same by a clock that was set right.
  func corrected(_ correction: ClockCorrection) -> CaptureMark {
    CaptureMark(
      kind, interface: interface, time: correction.corrected(time), frame: frame,
      isBehind: isBehind,
      count: count, since: since == Self.wholeRecording ? since : correction.corrected(since))
  }
}

/// Packets that the recorder says it could not keep.
public struct CaptureLosses: Sendable {
  /// All of them.
  public var packets: UInt64 = 0
  /// When the first and the last of them were found out about; unknown where no time was told.
  public private(set) var first = Timestamp.none
  public private(set) var last = Timestamp.none

  mutating func note(_ time: Timestamp) {
    guard time.isKnown else { return }
    if !first.isKnown || time.nanoseconds < first.nanoseconds { first = time }
    if time.nanoseconds > last.nanoseconds { last = time }
  }

  /// The same by a clock that was set right.
  func corrected(_ correction: ClockCorrection) -> CaptureLosses {
    var losses = self
    (losses.first, losses.last) = (
      correction.corrected(first), correction.corrected(last)
    )
    return losses
  }
}

/// A time during which an interface is known not to have been captured.
public struct CapturePause: Sendable {
  /// Index into `ContainerLog.interfaces`.
  public let interface: UInt16
  public let from: Timestamp
  /// Unknown: until the end.
  public var to: Timestamp
}
