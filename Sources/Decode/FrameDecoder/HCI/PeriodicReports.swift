import CaptureReader

/// Periodic advertising (0x0E, 0x0F, 0x10): PROTOCOLS.md 3.5.
extension FrameDecoder {
  /// u8 status, u16 handle, u8 SID, u8 address type, address, u8 PHY, u16 interval, u8 accuracy.
  mutating func syncEstablished(_ bytes: RawSpan, observer: Int) -> FrameOutcome {
    guard bytes.byteCount >= 16 else { return .malformed(.reportTruncated) }
    guard bytes.u8(1) == 0 else { return .other }
    let handle = bytes.le16(2)
    observers[observer].syncs.removeAll { $0.handle == handle }
    // A controller follows a handful of trains; hostile input shall not grow the list.
    if observers[observer].syncs.count >= 256 { observers[observer].syncs.removeFirst() }
    observers[observer].syncs.append(
      PeriodicSync(
        handle: handle,
        address: DeviceAddress(bytes.le48(6), hciType: bytes.u8(5)),
        sid: bytes.u8(4), phy: PHY(hci: bytes.u8(12)), interval: bytes.le16(13)))
    return .other
  }

  mutating func syncLost(_ bytes: RawSpan, observer: Int) -> FrameOutcome {
    guard bytes.byteCount >= 3 else { return .malformed(.reportTruncated) }
    let handle = bytes.le16(1)
    observers[observer].syncs.removeAll { $0.handle == handle }
    return .other
  }

  /// u16 handle, i8 TX power, i8 RSSI, u8 CTE type, u8 data status, u8 length, data.
  mutating func periodicReport(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, base: Int, observer: Int
  ) -> FrameOutcome {
    guard bytes.byteCount >= 8, bytes.byteCount >= 8 + Int(bytes.u8(7)) else {
      return .malformed(.reportTruncated)
    }
    let length = Int(bytes.u8(7))
    let handle = bytes.le16(1)
    let sync = observers[observer].syncs.first { $0.handle == handle }
    var report = AdvertisingReport(
      time: record.time, frame: record.frame, address: sync?.address ?? .none,
      observer: UInt16(observer), source: .periodic)
    report.pdu = .periodic
    report.eventType = handle
    report.sid = sync?.sid ?? 255
    report.primaryPHY = sync?.phy ?? .unknown
    report.periodicInterval = sync?.interval ?? 0
    report.txPower = bytes.i8(3)
    report.rssi = bytes.i8(4)
    report.dataStatus = DataStatus(bits: bytes.u8(6))
    report.start = Int32(base + 8)
    report.count = Int32(length)
    if Self.isOutOfRange(rssi: report.rssi) { mark(&report, .rssiOutOfRange) }
    if bytes.byteCount > 8 + length { warnings.insert(.trailingBytes) }
    if report.dataStatus == .truncated && length == 0
      && observers[observer].fragments.find(report) == nil
    {
      // Nothing was received of this one: no data that could have been cut.
      deliver(report)
    } else {
      reassemble(report, bytes.extracting(8..<(8 + length)), observer: observer)
    }
    return .advertising
  }
}
