import CaptureReader

/// HCI packets with their type byte: link type 187 and btsnoop 1002.
enum HCIH4 {
  static let row = LinkTypeRow(link: .hciH4, name: "HCI H4", decode: decode)
  static let btsnoopRow = LinkTypeRow(link: .btsnoopH4, name: "HCI H4", decode: decode)

  @Sendable
  private static func decode(
    _ decoder: inout FrameDecoder, _ records: Span<CaptureRecord>, _ bytes: RawSpan
  ) {
    decode(&decoder, records, bytes, skip: 0)
  }

  /// - Parameter skip: bytes before the H4 type.
  fileprivate static func decode(
    _ decoder: inout FrameDecoder, _ records: Span<CaptureRecord>, _ bytes: RawSpan, skip: Int
  ) {
    var place = 0
    while true {
      place = decoder.takeSingleReports(records, from: place, bytes, skip: skip)
      guard place < records.count else { return }
      other(&decoder, records.extracting(place..<(place + 1)), bytes, skip: skip)
      place += 1
    }
  }

  @inline(never)
  private static func other(
    _ decoder: inout FrameDecoder, _ records: Span<CaptureRecord>, _ bytes: RawSpan, skip: Int
  ) {
    decoder.each(records, bytes) { decoder, record, data, base in
      guard data.byteCount >= skip else { return .malformed(.pseudoHeaderTruncated) }
      let observer = decoder.observer(interface: record.interface, hci: true)
      return decoder.h4(
        record, data.extracting(skip..<data.byteCount), base: base + skip, observer: observer)
    }
  }
}

/// Link type 201: u32 direction before the H4 packet. The packet's type decides anyway (2.3).
enum HCIH4WithDirection {
  static let row = LinkTypeRow(
    link: .hciH4WithDirection, name: "HCI H4 with direction",
    decode: { decoder, records, bytes in HCIH4.decode(&decoder, records, bytes, skip: 4) })
}

/// btsnoop 1001: HCI packets without a type byte; the record's flags tell (1.1).
enum HCIH1 {
  static let row = LinkTypeRow(
    link: .btsnoopH1, name: "HCI H1",
    decode: { decoder, records, bytes in
      decoder.each(records, bytes) { decoder, record, data, base in
        let observer = decoder.observer(interface: record.interface, hci: true)
        return decoder.hci(type(flags: record.tag), record, data, base: base, observer: observer)
      }
    })

  /// Bit 0: from the controller; bit 1: command or event.
  static func type(flags: UInt32) -> H4Type {
    switch flags & 3 {
    case 2: .command
    case 3: .event
    default: .acl
    }
  }
}

/// PacketLogger's own type byte (1.6).
enum PacketLoggerLink {
  static let row = LinkTypeRow(
    link: .packetLogger, name: "PacketLogger",
    decode: { decoder, records, bytes in
      decoder.each(records, bytes) { decoder, record, data, base in
        guard let type = type(record.tag) else { return .other }
        let observer = decoder.observer(interface: record.interface, hci: true)
        return decoder.hci(type, record, data, base: base, observer: observer)
      }
    })

  /// nil for LMP (0A, 0B), which is no HCI.
  static func type(_ tag: UInt32) -> H4Type? {
    switch tag {
    case 0x00: .command
    case 0x01: .event
    case 0x02, 0x03: .acl
    case 0x08, 0x09: .sco
    case 0x12, 0x13: .iso
    default: nil
    }
  }
}
