/// The packet and interface blocks of pcapng.
extension Pcapng {
  /// Interfaces of a file, all its sections together: a record's number for one has 16 bits.
  static let maximumInterfaces = 65_535

  mutating func describeInterface(
    _ block: Block, _ bytes: RawSpan, offset: Int64, log: inout ContainerLog
  ) {
    guard block.body + 8 <= block.bodyEnd else {
      log.note(
        .blockLengthInvalid, frame: log.frames, offset: offset + Int64(block.start),
        "an interface description of \(block.bodyEnd - block.body) bytes")
      return
    }
    let link = LinkType.pcap(bytes.u16(block.body, bigEndian: bigEndian))
    var name: String?
    var check: Int?
    var units: UInt64 = 1_000_000
    var seconds: Int64 = 0
    let big = bigEndian
    let whole = options(bytes, from: block.body + 8, to: block.bodyEnd) { code, at, length in
      log.unread.noteInterface(code)
      switch code {
      case 2: name = String(decoding: bytes.extracting(at..<(at + length)).array(), as: UTF8.self)
      case 9 where length >= 1:
        if let resolution = Self.unitsPerSecond(bytes.u8(at)) { units = resolution }
      case 13 where length >= 1: check = Int(bytes.u8(at)) * 8
      case 14 where length >= 8: seconds = Int64(bitPattern: bytes.u64(at, bigEndian: big))
      default: break
      }
    }
    if !whole {
      log.note(
        .optionOverrun, frame: log.frames, offset: offset + Int64(block.start),
        "an option runs past its interface block")
      (name, check, units, seconds) = (nil, nil, 1_000_000, 0)
    }
    guard
      let place = place(
        of: CaptureInterface(link: link, name: name, frameCheckBits: check),
        offset: offset + Int64(block.start), &log)
    else { return }
    interfaces.append(
      Interface(
        place: place, link: link, snapLength: bytes.u32(block.body + 4, bigEndian: bigEndian),
        unitsPerSecond: units, offsetSeconds: seconds, isOff: off.contains(place)))
  }

  /// Its place in the log's list; nil where that is full.
  ///
  /// Sections of one file are recordings that were joined (`cat a.pcapng b.pcapng`). What is the same interface in each
  /// is one radio, as in files of the other formats that were joined: two would seem to confirm each other.
  private mutating func place(
    of interface: CaptureInterface, offset: Int64, _ log: inout ContainerLog
  ) -> UInt16? {
    let key = InterfaceKey(
      number: interfaces.count, link: interface.link, name: interface.name,
      check: interface.frameCheckBits)
    if let known = places[key] {
      if !isJoined {
        isJoined = true
        log.note(
          .capturesJoined, frame: log.frames + 1, offset: sectionStart,
          "another section with the same interface: files were joined")
      }
      return known
    }
    // Packets of interfaces beyond are like those of interfaces that were never described.
    guard log.interfaces.count < Self.maximumInterfaces else { return nil }
    let place = UInt16(log.interfaces.count)
    log.interfaces.append(interface)
    places[key] = place
    return place
  }

  /// `if_tsresol`: 10⁻ⁿ s, or 2⁻ⁿ s with the top bit set; nil where libpcap refuses it too.
  static func unitsPerSecond(_ value: UInt8) -> UInt64? {
    let power = Int(value & 0x7f)
    if value & 0x80 != 0 { return power <= 63 ? 1 << UInt64(power) : nil }
    guard power <= 19 else { return nil }
    return (0..<power).reduce(UInt64(1)) { product, _ in product &* 10 }
  }

  /// The interface of a packet block, and the packets that were lost before it: only obsolete blocks have
  /// these in a field, where 0xFFFF says that nobody counted.
  private func interfaceAndDrops(_ block: Block, _ bytes: RawSpan) -> (Int, UInt64) {
    guard block.type == 2 else { return (Int(bytes.u32(block.body, bigEndian: bigEndian)), 0) }
    let counted = bytes.u16(block.body + 2, bigEndian: bigEndian)
    return (
      Int(bytes.u16(block.body, bigEndian: bigEndian)), counted == 0xffff ? 0 : UInt64(counted)
    )
  }

  /// Enhanced (6) and obsolete (2) packet blocks.
  mutating func packet(
    _ block: Block, _ bytes: RawSpan, offset: Int64, into batch: inout RecordBatch,
    log: inout ContainerLog
  ) {
    let place = offset + Int64(block.start)
    guard block.body + 20 <= block.bodyEnd else {
      log.note(
        .blockLengthInvalid, frame: log.frames + 1, offset: place, "a packet block too short")
      return
    }
    let (number, counted) = interfaceAndDrops(block, bytes)
    var drops = counted
    let high = UInt64(bytes.u32(block.body + 4, bigEndian: bigEndian))
    let low = UInt64(bytes.u32(block.body + 8, bigEndian: bigEndian))
    let captured = Int(bytes.u32(block.body + 12, bigEndian: bigEndian))
    let original = bytes.u32(block.body + 16, bigEndian: bigEndian)
    let data = block.body + 20
    log.frames += 1
    guard number < interfaces.count else {
      log.lost.packets &+= drops
      return refuse(.unknownInterface, .unknownInterface, at: place, into: &batch, log: &log) {
        "a packet for interface \(number), of which nothing is said"
      }
    }
    let interface = interfaces[number]
    guard captured <= block.bodyEnd - data else {
      log.lost.packets &+= drops
      return refuse(.overrunsBlock, .packetOverrunsBlock, at: place, into: &batch, log: &log) {
        "a packet of \(captured) bytes in a block with room for \(block.bodyEnd - data)"
      }
    }
    let time = Timestamp(
      units: high << 32 | low, unitsPerSecond: interface.unitsPerSecond,
      offsetSeconds: interface.offsetSeconds)
    var direction = PacketDirection.unknown
    let optionsStart = data + (captured + 3) & ~3
    if optionsStart + 4 <= block.bodyEnd {
      let told = packetOptions(
        bytes, from: optionsStart, to: block.bodyEnd, time: time, place: place, log: &log)
      direction = told.direction
      drops &+= told.drops
    }
    append(
      time: time, data: data, captured: captured, original: original, interface: interface,
      direction: direction, place: place, into: &batch, log: &log)
    if !time.isKnown {
      log.note(
        .timestampOutOfRange, frame: log.frames, offset: place,
        "the time does not fit the years 1677 to 2262")
    }
    if drops > 0 { lose(drops, number, at: time, isBehind: false, &log) }
    if interface.isOff { goOn(number, at: time, isBehind: false, &log) }
  }

  mutating func simplePacket(
    _ block: Block, _ bytes: RawSpan, offset: Int64, into batch: inout RecordBatch,
    log: inout ContainerLog
  ) {
    let place = offset + Int64(block.start)
    guard block.body + 4 <= block.bodyEnd else {
      log.note(
        .blockLengthInvalid, frame: log.frames + 1, offset: place, "a packet block too short")
      return
    }
    log.frames += 1
    guard let interface = interfaces.first else {
      return refuse(.unknownInterface, .unknownInterface, at: place, into: &batch, log: &log) {
        "a simple packet in a section without interfaces"
      }
    }
    let original = bytes.u32(block.body, bigEndian: bigEndian)
    let limit = interface.snapLength == 0 ? UInt32.max : interface.snapLength
    let captured = min(Int(min(original, limit)), block.bodyEnd - block.body - 4)
    append(
      time: .none, data: block.body + 4, captured: captured, original: original,
      interface: interface, direction: .unknown, place: place, into: &batch, log: &log)
    log.note(.noTimestamp, frame: log.frames, offset: place, "a simple packet block has no time")
  }

  private mutating func append(
    time: Timestamp, data: Int, captured: Int, original: UInt32, interface: Interface,
    direction: PacketDirection, place: Int64, into batch: inout RecordBatch,
    log: inout ContainerLog
  ) {
    if captured == 0 {
      log.note(.emptyRecord, frame: log.frames, offset: place, "a record without data")
    } else if UInt64(captured) > UInt64(original) {
      log.note(
        .includedExceedsOriginal, frame: log.frames, offset: place,
        "\(captured) bytes included of \(original)")
    }
    batch.records.append(
      CaptureRecord(
        time: time, frame: log.frames, start: data, count: captured, originalCount: original,
        link: interface.link, interface: interface.place, fault: captured == 0 ? .empty : .none,
        direction: direction))
  }

  /// A packet that keeps its number but cannot be read.
  private func refuse(
    _ fault: RecordFault, _ code: ProblemCode, at place: Int64, into batch: inout RecordBatch,
    log: inout ContainerLog, detail: () -> String
  ) {
    log.note(code, frame: log.frames, offset: place, detail())
    batch.records.append(
      CaptureRecord(
        time: .none, frame: log.frames, start: 0, count: 0, originalCount: 0, link: .none,
        fault: fault))
  }

  /// Options: u16 code, u16 length, value padded to 4. Returns false where one runs past the block.
  func options(
    _ bytes: RawSpan, from start: Int, to end: Int,
    _ take: (_ code: UInt16, _ at: Int, _ length: Int) -> Void
  ) -> Bool {
    var at = start
    while at + 4 <= end {
      let code = bytes.u16(at, bigEndian: bigEndian)
      let length = Int(bytes.u16(at + 2, bigEndian: bigEndian))
      if code == 0 { return true }
      guard at + 4 + length <= end else { return false }
      take(code, at + 4, length)
      at += 4 + (length + 3) & ~3
    }
    return true
  }
}
