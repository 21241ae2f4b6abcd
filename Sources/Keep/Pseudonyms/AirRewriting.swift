import FrameDecoder

/// Packets of the air with pseudonyms in them (PROTOCOLS.md 2.1). Their checksums are right where they were
/// right, and as wrong as they were where not.
struct AirRewriting {
  let names: Pseudonyms

  /// - Parameters:
  ///   - start: where the access address lies.
  ///   - isGarbage: the packet was not received as it was sent.
  func packet(
    _ packet: inout PacketUnderWay, _ start: Int, isCoded: Bool, isGarbage: Bool
  ) {
    // A connection's: what is in it is nobody's business, not even whose it is.
    guard packet.has(4, at: start), Array(packet.bytes[start..<(start + 4)]) == AirCheck.advertising
    else { return packet.blank(from: start, as: packet.has(4, at: start) ? .otherAccess : .unread) }
    // Coded PHY: one coding-indicator byte follows the access address, outside the checksum.
    let header = start + (isCoded ? 5 : 4)
    guard packet.has(2, at: header) else {
      return packet.blank(from: start + 4, as: .unread)
    }
    let first = header + 2
    let end = first + Int(packet.bytes[header + 1])
    guard packet.has(end + 3 - first, at: first) else {
      return packet.blank(from: first, as: .unread)
    }
    packet.blank(from: end + 3, as: .unread)
    if isGarbage { return packet.blank(first, end, as: .wrongChecksum) }
    unit(&packet, header, first, end)
  }

  /// A PDU by its type, the four lowest bits of its head.
  private func unit(
    _ packet: inout PacketUnderWay, _ header: Int, _ first: Int, _ end: Int
  ) {
    let length = end - first
    switch (packet.bytes[header] & 0x0F, length) {
    case (0, 6...37), (2, 6...37), (4, 6...37), (6, 6...37):
      let sender = Array(packet.bytes[first..<(first + 6)])
      packet.replaceAddress(first, names)
      packet.parts.append(AdvertisingPart(range: (first + 6)..<end, sender: sender))
    // Directed advertising, scan requests, connect requests: two addresses.
    case (1, 12...), (3, 12...), (5, 12...):
      packet.replaceAddress(first, names)
      packet.replaceAddress(first + 6, names)
      packet.blank(first + 12, end, as: .connections)
    case (7, 1...): extended(&packet, first, end)
    default: packet.blank(first, end, as: .unread)
    }
  }

  /// Header length and mode, then a flags byte and the fields that it announces; behind them the data.
  private func extended(_ packet: inout PacketUnderWay, _ first: Int, _ end: Int) {
    let data = first + 1 + Int(packet.bytes[first] & 0x3F)
    guard data <= end else { return packet.blank(first + 1, end, as: .unread) }
    var sender: [UInt8]?
    if data > first + 1 {
      guard let found = rewrite(&packet, first + 1, data) else {
        return packet.blank(first + 2, end, as: .unread)
      }
      sender = found.address
    }
    packet.parts.append(AdvertisingPart(range: data..<end, sender: sender))
  }

  private struct ExtendedFields {
    /// As it was on the air.
    var address: [UInt8]?
  }

  /// - Returns: nil where they do not fit.
  private func rewrite(_ packet: inout PacketUnderWay, _ flagsAt: Int, _ end: Int)
    -> ExtendedFields?
  {
    let flags = packet.bytes[flagsAt]
    let sizes = [6, 6, 1, 2, 3, 18, 1]
    var fields = ExtendedFields()
    var at = flagsAt + 1
    for (bit, size) in sizes.enumerated() where flags & 1 << UInt8(bit) != 0 {
      guard at + size <= end else { return nil }
      switch bit {
      case 0:
        fields.address = Array(packet.bytes[at..<(at + 6)])
        packet.replaceAddress(at, names)
      case 1: packet.replaceAddress(at, names)
      // Where a periodic train is, with its access address.
      case 5: packet.blank(at, at + size)
      default: break
      }
      at += size
    }
    // Additional data of the controller.
    packet.blank(at, end, as: .unread)
    return fields
  }
}
