/// Events with reports. One that its packet does not hold whole is zeros, with a length that runs past the end as
/// the one did that came: what could not be read cannot be read in the copy either, for the same reason.
extension HCIRewriting {
  /// A length that is longer than any event.
  private static let past: UInt8 = 0xFF

  /// A report that is not there as a whole, and what is behind it.
  /// - Parameter length: where it has, or would have, the length of its data.
  private func cut(_ packet: inout PacketUnderWay, _ at: Int, _ end: Int, length: Int) {
    packet.blank(at, end, as: .unread)
    if length < end { packet.bytes[length] = Self.past }
  }

  /// Per report u8 type, u8 address type, address, u8 length, data, i8 RSSI.
  func legacyReports(_ packet: inout PacketUnderWay, _ first: Int, _ end: Int) {
    guard first + 2 <= end else { return }
    var at = first + 2
    for _ in 0..<packet.bytes[first + 1] {
      guard at + 10 <= end, at + 10 + Int(packet.bytes[at + 8]) <= end else {
        return cut(&packet, at, end, length: at + 8)
      }
      let length = Int(packet.bytes[at + 8])
      let sender = Array(packet.bytes[(at + 2)..<(at + 8)])
      packet.replaceAddress(at + 2, names)
      packet.parts.append(AdvertisingPart(range: (at + 9)..<(at + 9 + length), sender: sender))
      at += 10 + length
    }
    packet.blank(at, end, as: .unread)
  }

  /// Per report u8 type, u8 address type, address, u8 target type, target, i8 RSSI.
  func directedReports(_ packet: inout PacketUnderWay, _ first: Int, _ end: Int) {
    guard first + 2 <= end else { return }
    var at = first + 2
    for _ in 0..<packet.bytes[first + 1] {
      guard at + 16 <= end else { break }
      packet.replaceAddress(at + 2, names)
      packet.replaceAddress(at + 9, names)
      at += 16
    }
    packet.blank(at, end, as: .unread)
  }

  /// Per report u16 type, u8 address type, address, two PHYs, SID, power, RSSI, u16 interval, u8 target type,
  /// target, u8 length, data.
  func extendedReports(_ packet: inout PacketUnderWay, _ first: Int, _ end: Int) {
    guard first + 2 <= end else { return }
    var at = first + 2
    for _ in 0..<packet.bytes[first + 1] {
      guard at + 24 <= end, at + 24 + Int(packet.bytes[at + 23]) <= end else {
        return cut(&packet, at, end, length: at + 23)
      }
      let length = Int(packet.bytes[at + 23])
      let key = AdvertisingPart.Key(
        source: 0x0D, set: UInt32(packet.bytes[at + 11]),
        address: Array(packet.bytes[(at + 2)..<(at + 9)]))
      // Bits 5 and 6 of the type: complete, more to come, cut by the controller; legacy ones (bit 4) are whole.
      let hasMore = packet.bytes[at] & 0x10 == 0 && packet.bytes[at] >> 5 & 3 == 1
      packet.parts.append(
        AdvertisingPart(
          range: (at + 24)..<(at + 24 + length),
          sender: Array(packet.bytes[(at + 3)..<(at + 9)]),
          chain: AdvertisingPart.Chain(key: key, hasMore: hasMore)))
      packet.replaceAddress(at + 3, names)
      packet.replaceAddress(at + 17, names)
      at += 24 + length
    }
    packet.blank(at, end, as: .unread)
  }

  /// u16 handle, i8 power, i8 RSSI, u8 CTE type, u8 data status, u8 length, data.
  func periodicReport(_ packet: inout PacketUnderWay, _ first: Int, _ end: Int) {
    guard first + 8 <= end, first + 8 + Int(packet.bytes[first + 7]) <= end else {
      return cut(&packet, first + 1, end, length: first + 7)
    }
    let length = Int(packet.bytes[first + 7])
    let handle = UInt32(packet.bytes[first + 1]) | UInt32(packet.bytes[first + 2]) << 8
    packet.parts.append(
      AdvertisingPart(
        range: (first + 8)..<(first + 8 + length),
        chain: AdvertisingPart.Chain(
          key: AdvertisingPart.Key(source: 0x0F, set: handle),
          hasMore: packet.bytes[first + 6] == 1)))
    packet.blank(first + 8 + length, end, as: .unread)
  }

  /// Android's batch scan (3.7): u8 status, u8 subcode, u8 format, u8 count, records.
  func batchResults(_ packet: inout PacketUnderWay, _ first: Int, _ end: Int) {
    guard first + 4 <= end, packet.bytes[first + 1] == 4 else {
      return packet.blank(first + 2, end, as: .events)
    }
    let isFull = packet.bytes[first + 2] == 2
    var at = first + 4
    for _ in 0..<packet.bytes[first + 3] {
      guard at + 11 <= end else { break }
      var next = at + 11
      let sender = Array(packet.bytes[at..<(at + 6)])
      var found: [AdvertisingPart] = []
      // Data, then the scan response, each with its length before it.
      for _ in 0..<(isFull ? 2 : 0) {
        guard next < end, next + 1 + Int(packet.bytes[next]) <= end else {
          return cut(&packet, at, end, length: at + 11)
        }
        let data = (next + 1)..<(next + 1 + Int(packet.bytes[next]))
        found.append(AdvertisingPart(range: data, sender: sender))
        next = data.upperBound
      }
      packet.replaceAddress(at, names)
      packet.parts += found
      at = next
    }
    packet.blank(at, end, as: .unread)
  }
}
