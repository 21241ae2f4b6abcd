/// What pcapng says around a packet: direction, drops, and Kismet's GPS (PROTOCOLS.md 1.5, 9.4).
extension Pcapng {
  /// The options of a packet block; an overrun makes all of them ignored.
  mutating func packetOptions(
    _ bytes: RawSpan, from start: Int, to end: Int, time: Timestamp, place: Int64,
    log: inout ContainerLog
  ) -> (direction: PacketDirection, drops: UInt64) {
    // Most packets carry the flags option alone: no second walk, no closure over the log for them.
    var direction = PacketDirection.unknown
    var drops: UInt64 = 0
    var custom = -1
    var customLength = 0
    var comments = 0
    var others = 0
    let big = bigEndian
    let whole = options(bytes, from: start, to: end) { code, at, length in
      switch code {
      case 1: comments += 1
      case 2 where length >= 4:
        switch bytes.u32(at, bigEndian: big) & 3 {
        case 1: direction = .controllerToHost
        case 2: direction = .hostToController
        default: break
        }
      case 4 where length >= 8: drops = bytes.u64(at, bigEndian: big)
      case 2989 where length >= 4: (custom, customLength) = (at, length)
      default: others += 1
      }
    }
    if comments > 0 { log.unread.comments += comments }
    if others > 0 { log.unread.otherOptions += others }
    guard whole else {
      log.note(
        .optionOverrun, frame: log.frames, offset: place, "an option runs past its packet block")
      return (.unknown, 0)
    }
    if custom >= 0 {
      kismetFix(
        bytes.extracting(custom..<(custom + customLength)), time: time, place: place, log: &log)
    }
    return (direction, drops)
  }

  /// Custom blocks and systemd journal entries are no packets, but Wireshark gives them frame
  /// numbers (tshark 4.0), so they take one here, too.
  func number(_ block: Block, into batch: inout RecordBatch, log: inout ContainerLog) {
    log.frames += 1
    batch.records.append(
      CaptureRecord(
        time: .none, frame: log.frames, start: block.body, count: block.bodyEnd - block.body,
        originalCount: UInt32(block.bodyEnd - block.body), link: .none, fault: .note))
  }

  /// Kismet writes positions as blocks of their own, too.
  mutating func customBlock(
    _ block: Block, _ bytes: RawSpan, offset: Int64, log: inout ContainerLog
  ) {
    guard block.body + 4 <= block.bodyEnd else { return }
    kismetFix(
      bytes.extracting(block.body..<block.bodyEnd), time: .none,
      place: offset + Int64(block.start), log: &log)
  }

  /// u32 enterprise 55922, u8 0x47, u8 1, u16 length, u32 present bits, fields in bit order.
  private mutating func kismetFix(
    _ data: RawSpan, time: Timestamp, place: Int64, log: inout ContainerLog
  ) {
    guard data.byteCount >= 12, data.u32(0, bigEndian: bigEndian) == 55922, data.u8(4) == 0x47,
      data.u8(5) == 1
    else { return }
    let present = data.u32(8, bigEndian: bigEndian)
    var at = 12
    var values: [UInt32: UInt32] = [:]
    // Every field that can occur is four bytes long, in the order of its bit.
    for bit in 1..<12 where present & (1 << UInt32(bit)) != 0 {
      guard at + 4 <= data.byteCount else { return }
      values[UInt32(bit)] = data.u32(at, bigEndian: bigEndian)
      at += 4
    }
    guard let longitude = values[1], let latitude = values[2] else { return }
    switch PositionScale.judge(latitude: latitude, longitude: longitude) {
    case .usable: break
    case .outOfRange:
      return log.note(
        .gpsValueOutOfRange, frame: log.frames, offset: place,
        "a latitude beyond ±90° or a longitude beyond ±180°")
    case .zero:
      return log.note(
        .positionZero, frame: log.frames, offset: place, "a position at exactly 0°, 0°")
    }
    var when = time
    if let high = values[10], let low = values[11] {
      when = Timestamp(
        units: UInt64(high) << 32 | UInt64(low),
        unitsPerSecond: interfaces.first?.unitsPerSecond ?? 1_000_000,
        offsetSeconds: interfaces.first?.offsetSeconds ?? 0)
    }
    log.fixes.append(
      PositionFix(
        time: when, frame: log.frames, latitude: PositionScale.angle(latitude),
        longitude: PositionScale.angle(longitude),
        altitude: values[3].map(PositionScale.metres),
        accuracy: values[7].map(PositionScale.error)))
  }
}

/// The fixed-point numbers of PPI-GPS and Kismet (PROTOCOLS.md 9.3).
public enum PositionScale {
  public enum Judgement {
    case usable
    /// There is no such place.
    case outOfRange
    /// Exactly 0°, 0°, where no land is: what receivers write that have no fix.
    case zero
  }

  /// −180° is 0 and 180° 3 600 000 000.
  public static func judge(latitude: UInt32, longitude: UInt32) -> Judgement {
    guard (900_000_000...2_700_000_000).contains(latitude), longitude <= 3_600_000_000 else {
      return .outOfRange
    }
    return latitude == 1_800_000_000 && longitude == 1_800_000_000 ? .zero : .usable
  }

  public static func angle(_ raw: UInt32) -> Double { Double(raw) / 10_000_000 - 180 }
  public static func metres(_ raw: UInt32) -> Double { Double(raw) / 10_000 - 180_000 }
  /// Metres of a horizontal error.
  public static func error(_ raw: UInt32) -> Double { Double(raw) / 1_000_000 }
}
