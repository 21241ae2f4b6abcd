/// What a sniffer says beside the air packet's bytes.
struct AirHeader {
  var channel: Int?
  var rssi: Int?
  var phy: Int?
  /// Whether the sniffer found the checksum good; nil where it did not look.
  var saysGood: Bool?

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
    var octets = packet
    guard let access = octets.take(4) else { return .malformed("ll_truncated") }
    guard access == [0xD6, 0xBE, 0x89, 0x8E] else { return .other }
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
      return extendedPDU(report, payload, sender, interface: record.interface)
    default: return .other
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
    _ start: TwinReport, _ payload: [UInt8], _ sender: TwinAddress.Kind, interface: Int
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
      guard let id = header.advertisingID else { return (.advertising, [report]) }
      return (.advertising, radio.chains.take(report, id: id, pointsOn: header.pointsOn))
    }
  }
}

/// The fields that an extended PDU's flags announce, in their order.
private struct ExtendedHeader {
  var address = TwinAddress.none
  /// DID bits 0–11, SID bits 12–15.
  var advertisingID: Int?
  /// Another packet of this advertisement follows.
  var pointsOn = false
  var power: Int?

  init?(_ fields: [UInt8], _ sender: TwinAddress.Kind) {
    if fields.isEmpty { return }
    var octets = Octets(fields.dropFirst())
    let sizes = [0x01: 6, 0x02: 6, 0x04: 1, 0x08: 2, 0x10: 3, 0x20: 18, 0x40: 1]
    for flag in sizes.keys.sorted() where Int(fields[0]) & flag != 0 {
      guard let value = octets.take(sizes[flag] ?? 0) else { return nil }
      switch flag {
      case 0x01: address = TwinAddress(sender, value.reversed())
      case 0x08: advertisingID = Int(value[0]) + Int(value[1]) * 256
      case 0x10: pointsOn = true
      case 0x40: power = Twin.dBm(Int(Int8(bitPattern: value[0])))
      default: break
      }
    }
  }
}

/// ADV_EXT_IND points to AUX_ADV_IND, that to AUX_CHAIN_IND, and so on: one advertisement.
struct AuxiliaryChains: Sendable {
  struct Chain: Sendable {
    let id: Int
    var report: TwinReport
    /// A packet of the chain proper has come, not only the pointer to it.
    var hasBegun: Bool
  }
  private var open: [Chain] = []

  mutating func take(_ report: TwinReport, id: Int, pointsOn: Bool) -> [TwinReport] {
    var done = expire(report.nanoseconds)
    // Without a channel: a packet without data that points on is the first of a round.
    let isPrimary = report.channel.map { $0 >= 37 } ?? (report.data.isEmpty && pointsOn)
    let fitting = open.indices.filter { place in
      let chain = open[place]
      return chain.id == id
        && (chain.report.address == report.address || chain.report.address == .none
          || report.address == .none)
    }
    // One of the same address, then the youngest: its rest comes soon.
    let same = fitting.filter { open[$0].report.address == report.address }
    let place = (same.isEmpty ? fitting : same).max {
      open[$0].report.frame < open[$1].report.frame
    }
    if let place, isPrimary {
      done.append(open.remove(at: place).report)
    } else if let place {
      return done + goOn(place, report, pointsOn: pointsOn)
    }
    guard pointsOn else { return done + [report] }
    if open.count == 64 { done.append(open.removeFirst().report) }
    open.append(Chain(id: id, report: report, hasBegun: !isPrimary || !report.data.isEmpty))
    return done
  }

  private mutating func goOn(_ place: Int, _ report: TwinReport, pointsOn: Bool) -> [TwinReport] {
    var chain = open[place]
    if !chain.hasBegun {
      let address = chain.report.address
      chain.report = report
      if report.address == .none { chain.report.address = address }
      chain.hasBegun = true
    } else if chain.report.data.count + report.data.count > 1650 {
      open.remove(at: place)
      return [chain.report, report]
    } else {
      chain.report.data += report.data
      chain.report.rssi = report.rssi
    }
    open[place] = chain
    if pointsOn { return [] }
    open.remove(at: place)
    return [chain.report]
  }

  /// A pointer reaches 8191 · 300 µs ahead; what is older does not go on.
  private mutating func expire(_ now: Int64?) -> [TwinReport] {
    guard let now else { return [] }
    let old = open.filter { chain in
      guard let began = chain.report.nanoseconds else { return false }
      let age = now.subtractingReportingOverflow(began)
      return age.overflow || age.partialValue > 2_460_000_000
    }
    open.removeAll { chain in old.contains { $0.id == chain.id && $0.report == chain.report } }
    return old.map(\.report)
  }

  mutating func flush() -> [TwinReport] {
    defer { open = [] }
    return open.map(\.report)
  }
}
