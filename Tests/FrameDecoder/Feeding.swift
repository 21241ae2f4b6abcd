import CaptureReader
import FrameDecoder

/// A decoder fed one packet at a time, with what it gave.
struct Feeding: ~Copyable {
  var decoder: FrameDecoder
  private(set) var reports: [AdvertisingReport] = []
  private(set) var data: [[UInt8]] = []
  private var frame = 0

  init(_ options: FrameDecoder.Options = FrameDecoder.Options()) {
    decoder = FrameDecoder(options: options)
  }

  /// - Parameter millis: nil: the record has no time.
  mutating func feed(
    _ bytes: [UInt8], _ link: LinkType = .hciH4, at millis: Int64? = 0, interface: UInt16 = 0,
    original: Int? = nil
  ) {
    frame += 1
    let record = CaptureRecord(
      time: millis.map { Timestamp(nanoseconds: 1_700_000_000_000_000_000 + $0 * 1_000_000) }
        ?? .none,
      frame: frame,
      start: 0, count: bytes.count, originalCount: UInt32(original ?? bytes.count), link: link,
      interface: interface)
    bytes.withRawSpan {
      decoder.decode([record].span, $0)
      take($0)
    }
  }

  mutating func finish() {
    decoder.finish()
    [UInt8]().withRawSpan { take($0) }
  }

  private mutating func take(_ bytes: RawSpan) {
    for report in decoder.reports.array {
      let range = Int(report.start)..<(Int(report.start) + Int(report.count))
      reports.append(report)
      data.append(report.isJoined ? Array(decoder.joined[range]) : bytes.extracting(range).array())
    }
  }

  func count(_ kind: RecordClass) -> Int { decoder.tally.count(kind) }

  func count(_ warning: FrameWarnings) -> Int {
    decoder.tally.warnings[warning.rawValue.trailingZeroBitCount].count
  }
}

enum Hex {
  static func bytes(_ text: String) -> [UInt8] {
    let digits = text.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map {
      UInt8(digits[$0] << 4 | digits[$0 + 1])
    }
  }
}

/// AuxPtr: to a secondary channel by its RF number, and in how many 30 µs: as a rule in a millisecond.
struct AuxPointer {
  var rf: UInt8 = 5
  var offset: UInt8 = 33

  /// Channels 37 and 38 lie between the others, at 0 and 12.
  var bytes: [UInt8] { [rf < 12 ? rf - 1 : rf - 2, offset, 0] }
}

/// Air packets made by hand, their checksum computed bit by bit as the radio does it.
enum Air {
  /// Access address, PDU, CRC.
  static func packet(_ pdu: [UInt8]) -> [UInt8] {
    [0xD6, 0xBE, 0x89, 0x8E] + pdu + checksum(pdu)
  }

  /// The register as in the Core specification: 24 bits, 0x555555, taps 0x00065B; bits least
  /// significant first, the result sent most significant bit first.
  static func checksum(_ pdu: [UInt8]) -> [UInt8] {
    var register: UInt32 = 0x555555
    for byte in pdu {
      for bit in 0..<8 {
        let top = register >> 23 & 1
        register = register << 1 & 0xFFFFFF
        if top != UInt32(byte >> UInt8(bit) & 1) { register ^= 0x00065B }
      }
    }
    var bytes: [UInt8] = [0, 0, 0]
    for position in 0..<24 {
      let bit = UInt8(truncatingIfNeeded: register >> UInt32(23 - position)) & 1
      bytes[position / 8] |= bit << UInt8(position % 8)
    }
    return bytes
  }

  /// Link type 256: CRC checked and good, de-whitened, signal −50 dBm.
  static func withHeader(_ pdu: [UInt8], rf: UInt8) -> [UInt8] {
    [rf, 0xCE, 0, 0, 0xD6, 0xBE, 0x89, 0x8E, 0x03, 0x0C] + packet(pdu)
  }

  /// An extended PDU. `address` is random; `pointer` announces another packet.
  static func extended(
    address: UInt8?, dataID: UInt16, sid: UInt8?, pointer: AuxPointer? = nil, data: [UInt8]
  ) -> [UInt8] {
    var flags: UInt8 = sid == nil ? 0 : 0x08
    var fields: [UInt8] = []
    if let address {
      flags |= 0x01
      fields += [address, 2, 3, 4, 5, 0xC6]
    }
    if let sid { fields += [UInt8(truncatingIfNeeded: dataID), UInt8(dataID >> 8) | sid << 4] }
    if let pointer {
      flags |= 0x10
      fields += pointer.bytes
    }
    let payload = [UInt8(fields.count + 1), flags] + fields + data
    return [0x47, UInt8(payload.count)] + payload
  }
}
