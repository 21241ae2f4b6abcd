package import BeaconKeys
import Beacons
package import CaptureReader
package import FrameDecoder

/// What changed between two recordings of a site. Beacons are matched by identity; places are those among
/// the summaries of either side.
package struct Comparison: Sendable {
  /// A beacon that was not heard before.
  package struct New: Sendable {
    /// Now.
    package let place: Int
    /// Radios that heard it, where none of them took part before; most sightings first.
    package let heardBy: [String]
    /// What its addresses sent before: places of the earlier side.
    package let predecessors: [(place: Int, address: DeviceAddress)]
  }

  package struct Changed: Sendable {
    package let before: Int
    package let now: Int
    package let changes: [BeaconChange]
    /// What changed within the later recording: true of its last part, and not of the whole.
    package let lately: [BeaconChange]
    /// Since when its interval is another one, where that is among them: the first sighting of which it is known.
    package let intervalSince: Timestamp?
    /// Which radios hear it otherwise in the last part, whether or not the whole tells of that, too.
    let radiosLately: BeaconChange?
    /// Another one, by its place before: each of them is heard now where the other one was.
    package internal(set) var swappedPlacesWith: Int?

    package var places: (before: Int, now: Int) { (before, now) }
  }

  package let before: ComparedSide
  package let now: ComparedSide
  /// In the order of the summaries: by kind, then most sightings first.
  package internal(set) var missing: [Missing] = []
  package private(set) var new: [New] = []
  package internal(set) var changed: [Changed] = []
  /// How many are as before.
  package private(set) var same = 0
  /// Whether intervals could be compared: radios that leave things out make their own.
  package let comparesIntervals: Bool
  package let radios: ComparedRadios
  /// Captures that may be of one radio, and are not taken for it; nil where there are none.
  package let unjoined: UnjoinedCaptures?
  /// Captures that may be of the same radios; none where no two radios listened at the same time.
  package let doubts: [ComparedNames.Doubt]
  /// Where the last part of the later recording begins, if that was compared, too.
  package let latelyFrom: Timestamp?
  package let signals: ComparedSignals
  /// Of the last part.
  package let signalsLately: ComparedSignals?

  /// Radios of both sides.
  let eachRadio: [ComparedRadios.Pair]
  /// Of what each of them was to hear often, how much of that it heard; see `receptionsByRadio`.
  private(set) var usual: [ComparedRadios.Pair: [(place: Int, factor: Double)]] = [:]
  /// What each of them heard often before.
  private(set) var often: [ComparedRadios.Pair: Set<Int>] = [:]
  /// Nil where none of them is known to have gone on for less long.
  let walks: ShorterWalks?
  private let keys: KeyRing?
  /// Whether somebody said of every capture which receiver it is of.
  package let areNamed: Bool
  /// By place of the earlier side: the place now.
  let matches: [Int: Int]
  private static let sameShare = 0.1

  /// - Parameters:
  ///   - lately: the last part of the later recording, from `now.lastPart` on.
  ///   - moments: when intervals changed within the later recording.
  ///   - walks: what radios that walk, and went on for less long, heard in as much time of the earlier recording.
  ///   - doubts: what the names of captures leave open.
  ///   - areNamed: somebody said of every capture which receiver it is of.
  ///   - keys: by which Eddystone-EIDs of either side were known.
  package init(
    before: ComparedSide, now: ComparedSide, lately: ComparedSide? = nil,
    moments: IntervalMoments? = nil, walks: ShorterWalks? = nil,
    doubts: [ComparedNames.Doubt] = [], areNamed: Bool = false, keys: KeyRing? = nil
  ) {
    self.before = before
    self.now = now
    (self.keys, self.areNamed) = (keys, areNamed)
    self.walks = walks
    latelyFrom = lately.flatMap { part in now.lastPart.map { part.firstSighting(from: $0) } }
    radios = ComparedRadios(before, now, hasDoubts: !doubts.isEmpty, areNamed: areNamed)
    eachRadio = radios.each(before, now)
    self.doubts = radios.pairs == nil ? [] : doubts
    unjoined = UnjoinedCaptures(before, now)
    comparesIntervals =
      !before.allFilter && !now.allFilter
      && abs(before.share - now.share) < Self.sameShare
    matches = Self.match(before, now)
    signals = ComparedSignals(before, now, before.places, matches, radios, walks)
    let matchesLately = lately.map { Self.match(before, $0) } ?? [:]
    let part = lately.map { [signals] side in
      let radios = ComparedRadios(before, side, hasDoubts: !doubts.isEmpty, areNamed: areNamed)
      return Later(
        side: side, radios: radios,
        signals: ComparedSignals(
          before, side, before.places, matchesLately, radios, walks, partOf: signals),
        isPart: true)
    }
    signalsLately = part?.signals
    let known = Set(matches.values)
    findMissing()
    for place in now.places where !known.contains(place) {
      new.append(
        New(place: place, heardBy: newRadios(of: place), predecessors: predecessors(place)))
    }
    (usual, often) = (receptionsByRadio(), oftenByRadio())
    findChanges(part, matchesLately, moments)
    findSwappedPlaces()
  }

  private mutating func findChanges(
    _ part: Later?, _ matchesLately: [Int: Int], _ moments: IntervalMoments?
  ) {
    // Of a radio that lost its hearing they are its own.
    let keepHearing = HearingLoss.all(now.result, now.beacons).isEmpty
    let swaps = swaps()
    var (scratch, scratchNow) = (SummaryScratch(), SummaryScratch())
    for place in before.places {
      guard let placeNow = matches[place] else { continue }
      let old = before.beacons.summary(at: place, &scratch)
      let new = now.beacons.summary(at: placeNow, &scratchNow)
      var changes = silence(place, placeNow)
      if let swap = swaps[place] {
        changes.append(swap)
      } else {
        changes += addresses(old, new).filter { !isOfListening($0, place, now: placeNow) }
      }
      changes += BeaconChange.ofFigures(old, new, comparesIntervals: comparesIntervals)
        .map { sharpened($0, placeNow) }
      if let signal = signals.change(of: place) { changes.append(signal) }
      if let radios = otherRadios(place, placeNow, besides: changes) { changes.append(radios) }
      var late: [BeaconChange] = []
      var radiosLately: BeaconChange?
      if let part, let placeLately = matchesLately[place], now.isHeardFromOnePlace(placeNow) {
        late = changesLately(
          of: place, old, placeLately, in: part, keepHearing: keepHearing, besides: changes)
        radiosLately = late.first { $0.sort == .radios }
        Self.date(&changes, by: &late, old)
      }
      if changes.isEmpty && late.isEmpty {
        same += 1
      } else {
        changed.append(
          Changed(
            before: place, now: placeNow, changes: changes, lately: late,
            intervalSince: moments.flatMap { since(placeNow, changes + late, $0) },
            radiosLately: radiosLately))
      }
    }
  }

  private func since(
    _ placeNow: Int, _ changes: [BeaconChange], _ moments: IntervalMoments
  ) -> Timestamp? {
    for case .interval(let old, let new) in changes {
      return moments.since(placeNow, of: now, before: old, now: new)
    }
    return nil
  }

  /// What is true of the last part of the later side.
  private func changesLately(
    of place: Int, _ old: BeaconSummary, _ placeLately: Int, in part: Later, keepHearing: Bool,
    besides changes: [BeaconChange]
  ) -> [BeaconChange] {
    var scratch = SummaryScratch()
    let last = part.side.beacons.summary(at: placeLately, &scratch)
    var late = BeaconChange.ofFigures(old, last, comparesIntervals: comparesIntervals)
    guard keepHearing else { return late }
    if let signal = part.signals.change(of: place) { late.append(signal) }
    let isExplained = Self.isExplained(by: changes + late)
    if let radios = heardElsewhere(place, placeLately, in: part, isExplained: isExplained) {
      late.append(radios)
    }
    return late
  }

  /// Of one sort the whole tells, but for a power that it was sent with before and in the later side as well, and in
  /// its last part is not any more: that changed within it.
  private static func date(
    _ changes: inout [BeaconChange], by late: inout [BeaconChange], _ old: BeaconSummary
  ) {
    func changesPower(_ change: BeaconChange, _ isOver: (_ now: (min: Int, max: Int)) -> Bool)
      -> Bool
    {
      guard case .power(_, let now) = change else { return false }
      return isOver(now)
    }
    if let before = old.power, before.min == before.max,
      late.contains(where: { changesPower($0) { !($0.min...$0.max).contains(before.min) } })
    {
      changes.removeAll { changesPower($0) { $0.min == before.min || $0.max == before.max } }
    }
    let told = Set(changes.map(\.sort))
    // An uptime that goes wrong in the whole tells of no start in a part that is too short to show it.
    late.removeAll {
      told.contains($0.sort) || $0.sort == .restart && told.contains(.uptime)
    }
  }

  private func otherRadios(
    _ place: Int, _ placeNow: Int, besides changes: [BeaconChange]
  ) -> BeaconChange? {
    let later = Later(side: now, radios: radios, signals: signals)
    let isExplained = Self.isExplained(by: changes)
    let moved = heardElsewhere(place, placeNow, in: later, isExplained: isExplained)
    if let moved = moved ?? passedElsewhere(place, placeNow) { return moved }
    return isExplained ? nil : hardlyHeard(place, placeNow) ?? hardlyPassed(place, placeNow)
  }

  /// Whether it is heard more or less for another reason than where it is.
  private static func isExplained(by changes: [BeaconChange]) -> Bool {
    changes.contains { change in
      switch change {
      case .twoSenders: true
      case .interval: change.isClearInterval
      default: change.sort == .silence
      }
    }
  }

  private func sharpened(_ change: BeaconChange, _ placeNow: Int) -> BeaconChange {
    guard case .interval(let old, let new) = change else { return change }
    return BeaconChange.twoSenders(before: old, now: new, now.gaps(of: placeNow)) ?? change
  }

  /// Whether it fell silent, or was away for a while.
  private func silence(_ place: Int, _ placeNow: Int) -> [BeaconChange] {
    // It may have died so soon that this side alone does not say that it stands there.
    let usual = before.longestAbsence(of: place)
    if before.silent[place] == nil,
      let silent = now.silent[placeNow] ?? usual.flatMap({ now.silence(of: placeNow, after: $0) }),
      !isOutOfHearing(place, silent)
    {
      return [fellSilent(silent)]
    }
    guard let longest = now.longestAbsence(of: placeNow), longest >= BeaconChange.Least.away,
      let usual,
      longest >= BeaconChange.Least.awayFactor * usual
    else { return [] }
    return [.away(before: usual, now: longest)]
  }

  /// Files of one radio, one after the other, are one recording, which ends with the last of them: it was not heard by
  /// any.
  private func fellSilent(_ silent: SilentBeacon) -> BeaconChange {
    guard radios.pairs == nil, !radios.areTakenAsOne else {
      let name = now.radios.count > 1 ? now.radios[silent.observer]?.name : nil
      return .fellSilent(last: silent.last, end: silent.end, radio: name)
    }
    let end = now.radios.values.map(\.last).max() ?? .min
    return .fellSilent(
      last: silent.last, end: Timestamp(nanoseconds: max(end, silent.end.nanoseconds)), radio: nil)
  }

  private static func match(_ before: ComparedSide, _ now: ComparedSide) -> [Int: Int] {
    var short: [BeaconIdentity: Int] = [:]
    var long: [[UInt8]: Int] = [:]
    // What is too long stands in a table of its own run.
    for place in now.places {
      let identity = now.beacons.identity(at: place)
      if identity.count == 255 {
        long[[identity.kind.rawValue] + now.beacons.bytes(identity)] = place
      } else {
        short[identity] = place
      }
    }
    var matches: [Int: Int] = [:]
    for place in before.places {
      let identity = before.beacons.identity(at: place)
      matches[place] =
        identity.count == 255
        ? long[[identity.kind.rawValue] + before.beacons.bytes(identity)] : short[identity]
    }
    return matches
  }

  func addresses(of place: Int, _ side: ComparedSide) -> [DeviceAddress] {
    let all = side.members(of: place).map { side.beacons.statistics.transmitters[$0].address }
    return Set(all.filter(\.isPresent)).sorted { $0.rawValue < $1.rawValue }
  }

  /// What the addresses of one that is missing send now and did not before.
  func successors(_ place: Int) -> [(place: Int, address: DeviceAddress)] {
    addresses(of: place, before).flatMap { address in
      let sent = sentBefore(by: address).compactMap { matches[$0] }
      return Self.few(now.senders[address.rawValue]).filter { !sent.contains($0) }
        .map { ($0, address) }
    } + unknownEIDs(place)
  }

  /// Of a beacon with a key: Eddystone-EIDs that no key makes, from addresses that sent none before.
  private func unknownEIDs(_ place: Int) -> [(place: Int, address: DeviceAddress)] {
    guard before.beacons.identity(at: place).kind == .eddystoneResolved else { return [] }
    return addresses(of: place, before).compactMap { address in
      guard before.unknownEIDs[address.rawValue] == nil else { return nil }
      return now.unknownEIDs[address.rawValue].map { ($0, address) }
    }
  }

  /// What the addresses of a new one sent before.
  private func predecessors(_ place: Int) -> [(place: Int, address: DeviceAddress)] {
    addresses(of: place, now).flatMap { address in
      sentBefore(by: address).map { ($0, address) }
    }
  }
}

extension Comparison {
  /// Beacons of either side that are compared.
  package var countBefore: Int { before.places.count }
  package var countNow: Int { now.places.count }

  /// The key of a beacon of the earlier side; nil of one that has none.
  package func key(of place: Int) -> BeaconKey? {
    let identity = before.beacons.identity(at: place)
    guard identity.kind == .eddystoneResolved else { return nil }
    let name = before.beacons.text(identity)
    return keys?.keys.first { $0.name == name }
  }

  /// What an address sent in the earlier recording: places of its side; none of one that sent dozens.
  package func sentBefore(by address: DeviceAddress) -> [Int] {
    Self.few(before.senders[address.rawValue])
  }

  /// Who sends so many identities sends any.
  private static func few(_ places: [Int]?) -> [Int] {
    guard let places, places.count <= 16 else { return [] }
    return places
  }
}
