public import CaptureReader
public import FrameDecoder

extension Sighting {
  /// A sighting of a payload whose identity has its number already: for those who know what a
  /// capture holds without decoding it. Its transmitter has no number: only statistics ask for it.
  public init(
    of draft: BeaconDraft, identity: UInt32, time: Timestamp, frame: Int, index: UInt16,
    address: DeviceAddress, observer: UInt16, rssi: Int8, channel: UInt8, phy: PHY
  ) {
    self.init(
      time: time, frame: frame, address: address, extra: draft.extra, frameWarnings: .none,
      warnings: draft.warnings, identity: identity, transmitter: 0, observer: observer,
      index: index,
      kind: draft.identity.kind, rssi: rssi, power: draft.power, channel: channel, phy: phy)
  }
}
