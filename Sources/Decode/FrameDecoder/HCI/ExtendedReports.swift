import CaptureReader

/// LE Extended Advertising Report (0x0D): PROTOCOLS.md 3.4.
extension FrameDecoder {
  /// u8 count, per report 24 bytes and data. Long advertisements come in fragments, one report
  /// each, and are handed on whole.
  mutating func extendedReports(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, base: Int, observer: Int
  ) -> FrameOutcome {
    let (count, reason) = Self.reportCount(bytes)
    if reason != .none { return .malformed(reason) }
    var at = 2
    var index = 0
    while index < count {
      guard at + 24 <= bytes.byteCount else { break }
      // A span of known length: its loads need no check each.
      let head = bytes.extracting(at..<(at + 24))
      let length = Int(head.u8(23))
      guard at + 24 + length <= bytes.byteCount else { break }
      var report = extendedReport(record, head, observer: observer)
      report.index = UInt16(truncatingIfNeeded: index)
      report.start = Int32(truncatingIfNeeded: base + at + 24)
      report.count = Int32(truncatingIfNeeded: length)
      if report.dataStatus == .complete && observers[observer].fragments.isEmpty {
        deliver(report)
      } else {
        reassemble(report, bytes.extracting((at + 24)..<(at + 24 + length)), observer: observer)
      }
      at += 24 + length
      index += 1
    }
    return conclude(delivered: index, read: index, of: count, most: 10, rest: bytes.byteCount - at)
  }

  @inline(__always)
  private mutating func extendedReport(
    _ record: borrowing CaptureRecord, _ head: RawSpan, observer: Int
  ) -> AdvertisingReport {
    var report = AdvertisingReport(
      time: record.time, frame: record.frame,
      address: DeviceAddress(head.le48(3), hciType: head.u8(2)),
      observer: UInt16(truncatingIfNeeded: observer), source: .extended)
    let type = head.le16(0)
    report.eventType = type
    report.pdu = Self.pdu(extended: type)
    // Bits 5–6, of advertisements that are not legacy ones.
    if type & 0x10 == 0 {
      report.dataStatus = DataStatus(bits: UInt8(truncatingIfNeeded: type >> 5))
    }
    report.primaryPHY = PHY(hci: head.u8(9))
    report.secondaryPHY = PHY(hci: head.u8(10))
    report.sid = head.u8(11)
    report.txPower = head.i8(12)
    report.rssi = head.i8(13)
    report.periodicInterval = head.le16(14)
    if type & 4 != 0 {
      report.target = DeviceAddress(
        head.le48(17), hciType: head.u8(16))
    }
    var odd = FrameWarnings.none
    if report.pdu == .unknown { odd.insert(.unknownEventType) }
    let code = report.address.kindCode
    if code == DeviceAddress.Kind.unknownCode || code == DeviceAddress.Kind.unresolvedCode {
      odd.insert(.unknownAddressType)
    }
    if report.sid > 15 && report.sid != 255 { odd.insert(.sidOutOfRange) }
    if Self.isOutOfRange(rssi: report.rssi) { odd.insert(.rssiOutOfRange) }
    if !odd.isEmpty {
      report.warnings = odd
      warnings.formUnion(odd)
    }
    return report
  }

  /// The legacy PDU values as the Linux kernel and NimBLE read them (btmon swaps 0x1A and 0x1B).
  @inline(__always)
  static func pdu(extended type: UInt16) -> PDU {
    guard type & 0x10 != 0 else { return .extended }
    switch type & 0x1F {
    case 0x13: return .advInd
    case 0x15: return .advDirectInd
    case 0x12: return .advScanInd
    case 0x10: return .advNonconnInd
    case 0x1B, 0x1A: return .scanRsp
    default: return .unknown
    }
  }
}
