package import Beacons
package import CaptureReader
import FrameDecoder

/// What one advertiser sent, all together: for who wants to see each, and not only how many.
package struct AdvertiserProfile: Sendable {
  /// A beacon that it sent; of telemetry, which is none by itself, the kind alone.
  package struct Beacon: Hashable, Sendable {
    package let kind: BeaconKind
    /// All bytes of the identity.
    package let identity: [UInt8]
  }

  package private(set) var first = Timestamp.none
  package private(set) var last = Timestamp.none
  package private(set) var reports = 0
  /// Minutes in which it was heard.
  package internal(set) var minutes = 0
  package private(set) var signals = SignalCounts()
  /// Of its reports in the order in which they came, each once; so many at most.
  package private(set) var beacons: [Beacon] = []
  /// Why payloads of its that claim to be a beacon are none.
  package private(set) var refused: [BeaconReason] = []
  package private(set) var names: [[UInt8]] = []
  /// Of manufacturer data.
  package private(set) var companies: [UInt16] = []
  /// 16-bit UUIDs, listed or with data.
  package private(set) var services: [UInt16] = []
  /// Numbers of the advertisers that may be the same device under its next address, and under the one before: see
  /// `AddressSuccession`.
  package internal(set) var perhapsNext: Int?
  package internal(set) var perhapsBefore: Int?

  /// What is remembered of each sort: who sends more sends anything.
  package static let most = 8

  /// - Parameter data: the advertising data.
  mutating func add(_ report: AdvertisingReport, _ data: RawSpan) {
    reports += 1
    let time = report.time.nanoseconds
    if !first.isKnown || time < first.nanoseconds { first = report.time }
    if !last.isKnown || last.nanoseconds < time { last = report.time }
    if report.rssi != 127 { signals.add(report.rssi) }
    var walker = ADWalker()
    while walker.next(data) {
      let structure = data.extracting(walker.start..<(walker.start + walker.count))
      switch walker.type {
      case ADType.completeName.rawValue, ADType.shortenedName.rawValue: name(structure)
      case ADType.manufacturerData.rawValue where structure.byteCount >= 2:
        companies.insertIfNew(structure.le16(0))
      case ADType.serviceData16.rawValue where structure.byteCount >= 2:
        services.insertIfNew(structure.le16(0))
      case ADType.incompleteServices16.rawValue, ADType.completeServices16.rawValue:
        for at in stride(from: 0, to: structure.byteCount - 1, by: 2) {
          services.insertIfNew(structure.le16(at))
        }
      default: break
      }
    }
  }

  mutating func add(_ beacon: Beacon) { beacons.insertIfNew(beacon) }

  mutating func add(_ reason: BeaconReason) { refused.insertIfNew(reason) }

  private mutating func name(_ bytes: RawSpan) {
    // Some send zeros behind it, or nothing else.
    var count = bytes.byteCount
    while count > 0, bytes.u8(count - 1) == 0 { count -= 1 }
    guard count > 0 else { return }
    names.insertIfNew((0..<count).map { bytes.u8($0) })
  }
}

extension Array where Element: Equatable {
  fileprivate mutating func insertIfNew(_ value: Element) {
    if count < AdvertiserProfile.most, !contains(value) { append(value) }
  }
}

/// How often each signal strength was heard, in little room: an advertiser is heard with few.
package struct SignalCounts: Sendable {
  private var rows: [(rssi: Int8, count: UInt32)] = []

  mutating func add(_ rssi: Int8) {
    let place = rows.firstIndex { $0.rssi >= rssi } ?? rows.count
    if place < rows.count, rows[place].rssi == rssi {
      if rows[place].count < .max { rows[place].count += 1 }
    } else {
      rows.insert((rssi, 1), at: place)
    }
  }

  /// In dBm; the median is the lower one of two. Nil where no strength was known.
  package var range: (min: Int, median: Int, max: Int)? {
    guard let least = rows.first, let most = rows.last else { return nil }
    let half = (rows.reduce(UInt64(0)) { $0 + UInt64($1.count) } + 1) / 2
    var seen: UInt64 = 0
    for row in rows {
      seen += UInt64(row.count)
      if seen >= half { return (Int(least.rssi), Int(row.rssi), Int(most.rssi)) }
    }
    return nil
  }
}
