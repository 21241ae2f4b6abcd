public import CaptureReader
public import FrameDecoder

/// One beacon payload in one advertising report. Fixed size, no references; text is made of it only
/// where it is written down.
public struct Sighting: BitwiseCopyable, Sendable {
  public var time: Timestamp
  public var frame: Int
  public var address: DeviceAddress
  /// What the format carries beside identity and power; each format's file says what lies where.
  public var extra: (UInt64, UInt64)
  public var frameWarnings: FrameWarnings
  public var warnings: BeaconWarnings
  /// Index into the identity table.
  public var identity: UInt32
  /// Index into the transmitter table: identity, address and observer as one number.
  public var transmitter: UInt32
  /// Index into the decoder's observers.
  public var observer: UInt16
  /// 0-based report inside the frame.
  public var index: UInt16
  public var kind: BeaconKind
  /// dBm; 127 where it is not available.
  public var rssi: Int8
  /// dBm at 1 m (iBeacon, AltBeacon) or at 0 m (Eddystone); 0 for telemetry and custom beacons, which
  /// have none.
  public var power: Int8
  /// 255 where it is not known.
  public var channel: UInt8
  public var phy: PHY
  /// A known report's: it says nothing that a sighting of its transmitter has not said before, and
  /// was handed on because somebody asked for it.
  public var isRepeat = false
}

extension Sighting {
  /// What a report says by itself; the beacon's own fields are still to come.
  @inline(__always)
  init(of report: borrowing AdvertisingReport, _ kind: BeaconKind) {
    self.init(
      time: report.time, frame: report.frame, address: report.address, extra: (0, 0),
      frameWarnings: report.warnings, warnings: .none, identity: 0, transmitter: 0,
      observer: report.observer, index: report.index, kind: kind, rssi: report.rssi, power: 0,
      channel: report.channel, phy: report.dataPHY)
  }
}

/// What a format makes of a payload.
public struct BeaconDraft: Sendable {
  public var identity: BeaconIdentity
  public var power: Int8 = 0
  public var extra: (UInt64, UInt64) = (0, 0)
  public var warnings = BeaconWarnings.none

  @inlinable @inline(__always)
  public init(identity: BeaconIdentity) { self.identity = identity }
}

/// Whether a payload is a beacon.
public enum BeaconOutcome: Sendable {
  case notMine
  case beacon(BeaconDraft)
  case rejected(BeaconReason)
}
