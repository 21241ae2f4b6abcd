import CaptureReader

/// An address that two devices send from, each near a receiver of its own: what one of these hears of it the other one
/// never hears at the same moment, as it does of everybody else.
package struct DoubledAddress: Sendable {
  /// 48 bits.
  package let address: UInt64
  /// Two of the clocks that were compared: that which heard it most often, and the other one.
  package let clocks: (most: Int, other: Int)
  /// How often each heard it while both did.
  package let heard: (most: Int, other: Int)
  /// How often both did at the same moment, and how often that was to be expected of one sender.
  package let common: Int
  package let expected: Int
  /// Whether one device may have sent all of it: on one channel, on which radios that go from channel to channel in turn
  /// need never listen at once.
  package let mayTakeTurns: Bool
}

/// Looks for them where clocks were compared.
///
/// While two receivers hear one sender, each hears its share of what is sent, by chance: both hear the product of the
/// shares. It is added up over short whiles, as who is carried from one to the other is heard by both, too, but never
/// well by both at a time; and everybody else whom both hear meanwhile has to be heard together about as often as that,
/// or the clocks are not known well enough. Radios that rest or take turns are left out: what they hear together is no
/// matter of chance.
struct DoubledAddresses {
  private static let second: Int64 = 1_000_000_000
  private static let short: Int64 = 10 * second
  /// By either clock: what packets are apart on their ways to two programs' clocks.
  private static let tolerance: Int64 = 8_000_000
  /// Of the packets that have to be expected in common, of it and of the others.
  private static let leastExpected = 50.0
  /// Of what is expected: at most of it, and at least of the others.
  private static let mostShare = 0.1
  private static let leastShare = 0.5
  /// Of all that one device sends: more than it, heard by either, is sent by two.
  private static let certain = 1.2
  /// Gaps inside one advertising event.
  private static let leastGap: Int64 = 15_000_000
  private static let leastHeard = 50

  /// One receiver's times of one advertiser, by the clock of the group.
  private typealias Times = [Int64]

  /// What was heard by both in a short while: how often, how often by one sender, how often by chance alone.
  private struct Common {
    /// The while's number since 1970.
    var short: Int64 = 0
    var heard = (most: 0, other: 0)
    /// Advertising events, as far as the gaps between them tell.
    var sent = 0.0
    var common = 0.0
    var expected = 0.0
    var chance = 0.0

    mutating func add(_ other: Common) {
      heard = (heard.most + other.heard.most, heard.other + other.heard.other)
      sent += other.sent
      common += other.common
      expected += other.expected
      chance += other.chance
    }

    var excess: Double { common - chance }
    var surplus: Double { expected - chance }
  }

  /// Ascending.
  private typealias Whiles = [Common]

  /// Places of two clocks.
  private struct Pair: Hashable {
    let most: Int
    let other: Int
  }

  private typealias Suspect = (address: UInt64, pair: Pair, whiles: Whiles)

  /// - Parameters:
  ///   - logs: by clock.
  ///   - listensThroughout: whether the radios of a clock did, of all that was recorded.
  /// - Returns: by address, of each the two clocks that tell most.
  static func all(
    _ comparison: ClockComparison, _ logs: [ArrivalLog],
    listensThroughout: (Int) -> Bool = { _ in true }
  ) -> [DoubledAddress] {
    var best: [UInt64: DoubledAddress] = [:]
    for found in comparison.groups.flatMap({ Self($0, logs, listensThroughout).all }) {
      if best[found.address].map({ $0.expected < found.expected }) ?? true {
        best[found.address] = found
      }
    }
    return best.values.sorted { $0.address < $1.address }
  }

  /// Places of the group's clocks, and how each is turned into the group's own.
  private let members: [(place: Int, clock: GroupClock)]
  private let logs: [ArrivalLog]

  private init(
    _ group: ClockComparison.Group, _ logs: [ArrivalLog], _ listensThroughout: (Int) -> Bool
  ) {
    self.logs = logs
    members =
      ([(place: group.against, clock: GroupClock(nil))]
      + group.captures.map { (place: $0.place, clock: GroupClock($0.track)) })
      .filter { listensThroughout($0.place) }
  }

  private var all: [DoubledAddress] {
    // Mostly there is none, and the others need not be looked at.
    var whiles: [Pair: [Int64: Common]] = [:]
    return suspects.compactMap { suspect in
      let all = whiles[suspect.pair] ?? sums(of: suspect.pair)
      whiles[suspect.pair] = all
      return judged(suspect, among: all)
    }
  }

  /// Who is not heard together by whoever heard it most and somebody else.
  private var suspects: [Suspect] {
    let advertisers = Set(members.flatMap { logs[$0.place].places.keys }).sorted()
    return advertisers.flatMap { address -> [Suspect] in
      let heard = members.compactMap { member in
        times(of: address, by: member).map { (place: member.place, times: $0) }
      }
      guard heard.count > 1,
        let most = heard.max(by: { ($0.times.count, $1.place) < ($1.times.count, $0.place) })
      else { return [] }
      return heard.filter { $0.place != most.place }.compactMap { other in
        let whiles = Self.common(most.times, other.times)
        let whole = Self.sum(whiles)
        guard whole.surplus >= Self.leastExpected,
          whole.excess <= Self.mostShare * whole.surplus
        else { return nil }
        return (address, Pair(most: most.place, other: other.place), whiles)
      }
    }
  }

  /// Of all whom both heard, by the while.
  private func sums(of pair: Pair) -> [Int64: Common] {
    let two = [pair.most, pair.other].compactMap { place in
      members.first { $0.place == place }
    }
    var sums: [Int64: Common] = [:]
    for address in logs[pair.most].places.keys.sorted() {
      guard let most = times(of: address, by: two[0]), let other = times(of: address, by: two[1])
      else { continue }
      for one in Self.common(most, other) { sums[one.short, default: Common()].add(one) }
    }
    return sums
  }

  private func judged(_ suspect: Suspect, among all: [Int64: Common]) -> DoubledAddress? {
    let others = Self.sum(suspect.whiles.compactMap { all[$0.short] })
    let own = Self.sum(suspect.whiles)
    let surplus = others.surplus - own.surplus
    guard surplus >= Self.leastExpected, others.excess - own.excess >= Self.leastShare * surplus
    else { return nil }
    return DoubledAddress(
      address: suspect.address, clocks: (suspect.pair.most, suspect.pair.other),
      heard: own.heard, common: Int(own.common), expected: Int(own.expected.rounded()),
      mayTakeTurns: Double(own.heard.most + own.heard.other) < Self.certain * own.sent)
  }

  private func times(of address: UInt64, by member: (place: Int, clock: GroupClock)) -> Times? {
    guard let range = logs[member.place].places[address], range.count >= Self.leastHeard else {
      return nil
    }
    return member.clock.times(logs[member.place].times[range])
  }

  private static func sum(_ all: [Common]) -> Common {
    var sum = Common()
    for one in all { sum.add(one) }
    return sum
  }

  /// How often it sends, or more often: gaps in which sightings are missed are longer.
  private static func interval(_ times: Times) -> Int64 {
    let gaps = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 >= leastGap }.sorted()
    return gaps.isEmpty ? short : gaps[gaps.count / 10]
  }

  private static func common(_ most: Times, _ other: Times) -> Whiles {
    let sent = Double(short) / Double(interval(most))
    var whiles: Whiles = []
    var (near, next) = (0, 0)
    for time in most {
      if whiles.last?.short != time / short {
        whiles.append(Common(short: time / short))
      }
      while near < other.count, other[near] < time.addingWithin(-tolerance) { near += 1 }
      let last = whiles.count - 1
      whiles[last].heard.most += 1
      if near < other.count, other[near] <= time.addingWithin(tolerance) {
        whiles[last].common += 1
      }
    }
    for place in whiles.indices {
      while next < other.count, other[next] / short < whiles[place].short { next += 1 }
      while next < other.count, other[next] / short == whiles[place].short {
        whiles[place].heard.other += 1
        next += 1
      }
      let (a, b) = (Double(whiles[place].heard.most), Double(whiles[place].heard.other))
      whiles[place].sent = sent
      whiles[place].expected = a * b / max(a, b, sent)
      whiles[place].chance = a * min(1, b * Double(2 * tolerance) / Double(short))
    }
    return whiles.filter { $0.heard.other > 0 }
  }
}

/// Turns times of a clock into those of its group.
private struct GroupClock {
  /// While a clock goes steadily by the group's.
  private struct Piece {
    /// By the clock itself.
    let span: ClosedRange<Int64>
    /// Ascending.
    let points: [(own: Int64, ahead: Int64)]

    func ahead(at time: Int64) -> Int64 {
      let next = points.indices.bisected { points[$0].own >= time }
      guard next > 0, next < points.count else { return points[next > 0 ? next - 1 : 0].ahead }
      let (one, two) = (points[next - 1], points[next])
      let part = Double(time - one.own) / Double(max(1, two.own - one.own))
      return one.ahead + Int64(part * Double(two.ahead - one.ahead))
    }
  }

  /// Nil: it is the group's own.
  private let pieces: [Piece]?

  init(_ track: ClockTrack?) {
    pieces = track?.pieces.map { piece in
      Piece(
        span: piece.own,
        points: piece.points.map { (own: $0.time.addingWithin($0.ahead), ahead: $0.ahead) }
          .sorted { $0.own < $1.own })
    }
  }

  /// Those at which it is known how the clock goes, ascending.
  func times(_ own: ArraySlice<Int64>) -> [Int64] {
    guard let pieces else { return Array(own) }
    return own.compactMap { time in
      pieces.first { $0.span.contains(time) }.map { time.addingWithin(-$0.ahead(at: time)) }
    }
    .sorted()
  }
}
