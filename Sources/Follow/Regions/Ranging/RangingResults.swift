package import CaptureReader
package import FrameDecoder

/// A frame of one of several captures.
package struct CaptureFrame: BitwiseCopyable, Hashable, Sendable {
  /// As the caller numbers them.
  package let capture: UInt32
  package let frame: Int

  package init(capture: UInt32, frame: Int) {
    self.capture = capture
    self.frame = frame
  }
}

/// A transmitter of a region got nearer or farther, or its proximity unknown.
package struct ProximityChange: Equatable, Sendable {
  /// The tick's; with lists on change that of the sample, or the end of the silence.
  package let time: Timestamp
  package let observer: Int
  package let region: Int
  /// Index into the transmitter table.
  package let transmitter: UInt32
  package let from: Proximity
  package let to: Proximity
  package let rssi: SmoothedRSSI?
  /// Nil where `to` is unknown.
  package let accuracy: Distance?
  /// Of the samples since the last list; without one, of the latest sample.
  package let firstFrame: CaptureFrame
  package let lastFrame: CaptureFrame
}

/// A region's transmitters at a moment (Apple: `didRange`).
package struct RangingList: Equatable, Sendable {
  package let time: Timestamp
  package let observer: Int
  package let region: Int
  /// Nearest first, unknown last; among equals by the bytes of the identity, then by address.
  package let entries: [RangingEntry]
}

package struct RangingEntry: Equatable, Sendable {
  /// Index into the transmitter table.
  package let transmitter: UInt32
  /// Index into the identity table.
  package let identity: UInt32
  package let address: DeviceAddress
  package let proximity: Proximity
  /// Nil exactly where the proximity is unknown.
  package let accuracy: Distance?
  /// dBm: mean of the samples since the last list, or with lists on change since this transmitter's
  /// last change; nil without one.
  package let rssi: Double?
  /// How many those are.
  package let samples: Int
  /// Of the latest sample, also where that came before the last list.
  package let frame: CaptureFrame
}

/// The least distance at a tick while inside.
package struct NearestApproach: Equatable, Sendable {
  package let time: Timestamp
  /// Index into the transmitter table.
  package let transmitter: UInt32
  package let distance: Distance
}

/// A measured power that is not used for ranging; one per identity (`power_unusable`).
package struct UnusablePower: Equatable, Sendable {
  package let transmitter: UInt32
  package let identity: UInt32
  /// dBm, as it would be at 1 m.
  package let power: Int
  /// The latest frame that said so.
  package let frame: CaptureFrame
}
