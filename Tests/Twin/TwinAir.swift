/// What a sniffer says beside the air packet's bytes.
struct AirHeader {
  var channel: Int?
  var rssi: Int?
  var phy: Int?
  /// Whether the sniffer found the checksum good; nil where it did not look.
  var saysGood: Bool?
  /// Of auxiliary advertising: 0 AUX_ADV_IND, 1 AUX_CHAIN_IND, 2 AUX_SYNC_IND, 3 AUX_SCAN_RSP.
  var auxiliary: Int?

  /// Advertising channels 37, 38, 39 lie at 0, 12 and 39 (2402, 2426, 2480 MHz).
  static func channelIndex(_ frequency: Int) -> Int? {
    guard (0..<40).contains(frequency) else { return nil }
    let advertising = [0: 37, 12: 38, 39: 39]
    return advertising[frequency] ?? (frequency < 12 ? frequency - 1 : frequency - 2)
  }

  /// x⁷+x⁴+1: position 0 of the register is 1, positions 1–6 the channel, highest bit first. Each
  /// step puts out position 6, which comes in again at position 0 and is added at position 4.
  static func whitened(_ bytes: [UInt8], channel: Int) -> [UInt8] {
    var register = [1] + (0..<6).map { channel >> (5 - $0) & 1 }
    return bytes.map { byte in
      var result = byte
      for bit in 0..<8 {
        let out = register[6]
        if out == 1 { result ^= 1 << UInt8(bit) }
        register = [out] + register.dropLast()
        register[4] ^= out
      }
      return result
    }
  }

  /// x²⁴+x¹⁰+x⁹+x⁶+x⁴+x³+x+1 from 0x555555, lowest bit of a byte first; in the file the register
  /// stands with its bits reversed, low byte first.
  static func checksum(_ bytes: [UInt8]) -> [UInt8] {
    var register = 0x555555
    for byte in bytes {
      for bit in 0..<8 {
        let feedback = register >> 23 & 1 ^ Int(byte >> UInt8(bit) & 1)
        register = register << 1 & 0xFFFFFF
        if feedback == 1 { register ^= 0x00065B }
      }
    }
    var reversed = 0
    for bit in 0..<24 { reversed |= (register >> bit & 1) << (23 - bit) }
    return [0, 8, 16].map { UInt8(reversed >> $0 & 0xFF) }
  }
}

/// The air packet: access address, PDU, checksum (PROTOCOLS.md 2.1).
extension Twin {
  mutating func air(_ record: TwinRecord, _ packet: Octets, _ header: AirHeader) -> TwinOutcome {
    with(radio: record.interface) { radio in ((), radio.chains.expire(record.nanoseconds)) }
    var octets = packet
    guard let access = octets.take(4) else { return .malformed("ll_truncated") }
    guard access == [0xD6, 0xBE, 0x89, 0x8E] else {
      let isAnnounced = with(radio: record.interface) { radio in
        (radio.trainAddresses.contains(access), [])
      }
      let isPeriodic = isAnnounced || header.auxiliary == 1 || header.auxiliary == 2
      return TwinOutcome(
        "other", isPeriodic ? "periodic_advertising" : "not_advertising_access_address")
    }
    if header.phy == 3, octets.take(1) == nil { return .malformed("ll_truncated") }
    guard let head = octets.take(2), let payload = octets.take(Int(head[1])),
      let checksum = octets.take(3)
    else { return .malformed("ll_truncated") }
    guard header.saysGood ?? (checksum == AirHeader.checksum(head + payload)) else {
      return TwinOutcome("crc_failed", "crc_bad")
    }
    var report = TwinReport(frame: record.frame, nanoseconds: record.nanoseconds)
    report.rssi = header.rssi
    report.channel = header.channel
    let sender: TwinAddress.Kind = head[0] & 0x40 != 0 ? .random : .publicDevice
    switch head[0] & 15 {
    case 0, 1, 2, 4, 6:
      report.phy = 1
      return legacyPDU(report, payload, sender, isDirected: head[0] & 15 == 1)
    case 7:
      report.phy = header.phy
      return extendedPDU(
        report, payload, sender, interface: record.interface, auxiliary: header.auxiliary ?? 0)
    case 3: return TwinOutcome("other", "scan_request")
    case 5: return TwinOutcome("other", "connect_request")
    default: return TwinOutcome("other", "other_pdu_type")
    }
  }

  private mutating func legacyPDU(
    _ start: TwinReport, _ payload: [UInt8], _ sender: TwinAddress.Kind, isDirected: Bool
  ) -> TwinOutcome {
    guard (isDirected ? 12...37 : 6...37).contains(payload.count) else {
      return .malformed("ll_bad_length")
    }
    var report = start
    report.address = TwinAddress(sender, payload.prefix(6).reversed())
    if !isDirected { report.data = Array(payload.dropFirst(6)) }
    reports.append(report)
    return .advertising
  }

  private mutating func extendedPDU(
    _ start: TwinReport, _ payload: [UInt8], _ sender: TwinAddress.Kind, interface: Int,
    auxiliary: Int
  ) -> TwinOutcome {
    var octets = Octets(payload)
    guard let first = octets.u8() else { return .malformed("ll_bad_length") }
    guard let fields = octets.take(first & 0x3F),
      let header = ExtendedHeader(fields, sender)
    else { return .malformed("ext_header_overrun") }
    var report = start
    report.address = header.address
    report.txPower = header.power
    report.sid = header.advertisingID.map { $0 >> 12 }
    report.data = octets.all
    return with(radio: interface) { radio in
      if let train = header.trainAddress, train != [0, 0, 0, 0],
        !radio.trainAddresses.contains(train)
      {
        if radio.trainAddresses.count == 64 { radio.trainAddresses.removeFirst() }
        radio.trainAddresses.append(train)
      }
      let packet = AuxiliaryChains.Packet(
        report, id: header.advertisingID, pointer: header.pointer, kind: auxiliary,
        payload: payload.count)
      return (.advertising, radio.chains.take(packet))
    }
  }
}

/// The fields that an extended PDU's flags announce, in their order.
private struct ExtendedHeader {
  var address = TwinAddress.none
  /// DID bits 0–11, SID bits 12–15.
  var advertisingID: Int?
  /// Another packet of this advertisement follows: three bytes, read little-endian.
  var pointer: Int?
  var power: Int?
  /// Of periodic advertising that this one announces.
  var trainAddress: [UInt8]?

  init?(_ fields: [UInt8], _ sender: TwinAddress.Kind) {
    if fields.isEmpty { return }
    var octets = Octets(fields.dropFirst())
    let sizes = [0x01: 6, 0x02: 6, 0x04: 1, 0x08: 2, 0x10: 3, 0x20: 18, 0x40: 1]
    for flag in sizes.keys.sorted() where Int(fields[0]) & flag != 0 {
      guard let value = octets.take(sizes[flag] ?? 0) else { return nil }
      switch flag {
      case 0x01: address = TwinAddress(sender, value.reversed())
      case 0x08: advertisingID = Int(value[0]) + Int(value[1]) * 256
      case 0x10: pointer = Int(value[0]) + Int(value[1]) * 256 + Int(value[2]) * 65536
      // Offset 2, interval 2, channel map and accuracy 5, access address 4, CRC start 3, counter 2.
      case 0x20: trainAddress = Array(value[9..<13])
      case 0x40: power = Twin.dBm(Int(Int8(bitPattern: value[0])))
      default: break
      }
    }
  }
}
