package import Beacons
package import CaptureReader
import FrameDecoder
import Regions

/// Who was heard in a span of time: numbers of addresses, each counted once.
package struct CensusRow: Sendable {
  package private(set) var from: Timestamp
  package private(set) var to: Timestamp
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

  /// The same, with other times.
  package func part(from: Timestamp, to: Timestamp) -> CensusRow {
    var part = self
    (part.from, part.to) = (from, to)
    return part
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

/// Which row a moment lies in. Rows of a day and more go by the days of a clock on the wall, which may last 23 hours
/// or 25; of shorter ones there are two where an hour is there twice.
private struct CensusRule {
  let length: Int64
  let clock: WallClock

  struct Key: Equatable {
    let number: Int64
    /// By which the row's clock is before UTC; of days none.
    let shift: Int64?
  }

  private var isOfDays: Bool { length >= WallClock.day }

  func key(_ moment: Int64) -> Key {
    let shift = clock.shift(at: moment)
    let wall = moment.later(by: shift)
    return Key(
      number: wall / length - (wall % length < 0 ? 1 : 0), shift: isOfDays ? nil : shift)
  }

  /// - Parameter moment: in the row. What does not fit 64 bits of nanoseconds is cut off.
  func row(_ key: Key, around moment: Int64) -> CensusRow {
    let start = Self.clamped(Int128(key.number) * Int128(length))
    let end = Self.clamped(Int128(key.number + 1) * Int128(length))
    guard let shift = key.shift else { return row(clock.moment(start), clock.moment(end)) }
    let (from, to) = (start.later(by: -shift), end.later(by: -shift))
    return row(
      clock.shift(at: from) == shift ? from : clock.change(after: from, upTo: moment),
      clock.shift(at: to.later(by: -1)) == shift
        ? to : clock.change(after: moment, upTo: to.later(by: -1)))
  }

  private func row(_ from: Int64, _ to: Int64) -> CensusRow {
    CensusRow(
      from: Timestamp(nanoseconds: Self.clamped(Int128(from))),
      to: Timestamp(nanoseconds: Self.clamped(Int128(to))))
  }

  /// The least of 64 bits stands for no time.
  private static func clamped(_ moment: Int128) -> Int64 { max(.min + 1, Int64(clamping: moment)) }
}

extension AdvertiserCensus {
  /// Rows of equal length that begin at whole multiples of it by a clock; those in which nobody was heard are not
  /// there.
  /// - Parameter length: nanoseconds, a multiple of a minute.
  package mutating func rows(every length: Int64, by clock: WallClock = .utc) -> [CensusRow] {
    sort()
    let rule = CensusRule(length: length, clock: clock)
    var rows: [CensusRow] = []
    /// By advertiser: the row that it was counted in last, from 1.
    var counted = [Int](repeating: 0, count: advertisers.count)
    var atOnce: [Int] = []
    var place = 0
    var last: CensusRule.Key?
    while place < presences.count {
      let minute = presences[place].minute
      let moment = max(.min + 1, Int64(clamping: Int128(minute) * Int128(Self.minute)))
      let own = rule.key(moment)
      if own != last {
        last = own
        rows.last.map { _ in rows[rows.count - 1].close(&atOnce) }
        rows.append(rule.row(own, around: moment))
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
