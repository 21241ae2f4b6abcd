import CaptureReader

/// Link type 251: the air packet alone, without RSSI and channel.
enum LELinkLayer {
  static let row = LinkTypeRow(
    link: .leLinkLayer, name: "BLE link layer",
    decode: { decoder, records, bytes in
      decoder.each(records, bytes) { decoder, record, data, base in
        let observer = decoder.observer(interface: record.interface, hci: false)
        return decoder.airPacket(record, data, base: base, AirContext(), observer: observer)
      }
    })
}

/// Link type 256: a ten-byte header before the air packet (PROTOCOLS.md 2.2).
package enum LELinkLayerWithHeader {
  static let row = LinkTypeRow(
    link: .leLinkLayerWithHeader, name: "BLE link layer with header",
    decode: { decoder, records, bytes in
      decoder.each(records, bytes) { decoder, record, data, base in
        guard data.byteCount >= 10 else { return .malformed(.pseudoHeaderTruncated) }
        return decoder.withHeader(record, data, base: base)
      }
    })

  /// RF channel n lies at 2402 + 2n MHz; the index counts the advertising channels last.
  package static func channelIndex(rf: UInt8) -> UInt8? {
    switch rf {
    case 0: 37
    case 12: 38
    case 39: 39
    case 1...11: rf - 1
    case 13...38: rf - 2
    default: nil
    }
  }
}

extension FrameDecoder {
  fileprivate mutating func withHeader(
    _ record: borrowing CaptureRecord, _ data: RawSpan, base: Int
  ) -> FrameOutcome {
    let observer = observer(interface: record.interface, hci: false)
    let flags = data.le16(8)
    var context = AirContext()
    let channel = LELinkLayerWithHeader.channelIndex(rf: data.u8(0))
    context.channel = channel ?? 255
    if channel == nil { warnings.insert(.rfChannelOutOfRange) }
    if flags & 0x0002 != 0 { context.rssi = data.i8(1) }
    if flags & 0x0004 != 0 { context.noise = data.i8(2) }
    if flags & 0x0400 != 0 { context.check = flags & 0x0800 != 0 ? .saidGood : .saidBad }
    switch flags >> 14 {
    case 0: context.phy = .le1M
    case 1: context.phy = .le2M
    case 2: context.phy = .coded
    default: break
    }
    // Of auxiliary advertising alone these bits tell what.
    if flags & 0x0380 == 0x0080 { context.kind = AuxKind(bits: flags >> 12) }
    if flags & 0x0001 == 0, let channel {
      return whitened(record, data, context, channel: channel, observer: observer)
    }
    return airPacket(
      record, data.extracting(10..<data.byteCount), base: base + 10, context, observer: observer)
  }

  /// A packet that is still whitened: a copy is laid open and read from there.
  private mutating func whitened(
    _ record: borrowing CaptureRecord, _ data: RawSpan, _ context: AirContext, channel: UInt8,
    observer: Int
  ) -> FrameOutcome {
    var packet = data.extracting(10..<data.byteCount).array()
    // The access address is not whitened; nor is coded PHY's indicator.
    let clear = min(packet.count, context.phy == .coded ? 5 : 4)
    AirCode.dewhiten(&packet, from: clear, channel: channel)
    let base = joined.count
    joined.append(contentsOf: packet)
    let record = copy record
    return packet.withRawSpan { bytes in
      airPacket(
        record, bytes, base: base, isJoined: true, context, observer: observer)
    }
  }
}
