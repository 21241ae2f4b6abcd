import FrameDecoder

/// Signals of the beacons that both recordings have, radio by radio: where most of them changed, it is the
/// radio that changed.
package struct ComparedSignals: Sendable {
  /// What became of the signals that a radio hears.
  package struct Shift: Sendable {
    /// Beacons with enough sightings on either side.
    package fileprivate(set) var compared = 0
    /// Of these, those that changed.
    package fileprivate(set) var stronger = 0
    package fileprivate(set) var weaker = 0

    /// Whether it is the radio: most signals changed, and there are enough of them.
    package var isOfRadio: Bool { compared >= ComparedSignals.enough && isOfMost }
    fileprivate var isOfMost: Bool { (stronger + weaker) * 2 > compared }
  }

  private static let enough = 8

  private(set) var shifts: [ComparedRadios.Pair: Shift] = [:]
  /// The median RSSI of a beacon at a radio, then and now, dBm.
  private struct Change {
    let pair: ComparedRadios.Pair
    /// It heard the beacon most often.
    let isOfNearest: Bool
    let before: Int
    let now: Int

    var size: Int { abs(now - before) }
  }
  /// By place before: of the radios whose signals of it changed, and not most of all others, the one that shows it
  /// best.
  private var changes: [Int: Change] = [:]
  /// Of each beacon with enough sightings: how often it is heard now in a second, by how often before.
  private var receptions: [Double] = []
  /// The same of each radio, of all that it heard often.
  private var receptionsOf: [ComparedRadios.Pair: [Double]] = [:]
  /// What became of the radios in all of the later side, by their numbers before, where this is of a part of it: one
  /// that was moved hears otherwise all the time, and of a part fewer signals may be said to have changed.
  private let inWhole: [Int?: Shift]
  private let radios: ComparedRadios

  /// - Parameters:
  ///   - matches: by place before, the place now.
  ///   - places: those before, in order.
  ///   - walks: of radios that went on for less long nothing is compared: they came by otherwise.
  ///   - whole: signals of all of the later side, where `now` is a part of it: only what is unusual for the whole of
  ///     the earlier one is a change then. Where somebody walks, no part is like the whole.
  init(
    _ before: ComparedSide, _ now: ComparedSide, _ places: [Int], _ matches: [Int: Int],
    _ radios: ComparedRadios, _ walks: ShorterWalks?, partOf whole: ComparedSignals? = nil
  ) {
    self.radios = radios
    inWhole = Dictionary(
      uniqueKeysWithValues: (whole?.shifts ?? [:]).map { ($0.key.before, $0.value) })
    var all: [Int: [Change]] = [:]
    for place in places {
      guard let placeNow = matches[place] else { continue }
      let most = radios.pair(of: place, before)
      let senders = Self.senders(place, placeNow, before, now)
      for pair in radios.pairs(of: place, before) where walks?.walk(of: pair) == nil {
        let (old, new) = (
          before.signal(of: place, by: pair.before), now.signal(of: placeNow, by: pair.now)
        )
        if old.sightings >= BeaconChange.Least.sightings,
          let ratio = Self.listened(pair, before, now)
        {
          let reception = Double(new.sightings) / Double(old.sightings) / ratio
          if pair == most { receptions.append(reception) }
          receptionsOf[pair, default: []].append(reception)
        }
        guard radios.comparesSignals(pair) else { continue }
        let medians = senders.compactMap { sender -> Medians? in
          sender == nil
            ? Medians(old, new)
            : Medians(
              before.signal(of: place, by: pair.before, from: sender),
              now.signal(of: placeNow, by: pair.now, from: sender))
        }
        guard let found = medians.max(by: { $0.size < $1.size }) else { continue }
        let (median, medianNow) = (found.before, found.now)
        shifts[pair, default: Shift()].compared += 1
        let change = Change(
          pair: pair, isOfNearest: pair == most, before: median, now: medianNow)
        guard change.size >= BeaconChange.Least.signal,
          whole == nil || found.usual?.contains(medianNow) == false
        else { continue }
        if medianNow > median {
          shifts[pair, default: Shift()].stronger += 1
        } else {
          shifts[pair, default: Shift()].weaker += 1
        }
        all[place, default: []].append(change)
      }
    }
    receptions.sort()
    receptionsOf = receptionsOf.mapValues { $0.sorted() }
    changes = all.compactMapValues { list in
      // Of those that show it as well the one that heard it most often, which comes first.
      list.filter { self.isOfBeacon($0) }.enumerated()
        .max { ($0.element.size, $1.offset) < ($1.element.size, $0.offset) }?.element
    }
  }

  /// What a radio hears of a sender, where that is often enough on either side.
  private struct Medians {
    let before: Int
    let now: Int
    let usual: ClosedRange<Int>?
    var size: Int { abs(now - before) }

    init?(
      _ old: (sightings: Int, median: Int?, usual: ClosedRange<Int>?),
      _ new: (sightings: Int, median: Int?, usual: ClosedRange<Int>?)
    ) {
      guard min(old.sightings, new.sightings) >= BeaconChange.Least.sightings,
        let before = old.median, let now = new.median
      else { return nil }
      (self.before, self.now, usual) = (before, now, old.usual)
    }
  }

  /// Whose signals are compared: of an identity that several addresses send those that do on both sides, each for
  /// itself, as a copy is heard from elsewhere; nil is all of them, where no address is the same.
  private static func senders(
    _ place: Int, _ placeNow: Int, _ before: ComparedSide, _ now: ComparedSide
  ) -> [DeviceAddress?] {
    let (old, new) = (before.addresses(of: place), now.addresses(of: placeNow))
    guard old.count > 1 || new.count > 1 else { return [nil] }
    let both = old.intersection(new).filter(\.isPresent)
    return both.isEmpty ? [nil] : both.sorted { $0.rawValue < $1.rawValue }
  }

  /// Whether it is the beacon that changed. Of a few beacons most may have changed, but who is not near and hears
  /// most of its own otherwise was moved itself.
  private func isOfBeacon(_ change: Change) -> Bool {
    let shifts = [shifts[change.pair], inWhole[change.pair.before]].compactMap { $0 }
    return !shifts.contains { change.isOfNearest ? $0.isOfRadio : $0.isOfMost }
  }

  /// Whether a radio hears most signals otherwise than before, here or in all of the later side, or hears other channels.
  func isMoved(_ pair: ComparedRadios.Pair) -> Bool {
    shifts[pair]?.isOfRadio == true || inWhole[pair.before]?.isOfRadio == true
      || radios.hearsOtherChannels(pair)
  }

  /// By how much longer a radio listened now; nil where it did not on one of the sides.
  static func listened(
    _ pair: ComparedRadios.Pair, _ before: ComparedSide, _ now: ComparedSide
  ) -> Double? {
    let old = pair.before.map { before.radios[$0]?.listened ?? 0 } ?? before.listened
    let new = pair.now.map { now.radios[$0]?.listened ?? 0 } ?? now.listened
    return old > 0 && new > 0 ? Double(new) / Double(old) : nil
  }

  /// What is the beacon's: nil where the radios changed.
  func change(of place: Int) -> BeaconChange? {
    changes[place].map { .signal(before: $0.before, now: $0.now) }
  }

  /// The radio whose signals of a beacon changed, by name, and how often it heard it; nil where all of a side
  /// count as one, or nothing changed.
  /// - Parameter places: of the beacon, before and now.
  package func radio(
    of places: (before: Int, now: Int), _ comparison: Comparison
  ) -> (name: String, before: Int, now: Int)? {
    guard let pair = changes[places.before]?.pair, let old = pair.before, let new = pair.now,
      let name = comparison.before.radios[old]?.name
    else { return nil }
    return (
      name, comparison.before.sightings(of: places.before)[old, default: 0],
      comparison.now.sightings(of: places.now)[new, default: 0]
    )
  }

  /// The same by its place before, without how often: of a part of the later side.
  package func radioName(of place: Int, _ comparison: Comparison) -> String? {
    changes[place]?.pair.before.flatMap { comparison.before.radios[$0]?.name }
  }

  /// Radios that hear most signals otherwise, by name; nil for all of a side. Of a part those that do so there alone.
  package func moved(_ comparison: Comparison) -> [(name: String?, shift: Shift)] {
    shifts.filter { $0.value.isOfRadio && inWhole[$0.key.before]?.isOfRadio != true }
      .map { pair, shift in (pair.before.flatMap { comparison.before.radios[$0]?.name }, shift) }
      .sorted { ($0.0 ?? "") < ($1.0 ?? "") }
      .map { (name: $0.0, shift: $0.1) }
  }

  /// How much of what was heard before, in as much listening, is heard now of the middle one of the
  /// beacons, and of how many; nil where there are few.
  package var reception: (ratio: Double, beacons: Int)? {
    guard receptions.count >= Self.enough else { return nil }
    return (receptions[receptions.count / 2], receptions.count)
  }

  /// The same of three beacons and more: whether it is the radio that hears less.
  var usualReception: Double? {
    receptions.count >= Self.few ? receptions[receptions.count / 2] : nil
  }

  /// The same of what one radio heard often before.
  func usualReception(by pair: ComparedRadios.Pair) -> Double? {
    guard let own = receptionsOf[pair], own.count >= Self.few else { return nil }
    return own[own.count / 2]
  }
  private static let few = 3
}
