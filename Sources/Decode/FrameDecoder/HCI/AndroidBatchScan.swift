import CaptureReader

/// Results of Android's batch scan, in the Command Complete of 0xFD56: PROTOCOLS.md 3.7.
enum AndroidBatchScan {
  static let opcode: UInt16 = 0xFD56
  /// Subcode «read results».
  static let readResults: UInt8 = 4
  /// The age of a result counts in 50 ms.
  static let ageUnit: Int64 = 50_000_000
}

extension FrameDecoder {
  /// u8 status, u8 subcode, u8 format (1 short, 2 full), u8 count, records: address, u8 address
  /// type, i8 TX power, i8 RSSI, u16 age; full: u8 length, data, u8 length, scan response.
  mutating func batchResults(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, base: Int, observer: Int
  ) -> FrameOutcome {
    guard bytes.byteCount >= 2, bytes.u8(0) == 0, bytes.u8(1) == AndroidBatchScan.readResults else {
      return .other
    }
    guard bytes.byteCount >= 4 else { return .malformed(.batchTruncated) }
    let isFull = bytes.u8(2) == 2
    let count = Int(bytes.u8(3))
    // Results are older than their record: they are handled at the clock (SEMANTICS 1).
    if count > 0 { tellClock(frame: record.frame) }
    var at = 4
    var delivered = 0
    // A scan response is a report of its own, so that frame and report name one line.
    var responses = 0
    for _ in 0..<count {
      guard at + 11 <= bytes.byteCount else { break }
      var report = batchResult(record, bytes, at, observer: observer)
      report.index = UInt16(truncatingIfNeeded: delivered + responses)
      at += 11
      var response: Range<Int>?
      if isFull {
        guard let data = Self.lengthAndData(bytes, &at),
          let second = Self.lengthAndData(bytes, &at)
        else { break }
        report.start = Int32(base + data.lowerBound)
        report.count = Int32(data.count)
        response = second
      }
      deliver(report)
      delivered += 1
      if let response, !response.isEmpty {
        responses += 1
        report.index = UInt16(truncatingIfNeeded: delivered + responses - 1)
        report.pdu = .scanRsp
        report.start = Int32(base + response.lowerBound)
        report.count = Int32(response.count)
        deliver(report)
      }
    }
    if count == 0 { return .other }
    if delivered == 0 { return .malformed(.batchTruncated) }
    if delivered < count || at < bytes.byteCount { warnings.insert(.batchTruncated) }
    return .advertising
  }

  private mutating func batchResult(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, _ at: Int, observer: Int
  ) -> AdvertisingReport {
    let age = Int64(bytes.le16(at + 9)) * AndroidBatchScan.ageUnit
    let seen = record.time.nanoseconds.subtractingReportingOverflow(age)
    var report = AdvertisingReport(
      time: record.time.isKnown && !seen.overflow
        ? Timestamp(nanoseconds: seen.partialValue) : .none,
      frame: record.frame,
      address: DeviceAddress(bytes.le48(at), hciType: bytes.u8(at + 6)),
      observer: UInt16(observer), source: .batch)
    report.txPower = bytes.i8(at + 7)
    report.rssi = bytes.i8(at + 8)
    report.primaryPHY = .le1M
    if report.address.kind == .unknown { mark(&report, .unknownAddressType) }
    if Self.isOutOfRange(rssi: report.rssi) { mark(&report, .rssiOutOfRange) }
    return report
  }

  /// u8 length and so many bytes; nil where they are not there.
  private static func lengthAndData(_ bytes: RawSpan, _ at: inout Int) -> Range<Int>? {
    guard at < bytes.byteCount else { return nil }
    let length = Int(bytes.u8(at))
    guard at + 1 + length <= bytes.byteCount else { return nil }
    defer { at += 1 + length }
    return (at + 1)..<(at + 1 + length)
  }
}
