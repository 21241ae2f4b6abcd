package import BeaconKeys
import Beacons
package import CaptureReader

/// Where the clocks of keys are beside where their lines have them, by each receiver that heard them: what tells a
/// receiver's clock that is off from that of a beacon.
package struct KeyStandings: Sendable {
  /// A key at a receiver, in a part of its time.
  package struct Standing: Sendable {
    package let heard: OddIdentifiers.Heard
    package let key: BeaconKey
    /// Whether its clock was beyond its window.
    package let isBeyond: Bool
    /// By how many seconds its clock may be ahead of where its line has it, as its identifiers changed.
    fileprivate let bounds: ClosedRange<Int64>

    fileprivate init?(_ heard: OddIdentifiers.Heard, _ ring: KeyRing, isBeyond: Bool) {
      (key, self.heard, self.isBeyond) = (ring.keys[heard.key], heard, isBeyond)
      guard let clock = key.clock else { return nil }
      let due = Int64(clock.seconds) - clock.moment.nanoseconds / 1_000_000_000
      // An identifier is sent from its beginning on, and until the next one begins.
      let ends = [heard.voice.offsets.upperBound, heard.voice.offsets.lowerBound + heard.period]
      bounds = (min(ends[0], ends[1]) - due)...(max(ends[0], ends[1]) - due)
    }

    package var ahead: Int64 {
      bounds.lowerBound + (bounds.upperBound - bounds.lowerBound) / 2
    }

    package var isStray: Bool { key.isStray(ahead) }

    /// What its clock said when it was heard last.
    package var clock: BeaconClock? {
      let last = heard.voice.last.time.nanoseconds / 1_000_000_000
      return key.clock.map { clock in
        let said = Int64(clock.seconds) + last - clock.moment.nanoseconds / 1_000_000_000 + ahead
        return BeaconClock(
          seconds: UInt32(clamping: said),
          moment: Timestamp(nanoseconds: last * 1_000_000_000))
      }
    }

    /// Whether no crystal is that bad: 150 ppm since the line was written. Beacons of a kind drift alike.
    fileprivate var isBeyondDrift: Bool {
      guard let clock = key.clock else { return false }
      let age =
        heard.voice.last.time.nanoseconds / 1_000_000_000
        - clock.moment.nanoseconds / 1_000_000_000
      return isStray && ahead.magnitude > age.magnitude * 150 / 1_000_000 + key.cipher.period
    }

    /// Whether one clock may be off by what both are. The moment of change is drawn by chance.
    fileprivate func agrees(_ other: Standing) -> Bool {
      let slack = (heard.period + other.heard.period) / 2
      return bounds.lowerBound <= other.bounds.upperBound + slack
        && other.bounds.lowerBound <= bounds.upperBound + slack
    }

    fileprivate func isBy(_ other: Standing) -> Bool {
      heard.place == other.heard.place && heard.observer == other.heard.observer
    }

    /// Whether it is the same part of the time at the same receiver.
    fileprivate func isOne(_ other: Standing) -> Bool {
      isBy(other) && heard.key == other.heard.key && isBeyond == other.isBeyond
        && heard.voice.first.frame == other.heard.voice.first.frame
    }
  }

  /// Why a key's clock is not where its line has it.
  package enum Reason: Sendable {
    /// Other keys, so many, are where their lines have them by the same clock at the time.
    case beacon(Int)
    /// The same key is within its window by the same clock at the time.
    case twice
    /// By another receiver it is where its line has it.
    case receivers(Standing, Receivers)
    case unknown
  }

  /// How two receivers go by one another.
  package enum Receivers: Sendable {
    /// Their clocks were compared, and differ by as much.
    case compared
    /// Both heard it at the time.
    case together
    case apart
  }

  package let all: [Standing]
  private let odd: OddIdentifiers
  package private(set) var receivers: [ReceiverOff] = []

  package init(_ odd: OddIdentifiers, _ ring: KeyRing, _ beyond: KeyRing.Beyond) {
    self.odd = odd
    let known = odd.agreeing.filter { odd.pace(of: ring.keys[$0.key], in: ring) == nil }
    let all =
      known.compactMap { Standing($0, ring, isBeyond: false) }
      + odd.heard(beyond: beyond.places, ring).compactMap { Standing($0, ring, isBeyond: true) }
    self.all = all
    var groups: [[Standing]] = []
    var places: [Int: [String: Int]] = [:]
    for one in all {
      if let group = places[one.heard.place]?[one.heard.observer] {
        groups[group].append(one)
      } else {
        places[one.heard.place, default: [:]][one.heard.observer] = groups.count
        groups.append([one])
      }
    }
    for group in groups.sorted(by: {
      ($0[0].heard.place, $0[0].heard.observer) < ($1[0].heard.place, $1[0].heard.observer)
    }) {
      find(in: group)
    }
  }

  /// Whether it has been told of a receiver's clock.
  package func isOfReceiver(_ one: Standing) -> Bool {
    receivers.contains { $0.strays.contains { $0.isOne(one) } }
  }

  package func reason(of one: Standing) -> Reason {
    let beside = all.filter {
      $0.isBy(one) && !$0.isOne(one) && $0.heard.isAtTheTime(of: one.heard)
    }
    if one.isBeyond, beside.contains(where: { $0.heard.key == one.heard.key && !$0.isBeyond }) {
      return .twice
    }
    let others = Set(
      beside.filter { $0.heard.key != one.heard.key && !$0.isStray }.map(\.heard.key))
    if !others.isEmpty { return .beacon(others.count) }
    var found: (Standing, Receivers)?
    for other in all
    where other.heard.key == one.heard.key && other.heard.observer != one.heard.observer
      && !other.isStray
    {
      if let ahead = odd.clockAhead(of: one.heard, beside: other.heard) {
        // What their clocks do not explain is the beacon's, or a recording.
        guard one.key.isStray(one.ahead + ahead) else { return .receivers(other, .compared) }
        continue
      }
      let isTogether = other.heard.isAtTheTime(of: one.heard)
      if found == nil || isTogether { found = (other, isTogether ? .together : .apart) }
    }
    return found.map { .receivers($0.0, $0.1) } ?? .unknown
  }
}

extension KeyStandings {
  /// A receiver by whose clock several keys are off by the same.
  package struct ReceiverOff: Sendable {
    /// Where, and in which part of it.
    package struct Part: Sendable {
      package let capture: String
      /// By the clock that is off; nil: to its end.
      package let from: Timestamp?
      package let until: Timestamp?
      package let isMovable: Bool
      /// How many the capture has, whose clocks are moved together.
      package let receivers: Int
    }

    package let observer: String
    package fileprivate(set) var parts: [Part]
    package fileprivate(set) var strays: [Standing]
    /// Seconds by which the keys are ahead of their lines, and by how many that may be wrong.
    package let ahead: Int64
    package let slack: Int64
    /// Another receiver, by which some of the keys are where their lines have them.
    package fileprivate(set) var right: String?

    /// In the order of the file.
    package var names: [String] {
      var seen: Set<Int> = []
      return strays.sorted { $0.heard.key < $1.heard.key }
        .filter { seen.insert($0.heard.key).inserted }.map(\.key.name)
    }

    package var isBeyond: Bool { strays.contains(where: \.isBeyond) }

    /// Whether all began anew not long ago, as far as their clocks say: their batteries may have been changed together.
    package var mayBeNew: Bool {
      ahead < 0 && strays.allSatisfy { ($0.clock?.seconds ?? .max) < Self.newest }
    }

    /// Seconds: 31 days.
    private static let newest: UInt32 = 2_678_400
  }

  /// Of one key any beacon's clock may be off; it takes as many for a clock of which all are told.
  private static let fewest = 2
  /// Each of so many is compared with all.
  private static let mostTried = 64

  private mutating func find(in group: [Standing]) {
    var left = group.filter(\.isBeyondDrift)
    while true {
      var best: [Standing] = []
      var count = 1
      for one in left.prefix(Self.mostTried) {
        let alike = left.filter { one.agrees($0) }
        let keys = Set(alike.map(\.heard.key)).count
        if keys > count { (best, count) = (alike, keys) }
      }
      guard count >= Self.fewest, let first = best.first else { return }
      left.removeAll { one in best.contains { $0.isOne(one) } }
      let others = group.filter { other in
        !best.contains { $0.isOne(other) || $0.agrees(other) }
      }
      // More of those that are elsewhere at the time are told of a clock that is right.
      let against = others.filter { other in best.contains { $0.heard.isAtTheTime(of: other.heard) }
      }
      guard count > Set(against.map(\.heard.key)).count else { continue }
      add(first, best, others)
    }
  }

  private mutating func add(_ first: Standing, _ strays: [Standing], _ others: [Standing]) {
    let (low, high) = (
      strays.map(\.bounds.lowerBound).max() ?? 0, strays.map(\.bounds.upperBound).min() ?? 0
    )
    let (least, most) = (min(low, high), max(low, high))
    let part = part(first, strays, others)
    let keys = Set(strays.map(\.heard.key))
    let right = all.first {
      $0.heard.observer != first.heard.observer && keys.contains($0.heard.key) && !$0.isStray
    }
    let ahead = least + (most - least) / 2
    let known = receivers.firstIndex {
      $0.observer == first.heard.observer
        && ($0.ahead - ahead).magnitude <= $0.slack.magnitude + first.key.cipher.period
    }
    if let known {
      receivers[known].parts.append(part)
      receivers[known].strays += strays
      receivers[known].right = receivers[known].right ?? right?.heard.observer
      return
    }
    receivers.append(
      ReceiverOff(
        observer: first.heard.observer, parts: [part], strays: strays, ahead: ahead,
        slack: (most - least) / 2 + 1, right: right?.heard.observer))
  }

  /// - Parameter others: what is elsewhere by the same clock.
  private func part(_ first: Standing, _ strays: [Standing], _ others: [Standing])
    -> ReceiverOff.Part
  {
    let times = strays.flatMap { [$0.heard.voice.first.time, $0.heard.voice.last.time] }
      .map(\.nanoseconds)
    let (begin, end) = (times.min() ?? 0, times.max() ?? 0)
    let second: Int64 = 1_000_000_000
    let isAfter = others.contains { $0.heard.voice.last.time.nanoseconds < begin }
    let isBefore = others.contains { $0.heard.voice.first.time.nanoseconds > end }
    return ReceiverOff.Part(
      capture: first.heard.capture,
      from: isAfter ? Timestamp(nanoseconds: begin / second * second) : nil,
      until: isBefore ? Timestamp(nanoseconds: end.addingWithin(second) / second * second) : nil,
      isMovable: !odd.notMovable.contains(first.heard.place),
      receivers: odd.receivers[first.heard.place] ?? 1)
  }
}
