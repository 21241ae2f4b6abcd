import CaptureReader

/// Extended advertising on the air (ADV_EXT_IND, AUX_*): PROTOCOLS.md 2.1.
extension FrameDecoder {
  /// Byte 0: header length and mode; then a flags byte and the fields it announces, in their order;
  /// behind the header the data.
  mutating func extendedPDU(
    _ report: inout AdvertisingReport, _ bytes: RawSpan, payload: Int, length: Int, base: Int,
    sender: DeviceAddress.Kind, kind: AuxKind, observer: Int
  ) -> FrameOutcome {
    guard length >= 1 else { return .malformed(.llBadLength) }
    let headerLength = Int(bytes.u8(payload) & 0x3F)
    report.eventType = UInt16(bytes.u8(payload) >> 6)
    guard 1 + headerLength <= length else { return .malformed(.extHeaderOverrun) }
    let data = payload + 1 + headerLength
    var pointer: UInt32?
    if headerLength > 0 {
      let flags = bytes.u8(payload + 1)
      guard Self.fieldLength(flags) <= headerLength - 1 else {
        return .malformed(.extHeaderOverrun)
      }
      var at = payload + 2
      if flags & 0x01 != 0 {
        report.address = DeviceAddress(bytes.le48(at), sender)
        at += 6
      }
      if flags & 0x02 != 0 {
        report.target = DeviceAddress(
          bytes.le48(at), bytes.u8(payload - 2) & 0x80 != 0 ? .random : .publicDevice)
        at += 6
      }
      if flags & 0x04 != 0 { at += 1 }
      if flags & 0x08 != 0 {
        let info = bytes.le16(at)
        report.dataID = info & 0x0FFF
        report.sid = UInt8(info >> 12)
        at += 2
      }
      if flags & 0x10 != 0 {
        pointer = bytes.le24(at)
        at += 3
      }
      if flags & 0x20 != 0 {
        noteTrain(report, bytes.le32(at + 9), observer: observer)
        at += 18
      }
      if flags & 0x40 != 0 { report.txPower = bytes.i8(at) }
    }
    report.start = Int32(base + data)
    report.count = Int32(length - 1 - headerLength)
    chain(
      report, bytes.extracting(data..<(data + Int(report.count))), pointer, kind,
      length: AuxPointer.length(of: length, report.primaryPHY), observer)
    return .advertising
  }

  /// Bytes that the fields announced by the flags need.
  private static func fieldLength(_ flags: UInt8) -> Int {
    var length = 0
    if flags & 0x01 != 0 { length += 6 }
    if flags & 0x02 != 0 { length += 6 }
    if flags & 0x04 != 0 { length += 1 }
    if flags & 0x08 != 0 { length += 2 }
    if flags & 0x10 != 0 { length += 3 }
    if flags & 0x20 != 0 { length += 18 }
    if flags & 0x40 != 0 { length += 1 }
    return length
  }
}
