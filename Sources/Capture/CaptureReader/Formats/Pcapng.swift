/// pcapng: sections, interfaces, three kinds of packet block, both byte orders. PROTOCOLS.md 1.5.
///
/// Block: u32 type, u32 total length, body, u32 total length again.
struct Pcapng: RecordParser {
  static let format = CaptureFormat(
    name: "pcapng", title: "pcapng", endings: [FileEnding("pcapng")],
    recognises: { $0.byteCount >= 4 && $0.be32(0) == sectionHeader },
    open: { Pcapng(capture: $0) })

  static let sectionHeader: UInt32 = 0x0A0D_0D0A
  static let byteOrderMagic: UInt32 = 0x1A2B_3C4D
  /// Longer blocks are taken for damage; ones of unknown type above the second limit are stepped
  /// over without being kept, while no other blocks are found in them. Those of known type are
  /// never that long.
  static let longestBlock = 16 << 20
  static let longestKept = 512 << 10

  let capture: String
  var bigEndian = false
  /// This section's interfaces; their places in the log's list go on counting, unless the same one stands at the same
  /// number of a section before.
  var interfaces: [Interface] = []
  /// Places in the log's list of those of all sections.
  var places: [InterfaceKey: UInt16] = [:]
  /// Those of them on which capturing had stopped when their section ended.
  var off: Set<UInt16> = []
  /// It has been noted that this section goes on with interfaces of another one.
  var isJoined = false
  private var sections = 0
  /// Byte at which this section begins.
  private(set) var sectionStart: Int64 = 0
  /// A section of another major version: its blocks are stepped over.
  private var isSkippingSection = false
  private var long: LongBlock?
  private var recovery = Resynchroniser(of: "pcapng")

  /// A block that is stepped over: where it begins in the input and how long it says it is.
  private struct LongBlock {
    let start: Int64
    let length: Int
    var end: Int64 { start + Int64(length) }
  }

  struct Interface {
    let place: UInt16
    let link: LinkType
    let snapLength: UInt32
    let unitsPerSecond: UInt64
    let offsetSeconds: Int64
    /// Packets lost of it so far.
    var lost: UInt64 = 0
    /// Time of its latest statistics; none where there were none yet.
    var countedUntil = Timestamp.none
    /// Capturing has stopped, and not gone on.
    var isOff = false
  }

  /// What an interface is known again by: its number in the section, and what describes it.
  struct InterfaceKey: Hashable {
    let number: Int
    let link: LinkType
    let name: String?
    let check: Int?
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
      if let long {
        switch stepOver(long, in: bytes, from: at, offset: offset, final: final, log: &log) {
        case .goOn(let place): at = place
        case .stop(let consumed): return consumed
        }
      }
      guard at + 12 <= bytes.byteCount else { return try cut(bytes, at, offset, final, &log) }
      switch outline(bytes, at, final: final) {
      case .incomplete: return try cut(bytes, at, offset, final, &log)
      case .damaged(let fault):
        if sections == 0 {
          throw CaptureProblem(
            fault.code, capture: capture, offset: offset + Int64(at), detail: fault.detail)
        }
        let reader = self
        switch recovery.begin(
          fault.code, fault.detail, in: bytes, at: at, offset: offset, final: final, log: &log,
          check: { reader.check($0, $1) })
        {
        case .goOn(let place): at = place
        case .stop(let consumed): return consumed
        }
      case .long(let length):
        long = LongBlock(start: offset + Int64(at), length: length)
        at += 8
      case .block(let block):
        try take(block, bytes, offset: offset, into: &batch, log: &log)
        at = block.end
        if !log.marks.isEmpty { return at }
      }
    }
    return at
  }

  /// Goes through a long block whose length nothing vouches for before its end is reached: other
  /// blocks in it, or another length at its end, and its header was damaged.
  private mutating func stepOver(
    _ block: LongBlock, in bytes: RawSpan, from at: Int, offset: Int64, final: Bool,
    log: inout ContainerLog
  ) -> Recovery {
    let reader = self
    let check: (RawSpan, Int) -> RecordCheck = { reader.check($0, $1) }
    let end = Int(block.end - offset)
    if end <= bytes.byteCount {
      long = nil
      let trailing = Int(bytes.u32(end - 4, bigEndian: bigEndian))
      if trailing == block.length {
        log.unread.noteBlock(0)
        return .goOn(at: end)
      }
      let fault = Fault.mismatch(header: block.length, trailer: trailing)
      recovery.note(fault.code, fault.detail, place: block.start, log: &log)
      return recovery.resume(
        in: bytes, from: at, offset: offset, final: final, log: &log, check: check)
    }
    let found = Resynchroniser.findRun(in: bytes, from: at, final: final, check: check)
    if case .found(let place) = found {
      long = nil
      let fault = Fault.overOthers(block.length)
      recovery.note(fault.code, fault.detail, place: block.start, log: &log)
      return recovery.resume(
        in: bytes, from: place, offset: offset, final: final, log: &log, check: check)
    }
    if final {
      log.note(
        .fileTruncated, frame: log.frames, offset: offset + Int64(bytes.byteCount),
        "the input ends \(end - bytes.byteCount) bytes before the end of a block")
      return .stop(consumed: bytes.byteCount)
    }
    // What may begin a block near the end of these bytes, or the closing length, is kept.
    guard case .undecided(let place) = found else { return .stop(consumed: at) }
    return .stop(consumed: min(place, end - 4))
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
    case damaged(Fault)
  }

  /// What is wrong with a block; put into words only where it is reported, since the search after
  /// damage asks at every byte.
  private enum Fault {
    case noByteOrder
    case length(Int)
    case pastEnd(Int)
    case overOthers(Int)
    case mismatch(header: Int, trailer: Int)

    var code: ProblemCode {
      switch self {
      case .noByteOrder: .badByteOrderMagic
      case .length, .pastEnd, .overOthers: .blockLengthInvalid
      case .mismatch: .blockLengthMismatch
      }
    }

    var detail: String {
      switch self {
      case .noByteOrder: "a pcapng section header without a valid byte-order magic"
      case .length(let length): "a block says it is \(length) bytes long"
      case .pastEnd(let length):
        "a block of \(length) bytes runs past the end of the input, over other blocks"
      case .overOthers(let length): "a block of \(length) bytes runs over other blocks"
      case .mismatch(let header, let trailer):
        "block total length in header \(header) and trailer \(trailer) do not match"
      }
    }
  }

  private func outline(_ bytes: RawSpan, _ at: Int, final: Bool) -> Outline {
    var big = bigEndian
    let isSection = bytes.be32(at) == Self.sectionHeader
    if isSection {
      switch Self.byteOrderMagic {
      case bytes.be32(at + 8): big = true
      case bytes.le32(at + 8): big = false
      default: return .damaged(.noByteOrder)
      }
    }
    let type = bytes.u32(at, bigEndian: big)
    let length = Int(bytes.u32(at + 4, bigEndian: big))
    let least = isSection ? 28 : 12
    let most = Self.isKnown(type) ? Self.longestKept : Self.longestBlock
    guard length >= least, length % 4 == 0, length <= most else {
      return .damaged(.length(length))
    }
    if length > Self.longestKept { return .long(length) }
    guard at + length <= bytes.byteCount else {
      if final && sections > 0
        && Resynchroniser.hasRecords(in: bytes, from: at + 4, check: { check($0, $1) })
      {
        return .damaged(.pastEnd(length))
      }
      return .incomplete
    }
    let trailing = Int(bytes.u32(at + length - 4, bigEndian: big))
    guard trailing == length else {
      return .damaged(.mismatch(header: length, trailer: trailing))
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
    case 5: statistics(block, bytes, log: &log)
    case 0xBAD, 0x4000_0BAD:
      number(block, into: &batch, log: &log)
      customBlock(block, bytes, offset: offset, log: &log)
    case 9: number(block, into: &batch, log: &log)
    default: log.unread.noteBlock(block.type)
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
    for interface in interfaces {
      if interface.isOff { off.insert(interface.place) } else { off.remove(interface.place) }
    }
    interfaces = []
    isJoined = false
    if !isSkippingSection { takeComments(block, bytes, &log) }
    sectionStart = offset + Int64(block.start)
    sections += 1
  }

  /// Whether a block could begin here.
  private func check(_ bytes: RawSpan, _ at: Int) -> RecordCheck {
    guard at + 12 <= bytes.byteCount else { return .undecided }
    switch outline(bytes, at, final: false) {
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
