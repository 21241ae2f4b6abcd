package import Beacons
package import CaptureReader
package import FrameDecoder

/// Every record in exactly one class, and every oddity counted by code beside it.
package struct Accounting: Sendable {
  /// How often a code occurred, and where first.
  package struct Entry: Sendable {
    package let code: ProblemCode
    package let count: Int
    /// Frame number; 0 where it belongs to no frame.
    package let firstFrame: Int
    /// What was found, for container warnings.
    package let detail: String
    /// Byte of the unpacked input, for those; otherwise nil.
    package var firstOffset: Int64?
  }

  /// Payloads of one sender that claim to be a beacon and are none, for one reason.
  package struct Refused: Sendable {
    package let address: DeviceAddress
    package let reason: BeaconReason
    package let count: Int
    package let firstFrame: Int
  }

  package let records: Int
  package let classes: [(kind: RecordClass, records: Int)]
  /// Reasons of `malformed`, `truncated` and `unsupported` records; what packets of the air are that are `other`.
  package let reasons: [RecordClass: [Entry]]
  /// Packets of periodic advertising on the air, which are not read; nil where there are none.
  package var periodic: Entry? {
    reasons[.other]?.first { $0.code.rawValue == "\(FrameReason.periodicAdvertising.name)" }
  }
  package let warnings: [Entry]
  /// Advertising records that the recorder cut: the reports at their end are missing.
  package let cutOff: FrameTally.Count
  /// Most frequent first; of thousands of captures each has its own.
  package let refused: [Refused]
  private static let mostRefused = 256
  /// Reports with such payloads of further senders.
  package let refusedNotListed: Int
  package let reports: Int
  /// Reports by kind of other advertiser, most frequent first.
  package let labels: [(name: String, reports: Int)]
  package let unlabelledReports: Int
  /// Reports without a beacon. Fewer than those of all labels: a report may have several.
  package let otherReports: Int

  init(log: ContainerLog, frames: FrameTally, beacons: BeaconTally) {
    records = log.frames
    reports = frames.reports
    cutOff = frames.cutOff
    classes = RecordClass.allCases.map { ($0, frames.count($0)) }
    var reasons: [RecordClass: [Entry]] = [:]
    for kind in RecordClass.allCases {
      let entries = Self.entries(frames.reasons[Int(kind.rawValue)], FrameReason.names)
      if !entries.isEmpty { reasons[kind] = entries.sorted { $0.code < $1.code } }
    }
    self.reasons = reasons
    warnings = Self.merge(
      log.notes.map {
        Entry(
          code: $0.key, count: $0.value.count, firstFrame: $0.value.firstFrame,
          detail: $0.value.detail, firstOffset: $0.value.firstOffset)
      } + Self.entries(frames.warnings, FrameWarnings.names)
        + Self.entries(beacons.frameWarnings, FrameWarnings.names)
        + Self.entries(beacons.warnings, BeaconWarnings.names)
        + Self.entries(beacons.reasons, BeaconReason.names))
    let refused = Self.refused(beacons.refused)
    self.refused = Array(refused.prefix(Self.mostRefused))
    refusedNotListed =
      beacons.refused.others + refused.dropFirst(Self.mostRefused).reduce(0) { $0 + $1.count }
    labels = Self.labels(beacons)
    unlabelledReports = beacons.unlabelled
    otherReports = beacons.others
  }

  private static func entries(_ counts: [FrameTally.Count], _ names: [StaticString]) -> [Entry] {
    zip(counts, names).compactMap { count, name in
      guard count.count > 0 else { return nil }
      return Entry(
        code: ProblemCode(rawValue: "\(name)"), count: count.count, firstFrame: count.firstFrame,
        detail: "")
    }
  }

  /// One code may be found at several layers (`trailing_bytes`).
  private static func merge(_ entries: [Entry]) -> [Entry] {
    var byCode: [ProblemCode: Entry] = [:]
    for entry in entries {
      guard let known = byCode[entry.code] else {
        byCode[entry.code] = entry
        continue
      }
      let frames = [known.firstFrame, entry.firstFrame].filter { $0 > 0 }
      byCode[entry.code] = Entry(
        code: entry.code, count: known.count + entry.count, firstFrame: frames.min() ?? 0,
        detail: known.detail.isEmpty ? entry.detail : known.detail,
        firstOffset: known.firstOffset ?? entry.firstOffset)
    }
    return byCode.values.sorted { $0.code < $1.code }
  }

  private static func refused(_ payloads: RefusedPayloads) -> [Refused] {
    payloads.counts.map { sender, count in
      Refused(
        address: sender.address, reason: sender.reason, count: count.count,
        firstFrame: count.firstFrame)
    }.sorted {
      ($1.count, $0.firstFrame, $0.address.rawValue, $0.reason.rawValue)
        < ($0.count, $1.firstFrame, $1.address.rawValue, $1.reason.rawValue)
    }
  }

  private static func labels(_ tally: BeaconTally) -> [(name: String, reports: Int)] {
    var all: [(name: String, reports: Int)] = []
    for (name, count) in zip(AdvertiserLabels.names, tally.labels) where count > 0 {
      if "\(name)" != "ibeacon_layout_other_company" { all.append(("\(name)", count)) }
    }
    for (company, count) in tally.layoutCompanies {
      all.append(
        (
          "ibeacon_layout_company_" + HexText.string([UInt8(company >> 8), UInt8(company & 0xff)]),
          count
        ))
    }
    return all.sorted { ($1.reports, $0.name) < ($0.reports, $1.name) }
  }
}
