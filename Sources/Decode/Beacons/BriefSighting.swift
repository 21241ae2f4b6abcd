public import CaptureReader

/// Who was heard, when, how strongly: what most of what follows wants to know of a sighting.
public struct BriefSighting: BitwiseCopyable, Sendable {
  public let time: Timestamp
  public let frame: Int
  /// Index into the transmitter table.
  public var transmitter: UInt32
  /// Index + 1 of the whole sighting among those of the batch; 0 for a repeat, which says the same
  /// as one of this transmitter that was handed on whole. Repeats come whole, too, of transmitters
  /// that the decoder's filter takes.
  public var whole: UInt32
  /// dBm; 127 where it is not available.
  public let rssi: Int8
  /// Records behind its frame with which it was handed on: an advertisement that waited for more.
  public let delay: UInt32

  /// The record with which it was handed on, as `ObserverNote.place` counts.
  @inlinable @inline(__always)
  public var place: Int { frame &+ Int(delay) }

  @inlinable @inline(__always)
  public init(
    time: Timestamp, frame: Int, transmitter: UInt32, whole: UInt32, rssi: Int8, delay: UInt32 = 0
  ) {
    self.delay = delay
    self.time = time
    self.frame = frame
    self.transmitter = transmitter
    self.whole = whole
    self.rssi = rssi
  }
}
