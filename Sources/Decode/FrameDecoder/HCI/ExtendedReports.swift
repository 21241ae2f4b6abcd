import CaptureReader

/// LE Extended Advertising Report (0x0D): PROTOCOLS.md 3.4.
extension FrameDecoder {
  /// u8 count, per report 24 bytes and data. Long advertisements come in fragments, one report
  /// each, and are handed on whole.
  @inline(__always)
  mutating func extendedReports(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, base: Int, observer: Int
  ) -> FrameOutcome {
    guard bytes.byteCount >= 2 else { return .malformed(.reportTruncated) }
    let count = Int(bytes.u8(1))
    if count == 0 { return .malformed(.reportCountZero) }
    var at = 2
    var index = 0
    while index < count {
      guard at + 24 <= bytes.byteCount else { break }
      let length = Int(bytes.u8(at + 23))
      guard at + 24 + length <= bytes.byteCount else { break }
      var report = extendedReport(record, bytes, at, observer: observer)
      report.index = UInt16(index)
      report.start = Int32(base + at + 24)
      report.count = Int32(length)
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
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, _ at: Int, observer: Int
  ) -> AdvertisingReport {
    let kind = DeviceAddress.kind(hci: bytes.u8(at + 2))
    var report = AdvertisingReport(
      time: record.time, frame: record.frame,
      address: kind == .anonymous
        ? DeviceAddress(0, .anonymous) : DeviceAddress(bytes.le48(at + 3), kind),
      observer: UInt16(observer), source: .extended)
    let type = bytes.le16(at)
    report.eventType = type
    report.pdu = Self.pdu(extended: type)
    // Bits 5–6, of advertisements that are not legacy ones.
    if type & 0x10 == 0 {
      report.dataStatus = DataStatus(rawValue: UInt8((type >> 5) & 3)) ?? .complete
    }
    report.primaryPHY = PHY(hci: bytes.u8(at + 9))
    report.secondaryPHY = PHY(hci: bytes.u8(at + 10))
    report.sid = bytes.u8(at + 11)
    report.txPower = bytes.i8(at + 12)
    report.rssi = bytes.i8(at + 13)
    report.periodicInterval = bytes.le16(at + 14)
    if type & 4 != 0 {
      report.target = DeviceAddress(
        bytes.le48(at + 17), DeviceAddress.kind(hci: bytes.u8(at + 16)))
    }
    var odd = FrameWarnings.none
    if report.pdu == .unknown { odd.insert(.unknownEventType) }
    if kind == .unknown || kind == .unresolved { odd.insert(.unknownAddressType) }
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
  private static func pdu(extended type: UInt16) -> PDU {
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
