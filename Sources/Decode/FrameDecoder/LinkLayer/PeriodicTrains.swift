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

  /// Keeps the access address that an extended PDU gives, where its header is whole. SyncInfo is u16 offset,
  /// u16 interval, channel map and accuracy in five bytes, u32 access address, u24 start of the checksum, u16 counter.
  mutating func noteTrain(
    _ report: AdvertisingReport, _ bytes: RawSpan, payload: Int, length: Int, observer: Int
  ) {
    guard length >= 2 else { return }
    let header = Int(bytes.u8(payload) & 0x3F)
    let flags = bytes.u8(payload + 1)
    // What a wrong checksum covers is nobody's access address.
    guard header > 0, flags & 0x20 != 0, !report.warnings.contains(.crcBad) else { return }
    func has(_ bit: UInt8) -> Int { Int(flags >> bit & 1) }
    let before = 1 + 6 * has(0) + 6 * has(1) + has(2) + 2 * has(3) + 3 * has(4)
    guard before + 18 + has(6) <= header, 1 + header <= length else { return }
    let address = bytes.le32(payload + 1 + before + 9)
    // Zeros are no access address; 'share' writes them.
    if address != 0 { observers[observer].trains.note(address) }
  }
}
