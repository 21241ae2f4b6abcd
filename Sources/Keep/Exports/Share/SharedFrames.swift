import Analysis
import Beacons
package import CaptureReader
import FrameDecoder
package import Pseudonyms

/// What the frames of a capture were, counted: the shared one has as many of each.
struct SharedFrames: Equatable {
  let records: Int
  let reports: Int
  /// By class, and by class and reason: `advertising`, `malformed report_truncated`.
  private let sorts: [String: Int]

  /// Of these the bytes are left out, and they are empty in the shared capture: a class of their own.
  private static let leftOut: Set<String> = [
    "empty_record", "unknown_interface", "packet_overruns_block", "unknown_record_type",
    "unsupported_linktype",
  ]

  /// Where periodic advertising is goes, and with it what tells that from connections.
  private static let otherAccess: Set<String> = [
    "periodic_advertising", "not_advertising_access_address",
  ]

  init(_ accounting: Accounting) {
    records = accounting.records
    reports = accounting.reports
    var sorts: [String: Int] = [:]
    for (kind, count) in accounting.classes where kind == .advertising || kind == .crcFailed {
      sorts["\(kind.name)"] = count
    }
    for (kind, entries) in accounting.reasons {
      for entry in entries where !Self.leftOut.contains(entry.code.rawValue) {
        let code =
          Self.otherAccess.contains(entry.code.rawValue)
          ? "of another access address" : entry.code.rawValue
        sorts["\(kind.name) \(code)", default: 0] += entry.count
      }
    }
    self.sorts = sorts.filter { $0.value > 0 }
  }

  /// What differs of another one, a clause; nil where nothing does.
  func difference(from other: SharedFrames) -> String? {
    if records != other.records { return "\(other.records) frames for \(records)" }
    for sort in Set(sorts.keys).union(other.sorts.keys).sorted() {
      let (own, theirs) = (sorts[sort] ?? 0, other.sorts[sort] ?? 0)
      if own != theirs { return "\(theirs) frames for \(own) that are \(sort)" }
    }
    return reports == other.reports ? nil : "\(other.reports) reports for \(reports)"
  }
}

/// Who advertised in a capture, and whether as a beacon.
package struct SharedDevices {
  private let devices: [UInt64: Bool]

  /// A number for each.
  package var addresses: Set<UInt64> { Set(devices.keys) }

  /// - Parameter names: of an original: who becomes whom; nil: they have been replaced.
  package init(
    _ source: CaptureSource, keepsGarbage: Bool, _ names: Pseudonyms?
  ) throws(CaptureProblem) {
    var options = FrameDecoder.Options()
    options.keepBadCRC = keepsGarbage
    var census = AdvertiserCensus()
    try census.read(source, options: options)
    var devices: [UInt64: Bool] = [:]
    for device in census.advertisers {
      devices[SharedTrace.address(device.address, names)] = device.isBeacon
    }
    self.devices = devices
  }

  /// What differs of those of another capture, a clause; nil where nothing does.
  package func difference(from other: SharedDevices) -> String? {
    if devices == other.devices { return nil }
    if devices.count != other.devices.count {
      return "\(TextColumns.counted(other.devices.count, "device")) for "
        + TextColumns.grouped(devices.count)
    }
    return "other devices"
  }
}
