/// pcapng: sections, interfaces, three kinds of packet block, both byte orders. PROTOCOLS.md 1.5.
///
/// Block: u32 type, u32 total length, body, u32 total length again.
struct Pcapng: RecordParser {
  static let format = CaptureFormat(
    name: "pcapng", recognises: { $0.byteCount >= 4 && $0.be32(0) == sectionHeader },
    open: { Pcapng(capture: $0) })

  static let sectionHeader: UInt32 = 0x0A0D_0D0A
  static let byteOrderMagic: UInt32 = 0x1A2B_3C4D
  /// Longer blocks are taken for damage; ones of unknown type above the second limit are stepped
  /// over unread. Those of known type are never that long.
  static let longestBlock = 16 << 20
  static let longestKept = 512 << 10

  let capture: String
  var bigEndian = false
  /// This section's interfaces; their places in the log's list go on counting.
  var interfaces: [Interface] = []
  private var sections = 0
  /// A section of another major version: its blocks are stepped over.
  private var isSkippingSection = false
  private var bytesToSkip = 0
  private var recovery = Resynchroniser()

  struct Interface {
    let place: UInt16
    let link: LinkType
    let snapLength: UInt32
    let unitsPerSecond: UInt64
    let offsetSeconds: Int64
  }

  init(capture: String) { self.capture = capture }

  mutating func parse(
    _ bytes: RawSpan, at offset: Int64, final: Bool, into batch: inout RecordBatch,
    log: inout ContainerLog
  ) throws(CaptureProblem) -> Int {
    var at = 0
    if recovery.isSearching {
      let reader = self
      switch recovery.resume(
        in: bytes, from: at, offset: offset, final: final, log: &log,
        check: { reader.check($0, $1) })
      {
      case .goOn(let place): at = place
      case .stop(let consumed): return consumed
      }
    }
    while !batch.isFull {
      if bytesToSkip > 0 {
        let step = min(bytesToSkip, bytes.byteCount - at)
        bytesToSkip -= step
        at += step
        if bytesToSkip > 0 {
          if final {
            log.note(
              .fileTruncated, frame: log.frames, offset: offset + Int64(at),
              "the input ends \(bytesToSkip) bytes before the end of a block")
          }
          return at
        }
      }
      guard at + 12 <= bytes.byteCount else { return try cut(bytes, at, offset, final, &log) }
      switch try outline(bytes, at, final: final) {
      case .incomplete: return try cut(bytes, at, offset, final, &log)
      case .damaged(let reason, let detail):
        if sections == 0 {
          throw CaptureProblem(reason, capture: capture, offset: offset + Int64(at), detail: detail)
        }
        let reader = self
        switch recovery.begin(
          reason, detail, in: bytes, at: at, offset: offset, final: final, log: &log,
          check: { reader.check($0, $1) })
        {
        case .goOn(let place): at = place
        case .stop(let consumed): return consumed
        }
      case .long(let length):
        bytesToSkip = length
      case .block(let block):
        try take(block, bytes, offset: offset, into: &batch, log: &log)
        at = block.end
      }
    }
    return at
  }

  private func cut(
    _ bytes: RawSpan, _ at: Int, _ offset: Int64, _ final: Bool, _ log: inout ContainerLog
  ) throws(CaptureProblem) -> Int {
    if !final { return at }
    if sections == 0 {
      throw CaptureProblem(
        .headerTruncated, capture: capture,
        detail: "only \(bytes.byteCount) bytes of a pcapng section header are there")
    }
    return log.cutShort(at: at, end: bytes.byteCount, offset: offset)
  }

  /// A whole block: where it begins and where its body lies.
  struct Block {
    let type: UInt32
    let start: Int
    /// Place of the closing length.
    let bodyEnd: Int
    var body: Int { start + 8 }
    var end: Int { bodyEnd + 4 }
    /// Set for a section header, which brings its own byte order.
    let bigEndian: Bool
  }

  private enum Outline {
    case block(Block)
    case long(Int)
    case incomplete
    case damaged(ProblemCode, String)
  }

  private func outline(_ bytes: RawSpan, _ at: Int, final: Bool) throws(CaptureProblem) -> Outline {
    var big = bigEndian
    let isSection = bytes.be32(at) == Self.sectionHeader
    if isSection {
      switch Self.byteOrderMagic {
      case bytes.be32(at + 8): big = true
      case bytes.le32(at + 8): big = false
      default:
        return .damaged(
          .badByteOrderMagic, "a pcapng section header without a valid byte-order magic")
      }
    }
    let type = bytes.u32(at, bigEndian: big)
    let length = Int(bytes.u32(at + 4, bigEndian: big))
    let least = isSection ? 28 : 12
    let most = Self.isKnown(type) ? Self.longestKept : Self.longestBlock
    guard length >= least, length % 4 == 0, length <= most else {
      return .damaged(.blockLengthInvalid, "a block says it is \(length) bytes long")
    }
    if length > Self.longestKept { return .long(length) }
    guard at + length <= bytes.byteCount else {
      if final && sections > 0
        && Resynchroniser.hasRecords(in: bytes, from: at + 4, check: { check($0, $1) })
      {
        return .damaged(
          .blockLengthInvalid,
          "a block of \(length) bytes runs past the end of the input, over other blocks")
      }
      return .incomplete
    }
    let trailing = Int(bytes.u32(at + length - 4, bigEndian: big))
    guard trailing == length else {
      return .damaged(
        .blockLengthMismatch,
        "block total length in header \(length) and trailer \(trailing) do not match")
    }
    return .block(Block(type: type, start: at, bodyEnd: at + length - 4, bigEndian: big))
  }

  private mutating func take(
    _ block: Block, _ bytes: RawSpan, offset: Int64, into batch: inout RecordBatch,
    log: inout ContainerLog
  ) throws(CaptureProblem) {
    switch block.type {
    case Self.sectionHeader: try beginSection(block, bytes, offset: offset, log: &log)
    case _ where isSkippingSection: break
    case 1: describeInterface(block, bytes, offset: offset, log: &log)
    case 2, 6: packet(block, bytes, offset: offset, into: &batch, log: &log)
    case 3: simplePacket(block, bytes, offset: offset, into: &batch, log: &log)
    case 0xBAD, 0x4000_0BAD:
      number(block, into: &batch, log: &log)
      customBlock(block, bytes, offset: offset, log: &log)
    case 9: number(block, into: &batch, log: &log)
    default: break
    }
  }

  /// A new section resets byte order and interface numbering.
  private mutating func beginSection(
    _ block: Block, _ bytes: RawSpan, offset: Int64, log: inout ContainerLog
  ) throws(CaptureProblem) {
    let major = bytes.u16(block.body + 4, bigEndian: block.bigEndian)
    let minor = bytes.u16(block.body + 6, bigEndian: block.bigEndian)
    isSkippingSection = major != 1
    if isSkippingSection {
      if sections == 0 {
        throw CaptureProblem(
          .unsupportedVersion, capture: capture, offset: offset + Int64(block.body + 4),
          detail: "pcapng version \(major).\(minor); only version 1 is known")
      }
      log.note(
        .sectionSkipped, frame: log.frames, offset: offset + Int64(block.start),
        "a section of pcapng version \(major).\(minor)")
    }
    bigEndian = block.bigEndian
    interfaces = []
    sections += 1
  }

  /// Whether a block could begin here.
  private func check(_ bytes: RawSpan, _ at: Int) -> RecordCheck {
    guard at + 12 <= bytes.byteCount else { return .undecided }
    guard let outline = try? outline(bytes, at, final: false) else { return .implausible }
    switch outline {
    case .damaged, .long: return .implausible
    case .incomplete:
      let type = bytes.u32(at, bigEndian: bigEndian)
      guard Self.isKnown(type) else { return .implausible }
      return .record(end: at + Int(bytes.u32(at + 4, bigEndian: bigEndian)))
    case .block(let block):
      return Self.isKnown(block.type) ? .record(end: block.end) : .implausible
    }
  }

  private static func isKnown(_ type: UInt32) -> Bool {
    switch type {
    case 1...6, 9, sectionHeader, 0xBAD, 0x4000_0BAD: true
    default: false
    }
  }
}
