package import Beacons
package import CaptureReader
import FrameDecoder
package import Twin

extension TwinRecord {
  /// A record that the reader found.
  package init(_ record: SeenRecord) {
    self.init(
      frame: record.frame,
      nanoseconds: record.time.isKnown ? record.time.nanoseconds : nil,
      link: TwinLink(record.link), bytes: record.bytes,
      isCut: Int(record.originalCount) > record.bytes.count, tag: Int(record.tag),
      interface: Int(record.interface), fault: TwinOutcome(record.fault))
  }
}

extension TwinLink {
  package init(_ link: LinkType) {
    if link == .packetLogger {
      self = .packetLogger
    } else if [.btsnoopH1, .btsnoopH4, .btsnoopMonitor].contains(link) {
      self = .btsnoop(link.number ?? -1)
    } else {
      self = .pcap(link.number ?? -1)
    }
  }
}

extension TwinOutcome {
  init?(_ fault: RecordFault) {
    switch fault {
    case .none: return nil
    case .note: self.init("other")
    case .empty: self.init("malformed", "empty_record")
    case .unknownInterface: self.init("malformed", "unknown_interface")
    case .overrunsBlock: self.init("malformed", "packet_overruns_block")
    case .unknownType: self.init("unsupported", "unknown_record_type")
    }
  }
}

extension TwinAddress {
  init(_ address: DeviceAddress) {
    let kinds: [DeviceAddress.Kind: Kind] = [
      .publicDevice: .publicDevice, .random: .random, .publicIdentity: .publicIdentity,
      .randomIdentity: .randomIdentity, .anonymous: .anonymous, .unresolved: .unresolved,
      .unknown: .unknown, .none: .none,
    ]
    self.init(
      kinds[address.kind] ?? .none,
      (0..<6).map { UInt8(truncatingIfNeeded: address.address >> UInt64(40 - 8 * $0)) })
  }
}

extension TwinReport {
  package init(_ seen: SeenReport) {
    let report = seen.report
    self.init(
      frame: report.frame, nanoseconds: report.time.isKnown ? report.time.nanoseconds : nil)
    index = Int(report.index)
    address = TwinAddress(report.address)
    data = seen.data
    rssi = report.rssi == 127 ? nil : Int(report.rssi)
    txPower = report.txPower == 127 ? nil : Int(report.txPower)
    channel = report.channel == 255 ? nil : Int(report.channel)
    phy = report.dataPHY == .unknown ? nil : Int(report.dataPHY.rawValue)
    sid = report.sid == 255 ? nil : Int(report.sid)
  }

  /// What a sighting repeats of its report.
  init(_ sighting: Sighting) {
    self.init(
      frame: sighting.frame, nanoseconds: sighting.time.isKnown ? sighting.time.nanoseconds : nil)
    index = Int(sighting.index)
    address = TwinAddress(sighting.address)
    rssi = sighting.rssi == 127 ? nil : Int(sighting.rssi)
    channel = sighting.channel == 255 ? nil : Int(sighting.channel)
    phy = sighting.phy == .unknown ? nil : Int(sighting.phy.rawValue)
  }
}

extension TwinSighting {
  package init(_ sighting: Sighting, _ table: IdentityTable) {
    let format = BeaconFormats.format(sighting.kind)
    var fields: [String: String] = [:]
    for field in format.fields(of: sighting, id: table[sighting.identity], table) {
      fields["\(field.name)"] = field.value.plain
    }
    self.init(report: TwinReport(sighting), kind: "\(format.name)", fields: fields)
  }

  /// Without what the report alone has.
  var bare: TwinSighting {
    var sighting = self
    sighting.report.data = []
    sighting.report.txPower = nil
    sighting.report.sid = nil
    return sighting
  }
}

extension BeaconField.Value {
  fileprivate var plain: String? {
    switch self {
    case .int(let value): "\(value)"
    case .text(let text): text
    case .decimal(let numerator, let denominator): "\(numerator)/\(denominator)"
    case .none: nil
    }
  }
}
