import CaptureReader

/// The event nearly every record of a scan holds: one advertising report, whole, and nothing else.
///
/// A loop of its own takes runs of them; what differs in anything is left to `LegacyReports`,
/// `ExtendedReports` and the rest. It neither warns nor refuses. (Inlined together with them it took
/// three times as long: their calls leave the processor's registers to nobody.)
extension FrameDecoder {
  /// - Parameters:
  ///   - first: where to begin among the records, which hold H4 packets.
  ///   - skip: bytes before the H4 type.
  /// - Returns: the place of the first record that is not such an event. Nothing has been done
  ///   about it.
  @inline(never)
  mutating func takeSingleReports(
    _ records: Span<CaptureRecord>, from first: Int, _ bytes: RawSpan, skip: Int
  ) -> Int {
    guard lastObserver.index < observers.count else { return first }
    let observer = UInt16(truncatingIfNeeded: lastObserver.index)
    let key = lastObserver.key
    let takesExtended = fragmentsWaiting == 0
    var place = first
    while place < records.count {
      let start = Int(records[place].start) &+ skip
      let length = Int(records[place].count) &- skip
      // Type, event code, length, subevent, number of reports; the shortest report has 10 bytes.
      guard length >= 15, Observer.key(interface: records[place].interface) == key,
        case .none = records[place].fault
      else { break }
      let data = bytes.extracting(start..<(start &+ length))
      let head = data.le32(0)
      guard head & 0xFFFF == 0x3E04, Int(head >> 16 & 0xFF) == length &- 3, data.u8(4) == 1 else {
        break
      }
      let time = records[place].time
      let frame = records[place].frame
      if head >> 24 == 0x02 {
        guard Self.isUsualLegacy(data) else { break }
        reports.append(
          Self.legacy(data, time: time, frame: frame, start: start, observer: observer))
      } else {
        guard head >> 24 == 0x0D, takesExtended, Self.isUsualExtended(data) else { break }
        reports.append(
          Self.extended(data, time: time, frame: frame, start: start, observer: observer))
      }
      place &+= 1
    }
    if place > first {
      tally.classes[Int(RecordClass.advertising.rawValue)] += place - first
      lastTime = records[place - 1].time
    }
    return place
  }

  /// u8 type, u8 address type, address, u8 length, data, i8 RSSI; from byte 5 on.
  @inline(__always)
  private static func isUsualLegacy(_ data: RawSpan) -> Bool {
    let length = Int(data.u8(13))
    return length <= 31 && data.byteCount == 15 &+ length && data.u8(5) <= 4 && data.u8(6) <= 3
      && !isOutOfRange(rssi: data.i8(data.byteCount &- 1))
  }

  @inline(__always)
  private static func legacy(
    _ data: RawSpan, time: Timestamp, frame: Int, start: Int, observer: UInt16
  ) -> AdvertisingReport {
    let type = data.u8(5)
    var report = AdvertisingReport(
      time: time, frame: frame, address: DeviceAddress(data.le64(6) >> 8, code: data.u8(6)),
      observer: observer, source: .legacy)
    report.start = Int32(truncatingIfNeeded: start &+ 14)
    report.count = Int32(data.u8(13))
    report.rssi = data.i8(data.byteCount &- 1)
    report.primaryPHY = .le1M
    report.eventType = UInt16(type)
    report.pdu = PDU(legacy: type)
    return report
  }

  /// 24 bytes as in `ExtendedReports`, and the data; from byte 5 on. Usual is: complete, not
  /// directed, a set there may be, one of the known legacy PDUs if it is a legacy PDU.
  @inline(__always)
  private static func isUsualExtended(_ data: RawSpan) -> Bool {
    guard data.byteCount >= 29, data.byteCount == 29 &+ Int(data.u8(28)) else { return false }
    let type = data.le16(5)
    let sid = data.u8(16)
    return type & 4 == 0 && (type & 0x10 != 0 || type & 0x60 == 0) && data.u8(7) <= 3
      && (sid <= 15 || sid == 255) && pdu(extended: type) != .unknown
      && !isOutOfRange(rssi: data.i8(18))
  }

  @inline(__always)
  private static func extended(
    _ data: RawSpan, time: Timestamp, frame: Int, start: Int, observer: UInt16
  ) -> AdvertisingReport {
    let type = data.le16(5)
    var report = AdvertisingReport(
      time: time, frame: frame, address: DeviceAddress(data.le64(8), code: data.u8(7)),
      observer: observer, source: .extended)
    report.start = Int32(truncatingIfNeeded: start &+ 29)
    report.count = Int32(data.u8(28))
    report.eventType = type
    report.pdu = pdu(extended: type)
    report.primaryPHY = PHY(hci: data.u8(14))
    report.secondaryPHY = PHY(hci: data.u8(15))
    report.sid = data.u8(16)
    report.txPower = data.i8(17)
    report.rssi = data.i8(18)
    report.periodicInterval = data.le16(19)
    return report
  }
}
