import Beacons
package import FrameDecoder

extension Comparison {
  /// A beacon that was heard before and is not now.
  package struct Missing: Sendable {
    /// Before.
    package let place: Int
    package let grade: Grade
    /// Sightings that were to be expected now, by how long was listened.
    package let expected: Double
    /// Beacons that its radio heard beside it before, and how many of these are heard now.
    package let others: Int
    package let othersNow: Int
    /// Why it is not `gone`, but for one that was heard so seldom, or is listened so shortly for.
    package let doubt: Doubt?
    /// Of a radio that walks, and went on for less long: how often it had heard it in as much time, and how long that
    /// is, nanoseconds.
    package let inTime: (sightings: Int, length: Int64)?
    /// Radios that heard it, where none of them listens now; most sightings first.
    package let heardBy: [String]
    /// The radio that heard it last or by far most often, where that takes no part now and others that heard
    /// it do.
    package let heardMostBy: String?
    /// What its addresses send now and did not before: places of the later side.
    package let successors: [(place: Int, address: DeviceAddress)]
    package let refusedNow: [RefusedNow]
  }

  /// What it is worth that a beacon is missing.
  package enum Grade: String, Sendable {
    /// Those who were heard with it are heard now.
    case gone
    /// It may be the radio that is missing, or hears otherwise: see `Doubt`.
    case deaf
    /// It was heard so seldom, or is listened so shortly now, or otherwise (`Doubt`), that this may be chance.
    case thin
  }

  /// Why a beacon may be missing for the radio's sake, what matters most first.
  package enum Doubt: String, Sendable {
    /// None of the radios that heard it takes part now, or not the one that heard it last or most.
    case radioMissing = "radio_missing"
    /// The radio hears most of the others otherwise than before.
    case radioMoved = "radio_moved"
    /// Most of those who were heard with it are not heard now either, or there were none.
    case othersMissing = "others_missing"
    /// The radio walks, went on for less long, and heard it behind as much time only.
    case walkShorter = "walk_shorter"
    /// All radios that heard it often leave out now what is repeated.
    case duplicatesFiltered = "duplicates_filtered"
    /// For nearly all of the time they pass on only whom they were told to: advertisers on their list, or those whom
    /// Android's content filter lets through.
    case listedOnly = "listed_only"

    /// What it is worth then.
    var grade: Grade {
      switch self {
      case .radioMissing, .radioMoved, .othersMissing: .deaf
      case .walkShorter, .duplicatesFiltered, .listedOnly: .thin
      }
    }
  }
}

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
    if let number = radio.before, let inTime = walks?.sightings(of: place, by: number, before) {
      return inTime >= Self.enough
    }
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
    return before.sightings(of: place).keys.compactMap { number in
      pairs[number].map { ComparedRadios.Pair(before: number, now: $0) }
    }
    .filter { isOften(place, $0) }
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
    let refused = refusedNow()
    for place in before.places where matches[place] == nil {
      let radio = heardBy[place]
      addMissing(place, radio, radio.flatMap { heard[$0] } ?? Others(), refused)
    }
  }

  private mutating func addMissing(
    _ place: Int, _ radio: ComparedRadios.Pair?, _ heard: Others,
    _ refused: [DeviceAddress: [RefusedNow]]
  ) {
    let expected = expected(place)
    let isOften = radio.map { self.isOften(place, $0) } ?? false
    let others = heard.all - (isOften ? 1 : 0)
    let witness = radio == nil ? nil : missingWitness(of: place)
    let inTime = radio.flatMap { heardInTime(place, $0) }
    let doubt: Doubt? =
      if radio == nil || witness != nil {
        .radioMissing
      } else if now.reports == 0 || heard.now * 2 < others || others == 0 {
        .othersMissing
      } else if isMoved(radio) {
        .radioMoved
      } else if inTime != nil, expected < Double(Self.enough) {
        .walkShorter
      } else if isFiltered(place) {
        .duplicatesFiltered
      } else if expected >= Double(Self.enough), expectedOfAll(place) < Double(Self.enough) {
        .listedOnly
      } else {
        nil
      }
    missing.append(
      Missing(
        place: place,
        grade: doubt?.grade ?? (expected < Double(Self.enough) ? .thin : .gone),
        expected: expected, others: others, othersNow: heard.now, doubt: doubt,
        inTime: doubt == .walkShorter ? inTime : nil,
        heardBy: radio == nil ? before.radioNames(of: place) : [], heardMostBy: witness,
        successors: successors(place), refusedNow: refusedNow(place, refused)))
  }

  /// Of a beacon that was heard often, by a radio that walks and went on for less long.
  private func heardInTime(
    _ place: Int, _ radio: ComparedRadios.Pair
  ) -> (sightings: Int, length: Int64)? {
    guard before.beacons.sightings(at: place) >= Self.enough, let number = radio.before,
      let walk = walks?.walks[number],
      let sightings = walks?.sightings(of: place, by: number, before)
    else { return nil }
    return (sightings, walk.length)
  }

  /// Whether all who heard it often leave out now what is repeated: of whom they tell once in a while, or once for all,
  /// many chances to hear him do not make it certain.
  private func isFiltered(_ place: Int) -> Bool {
    guard let pairs = radios.pairs else { return now.allFilter }
    let often = before.sightings(of: place).filter { $0.value >= Self.enough }.keys
      .compactMap { pairs[$0] }
    return !often.isEmpty
      && often.allSatisfy { now.radios[$0].map { now.filtering.contains($0.name) } ?? false }
  }

  /// Sightings to be expected in the time in which the radios pass on everybody, not only whom they were told to.
  private func expectedOfAll(_ place: Int) -> Double {
    guard let pairs = radios.pairs else { return expected(place) * (1 - now.listedOnlyShare) }
    return before.sightings(of: place).sorted { $0.key < $1.key }.reduce(0) { sum, heard in
      guard let number = pairs[heard.key] else { return sum }
      let pair = ComparedRadios.Pair(before: heard.key, now: number)
      return sum + expected(place, by: pair, heard.value)
        * (1 - (now.radios[number]?.listedOnlyShare ?? 0))
    }
  }

  private func isMoved(_ radio: ComparedRadios.Pair?) -> Bool {
    let pair = radios.pairs == nil ? .all : radio ?? .all
    return signals.shifts[pair]?.isOfRadio == true
  }

  /// Sightings to be expected now, by how long the radios listen that heard it.
  private func expected(_ place: Int) -> Double {
    guard let pairs = radios.pairs else {
      if let only = before.radios.keys.first,
        let expected = walks?.expected(place, by: only, before)
      {
        return expected
      }
      let ratio = before.listened > 0 ? Double(now.listened) / Double(before.listened) : 1
      return Double(before.beacons.sightings(at: place)) * ratio
    }
    return before.sightings(of: place).sorted { $0.key < $1.key }.reduce(0) { sum, heard in
      guard let number = pairs[heard.key] else { return sum }
      let pair = ComparedRadios.Pair(before: heard.key, now: number)
      return sum + expected(place, by: pair, heard.value)
    }
  }

  /// The same of one radio.
  /// - Parameter sightings: by it, before.
  func expected(_ place: Int, by pair: ComparedRadios.Pair, _ sightings: Int) -> Double {
    if let number = pair.before, let expected = walks?.expected(place, by: number, before) {
      return expected
    }
    return Double(sightings) * (ComparedSignals.listened(pair, before, now) ?? 0)
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
