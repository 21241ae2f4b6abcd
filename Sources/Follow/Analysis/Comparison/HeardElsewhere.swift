import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// Which radio hears a beacon, and what of that is the radio's own doing.
extension Comparison {
  private enum Least {
    static let sightings = 50
    /// Of what was to be expected: hardly heard, heard less, heard more.
    static let none = 0.1
    static let less = 0.5
    static let more = 2.0
    /// Sightings by a radio that say that the beacon was there, and the part of its listening before.
    static let often = 10
    static let listening = 0.5
  }

  /// A radio that listens on both sides, and how often it heard a beacon.
  private struct Count {
    let hearing: BeaconChange.Hearing
    let pair: ComparedRadios.Pair
    /// The radio's number before.
    let number: Int
    /// How many times as much as was to be expected it heard; nil where that may be chance.
    let factor: Double?
    /// By how much longer it listened.
    let longer: Double
    var isLess: Bool { (factor ?? 1) <= Least.less }
    var isMore: Bool { (factor ?? 1) >= Least.more }
    var isHardlyAny: Bool { (factor ?? 1) <= Least.none }
    var isManyTimes: Bool { (factor ?? 1) >= 1 / Least.none }

    /// - Parameter isPart: beside a part of the time stands what was heard before in as much of it.
    init(
      radio: String, _ pair: ComparedRadios.Pair, _ number: Int, before: Int, now: Int,
      listensLonger ratio: Double, isPart: Bool
    ) {
      let expected = Double(before) * ratio
      hearing = BeaconChange.Hearing(
        radio: radio, before: isPart ? Int(expected.rounded()) : before, now: now,
        expected: expected)
      (self.pair, self.number, longer) = (pair, number, ratio)
      factor = max(before, now) >= Least.sightings ? hearing.factor : nil
    }
  }

  /// The later side, or its last part, as radios heard it.
  struct Later {
    let side: ComparedSide
    let radios: ComparedRadios
    let signals: ComparedSignals
    /// Not the whole: of who comes and goes no part is like the whole of the earlier side.
    var isPart = false
  }

  /// Told where one radio hardly hears it any more and another one twice as much, or one hears it that hardly
  /// did and another one half as much: nothing of a radio that walks, was moved, or did not listen on one
  /// of the sides.
  /// - Parameters:
  ///   - placeLater: among those of the later side, or of its part.
  ///   - isExplained: silence, or an interval, says why it is heard more or less.
  func heardElsewhere(
    _ place: Int, _ placeLater: Int, in later: Later, isExplained: Bool
  ) -> BeaconChange? {
    guard let pairs = later.radios.pairs, pairs.count > 1, let whole = radios.pairs else {
      return nil
    }
    let (old, new) = (before.sightings(of: place), later.side.sightings(of: placeLater))
    var mayBeAtMoved = false
    let counts = pairs.compactMap { number, numberLater -> Count? in
      let pair = ComparedRadios.Pair(before: number, now: numberLater)
      guard let name = before.radios[number]?.name,
        let ratio = ComparedSignals.listened(pair, before, later.side)
      else { return nil }
      let (sightings, now) = (old[number, default: 0], new[numberLater, default: 0])
      guard !later.signals.isMoved(pair) else {
        mayBeAtMoved = mayBeAtMoved || max(sightings, now) >= Least.often
        return nil
      }
      guard before.standsStill(number), let numberNow = whole[number],
        self.now.standsStill(numberNow), before.radios[number]?.hearsListedOnly == false,
        later.side.radios[numberLater]?.hearsListedOnly == false
      else { return nil }
      return Count(
        radio: name, pair, number, before: sightings, now: now, listensLonger: ratio,
        isPart: later.isPart)
    }
    let less = counts.filter {
      $0.isLess && (!later.isPart || before.isHeardAllAlong(place, $0.number))
    }
    let more = counts.filter(\.isMore)
    let isElsewhere =
      !less.isEmpty && !more.isEmpty
      && (less.contains(where: \.isHardlyAny) || more.contains(where: \.isManyTimes))
    let isPlain = { mayBeAtMoved && !isExplained && Self.isPlain(less, more, old, later) }
    guard isElsewhere || isPlain() else { return nil }
    return .heardBy(
      (less + more).map(\.hearing).sorted { ($1.before, $0.radio) < ($0.before, $1.radio) })
  }

  /// Whether one radio alone shows it, where the other one was moved and says nothing: it heard it at least half as
  /// well as anybody before, and hardly does now, or the other way round, and hears the others as it did. Who hears
  /// somebody at the end of its reach hears him by chance.
  private static func isPlain(
    _ less: [Count], _ more: [Count], _ old: [Int: Int], _ later: Later
  ) -> Bool {
    let enough = Least.less * Double(old.values.max() ?? 0)
    func hearsOthers(_ count: Count) -> Bool {
      later.signals.usualReception(by: count.pair).map { $0 >= Least.less && $0 <= Least.more }
        ?? false
    }
    return less.contains {
      $0.isHardlyAny && Double(old[$0.number, default: 0]) >= enough && hearsOthers($0)
    }
      || more.contains {
        $0.isManyTimes && Double($0.hearing.now) >= enough * $0.longer && hearsOthers($0)
      }
  }

  /// Told where all radios that heard it often stand still and hardly hear it any more, all the time, and nobody else
  /// hears it: it was covered, or laid away, or sends weakly, or seldom. Not where it is silent or intervals say
  /// why, nor of controllers that leave out what is repeated, nor where most beacons are heard less.
  func hardlyHeard(_ place: Int, _ placeNow: Int) -> BeaconChange? {
    guard comparesIntervals, before.filtering.isEmpty, now.filtering.isEmpty,
      before.isHeardFromOnePlace(place),
      let usual = signals.usualReception, usual >= Least.less
    else { return nil }
    let (old, new) = (before.sightings(of: place), now.sightings(of: placeNow))
    var found: [BeaconChange.Hearing] = []
    for pair in radios.pairs(of: place, before) {
      // All of a side, where that is one radio.
      guard let number = pair.before ?? old.keys.first, let numberNow = pair.now ?? new.keys.first,
        pair.before != nil || before.radios.count == 1 && now.radios.count == 1,
        let name = before.radios[number]?.name
      else { return nil }
      let ratio = ComparedSignals.listened(pair, before, now)
      let hearing = BeaconChange.Hearing(
        radio: name, before: old[number, default: 0], now: new[numberNow, default: 0],
        expected: Double(old[number, default: 0]) * (ratio ?? 0))
      guard hearing.before >= Least.sightings else { continue }
      guard ratio != nil, !signals.isMoved(pair), now.standsStill(numberNow),
        now.radios[numberNow]?.hearsListedOnly == false,
        Double(hearing.now) <= Least.none * hearing.expected,
        hearing.now == 0 || now.isHeardThroughout(placeNow, numberNow)
      else { return nil }
      found.append(hearing)
    }
    let others = new.values.reduce(0, +) - found.reduce(0) { $0 + $1.now }
    guard !found.isEmpty, found.contains(where: { $0.now > 0 }), others < Least.often else {
      return nil
    }
    return .heardBy(found.sorted { ($1.before, $0.radio) < ($0.before, $1.radio) })
  }

  /// Whether a radio that heard a beacon often before takes no part now, or listens for less than half as long.
  /// - Parameters:
  ///   - counts: whether it matters, by its number before.
  ///   - isOver: what else makes it one that cannot hear it, by its number now.
  private func lacksRadio(
    _ place: Int, where counts: (Int) -> Bool = { _ in true },
    or isOver: (Int) -> Bool = { _ in false }
  ) -> Bool {
    guard let pairs = radios.pairs else { return false }
    return before.sightings(of: place).contains { number, sightings in
      guard sightings >= Least.often, counts(number) else { return false }
      guard let numberNow = pairs[number] else { return true }
      let pair = ComparedRadios.Pair(before: number, now: numberNow)
      return (ComparedSignals.listened(pair, before, now) ?? 0) < Least.listening
        || isOver(numberNow)
    }
  }

  /// Whether a radio that heard it before had stopped listening when it fell silent, or soon afterwards: it may
  /// be with that one. Not where the radio that does not hear it any more had heard it as long as that one: so it
  /// was not a matter of where it went.
  func isOutOfHearing(_ place: Int, _ silent: SilentBeacon) -> Bool {
    let half = silent.last.nanoseconds.later(
      by: silent.end.nanoseconds.since(silent.last.nanoseconds) / 2)
    let lasts = before.lasts(of: place)
    let witness = radios.pairs?.first { $0.value == silent.observer }.flatMap { lasts[$0.key] }
    return lacksRadio(
      place,
      where: { number in
        guard let witness, let last = lasts[number] else { return true }
        return last.since(witness) > Self.commonSlack
      }, or: { (now.radios[$0]?.last ?? .min) < half })
  }

  /// Whether fewer addresses are heard because a radio does not listen: of those that are gone no radio that
  /// does had heard one often.
  func isOfListening(_ change: BeaconChange, _ place: Int, now placeNow: Int) -> Bool {
    guard case .fewerAddresses = change, lacksRadio(place) else { return false }
    let left = Set(
      now.members(of: placeNow).map { now.beacons.statistics.transmitters[$0].address })
    let statistics = before.beacons.statistics
    return !before.members(of: place).contains { member in
      let sender = statistics.transmitters[member]
      guard !left.contains(sender.address), statistics.sightings(of: Int(member)) >= Least.often,
        let numberNow = radios.pairs?[Int(sender.observer)]
      else { return false }
      let pair = ComparedRadios.Pair(before: Int(sender.observer), now: numberNow)
      return (ComparedSignals.listened(pair, before, now) ?? 0) >= Least.listening
    }
  }

  /// The radio by which a beacon that is missing was heard last, or by far most often, where that takes no
  /// part now; nil where one that does heard it as long, and not just now and then.
  func missingWitness(of place: Int) -> String? {
    guard let pairs = radios.pairs else { return nil }
    let sightings = before.sightings(of: place)
    let present = sightings.filter { pairs[$0.key] != nil }
    let lost = sightings.filter { pairs[$0.key] == nil && $0.value >= Least.often }
    guard !lost.isEmpty, !present.isEmpty else { return nil }
    let (heard, all) = (present.values.reduce(0, +), sightings.values.reduce(0, +))
    if Double(heard) < Least.none * Double(all) {
      return lost.max { ($0.value, $1.key) < ($1.value, $0.key) }
        .flatMap { before.radios[$0.key]?.name }
    }
    let lasts = before.lasts(of: place)
    func last(_ number: Int) -> Int64 { lasts[number] ?? .min }
    guard let latest = lost.keys.max(by: { (last($0), $1) < (last($1), $0) }),
      last(latest).since(present.keys.map(last).max() ?? .min) > Self.commonSlack
    else { return nil }
    return before.radios[latest]?.name
  }
  /// Nanoseconds that clocks of several radios may differ.
  private static let commonSlack: Int64 = 60_000_000_000

  /// Radios whose recording is too short on one of the sides to say whether they stand still, and so whether a
  /// beacon went from one to another, by name.
  package var tooShortToStand: [String] {
    guard let pairs = radios.pairs, pairs.count > 1 else { return [] }
    return pairs.compactMap { number, numberNow in
      let isShort = before.isTooShort(number) || now.isTooShort(numberNow)
      return isShort ? before.radios[number]?.name : nil
    }
    .sorted()
  }

  /// Radios of both sides that listened for less than half as long on one of them, or walk and went on for less long
  /// now, by name: nanoseconds.
  package var listenedUnlike: [(name: String, before: Int64, now: Int64, walks: Bool)] {
    // All that count as one are told where they walk alone: the sum of all says the rest.
    eachRadio.compactMap { pair in
      guard let number = pair.before, let numberNow = pair.now else { return nil }
      let walks = walks?.walks[number] != nil
      guard radios.pairs != nil || walks,
        let old = before.radios[number], let new = now.radios[numberNow],
        walks
          || Double(min(old.listened, new.listened))
            < Least.listening * Double(max(old.listened, new.listened))
      else { return nil }
      return (old.name, old.listened, new.listened, walks)
    }
    .sorted { $0.name < $1.name }
  }
}

extension ComparedSide {
  /// By radio: when it heard the identity at a place last, nanoseconds.
  fileprivate func lasts(of place: Int) -> [Int: Int64] {
    var lasts: [Int: Int64] = [:]
    for member in members(of: place) {
      let last = beacons.statistics.last(of: Int(member))
      guard last.isKnown else { continue }
      let observer = Int(beacons.statistics.transmitters[member].observer)
      lasts[observer] = max(lasts[observer] ?? .min, last.nanoseconds)
    }
    return lasts
  }
}
