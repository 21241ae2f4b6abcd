import CaptureReader

/// LE Advertising Report (0x02) and LE Directed Advertising Report (0x0B): PROTOCOLS.md 3.2, 3.3.
extension FrameDecoder {
  /// u8 count, then per report: u8 type, u8 address type, address, u8 length, data, i8 RSSI;
  /// the reports follow one another. `base`: where `bytes` lie in the batch.
  mutating func legacyReports(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, base: Int, observer: Int
  ) -> FrameOutcome {
    let (count, reason) = Self.reportCount(bytes)
    if reason != .none { return .malformed(reason) }
    var at = 2
    var index = 0
    var delivered = 0
    while index < count {
      guard at + 10 <= bytes.byteCount else { break }
      // A span of known length: its loads need no check each.
      let head = bytes.extracting(at..<(at + 9))
      let length = Int(head.u8(8))
      guard at + 10 + length <= bytes.byteCount else { break }
      if length <= 31 {
        var report = AdvertisingReport(
          time: record.time, frame: record.frame,
          address: DeviceAddress(head.le48(2), hciType: head.u8(1)),
          observer: UInt16(truncatingIfNeeded: observer), source: .legacy)
        report.index = UInt16(truncatingIfNeeded: index)
        report.start = Int32(truncatingIfNeeded: base + at + 9)
        report.count = Int32(truncatingIfNeeded: length)
        report.rssi = bytes.i8(at + 9 + length)
        report.primaryPHY = .le1M
        describe(&report, type: head.u8(0))
        deliver(report)
        delivered += 1
      } else {
        warnings.insert(.legacyDataLongerThan31)
      }
      at += 10 + length
      index += 1
    }
    return conclude(
      delivered: delivered, read: index, of: count, most: 25, rest: bytes.byteCount - at)
  }

  /// Event type, address type and RSSI of a legacy report.
  @inline(__always)
  private mutating func describe(_ report: inout AdvertisingReport, type: UInt8) {
    report.eventType = UInt16(type)
    report.pdu = PDU(legacy: type & 0x0F)
    if report.pdu == .unknown { report.warnings.insert(.unknownEventType) }
    if type & 0xF0 != 0 { report.warnings.insert(.eventTypeVendorBits) }
    if report.address.kindCode > 3 {
      report.warnings.insert(.unknownAddressType)
    }
    if Self.isOutOfRange(rssi: report.rssi) { report.warnings.insert(.rssiOutOfRange) }
    warnings.formUnion(report.warnings)
  }

  /// How many reports an event says it holds, or why it holds none.
  @inline(__always)
  static func reportCount(_ bytes: RawSpan) -> (count: Int, reason: FrameReason) {
    guard bytes.byteCount >= 2 else { return (0, .reportTruncated) }
    let count = Int(bytes.u8(1))
    return (count, count == 0 ? .reportCountZero : .none)
  }

  /// How an event with reports ended: all read, some cut off, none whole.
  @inline(__always)
  mutating func conclude(delivered: Int, read: Int, of count: Int, most: Int, rest: Int)
    -> FrameOutcome
  {
    if delivered == 0 {
      return .malformed(read == count ? .legacyDataLongerThan31 : .reportTruncated)
    }
    if read < count {
      warnings.insert(.reportTruncated)
    } else if rest > 0 {
      warnings.insert(.trailingBytes)
    }
    if count > most { warnings.insert(.reportCountOutOfRange) }
    return .advertising
  }

  /// u8 count, per report 16 bytes: u8 type, u8 address type, address, u8 target type, target,
  /// i8 RSSI. It has no data.
  mutating func directedReports(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, observer: Int
  ) -> FrameOutcome {
    let (count, reason) = Self.reportCount(bytes)
    if reason != .none { return .malformed(reason) }
    var at = 2
    var index = 0
    while index < count, at + 16 <= bytes.byteCount {
      var report = AdvertisingReport(
        time: record.time, frame: record.frame,
        address: DeviceAddress(bytes.le48(at + 2), hciType: bytes.u8(at + 1)),
        observer: UInt16(observer), source: .directed)
      report.target = DeviceAddress(
        bytes.le48(at + 9), hciType: bytes.u8(at + 8))
      report.index = UInt16(index)
      report.rssi = bytes.i8(at + 15)
      report.primaryPHY = .le1M
      describe(&report, type: bytes.u8(at))
      deliver(report)
      at += 16
      index += 1
    }
    return conclude(delivered: index, read: index, of: count, most: 15, rest: bytes.byteCount - at)
  }
}
