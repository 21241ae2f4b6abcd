import Beacons

/// Which radio hears a beacon of those that walk. To who walks every beacon changes, and one that he did not pass says
/// nothing: told is what differs from all others that he hears.
extension Comparison {
  private enum Least {
    /// Sightings that are to be expected, or heard, where radios are of sites of their own; and elsewhere.
    static let often = 10.0
    static let sightings = 50.0
    /// Of the beacons of the one that hears fewer, those that both hear, where they are of sites of their own.
    static let common = 0.1
    /// Of what was to be expected: hardly heard.
    static let none = 0.1
    /// Of the others, as often as that is usual: the middle one either way, and three quarters of them.
    static let usual = 0.5
    static let most = 0.25
    static let others = 3
  }

  /// How a radio hears what it heard often before, and a beacon now.
  private struct Passed {
    let pair: ComparedRadios.Pair
    let hearing: BeaconChange.Hearing
    let stands: Bool

    var isLess: Bool {
      hearing.expected >= Least.often && Double(hearing.now) <= Least.none * hearing.expected
    }
    /// Hardly heard before, in all of its time.
    var isMore: Bool {
      Double(hearing.now) >= Least.often
        && max(Double(hearing.before), hearing.expected) <= Least.none * Double(hearing.now)
    }
  }

  /// Told where one radio hardly hears a beacon any more and another one does that hardly did, and one of them walks;
  /// both hear the others as before. Two who walk through one site hear by chance what they hear a few times.
  func passedElsewhere(_ place: Int, _ placeNow: Int) -> BeaconChange? {
    guard let pairs = radios.pairs, pairs.count > 1 else { return nil }
    let all = passed(place, placeNow)
    let fewer = all.filter { $0.isLess && hearsOthers($0.pair, besides: place) }
    let more = all.filter { one in
      one.isMore && hearsOthers(one.pair, besides: place)
        && fewer.contains { isPlain($0, one) }
    }
    let less = fewer.filter { one in more.contains { isPlain(one, $0) } }
    guard !less.isEmpty, !more.isEmpty, !(less + more).allSatisfy(\.stands) else { return nil }
    return .heardBy(
      (less + more).map(\.hearing).sorted { ($1.before, $0.radio) < ($0.before, $1.radio) })
  }

  private func isPlain(_ less: Passed, _ more: Passed) -> Bool {
    if min(less.hearing.expected, Double(more.hearing.now)) >= Least.sightings { return true }
    let (one, other) = (often[less.pair, default: []], often[more.pair, default: []])
    let common = Double(one.intersection(other).count)
    return common <= Least.common * Double(min(one.count, other.count))
  }

  /// Told where all radios that heard it often walk and hardly hear it any more, but the others as before, and nobody
  /// else hears it.
  func hardlyPassed(_ place: Int, _ placeNow: Int) -> BeaconChange? {
    guard comparesIntervals else { return nil }
    let all = passed(place, placeNow)
    let often = all.filter { Double($0.hearing.before) >= Least.sightings }
    let isHardlyAny = often.allSatisfy {
      !$0.stands && $0.hearing.expected >= Least.sightings && $0.isLess
        && hearsOthers($0.pair, besides: place)
    }
    guard !often.isEmpty, isHardlyAny else { return nil }
    let others =
      now.beacons.sightings(at: placeNow) - often.reduce(0) { $0 + $1.hearing.now }
    guard Double(others) < Least.often else { return nil }
    return .heardBy(
      often.map(\.hearing).sorted { ($1.before, $0.radio) < ($0.before, $1.radio) })
  }

  /// By the radios that heard it, listen on both sides, leave nobody out and nothing that is repeated, and were not moved.
  private func passed(_ place: Int, _ placeNow: Int) -> [Passed] {
    let (old, new) = (before.sightings(of: place), now.sightings(of: placeNow))
    return eachRadio.compactMap { pair in
      guard let number = pair.before, let numberNow = pair.now,
        old[number] != nil || new[numberNow] != nil, let name = before.radios[number]?.name,
        !before.isTooShort(number), !now.isTooShort(numberNow), !leaveOut(number, numberNow),
        !signals.isMoved(radios.pairs == nil ? .all : pair),
        ComparedSignals.listened(pair, before, now) != nil
      else { return nil }
      let count = old[number, default: 0]
      return Passed(
        pair: pair,
        hearing: BeaconChange.Hearing(
          radio: name, before: count, now: new[numberNow, default: 0],
          expected: expected(place, by: pair, count)),
        stands: before.standsStill(number) && now.standsStill(numberNow))
    }
  }

  private func leaveOut(_ number: Int, _ numberNow: Int) -> Bool {
    func leavesOut(_ radio: ComparedSide.Radio?, _ side: ComparedSide) -> Bool {
      guard let radio else { return false }
      return side.filtering.contains(radio.name) || radio.hearsListedOnly
    }
    return leavesOut(before.radios[number], before) || leavesOut(now.radios[numberNow], now)
  }

  /// Whether a radio hears now of the others that it heard often about as much as was to be expected: the middle one,
  /// and most of them not far less.
  private func hearsOthers(_ pair: ComparedRadios.Pair, besides place: Int) -> Bool {
    let others = usual[pair, default: []].filter { $0.place != place }
    guard others.count >= Least.others else { return false }
    let middle = others[others.count / 2].factor
    return middle >= Least.usual && middle <= 1 / Least.usual
      && others[others.count / 4].factor >= Least.most
  }

  /// Of all that a radio is to hear often, how many times as much as that it heard: least first.
  func receptionsByRadio() -> [ComparedRadios.Pair: [(place: Int, factor: Double)]] {
    let pairs = Dictionary(uniqueKeysWithValues: eachRadio.map { ($0.before, $0) })
    var found: [ComparedRadios.Pair: [(place: Int, factor: Double)]] = [:]
    for place in before.places {
      let new = matches[place].map { now.sightings(of: $0) } ?? [:]
      for (number, count) in before.sightings(of: place) {
        guard let pair = pairs[number] else { continue }
        let expected = expected(place, by: pair, count)
        guard expected >= Least.sightings else { continue }
        let heard = pair.now.flatMap { new[$0] } ?? 0
        found[pair, default: []].append((place, Double(heard) / expected))
      }
    }
    return found.mapValues { $0.sorted { ($0.factor, $0.place) < ($1.factor, $1.place) } }
  }

  /// What each radio heard often before.
  func oftenByRadio() -> [ComparedRadios.Pair: Set<Int>] {
    let pairs = Dictionary(uniqueKeysWithValues: eachRadio.map { ($0.before, $0) })
    var found: [ComparedRadios.Pair: Set<Int>] = [:]
    for place in before.places {
      for (number, count) in before.sightings(of: place) where Double(count) >= Least.often {
        if let pair = pairs[number] { found[pair, default: []].insert(place) }
      }
    }
    return found
  }
}
