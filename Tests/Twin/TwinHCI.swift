/// HCI events that carry advertisements (PROTOCOLS.md part 3).
extension Twin {
  /// `type` as in H4: 1 command, 2 ACL, 3 SCO, 4 event, 5 ISO.
  mutating func hci(_ type: Int, _ record: TwinRecord, _ adapter: Int?, _ packet: Octets)
    -> TwinOutcome
  {
    switch type {
    case 1: return packet.count < 3 ? .malformed("event_too_short") : .other
    case 2, 3, 5: return .other
    case 4: break
    default: return .unsupported("unknown_h4_type")
    }
    var octets = packet
    guard let code = octets.u8(), let length = octets.u8() else {
      return .malformed("event_too_short")
    }
    // What is there of the parameters, and nothing behind them.
    let parameters = Octets(octets.all.prefix(length))
    return with(radio: record.interface, adapter) { radio in
      switch code {
      case 0x3E: radio.meta(record, parameters)
      case 0x0E: radio.commandComplete(record, parameters)
      default: (.other, [])
      }
    }
  }
}

extension Twin.Radio {
  typealias Found = (TwinOutcome, [TwinReport])

  mutating func meta(_ record: TwinRecord, _ parameters: Octets) -> Found {
    var octets = parameters
    switch octets.u8() {
    case nil: return (.malformed("event_empty"), [])
    case 0x02: return legacy(record, octets)
    case 0x0B: return directed(record, octets)
    case 0x0D: return extended(record, octets)
    case 0x0E: return synchronised(octets)
    case 0x0F: return periodic(record, octets)
    case 0x10:
      guard let handle = octets.little(2) else { return (.malformed("report_truncated"), []) }
      trains.removeAll { $0.handle == Int(handle) }
      return (.other, [])
    default: return (.other, [])
    }
  }

  /// u8 credits, u16 opcode, u8 status.
  mutating func commandComplete(_ record: TwinRecord, _ parameters: Octets) -> Found {
    var octets = parameters
    guard octets.take(1) != nil, let opcode = octets.little(2), let status = octets.u8() else {
      return (.other, [])
    }
    if opcode == 0xFD56 { return status == 0 ? batch(record, octets) : (.other, []) }
    guard opcode == 0x0C03, status == 0 else { return (.other, []) }
    trains = []
    return (.other, fragments.flush())
  }

  /// Type, address type, address, length, data, RSSI; the reports follow one another.
  private mutating func legacy(_ record: TwinRecord, _ parameters: Octets) -> Found {
    var octets = parameters
    guard let count = octets.u8() else { return (.malformed("report_truncated"), []) }
    if count == 0 { return (.malformed("num_reports_zero"), []) }
    var found: [TwinReport] = []
    for index in 0..<count {
      guard octets.u8() != nil, let type = octets.u8(), let address = octets.take(6),
        let length = octets.u8(), let data = octets.take(length), let rssi = octets.i8()
      else {
        return (found.isEmpty ? .malformed("report_truncated") : .advertising, found)
      }
      if length > 31 { continue }
      var report = TwinReport(frame: record.frame, nanoseconds: record.nanoseconds)
      report.index = index
      report.address = TwinAddress(hci: type, address)
      report.data = data
      report.rssi = Twin.dBm(rssi)
      report.phy = 1
      found.append(report)
    }
    return (found.isEmpty ? .malformed("legacy_data_longer_than_31") : .advertising, found)
  }

  /// Sixteen bytes a report, without data.
  private mutating func directed(_ record: TwinRecord, _ parameters: Octets) -> Found {
    var octets = parameters
    guard let count = octets.u8() else { return (.malformed("report_truncated"), []) }
    if count == 0 { return (.malformed("num_reports_zero"), []) }
    var found: [TwinReport] = []
    for index in 0..<count {
      guard octets.u8() != nil, let type = octets.u8(), let address = octets.take(6),
        octets.take(7) != nil, let rssi = octets.i8()
      else { break }
      var report = TwinReport(frame: record.frame, nanoseconds: record.nanoseconds)
      report.index = index
      report.address = TwinAddress(hci: type, address)
      report.rssi = Twin.dBm(rssi)
      report.phy = 1
      found.append(report)
    }
    return (found.isEmpty ? .malformed("report_truncated") : .advertising, found)
  }
}
