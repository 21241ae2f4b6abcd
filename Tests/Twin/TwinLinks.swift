/// What stands before the packet, link type by link type (PROTOCOLS.md part 2).
extension Twin {
  mutating func decode(_ record: TwinRecord) -> TwinOutcome {
    switch record.link {
    case .btsnoop(1001): return h1(record)
    case .btsnoop(1002), .pcap(187): return h4(record, Octets(record.bytes))
    case .btsnoop(2001):
      return monitor(
        record, adapter: record.tag >> 16, opcode: record.tag & 0xFFFF, Octets(record.bytes))
    case .pcap(201):
      var octets = Octets(record.bytes)
      return octets.take(4) == nil ? .malformed("phdr_truncated") : h4(record, octets)
    case .pcap(254):
      var octets = Octets(record.bytes)
      guard let adapter = octets.big(2), let opcode = octets.big(2) else {
        return .malformed("phdr_truncated")
      }
      return monitor(record, adapter: Int(adapter), opcode: Int(opcode), octets)
    case .packetLogger: return packetLogger(record)
    case .pcap(251): return air(record, Octets(record.bytes), AirHeader())
    case .pcap(256): return airWithHeader(record)
    case .pcap(272): return nordic(record)
    case .pcap(192): return ppi(record)
    default: return .unsupported("unsupported_linktype")
    }
  }

  /// Flags: bit 0 from the controller, bit 1 command or event.
  private mutating func h1(_ record: TwinRecord) -> TwinOutcome {
    switch record.tag & 3 {
    case 2: hci(1, record, nil, Octets(record.bytes))
    case 3: hci(4, record, nil, Octets(record.bytes))
    default: .other
    }
  }

  private mutating func h4(_ record: TwinRecord, _ packet: Octets) -> TwinOutcome {
    var octets = packet
    guard let type = octets.u8() else { return .malformed("packet_empty") }
    return hci(type, record, nil, octets)
  }

  private mutating func packetLogger(_ record: TwinRecord) -> TwinOutcome {
    switch record.tag {
    case 0: hci(1, record, nil, Octets(record.bytes))
    case 1: hci(4, record, nil, Octets(record.bytes))
    default: .other
    }
  }

  private mutating func monitor(
    _ record: TwinRecord, adapter: Int, opcode: Int, _ payload: Octets
  ) -> TwinOutcome {
    switch opcode {
    case 2: return hci(1, record, adapter, payload)
    case 3: return hci(4, record, adapter, payload)
    case 4...7, 18, 19: return .other
    case 1, 9:
      // The adapter has gone: nothing that it began will go on.
      return with(radio: record.interface, adapter) { radio in
        radio.trains = []
        return (.other, radio.fragments.flush())
      }
    case 0...19: return with(radio: record.interface, adapter) { _ in (.other, []) }
    default: return .unsupported("unknown_monitor_opcode")
    }
  }

  private mutating func airWithHeader(_ record: TwinRecord) -> TwinOutcome {
    var octets = Octets(record.bytes)
    guard let frequency = octets.u8(), let signal = octets.i8(), octets.take(6) != nil,
      let flags = octets.little(2)
    else { return .malformed("phdr_truncated") }
    var header = AirHeader()
    header.channel = AirHeader.channelIndex(frequency)
    if flags & 2 != 0 { header.rssi = Self.dBm(signal) }
    if flags & 0x400 != 0 { header.saysGood = flags & 0x800 != 0 }
    header.phy = [1, 2, 3][orNil: Int(flags >> 14)]
    if flags >> 7 & 7 == 1 { header.auxiliary = Int(flags >> 12 & 3) }
    if flags & 1 == 0, let channel = header.channel {
      let clear = octets.take(min(octets.count, header.phy == 3 ? 5 : 4)) ?? []
      octets = Octets(clear + AirHeader.whitened(octets.all, channel: channel))
    }
    return air(record, octets, header)
  }

  private mutating func nordic(_ record: TwinRecord) -> TwinOutcome {
    var octets = Octets(record.bytes)
    guard let head = octets.take(7).map({ $0.map(Int.init) }) else {
      return .malformed("phdr_truncated")
    }
    let version = head[3]
    guard [1, 2, 3].contains(version), !(head[0] == 0xBE && head[1] == 0xEF) else {
      return .malformed("nordic_unknown_version")
    }
    if version == 3, head[6] != 2, head[6] != 6 {
      return TwinOutcome("other", "nordic_not_a_packet")
    }
    let declared = version == 1 ? 1 + head[1] + head[2] : 7 + head[1] + head[2] * 256
    guard declared == record.bytes.count else { return .malformed("nordic_bad_length") }
    guard let radio = octets.take(10).map({ $0.map(Int.init) }), radio[0] == 10 else {
      return .malformed("phdr_truncated")
    }
    var header = AirHeader()
    header.saysGood = radio[1] & 1 != 0
    header.phy = [1, 2, 3][orNil: radio[1] >> 4 & 7]
    if version == 3, head[6] == 2 { header.auxiliary = radio[1] >> 1 & 3 }
    header.channel = radio[2] < 40 ? radio[2] : nil
    // A magnitude: what a signed byte cannot hold is no RSSI.
    header.rssi = radio[3] <= 128 ? Self.dBm(-radio[3]) : nil
    return air(record, octets, header)
  }

  private mutating func ppi(_ record: TwinRecord) -> TwinOutcome {
    var octets = Octets(record.bytes)
    guard octets.count >= 8, let version = octets.u8(), let flags = octets.u8(),
      let length = octets.little(2), let inner = octets.little(4)
    else { return .malformed("phdr_truncated") }
    guard version == 0 else { return .malformed("ppi_unknown_version") }
    guard length >= 8, let body = octets.take(Int(length) - 8) else {
      return .malformed("ppi_bad_length")
    }
    var header = AirHeader()
    var hasRadio = false
    var fields = Octets(body)
    while fields.count >= 4, let type = fields.little(2), let size = fields.little(2) {
      guard let field = fields.take(Int(size)) else { return .malformed("ppi_bad_length") }
      if flags & 1 != 0 { _ = fields.take(min(fields.count, (4 - Int(size) % 4) % 4)) }
      guard type == 30006, field.count >= 11 else { continue }
      hasRadio = true
      let megahertz = Int(field[1]) + Int(field[2]) * 256
      header.channel = megahertz % 2 == 0 ? AirHeader.channelIndex((megahertz - 2402) / 2) : nil
      header.rssi = Self.dBm(Int(Int8(bitPattern: field[10])))
    }
    guard inner == 251 || inner == 147 && hasRadio else {
      return .unsupported("unsupported_linktype")
    }
    return air(record, octets, header)
  }

  /// 127 stands for «not available» wherever a power or an RSSI is given.
  static func dBm(_ value: Int) -> Int? { value == 127 ? nil : value }
}

extension Array {
  subscript(orNil place: Int) -> Element? { indices.contains(place) ? self[place] : nil }
}
