package import Beacons
package import CaptureReader
import FrameDecoder

/// Who was heard in a span of time: numbers of addresses, each counted once.
package struct CensusRow: Sendable {
  package let from: Timestamp
  package let to: Timestamp
  /// Minutes in which anybody was heard.
  package internal(set) var minutes = 0
  /// Addresses that sent beacons at any time.
  package internal(set) var beacons = 0
  /// All that never did: by the kind of their address.
  package internal(set) var publicOnes = 0
  package internal(set) var randomStatic = 0
  package internal(set) var resolvable = 0
  package internal(set) var nonresolvable = 0
  package internal(set) var unknownKind = 0
  /// Addresses of others that were not heard before.
  package internal(set) var new = 0
  /// Of others, by minute in which anybody was heard: half of the minutes have more, half less; and the most.
  package internal(set) var atOnce = 0
  package internal(set) var mostAtOnce = 0

  package init(from: Timestamp, to: Timestamp) {
    (self.from, self.to) = (from, to)
  }

  package var others: Int {
    publicOnes + randomStatic + resolvable + nonresolvable + unknownKind
  }
  package var addresses: Int { beacons + others }

  fileprivate mutating func add(_ advertiser: AdvertiserCensus.Advertiser, isNew: Bool) {
    guard !advertiser.isBeacon else { return beacons += 1 }
    if isNew { new += 1 }
    switch (advertiser.address.kind, advertiser.address.lifetime) {
    case (.publicDevice, _), (.publicIdentity, _): publicOnes += 1
    case (.randomIdentity, _): randomStatic += 1
    case (.random, .resolvable): resolvable += 1
    case (.random, .nonresolvable): nonresolvable += 1
    case (.random, .long): randomStatic += 1
    default: unknownKind += 1
    }
  }
}

extension AdvertiserCensus {
  /// Rows of equal length that begin at whole multiples of it, in UTC; those in which nobody was heard are not
  /// there.
  /// - Parameter length: nanoseconds, a multiple of a minute.
  package mutating func rows(every length: Int64) -> [CensusRow] {
    sort()
    let minutes = Int32(clamping: length / Self.minute)
    var rows: [CensusRow] = []
    /// By advertiser: the row that it was counted in last, from 1.
    var counted = [Int](repeating: 0, count: advertisers.count)
    var atOnce: [Int] = []
    var place = 0
    var bin: Int32?
    while place < presences.count {
      let minute = presences[place].minute
      let own = minute / minutes - (minute % minutes < 0 ? 1 : 0)
      if own != bin {
        bin = own
        rows.last.map { _ in rows[rows.count - 1].close(&atOnce) }
        let from = Int64(own) * length
        rows.append(
          CensusRow(
            from: Timestamp(nanoseconds: from), to: Timestamp(nanoseconds: from + length)))
      }
      var others = 0
      while place < presences.count, presences[place].minute == minute {
        let number = presences[place].advertiser
        if !advertisers[number].isBeacon { others += 1 }
        if counted[number] != rows.count {
          rows[rows.count - 1].add(advertisers[number], isNew: counted[number] == 0)
          counted[number] = rows.count
        }
        place += 1
      }
      atOnce.append(others)
    }
    rows.last.map { _ in rows[rows.count - 1].close(&atOnce) }
    return rows
  }

  /// How many others bore a label, the most first.
  package var labels: [(name: String, addresses: Int)] {
    AdvertiserLabels.each.compactMap { label, name in
      let count = advertisers.count { !$0.isBeacon && $0.labels.contains(label) }
      return count > 0 ? (name, count) : nil
    }.sorted { ($1.addresses, $0.name) < ($0.addresses, $1.name) }
  }
}

extension AdvertiserLabels {
  fileprivate static let each = names.indices.map { bit in
    (AdvertiserLabels(rawValue: 1 << UInt64(bit)), "\(names[bit])")
  }

  /// The names of those that are there.
  package var all: [String] { Self.each.filter { contains($0.0) }.map(\.1) }
}

extension CensusRow {
  fileprivate mutating func close(_ atOnce: inout [Int]) {
    atOnce.sort()
    minutes = atOnce.count
    self.atOnce = atOnce[(atOnce.count - 1) / 2]
    mostAtOnce = atOnce[atOnce.count - 1]
    atOnce.removeAll(keepingCapacity: true)
  }
}
