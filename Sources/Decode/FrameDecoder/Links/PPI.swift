import CaptureReader

/// Link type 192: a wrapper with fields around the air packet (PROTOCOLS.md 2.6).
enum PPI {
  static let row = LinkTypeRow(
    link: .ppi, name: "PPI",
    decode: { decoder, records, bytes in
      decoder.each(records, bytes) { decoder, record, data, base in
        decoder.ppi(record, data, base: base)
      }
    })

  static let gps: UInt16 = 30002
  static let btle: UInt16 = 30006
  /// Bit 0 of the GPS flags is «No fix available» (Wireshark's packet-ppi-gps.c, ppi_gps.gpsflagss.nofix;
  /// Scapy's ppi_geotag, «No Fix Available»); the others say how there is one.
  static let noFix: UInt32 = 1

  /// The BTLE field gives the frequency in MHz.
  static func channelIndex(megahertz: UInt16) -> UInt8? {
    guard megahertz >= 2402, megahertz <= 2480, megahertz % 2 == 0 else { return nil }
    return LELinkLayerWithHeader.channelIndex(rf: UInt8((megahertz - 2402) / 2))
  }
}

extension FrameDecoder {
  fileprivate mutating func ppi(
    _ record: borrowing CaptureRecord, _ data: RawSpan, base: Int
  ) -> FrameOutcome {
    guard data.byteCount >= 8 else { return .malformed(.pseudoHeaderTruncated) }
    guard data.u8(0) == 0 else { return .malformed(.ppiUnknownVersion) }
    let length = Int(data.le16(2))
    guard length >= 8, length <= data.byteCount else { return .malformed(.ppiBadLength) }
    let isPadded = data.u8(1) & 1 != 0
    let inner = data.le32(4)
    var context = AirContext()
    var isBluetooth = inner == 251
    var at = 8
    while at + 4 <= length {
      let type = data.le16(at)
      let size = Int(data.le16(at + 2))
      guard at + 4 + size <= length else { return .malformed(.ppiBadLength) }
      let field = data.extracting((at + 4)..<(at + 4 + size))
      if type == PPI.btle && size >= 11 {
        if inner == 147 { isBluetooth = true }
        context.channel = PPI.channelIndex(megahertz: field.le16(1)) ?? 255
        // Version, MHz, clock; then RSSI: largest, smallest, average. Only the average is a value
        // of the packet as a whole.
        context.rssi = field.i8(10)
      } else if type == PPI.gps {
        position(field, record)
      }
      at += 4 + (isPadded ? (size + 3) & ~3 : size)
    }
    guard isBluetooth else { return .unsupported(.unsupportedLinkType) }
    let observer = observer(interface: record.interface, hci: false)
    return airPacket(
      record, data.extracting(length..<data.byteCount), base: base + length, context,
      observer: observer)
  }

  /// u8 version, u8 pad, u16 length, u32 present bits, fields in bit order (9.3).
  private mutating func position(_ field: RawSpan, _ record: borrowing CaptureRecord) {
    guard field.byteCount >= 8, field.u8(0) <= 2 else { return }
    let present = field.le32(4)
    var at = 8
    var values = [UInt32?](repeating: nil, count: 8)
    // Bit 0 flags, 1 latitude, 2 longitude, 3 altitude, 7 horizontal error, all four bytes long as
    // those between; the rest is not used.
    for bit in 0..<8 where present & (1 << UInt32(bit)) != 0 {
      guard at + 4 <= field.byteCount else {
        if bit < 4 { return }
        break
      }
      values[bit] = field.le32(at)
      at += 4
    }
    guard let latitude = values[1], let longitude = values[2] else { return }
    if let flags = values[0], flags & PPI.noFix != 0 {
      warnings.insert(.positionWithoutFix)
      return
    }
    switch PositionScale.judge(latitude: latitude, longitude: longitude) {
    case .usable: break
    case .outOfRange:
      warnings.insert(.gpsValueOutOfRange)
      return
    case .zero:
      warnings.insert(.positionZero)
      return
    }
    fixes.append(
      PositionFix(
        time: record.time, frame: record.frame, latitude: PositionScale.angle(latitude),
        longitude: PositionScale.angle(longitude), altitude: values[3].map(PositionScale.metres),
        accuracy: values[7].map(PositionScale.error)))
  }
}
