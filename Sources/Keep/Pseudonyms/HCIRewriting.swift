/// HCI packets with pseudonyms in them (PROTOCOLS.md 3). What is not about advertising or scanning keeps its
/// head, and zeros for the rest: nothing of a connection, a call or a key is left.
struct HCIRewriting {
  let names: Pseudonyms

  /// - Parameter start: where the packet's type byte lies.
  func h4(_ packet: inout PacketUnderWay, _ start: Int) {
    guard packet.has(1, at: start) else { return }
    hci(packet.bytes[start], &packet, start + 1)
  }

  func hci(_ type: UInt8, _ packet: inout PacketUnderWay, _ start: Int) {
    switch type {
    case 1: command(&packet, start)
    case 4: event(&packet, start)
    case 2, 5: packet.blank(from: start + 4)
    case 3: packet.blank(from: start + 3)
    default: packet.blank(from: start)
    }
  }

  /// u16 opcode, u8 length, parameters.
  private func command(_ packet: inout PacketUnderWay, _ start: Int) {
    guard packet.has(3, at: start) else { return packet.blank(from: start) }
    let first = start + 3
    let end = min(first + Int(packet.bytes[start + 2]), packet.bytes.count)
    packet.blank(from: end)
    switch UInt16(packet.bytes[start]) | UInt16(packet.bytes[start + 1]) << 8 {
    // Scan parameters and enabling, old and extended; reset.
    case 0x200B, 0x200C, 0x2041, 0x2042, 0x0C03: break
    // Random address of its own.
    case 0x2005:
      packet.replaceAddress(first, names)
      packet.blank(from: first + 6)
    // Filter accept list: u8 type, address.
    case 0x2011, 0x2012:
      packet.replaceAddress(first + 1, names)
      packet.blank(from: first + 7)
    case 0xFD57: contentFilter(&packet, first)
    default: packet.blank(from: first)
    }
  }

  /// Android's content filter: whether it is on, and whether its filters ask for anything, are nobody's; what they ask
  /// for may be somebody's.
  private func contentFilter(_ packet: inout PacketUnderWay, _ first: Int) {
    guard packet.has(1, at: first) else { return packet.blank(from: first) }
    switch packet.bytes[first] {
    case 0: packet.blank(from: first + 2)
    case 1: packet.blank(from: first + 10)
    default: packet.blank(from: first + 2)
    }
  }

  /// u8 code, u8 length, parameters.
  private func event(_ packet: inout PacketUnderWay, _ start: Int) {
    guard packet.has(2, at: start) else { return packet.blank(from: start) }
    let first = start + 2
    let end = min(first + Int(packet.bytes[start + 1]), packet.bytes.count)
    packet.blank(from: end)
    switch packet.bytes[start] {
    case 0x3E: metaEvent(&packet, first, end)
    case 0x0E: commandComplete(&packet, first, end)
    // Command Status: status, credits, opcode.
    case 0x0F: packet.blank(from: first + 4)
    default: packet.blank(from: first)
    }
  }

  private func metaEvent(_ packet: inout PacketUnderWay, _ first: Int, _ end: Int) {
    guard first < end else { return }
    switch packet.bytes[first] {
    case 0x02: legacyReports(&packet, first, end)
    case 0x0B: directedReports(&packet, first, end)
    case 0x0D: extendedReports(&packet, first, end)
    case 0x0E:
      packet.replaceAddress(first + 6, names)
      packet.blank(from: first + 16)
    case 0x0F: periodicReport(&packet, first, end)
    // Periodic advertising lost, scan timeout.
    case 0x10, 0x11: packet.blank(from: first + 3)
    default: packet.blank(from: first + 1)
    }
  }

  /// Per report u8 type, u8 address type, address, u8 length, data, i8 RSSI.
  private func legacyReports(_ packet: inout PacketUnderWay, _ first: Int, _ end: Int) {
    guard first + 2 <= end else { return }
    var at = first + 2
    for _ in 0..<packet.bytes[first + 1] {
      guard at + 10 <= end, at + 10 + Int(packet.bytes[at + 8]) <= end else { break }
      let length = Int(packet.bytes[at + 8])
      packet.replaceAddress(at + 2, names)
      packet.parts.append(AdvertisingPart(range: (at + 9)..<(at + 9 + length)))
      at += 10 + length
    }
    packet.blank(at, end)
  }

  /// Per report u8 type, u8 address type, address, u8 target type, target, i8 RSSI.
  private func directedReports(_ packet: inout PacketUnderWay, _ first: Int, _ end: Int) {
    guard first + 2 <= end else { return }
    var at = first + 2
    for _ in 0..<packet.bytes[first + 1] {
      guard at + 16 <= end else { break }
      packet.replaceAddress(at + 2, names)
      packet.replaceAddress(at + 9, names)
      at += 16
    }
    packet.blank(at, end)
  }

  /// Per report u16 type, u8 address type, address, two PHYs, SID, power, RSSI, u16 interval, u8 target type,
  /// target, u8 length, data.
  private func extendedReports(_ packet: inout PacketUnderWay, _ first: Int, _ end: Int) {
    guard first + 2 <= end else { return }
    var at = first + 2
    for _ in 0..<packet.bytes[first + 1] {
      guard at + 24 <= end, at + 24 + Int(packet.bytes[at + 23]) <= end else { break }
      let length = Int(packet.bytes[at + 23])
      let key = AdvertisingPart.Key(
        source: 0x0D, set: UInt32(packet.bytes[at + 11]),
        address: Array(packet.bytes[(at + 2)..<(at + 9)]))
      // Bits 5 and 6 of the type: complete, more to come, cut by the controller; legacy ones (bit 4) are whole.
      let hasMore = packet.bytes[at] & 0x10 == 0 && packet.bytes[at] >> 5 & 3 == 1
      packet.parts.append(
        AdvertisingPart(
          range: (at + 24)..<(at + 24 + length),
          chain: AdvertisingPart.Chain(key: key, hasMore: hasMore)))
      packet.replaceAddress(at + 3, names)
      packet.replaceAddress(at + 17, names)
      at += 24 + length
    }
    packet.blank(at, end)
  }

  /// u16 handle, i8 power, i8 RSSI, u8 CTE type, u8 data status, u8 length, data.
  private func periodicReport(_ packet: inout PacketUnderWay, _ first: Int, _ end: Int) {
    guard first + 8 <= end, first + 8 + Int(packet.bytes[first + 7]) <= end else {
      return packet.blank(first + 1, end)
    }
    let length = Int(packet.bytes[first + 7])
    let handle = UInt32(packet.bytes[first + 1]) | UInt32(packet.bytes[first + 2]) << 8
    packet.parts.append(
      AdvertisingPart(
        range: (first + 8)..<(first + 8 + length),
        chain: AdvertisingPart.Chain(
          key: AdvertisingPart.Key(source: 0x0F, set: handle),
          hasMore: packet.bytes[first + 6] == 1)))
    packet.blank(first + 8 + length, end)
  }

  /// u8 credits, u16 opcode, u8 status, what it returns.
  private func commandComplete(_ packet: inout PacketUnderWay, _ first: Int, _ end: Int) {
    guard first + 4 <= end else { return packet.blank(first, end) }
    switch UInt16(packet.bytes[first + 1]) | UInt16(packet.bytes[first + 2]) << 8 {
    // The controller's own address.
    case 0x1009:
      packet.replaceAddress(first + 4, names)
      packet.blank(first + 10, end)
    case 0xFD56: batchResults(&packet, first + 3, end)
    // Which of its commands that was.
    case 0xFD57: packet.blank(first + 6, end)
    // A reset: nothing that had begun goes on.
    case 0x0C03:
      packet.endsChains = packet.bytes[first + 3] == 0
      packet.blank(first + 4, end)
    default: packet.blank(first + 4, end)
    }
  }

  /// Android's batch scan (3.7): u8 status, u8 subcode, u8 format, u8 count, records.
  private func batchResults(_ packet: inout PacketUnderWay, _ first: Int, _ end: Int) {
    guard first + 4 <= end, packet.bytes[first + 1] == 4 else {
      return packet.blank(first + 2, end)
    }
    let isFull = packet.bytes[first + 2] == 2
    var at = first + 4
    records: for _ in 0..<packet.bytes[first + 3] {
      guard at + 11 <= end else { break }
      var next = at + 11
      var found: [AdvertisingPart] = []
      // Data, then the scan response, each with its length before it.
      for _ in 0..<(isFull ? 2 : 0) {
        guard next < end, next + 1 + Int(packet.bytes[next]) <= end else { break records }
        let data = (next + 1)..<(next + 1 + Int(packet.bytes[next]))
        found.append(AdvertisingPart(range: data))
        next = data.upperBound
      }
      packet.replaceAddress(at, names)
      packet.parts += found
      at = next
    }
    packet.blank(at, end)
  }
}
