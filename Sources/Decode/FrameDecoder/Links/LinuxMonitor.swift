import CaptureReader

/// The Linux monitor: link type 254 with a header of its own, btsnoop 2001 with it in the flags
/// (PROTOCOLS.md 2.4).
enum LinuxMonitor {
  static let row = LinkTypeRow(
    link: .linuxMonitor, name: "Linux monitor",
    decode: { decoder, records, bytes in
      decoder.each(records, bytes) { decoder, record, data, base in
        guard data.byteCount >= 4 else { return .malformed(.pseudoHeaderTruncated) }
        return decoder.monitor(
          record, data.extracting(4..<data.byteCount), base: base + 4, adapter: data.be16(0),
          opcode: data.be16(2))
      }
    })

  static let btsnoopRow = LinkTypeRow(
    link: .btsnoopMonitor, name: "Linux monitor",
    decode: { decoder, records, bytes in
      decoder.each(records, bytes) { decoder, record, data, base in
        decoder.monitor(
          record, data, base: base, adapter: UInt16(record.tag >> 16),
          opcode: UInt16(record.tag & 0xffff))
      }
    })
}

extension FrameDecoder {
  @inline(__always)
  fileprivate mutating func monitor(
    _ record: borrowing CaptureRecord, _ data: RawSpan, base: Int, adapter: UInt16, opcode: UInt16
  ) -> FrameOutcome {
    switch opcode {
    case 3:
      let observer = observer(interface: record.interface, adapter: adapter, hci: true)
      return hci(.event, record, data, base: base, observer: observer)
    case 2:
      let observer = observer(interface: record.interface, adapter: adapter, hci: true)
      return hci(.command, record, data, base: base, observer: observer)
    case 4...7, 18, 19: return .other
    default: return monitorNote(record, data, adapter: adapter, opcode: opcode)
    }
  }

  /// What the kernel says about adapters and itself.
  private mutating func monitorNote(
    _ record: borrowing CaptureRecord, _ data: RawSpan, adapter: UInt16, opcode: UInt16
  ) -> FrameOutcome {
    guard opcode <= 19 else { return .unsupported(.unknownMonitorOpcode) }
    let observer = observer(interface: record.interface, adapter: adapter, hci: true)
    // The kernel itself is no radio: it neither hears nor becomes deaf.
    if adapter != Observer.systemAdapter { hear(record) }
    switch opcode {
    case 0 where data.byteCount >= 16:
      var name = data.extracting(8..<16).array()
      if let zero = name.firstIndex(of: 0) { name.removeSubrange(zero...) }
      observers[observer].controller = ControllerInfo(
        type: data.u8(0), bus: data.u8(1), address: DeviceAddress(data.le48(2), .publicDevice),
        name: String(decoding: name, as: UTF8.self))
    case 10 where data.byteCount >= 6:
      let address = DeviceAddress(data.le48(0), .publicDevice)
      observers[observer].controller?.address = address
    case 1, 9:
      flushFragments(observer: observer, at: record.frame - 1)
      observers[observer].syncs.removeAll()
      observers[observer].scan.adapterRemoved(at: moment(of: record))
      note(.reset, frame: record.frame)
    case 12 where observers[observer].systemNote == nil:
      var text = data.extracting(0..<min(data.byteCount, 200)).array()
      if let zero = text.firstIndex(of: 0) { text.removeSubrange(zero...) }
      observers[observer].systemNote = String(decoding: text, as: UTF8.self)
    default: break
    }
    return .other
  }
}
