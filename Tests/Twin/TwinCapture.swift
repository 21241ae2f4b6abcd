/// Containers without damage → records (PROTOCOLS.md part 1). At the first thing that cannot be
/// right the reading ends, and `isClean` says so.
package struct TwinCapture: Sendable {
  package internal(set) var records: [TwinRecord] = []
  package internal(set) var isClean = true

  /// nil for what is none of the containers, or of a kind that is not supported.
  package init?(_ bytes: [UInt8]) {
    var octets = Octets(bytes)
    switch Array(bytes.prefix(4)) {
    case Array("btsn".utf8): btsnoop(&octets)
    case [0x0A, 0x0D, 0x0D, 0x0A]: pcapng(&octets)
    case [0xD4, 0xC3, 0xB2, 0xA1]: pcap(&octets, big: false, nano: false, more: 0)
    case [0xA1, 0xB2, 0xC3, 0xD4]: pcap(&octets, big: true, nano: false, more: 0)
    case [0x4D, 0x3C, 0xB2, 0xA1]: pcap(&octets, big: false, nano: true, more: 0)
    case [0xA1, 0xB2, 0x3C, 0x4D]: pcap(&octets, big: true, nano: true, more: 0)
    case [0x34, 0xCD, 0xB2, 0xA1]: pcap(&octets, big: false, nano: false, more: 8)
    case [0xA1, 0xB2, 0xCD, 0x34]: pcap(&octets, big: true, nano: false, more: 8)
    case let head where head.count == 4 && head[0] == 0 && head[1] <= 1:
      packetLogger(&octets, big: true)
    case let head where head.count == 4 && head[3] == 0 && head[2] <= 1:
      packetLogger(&octets, big: false)
    default: return nil
    }
  }

  mutating func add(
    _ nanoseconds: Int64?, _ link: TwinLink, _ bytes: [UInt8], original: Int, tag: Int = 0,
    interface: Int = 0, fault: TwinOutcome? = nil
  ) {
    records.append(
      TwinRecord(
        frame: records.count + 1, nanoseconds: nanoseconds, link: link, bytes: bytes,
        isCut: original > bytes.count, tag: tag, interface: interface, fault: fault))
  }

  static func nanoseconds(seconds: Int64, fraction: Int64, per second: Int64) -> Int64 {
    seconds * 1_000_000_000 + fraction * (1_000_000_000 / second)
  }

  private mutating func btsnoop(_ octets: inout Octets) {
    guard octets.take(8) == Array("btsnoop\0".utf8), octets.big(4) == 1,
      let datalink = octets.big(4), [1001, 1002, 2001].contains(datalink)
    else { return isClean = false }
    while octets.count > 0 {
      guard let original = octets.big(4), let included = octets.big(4), let flags = octets.big(4),
        octets.take(4) != nil, let stamp = octets.big(8), included <= 262_144,
        let data = octets.take(Int(included))
      else { return isClean = false }
      let epoch: Int64 = 0x00DC_DDB3_0F2F_8000
      let micros = Int64(bitPattern: stamp).subtractingReportingOverflow(epoch)
      let nanos = micros.partialValue.multipliedReportingOverflow(by: 1000)
      // What the monitor says by the opcode alone (PROTOCOLS 1.1).
      let mayBeEmpty = datalink == 2001 && [1, 8, 9].contains(flags & 0xFFFF)
      let isEmpty = data.isEmpty && !mayBeEmpty
      add(
        micros.overflow || nanos.overflow ? nil : nanos.partialValue, .btsnoop(Int(datalink)), data,
        original: Int(original), tag: Int(flags), fault: isEmpty ? .malformed("empty_record") : nil)
    }
  }

  private mutating func pcap(_ octets: inout Octets, big: Bool, nano: Bool, more: Int) {
    func number(_ count: Int) -> Int? { octets.number(count, bigEndian: big).map { Int($0) } }
    guard octets.take(4) != nil, let major = number(2), major == 2, let minor = number(2),
      octets.take(12) != nil, let link = number(4), link >> 16 & 0x3FF == 0
    else { return isClean = false }
    while octets.count > 0 {
      guard let seconds = number(4), let fraction = number(4), var captured = number(4),
        var original = number(4), octets.take(more) != nil
      else { return isClean = false }
      // Below version 2.3 the two lengths are swapped.
      if minor < 3 { swap(&captured, &original) }
      guard captured <= 262_144, let data = octets.take(captured) else { return isClean = false }
      add(
        Self.nanoseconds(
          seconds: Int64(seconds), fraction: Int64(fraction),
          per: nano ? 1_000_000_000 : 1_000_000), .pcap(link & 0xFFFF), data, original: original,
        fault: data.isEmpty ? .malformed("empty_record") : nil)
    }
  }

  /// The length counts from the seconds on.
  private mutating func packetLogger(_ octets: inout Octets, big: Bool) {
    func number() -> Int? { octets.number(4, bigEndian: big).map { Int($0) } }
    while octets.count > 0 {
      guard let length = number(), let seconds = number(), let micros = number(),
        let type = octets.u8(), let data = octets.take(length - 9)
      else { return isClean = false }
      var fault: TwinOutcome?
      switch type {
      case 0xF7...0xFE: fault = .other
      case 0...3, 8...0x0B, 0x12, 0x13: fault = data.isEmpty ? .malformed("empty_record") : nil
      default: fault = .unsupported("unknown_record_type")
      }
      add(
        Self.nanoseconds(seconds: Int64(seconds), fraction: Int64(micros), per: 1_000_000),
        .packetLogger, data, original: data.count, tag: type, fault: fault)
    }
  }
}
