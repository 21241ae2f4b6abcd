import Checks
import CaptureReader
import FrameDecoder

/// Reports in the words of the golden cases.
extension SeenReport {
  /// As `hci_h4`, `hci_sequence` and `packet` cases list reports.
  var shape: JSON {
    let type = report.eventType
    var members: [String: JSON] = [
      "type": .text("\(report.source)"),
      "pdu": .text(report.pdu == .extended ? "EXT" : "\(report.pdu.name)"),
      "addr": Self.address(report.address),
      "addr_type": Self.kind(report.address),
      "rssi_dbm": Self.power(report.rssi),
      "tx_power_dbm": Self.power(report.txPower),
      "data": .text(Hex.text(data)),
      "data_status": .text("\(report.dataStatus)"),
      "direct_addr": Self.address(report.target),
      "direct_addr_type": Self.kind(report.target),
      "primary_phy": .optional(report.primaryPHY.name.map { "\($0)" }),
      "secondary_phy": .optional(report.secondaryPHY.name.map { "\($0)" }),
      "sid": report.sid == 255 ? .null : .int(Int(report.sid)),
      "periodic_interval_ms": .double(Double(report.periodicInterval) * 1.25),
    ]
    if report.source == .extended {
      members["connectable"] = .bool(type & 1 != 0)
      members["scannable"] = .bool(type & 2 != 0)
      members["directed"] = .bool(type & 4 != 0)
      members["scan_response"] = .bool(type & 8 != 0)
      members["legacy_pdu"] = .bool(type & 16 != 0)
    }
    if report.source == .periodic { members["sync_handle"] = .int(Int(type)) }
    return .object(members)
  }

  /// As link-layer cases describe the packet.
  var airShape: [String: JSON] {
    [
      "pdu": .text("\(report.pdu.name)"),
      "adv_addr": Self.address(report.address),
      "addr_type": Self.kind(report.address),
      "target_addr": Self.address(report.target),
      "target_addr_type": Self.kind(report.target),
      "data": .text(Hex.text(data)),
      "rssi_dbm": Self.power(report.rssi),
      "noise_dbm": Self.power(report.noise),
      "tx_power_dbm": Self.power(report.txPower),
      "channel_index": report.channel == 255 ? .null : .int(Int(report.channel)),
      "crc": .text(report.warnings.contains(.crcBad) ? "bad" : "ok"),
      "adv_mode": .int(Int(report.eventType)),
      "adi": report.sid == 255
        ? .null
        : .object(["did": .int(Int(report.dataID)), "sid": .int(Int(report.sid))]),
    ]
  }

  /// Upper case, as the cases print addresses.
  static func address(_ address: DeviceAddress) -> JSON {
    guard address.isPresent else { return .null }
    let bytes = (0..<6).map { UInt8(truncatingIfNeeded: address.address >> UInt64(40 - 8 * $0)) }
    return .text(bytes.map { Hex.text([$0]).uppercased() }.joined(separator: ":"))
  }

  /// The cases do not tell the kinds of random address apart.
  static func kind(_ address: DeviceAddress) -> JSON {
    switch address.kind {
    case .none: .null
    case .random: .text("random")
    default: .text("\(address.kindName)")
    }
  }

  static func power(_ value: Int8) -> JSON { value == 127 ? .null : .int(Int(value)) }
}
