/// pcapng (PROTOCOLS.md 1.5): sections, interfaces and the three packet blocks.
extension TwinCapture {
  private struct Interface {
    let link: TwinLink
    let snapLength: Int
    /// Units of a second, and seconds to add.
    var units: UInt64 = 1_000_000
    var offset: Int64 = 0
    var name: String?
    var check: UInt64?
    /// Place among all the interfaces of the file.
    var number = 0
  }

  private struct Section {
    var big = false
    var interfaces: [Interface] = []
  }

  mutating func pcapng(_ octets: inout Octets) {
    var section = Section()
    // Of all sections, with their numbers in these.
    var known: [(place: Int, interface: Interface)] = []
    while octets.count > 0 {
      var head = octets
      guard let type = head.take(4), var length = head.take(4), let magic = head.take(4) else {
        return isClean = false
      }
      let isSection = type == [0x0A, 0x0D, 0x0D, 0x0A]
      if isSection { section = Section(big: magic == [0x1A, 0x2B, 0x3C, 0x4D]) }
      if !section.big { length.reverse() }
      let size = length.reduce(0) { $0 << 8 | Int($1) }
      guard size >= 12, size % 4 == 0, let block = octets.take(size),
        Array(block[4..<8]) == Array(block.suffix(4))
      else { return isClean = false }
      var body = Octets(block[8..<(size - 4)])
      if isSection {
        guard body.take(4).map({ section.big ? $0 : $0.reversed() }) == [0x1A, 0x2B, 0x3C, 0x4D],
          body.number(2, bigEndian: section.big) == 1
        else { return isClean = false }
        continue
      }
      let kind = section.big ? type : type.reversed()
      switch kind {
      case [0, 0, 0, 1]:
        guard var interface = interface(body, section.big) else { return isClean = false }
        let place = section.interfaces.count
        let same = known.first {
          $0.place == place && $0.interface.link == interface.link
            && $0.interface.name == interface.name && $0.interface.check == interface.check
        }
        interface.number = same?.interface.number ?? known.count
        if same == nil { known.append((place, interface)) }
        section.interfaces.append(interface)
      case [0, 0, 0, 6]: packet(body, section, interfaceBytes: 4)
      case [0, 0, 0, 2]: packet(body, section, interfaceBytes: 2)
      case [0, 0, 0, 3]: simplePacket(body, section)
      // Wireshark numbers custom blocks and journal entries among the frames.
      case [0, 0, 0x0B, 0xAD], [0x40, 0, 0x0B, 0xAD], [0, 0, 0, 9]:
        add(nil, .pcap(-1), [], original: 0, fault: .other)
      default: break
      }
      if !isClean { return }
    }
  }

  private func interface(_ block: Octets, _ big: Bool) -> Interface? {
    var body = block
    guard let link = body.number(2, bigEndian: big), body.take(2) != nil,
      let snap = body.number(4, bigEndian: big)
    else { return nil }
    var found = Interface(link: .pcap(Int(link)), snapLength: Int(snap))
    while body.count >= 4, let code = body.number(2, bigEndian: big),
      let length = body.number(2, bigEndian: big), code != 0
    {
      guard let value = body.take(Int(length)) else { return nil }
      _ = body.take(min(body.count, (4 - Int(length) % 4) % 4))
      var octets = Octets(value)
      // Values too short, and units that nobody reads, say nothing.
      if code == 9, let byte = octets.u8(), let units = Self.units(UInt8(byte)) {
        found.units = units
      } else if code == 2 {
        found.name = String(decoding: value, as: UTF8.self)
      } else if code == 13, let byte = octets.u8() {
        found.check = UInt64(byte)
      } else if code == 14, let offset = octets.number(8, bigEndian: big) {
        found.offset = Int64(bitPattern: offset)
      }
    }
    return found
  }

  /// Top bit 0: 10⁻ⁿ s, 1: 2⁻ⁿ s; nil for what libpcap refuses.
  private static func units(_ byte: UInt8) -> UInt64? {
    let exponent = Int(byte & 0x7F)
    if byte & 0x80 != 0 { return exponent <= 63 ? 1 << UInt64(exponent) : nil }
    return exponent <= 19 ? (0..<exponent).reduce(1) { value, _ in value * 10 } : nil
  }

  private mutating func packet(_ block: Octets, _ section: Section, interfaceBytes: Int) {
    var body = block
    let big = section.big
    guard let place = body.number(interfaceBytes, bigEndian: big),
      interfaceBytes == 4 || body.take(2) != nil, let high = body.number(4, bigEndian: big),
      let low = body.number(4, bigEndian: big), let captured = body.number(4, bigEndian: big),
      let original = body.number(4, bigEndian: big)
    else { return isClean = false }
    guard place < section.interfaces.count else {
      return add(nil, .pcap(-1), [], original: 0, fault: .malformed("unknown_interface"))
    }
    let interface = section.interfaces[Int(place)]
    let time = Self.time(high << 32 | low, interface)
    guard let data = body.take(Int(captured)) else {
      return add(
        time, interface.link, [], original: 0, interface: interface.number,
        fault: .malformed("packet_overruns_block"))
    }
    add(
      time, interface.link, data, original: Int(original), interface: interface.number,
      fault: data.isEmpty ? .malformed("empty_record") : nil)
  }

  private mutating func simplePacket(_ block: Octets, _ section: Section) {
    var body = block
    guard let original = body.number(4, bigEndian: section.big) else { return isClean = false }
    guard let interface = section.interfaces.first else {
      return add(nil, .pcap(-1), [], original: 0, fault: .malformed("unknown_interface"))
    }
    var length = min(Int(original), body.count)
    if interface.snapLength > 0 { length = min(length, interface.snapLength) }
    guard let data = body.take(length) else { return isClean = false }
    add(
      nil, interface.link, data, original: Int(original), interface: interface.number,
      fault: data.isEmpty ? .malformed("empty_record") : nil)
  }

  /// Rounded down to nanoseconds; nil where these do not fit.
  private static func time(_ units: UInt64, _ interface: Interface) -> Int64? {
    let seconds = Int128(units / interface.units) + Int128(interface.offset)
    let rest = Int128(units % interface.units) * 1_000_000_000 / Int128(interface.units)
    return Int64(exactly: seconds * 1_000_000_000 + rest)
  }
}
