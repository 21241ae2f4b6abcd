import CaptureReader

/// Link type 272: Nordic's sniffer, protocol versions 1 to 3 (PROTOCOLS.md 2.5).
enum NordicSniffer {
  static let row = LinkTypeRow(
    link: .nordicSniffer, name: "Nordic sniffer",
    decode: { decoder, records, bytes in
      decoder.each(records, bytes) { decoder, record, data, base in
        decoder.nordic(record, data, base: base)
      }
    })

  static let headerLength = 7
  static let radioHeaderLength = 10
}

extension FrameDecoder {
  fileprivate mutating func nordic(
    _ record: borrowing CaptureRecord, _ data: RawSpan, base: Int
  ) -> FrameOutcome {
    let header = NordicSniffer.headerLength
    guard data.byteCount >= header else { return .malformed(.pseudoHeaderTruncated) }
    let version = data.u8(3)
    guard (1...3).contains(version), !(data.u8(0) == 0xBE && data.u8(1) == 0xEF) else {
      return .malformed(.nordicUnknownVersion)
    }
    // Version 3 tells packets by their id; before, other tools wrote 0 there.
    let id = data.u8(6)
    if version == 3 && id != 0x02 && id != 0x06 { return .noAdvertisement(.nordicNotAPacket) }
    let declared =
      version == 1
      ? 1 + Int(data.u8(1)) + Int(data.u8(2)) : header + Int(data.le16(1))
    guard declared == data.byteCount else { return .malformed(.nordicBadLength) }
    guard data.byteCount >= header + NordicSniffer.radioHeaderLength,
      data.u8(header) == UInt8(NordicSniffer.radioHeaderLength)
    else { return .malformed(.pseudoHeaderTruncated) }
    let flags = data.u8(header + 1)
    var context = AirContext()
    context.check = flags & 1 != 0 ? .saidGood : .saidBad
    context.channel = data.u8(header + 2) <= 39 ? data.u8(header + 2) : 255
    context.rssi = Self.negated(data.u8(header + 3))
    // Of advertising alone these bits tell what, and only this version tells which packets are.
    if version == 3, id == 0x02 { context.kind = AuxKind(bits: UInt16(flags >> 1)) }
    switch flags >> 4 & 7 {
    case 0: context.phy = .le1M
    case 1: context.phy = .le2M
    case 2: context.phy = .coded
    default: break
    }
    let observer = observer(interface: record.interface, hci: false)
    let start = header + NordicSniffer.radioHeaderLength
    return airPacket(
      record, data.extracting(start..<data.byteCount), base: base + start, context,
      observer: observer)
  }

  /// The byte holds the magnitude: dBm = −value.
  private static func negated(_ magnitude: UInt8) -> Int8 {
    magnitude <= 128 ? Int8(truncatingIfNeeded: -Int(magnitude)) : 127
  }
}
