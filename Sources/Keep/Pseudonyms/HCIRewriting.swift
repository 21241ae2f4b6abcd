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
    case 2, 5: packet.blank(from: start + 4, as: .data)
    case 3: packet.blank(from: start + 3, as: .data)
    default: packet.blank(from: start, as: .unread)
    }
  }

  /// u16 opcode, u8 length, parameters.
  private func command(_ packet: inout PacketUnderWay, _ start: Int) {
    guard packet.has(3, at: start) else { return packet.blank(from: start, as: .unread) }
    let first = start + 3
    let end = min(first + Int(packet.bytes[start + 2]), packet.bytes.count)
    packet.blank(from: end, as: .unread)
    let opcode = UInt16(packet.bytes[start]) | UInt16(packet.bytes[start + 1]) << 8
    switch opcode {
    case 0x200B, 0x200C, 0x2041, 0x2042, 0x0C03:
      packet.blank(from: first + Self.defined(opcode, packet, first), as: .unread)
    // Random address of its own.
    case 0x2005:
      packet.replaceAddress(first, names)
      packet.blank(from: first + 6, as: .unread)
    // Filter accept list: u8 type, address.
    case 0x2011, 0x2012:
      packet.replaceAddress(first + 1, names)
      packet.blank(from: first + 7, as: .unread)
    case 0xFD57: contentFilter(&packet, first)
    default: packet.blank(from: first, as: HCIKind.command(opcode))
    }
  }

  /// Bytes that a command of scanning has: scan parameters and enabling, old and extended; reset.
  private static func defined(_ opcode: UInt16, _ packet: PacketUnderWay, _ first: Int) -> Int {
    switch opcode {
    case 0x200B: return 7
    case 0x200C: return 2
    // Two bytes, the PHYs, and five for each of them: 1M and coded.
    case 0x2041:
      let phys = packet.has(1, at: first + 2) ? packet.bytes[first + 2] & 5 : 0
      return 3 + 5 * phys.nonzeroBitCount
    case 0x2042: return 6
    default: return 0
    }
  }

  /// Android's content filter: whether it is on, and whether its filters ask for anything, are nobody's; what they ask
  /// for may be somebody's.
  private func contentFilter(_ packet: inout PacketUnderWay, _ first: Int) {
    guard packet.has(1, at: first) else { return }
    nameFilterCommand(&packet, first)
    let action = packet.has(2, at: first) ? packet.bytes[first + 1] : Self.noFilterCommand
    switch (packet.bytes[first], action) {
    // Added: what is compared, how, and when it is told. Deleted: which.
    case (1, 0): packet.blank(from: first + 10, as: .commands)
    case (1, 1): packet.blank(from: first + 3, as: .commands)
    default: packet.blank(from: first + 2, as: .commands)
    }
  }

  /// A subcommand, or an action, that there is not.
  private static let noFilterCommand: UInt8 = 0xFF

  /// Which command of the content filter it is, and what it does: u8, u8. Others than Android's become one.
  private func nameFilterCommand(_ packet: inout PacketUnderWay, _ at: Int) {
    guard packet.has(1, at: at), packet.bytes[at] != 0 else { return }
    let isKnown = packet.bytes[at] <= 9
    if !isKnown { packet.bytes[at] = Self.noFilterCommand }
    if packet.has(2, at: at), !isKnown || packet.bytes[at + 1] > 2 {
      packet.bytes[at + 1] = Self.noFilterCommand
    }
  }

  /// u8 code, u8 length, parameters.
  private func event(_ packet: inout PacketUnderWay, _ start: Int) {
    guard packet.has(2, at: start) else { return packet.blank(from: start, as: .unread) }
    let first = start + 2
    let end = min(first + Int(packet.bytes[start + 1]), packet.bytes.count)
    packet.blank(from: end, as: .unread)
    switch packet.bytes[start] {
    case 0x3E: metaEvent(&packet, first, end)
    case 0x0E: commandComplete(&packet, first, end)
    // Command Status: status, credits, opcode.
    case 0x0F: packet.blank(from: first + 4, as: .unread)
    default: packet.blank(from: first, as: HCIKind.event(packet.bytes[start]))
    }
  }

  private func metaEvent(_ packet: inout PacketUnderWay, _ first: Int, _ end: Int) {
    guard first < end else { return }
    switch packet.bytes[first] {
    case 0x02: legacyReports(&packet, first, end)
    case 0x0B: directedReports(&packet, first, end)
    case 0x0D: extendedReports(&packet, first, end)
    case 0x0E:
      guard first + 16 <= end else { return packet.blank(from: first + 1, as: .unread) }
      packet.replaceAddress(first + 6, names)
      packet.blank(from: first + 16, as: .unread)
    case 0x0F: periodicReport(&packet, first, end)
    // Periodic advertising lost, scan timeout.
    case 0x10: packet.blank(from: first + 3, as: .unread)
    case 0x11: packet.blank(from: first + 1, as: .unread)
    default:
      packet.blank(from: first + 1, as: HCIKind.subevent(packet.bytes[first]))
    }
  }

  /// u8 credits, u16 opcode, u8 status, what it returns.
  private func commandComplete(_ packet: inout PacketUnderWay, _ first: Int, _ end: Int) {
    guard first + 4 <= end else { return packet.blank(first, end, as: .unread) }
    let opcode = UInt16(packet.bytes[first + 1]) | UInt16(packet.bytes[first + 2]) << 8
    switch opcode {
    // The controller's own address.
    case 0x1009:
      packet.replaceAddress(first + 4, names)
      packet.blank(first + 10, end, as: .unread)
    case 0xFD56: batchResults(&packet, first + 3, end)
    // Which of its commands that was.
    case 0xFD57:
      packet.blank(first + 6, end, as: .events)
      if first + 4 < end { nameFilterCommand(&packet, first + 4) }
    // A reset: nothing that had begun goes on.
    case 0x0C03:
      packet.endsChains = packet.bytes[first + 3] == 0
      packet.blank(first + 4, end, as: .unread)
    default: packet.blank(first + 4, end, as: HCIKind.answer(opcode))
    }
  }
}
