import CaptureReader

/// H4 packet types (PROTOCOLS.md 3.1).
struct H4Type: RawRepresentable, Hashable {
  let rawValue: UInt8
  static func == (a: H4Type, b: H4Type) -> Bool { a.rawValue == b.rawValue }
  static let command = H4Type(rawValue: 1)
  static let acl = H4Type(rawValue: 2)
  static let sco = H4Type(rawValue: 3)
  static let event = H4Type(rawValue: 4)
  static let iso = H4Type(rawValue: 5)
}

extension FrameDecoder {
  /// A packet with its H4 type byte.
  @inline(__always)
  mutating func h4(
    _ record: borrowing CaptureRecord, _ data: RawSpan, base: Int, observer: Int
  ) -> FrameOutcome {
    guard data.byteCount > 0 else { return .malformed(.packetEmpty) }
    return hci(
      H4Type(rawValue: data.u8(0)), record, data.extracting(1..<data.byteCount),
      base: base + 1, observer: observer)
  }

  /// A packet whose type is known; `base`: where it lies in the batch.
  mutating func hci(
    _ type: H4Type, _ record: borrowing CaptureRecord, _ packet: RawSpan, base: Int,
    observer: Int
  ) -> FrameOutcome {
    hear(record)
    switch type {
    case .event: return event(record, packet, base: base, observer: observer)
    case .command: return command(record, packet, observer: observer)
    case .acl, .sco, .iso: return .other
    default: return .unsupported(.unknownH4Type)
    }
  }

  /// Command: u16 opcode, u8 length, parameters.
  private mutating func command(
    _ record: borrowing CaptureRecord, _ packet: RawSpan, observer: Int
  ) -> FrameOutcome {
    guard packet.byteCount >= 3 else { return .malformed(.eventTooShort) }
    let length = min(Int(packet.u8(2)), packet.byteCount - 3)
    let short = observers[observer].scan.command(
      opcode: packet.le16(0), packet.extracting(3..<(3 + length)),
      at: moment(of: record))
    if short { warnings.insert(.commandTruncated) }
    return .other
  }

  /// Event: u8 code, u8 length, parameters. What is there is parsed, never what is not.
  private mutating func event(
    _ record: borrowing CaptureRecord, _ packet: RawSpan, base: Int, observer: Int
  ) -> FrameOutcome {
    guard packet.byteCount >= 2 else { return .malformed(.eventTooShort) }
    let length = Int(packet.u8(1))
    let available = packet.byteCount - 2
    if length > available {
      warnings.insert(.eventTruncated)
    } else if length < available {
      warnings.insert(.bytesAfterEvent)
    }
    let parameters = packet.extracting(2..<(2 + min(length, available)))
    let outcome =
      switch packet.u8(0) {
      case 0x3E: metaEvent(record, parameters, base: base + 2, observer: observer)
      case 0x0E: commandComplete(record, parameters, base: base + 2, observer: observer)
      default: FrameOutcome.other
      }
    return outcome
  }

  /// LE Meta: the subevent decides.
  private mutating func metaEvent(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, base: Int, observer: Int
  ) -> FrameOutcome {
    guard bytes.byteCount > 0 else { return .malformed(.eventEmpty) }
    switch bytes.u8(0) {
    case 0x02: return legacyReports(record, bytes, base: base, observer: observer)
    case 0x0D: return extendedReports(record, bytes, base: base, observer: observer)
    case 0x0B: return directedReports(record, bytes, observer: observer)
    case 0x0E: return syncEstablished(bytes, observer: observer)
    case 0x0F: return periodicReport(record, bytes, base: base, observer: observer)
    case 0x10: return syncLost(bytes, observer: observer)
    case 0x11:
      observers[observer].scan.close(at: moment(of: record), .timeout)
      note(.scanOff, frame: record.frame)
      return .other
    default: return .other
    }
  }

  /// Command Complete: u8 credits, u16 opcode, u8 status, …
  private mutating func commandComplete(
    _ record: borrowing CaptureRecord, _ bytes: RawSpan, base: Int, observer: Int
  ) -> FrameOutcome {
    guard bytes.byteCount >= 4 else { return .other }
    let opcode = bytes.le16(1)
    let status = bytes.u8(3)
    if opcode == AndroidBatchScan.opcode {
      return batchResults(
        record, bytes.extracting(3..<bytes.byteCount), base: base + 3, observer: observer)
    }
    let change = observers[observer].scan.complete(
      opcode: opcode, status: status, filter: ContentFilter.Kind(bytes.extracting(4...)),
      at: moment(of: record))
    if let change {
      let isOn = change == .scanOn || change == .scanLimits
      let share = isOn ? observers[observer].scan.shareNow : nil
      note(
        change, frame: record.frame, step: share.map { Int64(($0 * 1e6).rounded()) } ?? 0,
        limits: isOn ? observers[observer].scan.limitsNow : [])
    }
    if opcode == ScanState.reset && status == 0 {
      flushFragments(observer: observer, at: record.frame - 1)
      observers[observer].syncs.removeAll()
    }
    return .other
  }

  /// Whether an H4 packet says nothing about advertising or scanning, and there is nothing odd about
  /// it: data, or an event other than LE Meta and Command Complete.
  /// - Parameter head: its first eight bytes, least significant first.
  @inlinable @inline(__always)
  public static func isOther(_ head: UInt64, length: Int) -> Bool {
    let type = head & 0xFF
    let event = head >> 8 & 0xFF
    if type == 4 { return event != 0x3E && event != 0x0E && Int(head >> 16 & 0xFF) == length &- 3 }
    return type == 2 || type == 3 || type == 5
  }

  /// RSSI −128 and 21…126 lie outside the defined range; 127 means «not available».
  @inlinable @inline(__always)
  public static func isOutOfRange(rssi: Int8) -> Bool { rssi == -128 || (rssi > 20 && rssi != 127) }
}
