package import CaptureReader
package import FrameDecoder

/// One beacon payload in one advertising report. Fixed size, no references; text is made of it only
/// where it is written down.
package struct Sighting: Sendable {
  package var time: Timestamp
  package var frame: Int
  package var address: DeviceAddress
  /// What the format carries beside identity and power; each format's file says what lies where.
  package var extra: (UInt64, UInt64)
  package var frameWarnings: FrameWarnings
  package var warnings: BeaconWarnings
  /// Index into the identity table.
  package var identity: UInt32
  /// Index into the decoder's observers.
  package var observer: UInt16
  /// 0-based report inside the frame.
  package var index: UInt16
  package var kind: BeaconKind
  /// dBm; 127 where it is not available.
  package var rssi: Int8
  /// dBm at 1 m (iBeacon, AltBeacon) or at 0 m (Eddystone); 0 for telemetry, which has none.
  package var power: Int8
  /// 255 where it is not known.
  package var channel: UInt8
  package var phy: PHY
}

/// What a format makes of a payload.
package struct BeaconDraft: Sendable {
  package var identity: BeaconIdentity
  package var power: Int8 = 0
  package var extra: (UInt64, UInt64) = (0, 0)
  package var warnings = BeaconWarnings.none

  @inlinable @inline(__always)
  package init(identity: BeaconIdentity) { self.identity = identity }
}

/// Whether a payload is a beacon.
package enum BeaconOutcome: Sendable {
  case notMine
  case beacon(BeaconDraft)
  case rejected(BeaconReason)
}
