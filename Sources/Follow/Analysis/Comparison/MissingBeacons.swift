import Beacons

/// Who is missing, and what that is worth.
extension Comparison {
  private static let enough = 10

  /// What a radio heard: beacons that it heard often, and how many of them are heard now.
  private struct Others {
    var all = 0
    var now = 0
  }

  /// Of the radios that listen on both sides; of all, where they count as one, by which heard it most often.
  private func radio(of place: Int) -> ComparedRadios.Pair? {
    guard radios.pairs == nil else { return radios.pair(of: place, before) }
    return ComparedRadios.Pair(before: before.observer(of: place), now: nil)
  }

  /// Whether a radio heard it often before.
  private func isOften(_ place: Int, _ radio: ComparedRadios.Pair) -> Bool {
    let sightings =
      radios.pairs == nil
      ? before.beacons.sightings(at: place)
      : before.sightings(of: place)[radio.before ?? 0, default: 0]
    return sightings >= Self.enough
  }

  /// Those that listen on both sides and heard it often before.
  private func radiosThatHeard(_ place: Int) -> [ComparedRadios.Pair] {
    guard let pairs = radios.pairs else {
      return radio(of: place).map { isOften(place, $0) ? [$0] : [] } ?? []
    }
    return before.sightings(of: place).compactMap { number, sightings in
      guard sightings >= Self.enough, let now = pairs[number] else { return nil }
      return ComparedRadios.Pair(before: number, now: now)
    }
  }

  private func isHeardNow(_ place: Int, by radio: ComparedRadios.Pair) -> Bool {
    guard let placeNow = matches[place] else { return false }
    guard let number = radio.now else { return true }
    return now.sightings(of: placeNow)[number, default: 0] > 0
  }

  mutating func findMissing() {
    // By radio.
    var heard: [ComparedRadios.Pair: Others] = [:]
    var heardBy: [Int: ComparedRadios.Pair] = [:]
    for place in before.places {
      if matches[place] == nil { heardBy[place] = radio(of: place) }
      for radio in radiosThatHeard(place) {
        heard[radio, default: Others()].all += 1
        if isHeardNow(place, by: radio) { heard[radio, default: Others()].now += 1 }
      }
    }
    for place in before.places where matches[place] == nil {
      let radio = heardBy[place]
      addMissing(place, radio, radio.flatMap { heard[$0] } ?? Others())
    }
  }

  private mutating func addMissing(
    _ place: Int, _ radio: ComparedRadios.Pair?, _ heard: Others
  ) {
    let expected = expected(place)
    let isOften = radio.map { self.isOften(place, $0) } ?? false
    let others = heard.all - (isOften ? 1 : 0)
    let witness = radio == nil ? nil : missingWitness(of: place)
    let doubt: Doubt? =
      if radio == nil || witness != nil {
        .radioMissing
      } else if now.reports == 0 || heard.now * 2 < others || others == 0 {
        .othersMissing
      } else if isMoved(radio) {
        .radioMoved
      } else {
        nil
      }
    missing.append(
      Missing(
        place: place,
        grade: doubt != nil ? .deaf : expected < Double(Self.enough) ? .thin : .gone,
        expected: expected, others: others, othersNow: heard.now, doubt: doubt,
        heardBy: radio == nil ? before.radioNames(of: place) : [], heardMostBy: witness,
        successors: successors(place)))
  }

  private func isMoved(_ radio: ComparedRadios.Pair?) -> Bool {
    let pair = radios.pairs == nil ? .all : radio ?? .all
    return signals.shifts[pair]?.isOfRadio == true
  }

  /// Sightings to be expected now, by how long the radios listen that heard it.
  private func expected(_ place: Int) -> Double {
    guard let pairs = radios.pairs else {
      let ratio = before.listened > 0 ? Double(now.listened) / Double(before.listened) : 1
      return Double(before.beacons.sightings(at: place)) * ratio
    }
    return before.sightings(of: place).sorted { $0.key < $1.key }.reduce(0) { sum, heard in
      guard let number = pairs[heard.key] else { return sum }
      let pair = ComparedRadios.Pair(before: heard.key, now: number)
      return sum + Double(heard.value) * (ComparedSignals.listened(pair, before, now) ?? 0)
    }
  }

  /// Radios that hear a new one, where none of them took part before.
  func newRadios(of placeNow: Int) -> [String] {
    guard let pairs = radios.pairs else { return [] }
    let known = Set(pairs.values)
    guard now.sightings(of: placeNow).keys.allSatisfy({ !known.contains($0) }) else { return [] }
    return now.radioNames(of: placeNow)
  }
}

extension ComparedSide {
  /// The radios that heard the identity at a place, most sightings first.
  fileprivate func radioNames(of place: Int) -> [String] {
    sightings(of: place).sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .compactMap { radios[$0.key]?.name }
  }
}
