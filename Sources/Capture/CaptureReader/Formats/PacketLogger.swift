/// Apple's PacketLogger (.pklg), versions 1 (big-endian) and 2 (little-endian). PROTOCOLS.md 1.6.
///
/// No file header. Record: u32 length (counted from the seconds on), u32 seconds, u32 µs, u8 type.
struct PacketLogger: RecordParser {
  static let format = CaptureFormat(
    name: "packetlogger", title: "PacketLogger", endings: [FileEnding("pklg")],
    recognises: { recognise($0) }, open: { _ in PacketLogger() })

  static let headerLength = 13

  private var bigEndian: Bool?
  private var recovery = Resynchroniser(of: "packetlogger")
  private var sanity = RecordSanity()

  mutating func parse(
    _ bytes: RawSpan, at offset: Int64, final: Bool, into batch: inout RecordBatch,
    log: inout ContainerLog
  ) throws(CaptureProblem) -> Int {
    var at = 0
    guard bytes.byteCount >= 4 || final else { return 0 }
    if bigEndian == nil, bytes.byteCount >= 4 {
      bigEndian = bytes.u8(0) == 0 && bytes.u8(1) <= 1
      log.interfaces = [CaptureInterface(link: .packetLogger)]
    }
    guard let big = bigEndian else { return bytes.byteCount }
    if recovery.isSearching {
      let reader = self
      switch recovery.resume(
        in: bytes, from: at, offset: offset, final: final, log: &log,
        check: { reader.check($0, $1, big) })
      {
      case .goOn(let place): at = place
      case .stop(let consumed): return consumed
      }
    }
    return records(bytes, from: at, at: offset, final: final, big: big, into: &batch, log: &log)
  }

  private mutating func records(
    _ bytes: RawSpan, from first: Int, at offset: Int64, final: Bool, big: Bool,
    into batch: inout RecordBatch, log: inout ContainerLog
  ) -> Int {
    var at = first
    let end = bytes.byteCount
    while !batch.isFull {
      guard at + Self.headerLength <= end else {
        return final ? log.cutShort(at: at, end: end, offset: offset) : at
      }
      let length = Int(bytes.u32(at, bigEndian: big))
      let next = at + 4 + length
      if isOdd(bytes, at: at, length: length, big: big) || final && next > end {
        let recovered = secondLook(
          bytes, RecordClaim(at: at, length: length, next: next, headerLength: Self.headerLength),
          offset: offset, final: final, big: big, into: &batch, log: &log)
        switch recovered {
        case nil: break
        case .goOn(let place):
          at = place
          continue
        case .stop(let consumed): return consumed
        }
      }
      guard next <= end else {
        return final ? log.cutShort(at: at, end: end, offset: offset) : at
      }
      append(bytes, at: at, length: length, offset: offset, big: big, into: &batch, log: &log)
      at = next
    }
    return at
  }

  private mutating func append(
    _ bytes: RawSpan, at: Int, length: Int, offset: Int64, big: Bool, into batch: inout RecordBatch,
    log: inout ContainerLog
  ) {
    log.frames += 1
    let micros = bytes.u32(at + 8, bigEndian: big)
    if micros >= 1_000_000 {
      log.note(
        .fractionOutOfRange, frame: log.frames, offset: offset + Int64(at),
        "\(micros) µs, carried over")
    }
    let time = Self.time(bytes, at, big)
    let type = bytes.u8(at + 12)
    var fault = RecordFault.none
    if type >= 0xF7 && type <= 0xFE {
      fault = .note
    } else if !Self.isPacket(type) {
      fault = .unknownType
      log.note(
        .unknownRecordType, frame: log.frames, offset: offset + Int64(at),
        "PacketLogger type \(type)"
      )
    } else if length == 9 {
      fault = .empty
      log.note(.emptyRecord, frame: log.frames, offset: offset + Int64(at), "a record without data")
    }
    sanity.lastTime = time
    batch.records.append(
      CaptureRecord(
        time: time, frame: log.frames, start: at + Self.headerLength, count: length - 9,
        originalCount: UInt32(length - 9), link: .packetLogger, fault: fault,
        direction: Self.direction(type), tag: UInt32(type)))
  }

  static func time(_ bytes: RawSpan, _ at: Int, _ big: Bool) -> Timestamp {
    Timestamp(
      nanoseconds: Int64(bytes.u32(at + 4, bigEndian: big)) &* 1_000_000_000
        &+ Int64(bytes.u32(at + 8, bigEndian: big)) &* 1000)
  }

  /// Types that carry a packet: command, event, ACL, SCO, LMP, ISO.
  static func isPacket(_ type: UInt8) -> Bool {
    switch type {
    case 0x00...0x03, 0x08...0x0B, 0x12, 0x13: true
    default: false
    }
  }

  static func direction(_ type: UInt8) -> PacketDirection {
    switch type {
    case 0x00, 0x02, 0x08, 0x0A, 0x12: .hostToController
    case 0x01, 0x03, 0x09, 0x0B, 0x13: .controllerToHost
    default: .unknown
    }
  }

  /// Whether a header deserves a second look before its length is believed.
  @inline(__always)
  private func isOdd(_ bytes: RawSpan, at: Int, length: Int, big: Bool) -> Bool {
    length < 9
      || sanity.isOdd(
        included: length, original: UInt32(truncatingIfNeeded: length),
        time: Self.time(bytes, at, big))
  }

  private mutating func secondLook(
    _ bytes: RawSpan, _ claim: RecordClaim, offset: Int64, final: Bool, big: Bool,
    into batch: inout RecordBatch, log: inout ContainerLog
  ) -> Recovery? {
    let reader = self
    if claim.length < 9 {
      return recovery.recover(
        .recordLengthImplausible, "a record says it is \(claim.length) bytes long, 9 are the least",
        claim, in: bytes, offset: offset, final: final, batch: &batch, log: &log,
        check: { reader.check($0, $1, big) })
    }
    var behind = self
    behind.sanity = sanity.judging(Self.time(bytes, claim.at, big))
    return recovery.handle(
      claim, in: bytes, offset: offset, final: final, batch: &batch, log: &log,
      checkNext: { [behind] in behind.check($0, $1, big) }, check: { reader.check($0, $1, big) })
  }

  /// Whether a record could begin here.
  private func check(_ bytes: RawSpan, _ at: Int, _ big: Bool) -> RecordCheck {
    guard at + Self.headerLength <= bytes.byteCount else { return .undecided }
    let length = Int(bytes.u32(at, bigEndian: big))
    let type = bytes.u8(at + 12)
    let time = Self.time(bytes, at, big)
    guard length >= 9, length < 65_536, bytes.u32(at + 8, bigEndian: big) < 1_000_000,
      Self.isPacket(type) || type >= 0xF7, sanity.isNear(time)
    else { return .implausible }
    return .record(end: at + 4 + length, apart: sanity.apart(time))
  }

  /// No magic: the first records must make sense, five of them or as many as are at hand. Before
  /// damage two are enough, of types that are known and of about the same time; or one, where
  /// several in a row make sense behind the damage.
  private static func recognise(_ head: RawSpan) -> Bool {
    guard head.byteCount >= headerLength else { return false }
    let big = head.u8(0) == 0 && head.u8(1) <= 1
    guard big || (head.u8(3) == 0 && head.u8(2) <= 1) else { return false }
    var at = 0
    var reader = PacketLogger()
    var good = 0
    for number in 0..<5 {
      guard at + headerLength <= head.byteCount else { return number > 0 }
      let length = Int(head.u32(at, bigEndian: big))
      let type = head.u8(at + 12)
      guard length >= 9, length < 65_536, head.u32(at + 8, bigEndian: big) < 1_000_000 else {
        return good >= 2 || number > 0 && reader.hasRun(in: head, from: 1, big: big)
      }
      let isKnown = isPacket(type) || type >= 0xF7
      // An unknown type further on is an oddity of the file, at its start it is another file.
      guard number > 0 || isKnown else { return false }
      let time = time(head, at, big)
      if isKnown && good == number && (number == 0 || reader.sanity.isNear(time)) { good += 1 }
      reader.sanity.lastTime = time
      at += 4 + length
    }
    return true
  }

  private func hasRun(in head: RawSpan, from start: Int, big: Bool) -> Bool {
    let found = Resynchroniser.findRun(
      in: head, from: start, final: false, check: { check($0, $1, big) })
    if case .found = found { return true }
    return false
  }
}
