import CaptureReader

/// Periodic advertising on the air: AUX_SYNC_IND and what continues it have an access address of their own, which
/// the SyncInfo of an AUX_ADV_IND gives. They are known by it, and not read.
struct PeriodicTrains: Sendable {
  private var addresses: [UInt32] = []
  /// Which one the next takes the place of, where there is no more room.
  private var oldest = 0
  static let most = 64

  func contains(_ address: UInt32) -> Bool { addresses.contains(address) }

  mutating func note(_ address: UInt32) {
    if contains(address) { return }
    guard addresses.count == Self.most else { return addresses.append(address) }
    addresses[oldest] = address
    oldest = (oldest + 1) % Self.most
  }
}

extension FrameDecoder {
  /// What a packet is whose access address is not that of advertising.
  func kind(ofAccess address: UInt32, _ context: AirContext, observer: Int) -> FrameReason {
    context.kind.mayBePeriodic || observers[observer].trains.contains(address)
      ? .periodicAdvertising : .notAdvertisingAccessAddress
  }

  /// Keeps the access address that a SyncInfo gives, nine bytes from its beginning: behind u16 offset, u16 interval, channel
  /// map and accuracy in five bytes.
  mutating func noteTrain(_ report: AdvertisingReport, _ address: UInt32, observer: Int) {
    // What a wrong checksum covers is nobody's access address, nor are zeros, which `share` writes.
    guard address != 0, !report.warnings.contains(.crcBad) else { return }
    observers[observer].trains.note(address)
  }
}
