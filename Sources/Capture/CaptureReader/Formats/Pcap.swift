/// pcap in its three layouts (µs, ns, «modified») and both byte orders. PROTOCOLS.md 1.4.
///
/// Record: u32 seconds, u32 fraction, u32 captured length, u32 original length (+ 8 bytes in the
/// modified layout).
struct Pcap: RecordParser {
  static let format = CaptureFormat(
    name: "pcap", title: "pcap",
    endings: [FileEnding("pcap"), FileEnding("cap", isLeftOutOfNames: false)],
    recognises: { $0.byteCount >= 4 && Layout(magic: $0.be32(0)) != nil },
    open: { Pcap(capture: $0) })

  struct Layout {
    let bigEndian: Bool
    let nanoseconds: Bool
    let recordHeaderLength: Int

    /// By the first four bytes, read big-endian.
    init?(magic: UInt32) {
      switch magic {
      case 0xA1B2_C3D4: self.init(bigEndian: true, nanoseconds: false, recordHeaderLength: 16)
      case 0xD4C3_B2A1: self.init(bigEndian: false, nanoseconds: false, recordHeaderLength: 16)
      case 0xA1B2_3C4D: self.init(bigEndian: true, nanoseconds: true, recordHeaderLength: 16)
      case 0x4D3C_B2A1: self.init(bigEndian: false, nanoseconds: true, recordHeaderLength: 16)
      case 0xA1B2_CD34: self.init(bigEndian: true, nanoseconds: false, recordHeaderLength: 24)
      case 0x34CD_B2A1: self.init(bigEndian: false, nanoseconds: false, recordHeaderLength: 24)
      default: return nil
      }
    }

    init(bigEndian: Bool, nanoseconds: Bool, recordHeaderLength: Int) {
      self.bigEndian = bigEndian
      self.nanoseconds = nanoseconds
      self.recordHeaderLength = recordHeaderLength
    }
  }

  static let headerLength = 24

  private let capture: String
  private var layout: Layout?
  private var link = LinkType.none
  /// Before version 2.3 writers stored the two lengths the other way round (libpcap sf-pcap.c).
  private var lengthsSwapped = false
  private var recovery = Resynchroniser(of: "pcap")
  private var sanity = RecordSanity()
  private var otherLink: OtherLink?

  init(capture: String) { self.capture = capture }

  mutating func parse(
    _ bytes: RawSpan, at offset: Int64, final: Bool, into batch: inout RecordBatch,
    log: inout ContainerLog
  ) throws(CaptureProblem) -> Int {
    var at = 0
    if layout == nil {
      guard bytes.byteCount >= Self.headerLength else {
        if !final { return 0 }
        throw CaptureProblem(
          .headerTruncated, capture: capture,
          detail: "only \(bytes.byteCount) of the 24 bytes of a pcap header are there")
      }
      try readHeader(bytes, log: &log)
      at = Self.headerLength
    }
    guard let layout else { return at }
    if otherLink != nil {
      return otherLink?.skip(bytes, at: offset, final: final, &log) ?? bytes.byteCount
    }
    if recovery.isSearching {
      let reader = self
      switch recovery.resume(
        in: bytes, from: at, offset: offset, final: final, log: &log,
        check: { reader.check($0, $1, layout) })
      {
      case .goOn(let place): at = place
      case .stop(let consumed): return consumed
      }
    }
    at = records(
      bytes, from: at, at: offset, final: final, layout: layout, into: &batch, log: &log)
    return final ? otherLink?.skip(bytes, at: offset, final: true, &log) ?? at : at
  }

  /// The header of another capture, where one stands in a record's place (`cat a.pcap b.pcap`): as a record it
  /// would be of 2055, by its magic, and empty. Bytes that were read as it; nil where there is none.
  private mutating func join(
    _ bytes: RawSpan, _ at: Int, at offset: Int64, _ log: inout ContainerLog
  ) -> Int? {
    guard at + Self.headerLength <= bytes.byteCount else { return nil }
    var other = self
    let header = bytes.extracting(at..<(at + Self.headerLength))
    var known = log
    guard (try? other.readHeader(header, log: &known)) != nil else { return nil }
    guard other.link == link else {
      otherLink = OtherLink(
        offset: offset + Int64(at),
        detail: "another pcap header, of link type \(other.link.number ?? 0)", &log)
      return 0
    }
    (layout, lengthsSwapped) = (other.layout, other.lengthsSwapped)
    log.note(
      .capturesJoined, frame: log.frames + 1, offset: offset + Int64(at),
      "another pcap header: files were joined")
    return Self.headerLength
  }

  private mutating func readHeader(_ bytes: RawSpan, log: inout ContainerLog) throws(CaptureProblem)
  {
    guard let layout = Layout(magic: bytes.be32(0)) else { return }
    let major = bytes.u16(4, bigEndian: layout.bigEndian)
    let minor = bytes.u16(6, bigEndian: layout.bigEndian)
    guard major == 2 else {
      throw CaptureProblem(
        .unsupportedVersion, capture: capture, offset: 4,
        detail: "pcap version \(major).\(minor); only version 2 is known")
    }
    let word = bytes.u32(20, bigEndian: layout.bigEndian)
    guard word & 0x03FF_0000 == 0 else {
      throw CaptureProblem(
        .linkTypeReservedBits, capture: capture, offset: 20,
        detail: "reserved bits of the link-type word are set: this is no pcap link type")
    }
    // Bit 26: the length of the frame check sequence is given, in bits 28–31, in 16-bit words.
    let check = word & 0x0400_0000 != 0 ? Int(word >> 28) * 16 : nil
    self.layout = layout
    lengthsSwapped = minor < 3
    link = .pcap(UInt16(word & 0xffff))
    log.interfaces = [CaptureInterface(link: link, frameCheckBits: check)]
  }

  private mutating func records(
    _ bytes: RawSpan, from first: Int, at offset: Int64, final: Bool, layout: Layout,
    into batch: inout RecordBatch, log: inout ContainerLog
  ) -> Int {
    var (at, layout) = (first, layout)
    let end = bytes.byteCount
    while !batch.isFull {
      guard at + layout.recordHeaderLength <= end else {
        return final ? log.cutShort(at: at, end: end, offset: offset) : at
      }
      let header = header(bytes, at, layout)
      if Layout(magic: bytes.be32(at)) != nil {
        if let length = join(bytes, at, at: offset, &log) {
          at += length
          layout = self.layout ?? layout
          if otherLink == nil { continue }
          return at
        }
        // What is cut short is no record either.
        if at + Self.headerLength > end {
          return final ? log.cutShort(at: at, end: end, offset: offset) : at
        }
      }
      let next = at + layout.recordHeaderLength + header.captured
      let odd = sanity.isOdd(
        included: header.captured, original: header.original, time: header.time)
      if odd || header.fraction >= 1 << 31 || final && next > end {
        let reader = self
        let behind = judging(header.time)
        let recovered = recovery.handle(
          RecordClaim(
            at: at, length: header.captured, next: next, headerLength: layout.recordHeaderLength),
          in: bytes, offset: offset, final: final, batch: &batch, log: &log,
          checkNext: { behind.check($0, $1, layout) }, check: { reader.check($0, $1, layout) })
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
      append(header, at: at, offset: offset, layout: layout, into: &batch, log: &log)
      at = next
    }
    return at
  }

  private struct Header {
    let time: Timestamp
    let fraction: UInt32
    let captured: Int
    let original: UInt32
  }

  @inline(__always)
  private func header(_ bytes: RawSpan, _ at: Int, _ layout: Layout) -> Header {
    let seconds = Int64(bytes.u32(at, bigEndian: layout.bigEndian))
    let fraction = bytes.u32(at + 4, bigEndian: layout.bigEndian)
    let first = bytes.u32(at + 8, bigEndian: layout.bigEndian)
    let second = bytes.u32(at + 12, bigEndian: layout.bigEndian)
    // 2³² s and 2³² µs stay below 2⁶³ ns; a fraction beyond one second carries over.
    let time = Timestamp(
      nanoseconds: seconds &* 1_000_000_000
        &+ Int64(fraction) &* (layout.nanoseconds ? 1 : 1000))
    return Header(
      time: time, fraction: fraction, captured: Int(lengthsSwapped ? second : first),
      original: lengthsSwapped ? first : second)
  }

  @inline(__always)
  private mutating func append(
    _ header: Header, at: Int, offset: Int64, layout: Layout, into batch: inout RecordBatch,
    log: inout ContainerLog
  ) {
    log.frames += 1
    var fault = RecordFault.none
    if header.captured == 0 {
      log.note(.emptyRecord, frame: log.frames, offset: offset + Int64(at), "a record without data")
      fault = .empty
    } else if UInt32(header.captured) > header.original {
      log.note(
        .includedExceedsOriginal, frame: log.frames, offset: offset + Int64(at),
        "\(header.captured) bytes included of \(header.original)")
    }
    if header.fraction >= (layout.nanoseconds ? 1_000_000_000 : 1_000_000) {
      log.note(
        .fractionOutOfRange, frame: log.frames, offset: offset + Int64(at),
        "\(header.fraction) parts of a second, carried over")
    }
    sanity.lastTime = header.time
    batch.records.append(
      CaptureRecord(
        time: header.time, frame: log.frames, start: at + layout.recordHeaderLength,
        count: header.captured, originalCount: header.original, link: link, fault: fault))
  }

  private func judging(_ time: Timestamp) -> Self {
    var reader = self
    reader.sanity = sanity.judging(time)
    return reader
  }

  /// Whether a record could begin here.
  private func check(_ bytes: RawSpan, _ at: Int, _ layout: Layout) -> RecordCheck {
    guard at + layout.recordHeaderLength <= bytes.byteCount else { return .undecided }
    let header = header(bytes, at, layout)
    guard header.captured <= maximumRecordLength, header.captured > 0,
      UInt32(header.captured) <= header.original,
      header.original <= 4 * UInt32(maximumRecordLength),
      header.fraction < (layout.nanoseconds ? 1_000_000_000 : 1_000_000),
      sanity.isNear(header.time)
    else { return .implausible }
    return .record(
      end: at + layout.recordHeaderLength + header.captured, apart: sanity.apart(header.time))
  }
}
