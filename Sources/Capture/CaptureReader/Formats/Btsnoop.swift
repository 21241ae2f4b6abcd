/// btsnoop: Android (H4), BlueZ (monitor), Frontline (H1). PROTOCOLS.md 1.1.
///
/// Record: u32 original length, u32 included length, u32 flags, u32 drops so far, i64 µs; big-endian.
struct Btsnoop: RecordParser {
  static let format = CaptureFormat(
    name: "btsnoop", title: "btsnoop",
    endings: [
      FileEnding("btsnoop"), FileEnding("log", isOfCapturesAlone: false), FileEnding("cfa"),
      FileEnding("snoop", isLeftOutOfNames: false), FileEnding("hci", isLeftOutOfNames: false),
    ],
    recognises: { $0.matches(magic) }, open: { Btsnoop(capture: $0) })

  static let magic: [UInt8] = Array("btsnoop\0".utf8)
  static let headerLength = 16
  private static let datalinks: [UInt32] = [1001, 1002, 2001]
  static let recordHeaderLength = 24
  /// btsnoop counts µs from a «year 0» that lies 12 days before the Gregorian one.
  static let epoch: Int64 = 0x00DC_DDB3_0F2F_8000

  private let capture: String
  /// False for a log whose times could not be told (btsnooz); they are then all 0.
  private let hasTimes: Bool
  private var link: LinkType?
  private var recovery = Resynchroniser(of: "btsnoop")
  /// Packets lost so far, as the last record counts them.
  private var drops: UInt32 = 0
  private var otherLink: OtherLink?
  private var sanity = RecordSanity()

  init(capture: String, hasTimes: Bool = true) {
    self.capture = capture
    self.hasTimes = hasTimes
  }

  mutating func parse(
    _ bytes: RawSpan, at offset: Int64, final: Bool, into batch: inout RecordBatch,
    log: inout ContainerLog
  ) throws(CaptureProblem) -> Int {
    var at = 0
    if link == nil {
      guard bytes.byteCount >= Self.headerLength else {
        if !final { return 0 }
        throw CaptureProblem(
          .headerTruncated, capture: capture,
          detail: "only \(bytes.byteCount) of the 16 bytes of a btsnoop header are there")
      }
      try readHeader(bytes, log: &log)
      at = Self.headerLength
    }
    guard let link else { return at }
    if otherLink != nil {
      return otherLink?.skip(bytes, at: offset, final: final, &log) ?? bytes.byteCount
    }
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
    at = records(bytes, from: at, at: offset, final: final, link: link, into: &batch, log: &log)
    return final ? otherLink?.skip(bytes, at: offset, final: true, &log) ?? at : at
  }

  /// The header of another capture, where one stands in a record's place (`cat a.log b.log`). Bytes that were read
  /// as it; nil where there is none.
  private mutating func join(
    _ bytes: RawSpan, _ at: Int, at offset: Int64, _ log: inout ContainerLog
  ) -> Int? {
    guard at + Self.headerLength <= bytes.byteCount else { return nil }
    let header = bytes.extracting(at..<(at + Self.headerLength))
    guard header.matches(Self.magic) else { return nil }
    var (other, known) = (self, log)
    guard (try? other.readHeader(header, log: &known)) != nil else { return nil }
    guard other.link == link else {
      otherLink = OtherLink(
        offset: offset + Int64(at),
        detail: "another btsnoop header, of datalink \(header.be32(12))", &log)
      return 0
    }
    drops = 0
    log.note(
      .capturesJoined, frame: log.frames + 1, offset: offset + Int64(at),
      "another btsnoop header: files were joined")
    return Self.headerLength
  }

  private mutating func readHeader(_ bytes: RawSpan, log: inout ContainerLog) throws(CaptureProblem)
  {
    let version = bytes.be32(8)
    guard version == 1 else {
      throw CaptureProblem(
        .unsupportedVersion, capture: capture, offset: 8,
        detail: "btsnoop version \(version); only version 1 is known")
    }
    let datalink = bytes.be32(12)
    guard Self.datalinks.contains(datalink) else {
      throw CaptureProblem(
        .unsupportedDatalink, capture: capture, offset: 12,
        detail: "btsnoop datalink \(datalink) cannot be read",
        remedy: "Datalinks that can: 1001 (HCI H1), 1002 (HCI H4), 2001 (Linux monitor).")
    }
    let type = LinkType.btsnoop(UInt16(datalink))
    link = type
    log.interfaces = [CaptureInterface(link: type)]
  }

  private mutating func records(
    _ bytes: RawSpan, from first: Int, at offset: Int64, final: Bool, link: LinkType,
    into batch: inout RecordBatch, log: inout ContainerLog
  ) -> Int {
    var at = first
    let end = bytes.byteCount
    while !batch.isFull {
      at = usualRecords(bytes, from: at, link: link, into: &batch, log: &log)
      guard !batch.isFull else { return at }
      guard at + Self.recordHeaderLength <= end else {
        if final, let length = join(bytes, at, at: offset, &log) {
          at += length
          if otherLink == nil { continue }
          return at
        }
        return final ? log.cutShort(at: at, end: end, offset: offset) : at
      }
      let header = bytes.extracting(at..<(at + Self.recordHeaderLength))
      let original = header.be32(0)
      let included = Int(header.be32(4))
      let time = Self.time(header.be64(16))
      let next = at + Self.recordHeaderLength + included
      if sanity.isOdd(included: included, original: original, time: time) || final && next > end {
        if let length = join(bytes, at, at: offset, &log) {
          at += length
          if otherLink == nil { continue }
          return at
        }
        let reader = self
        let behind = judging(time)
        let recovered = recovery.handle(
          RecordClaim(
            at: at, length: included, next: next, headerLength: Self.recordHeaderLength),
          in: bytes, offset: offset, final: final, batch: &batch, log: &log,
          checkNext: { behind.check($0, $1) }, check: { reader.check($0, $1) })
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
      log.frames += 1
      append(
        header, bytes, at: at, offset: offset, included: included, original: original,
        time: time, link: link, into: &batch, log: &log)
      at = next
      if !log.marks.isEmpty { return at }
    }
    return at
  }

  /// Takes records for as long as there is nothing to remark on: whole, neither empty nor long, not
  /// longer than on the wire, none lost before them, their times in this century. Returns where that
  /// ends. Not inlined: within `records` its loop runs short of registers, for 6 instructions a frame.
  @inline(never)
  private mutating func usualRecords(
    _ bytes: RawSpan, from first: Int, link: LinkType, into batch: inout RecordBatch,
    log: inout ContainerLog
  ) -> Int {
    let room = max(0, batch.capacity - batch.records.count)
    batch.records.reserve(room)
    let end = bytes.byteCount
    let hasType = link == .btsnoopH4
    let hasFlags = link != .btsnoopMonitor
    let stored = drops.bigEndian
    let (at, frame) = unsafe bytes.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return (first, log.frames) }
      var at = first
      var frame = log.frames
      var record = unsafe batch.records.pointer + batch.records.count
      // Unchecked: a header and one byte are there, and `room` has been reserved.
      for _ in 0..<room where end &- at > Self.recordHeaderLength {
        let header = unsafe base + at
        let original = unsafe UInt32(bigEndian: header.loadUnaligned(as: UInt32.self))
        let included = unsafe UInt32(
          bigEndian: header.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        let flags = unsafe UInt32(
          bigEndian: header.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
        let sinceYear2000 =
          unsafe UInt64(
            bigEndian: header.loadUnaligned(fromByteOffset: 16, as: UInt64.self)) &- Self.year2000
        let data = at &+ Self.recordHeaderLength
        guard included &- 1 < UInt32(RecordSanity.longRecord), included <= original,
          original <= 4 * UInt32(maximumRecordLength), sinceYear2000 <= Self.century,
          end &- data >= Int(included),
          unsafe header.loadUnaligned(fromByteOffset: 12, as: UInt32.self) == stored
        else { break }
        if frame & 1 == 0 { batch.beside.step() }
        frame &+= 1
        let type = unsafe hasType ? header.loadUnaligned(fromByteOffset: 24, as: UInt8.self) : 0
        unsafe record.initialize(
          to: CaptureRecord(
            time: Timestamp(
              nanoseconds: Timestamp.year2000 &+ Int64(bitPattern: sinceYear2000) &* 1000),
            frame: frame, start: data, count: Int(included), originalCount: original, link: link,
            direction: Self.direction(flags: flags, type: type, hasFlags: hasFlags), tag: flags))
        unsafe record += 1
        at = data &+ Int(included)
      }
      unsafe batch.records.keep(upTo: record)
      return (at, frame)
    }
    if frame > log.frames {
      log.frames = frame
      sanity.lastTime = batch.records[batch.records.count - 1].time
    }
    return at
  }

  @inline(__always)
  private mutating func append(
    _ header: RawSpan, _ bytes: RawSpan, at: Int, offset: Int64, included: Int, original: UInt32,
    time: Timestamp, link: LinkType, into batch: inout RecordBatch, log: inout ContainerLog
  ) {
    let flags = header.be32(8)
    let type = link == .btsnoopH4 && included > 0 ? bytes.u8(at + Self.recordHeaderLength) : 0
    var fault = RecordFault.none
    if included == 0 && !(link == .btsnoopMonitor && Self.mayBeEmpty(opcode: flags & 0xffff)) {
      log.note(.emptyRecord, frame: log.frames, offset: offset + Int64(at), "a record without data")
      fault = .empty
    } else if UInt32(included) > original {
      log.note(
        .includedExceedsOriginal, frame: log.frames, offset: offset + Int64(at),
        "\(included) bytes included of \(original)")
    }
    if !time.isKnown {
      log.note(
        hasTimes ? .timestampOutOfRange : .noTimestamp, frame: log.frames,
        offset: offset + Int64(at),
        hasTimes
          ? "the time does not fit the years 1677 to 2262"
          : "times count back from the last record, and that one is missing")
    } else {
      sanity.lastTime = time
    }
    let data = at + Self.recordHeaderLength
    batch.records.append(
      CaptureRecord(
        time: time, frame: log.frames, start: data, count: included, originalCount: original,
        link: link, fault: fault,
        direction: Self.direction(
          flags: flags, type: type, hasFlags: link != .btsnoopMonitor),
        tag: flags))
    if header.be32(12) != drops { noteDrops(header.be32(12), time, offset + Int64(at), &log) }
  }

  /// What the recorder had lost up to a record is another number than before. One that is smaller is that of a
  /// counter that began anew, at none: what it counts was lost since, and is known beside what was lost before.
  private mutating func noteDrops(
    _ now: UInt32, _ time: Timestamp, _ offset: Int64, _ log: inout ContainerLog
  ) {
    if now < drops {
      log.note(
        .lossCounterFalls, frame: log.frames, offset: offset,
        "the counter of lost packets goes from \(drops) to \(now)")
    }
    let new = UInt64(now > drops ? now - drops : now)
    drops = now
    guard new > 0 else { return }
    // The sum of what the marks say, so that a capture and its events tell the same.
    log.lost.packets &+= new
    log.mark(
      CaptureMark(
        .lost, interface: 0, time: time, frame: log.frames, isBehind: false, count: new))
  }

  /// An H4 command or event has but one way to go, whatever the flags say; a monitor's flags hold
  /// an opcode instead.
  /// - Parameter type: H4's type byte, 0 where there is none.
  @inline(__always)
  private static func direction(flags: UInt32, type: UInt8, hasFlags: Bool) -> PacketDirection {
    if type == 4 { return .controllerToHost }
    if type == 1 { return .hostToController }
    guard hasFlags else { return .unknown }
    return flags & 1 == 1 ? .controllerToHost : .hostToController
  }

  /// 2000-01-01 in btsnoop's count.
  private static let year2000 = UInt64(epoch + Timestamp.year2000 / 1000)
  /// From 2000 to 2100, µs.
  private static let century = UInt64((RecordSanity.year2100 - Timestamp.year2000) / 1000)

  @inline(__always)
  static func time(_ raw: UInt64) -> Timestamp {
    let (value, overflow) = Int64(bitPattern: raw).subtractingReportingOverflow(epoch)
    return overflow ? .none : Timestamp(microseconds: value)
  }

  /// Monitor records that carry nothing: Delete Index, Open Index, Close Index.
  static func mayBeEmpty(opcode: UInt32) -> Bool { opcode == 1 || opcode == 8 || opcode == 9 }

  private func judging(_ time: Timestamp) -> Self {
    var reader = self
    reader.sanity = sanity.judging(time)
    return reader
  }

  /// Whether a record could begin here.
  private func check(_ bytes: RawSpan, _ at: Int) -> RecordCheck {
    guard at + Self.recordHeaderLength <= bytes.byteCount else { return .undecided }
    let original = bytes.be32(at)
    let included = Int(bytes.be32(at + 4))
    let flags = bytes.be32(at + 8)
    let time = Self.time(bytes.be64(at + 16))
    guard included <= maximumRecordLength, original <= 4 * UInt32(maximumRecordLength),
      UInt32(included) <= original, sanity.isNear(time)
    else { return .implausible }
    let data = at + Self.recordHeaderLength
    switch link {
    case .some(.btsnoopMonitor):
      guard flags & 0xffff <= 32, flags >> 16 < 64 || flags >> 16 == 0xffff else {
        return .implausible
      }
    case .some(.btsnoopH4):
      guard flags <= 3, included > 0 else { return .implausible }
      guard data < bytes.byteCount else { return .undecided }
      guard (1...5).contains(bytes.u8(data)) else { return .implausible }
    default:
      guard flags <= 3, included > 0 else { return .implausible }
    }
    return .record(end: data + included, apart: sanity.apart(time))
  }
}
