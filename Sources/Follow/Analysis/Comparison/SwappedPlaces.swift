/// Beacons that were put in each other's place.
extension Comparison {
  /// Of what was to be expected: not any more, hardly before, and as much as the other one.
  private enum Share {
    static let none = 0.1
    static let many = 10.0
    static let alike = 2.0
    /// Of the later side: two that went within so much of it went at the same time.
    static let moment = 0.1
  }

  private struct Way: Hashable {
    let from: String
    let to: String

    var back: Way { Way(from: to, to: from) }
  }

  /// From the radio that hears a beacon no more to the one that hears it now: those that heard it most.
  private struct Move {
    /// Among `changed`.
    let place: Int
    let way: Way
    /// Sightings: to be expected where it was, and where it is.
    let before: Double
    let now: Double
    /// For which part of the later side it was heard where it was, 0…1.
    let stayed: Double

    /// Whether each is heard now where the other one was, as often, and since about when.
    func isReverse(of other: Move) -> Bool {
      Self.isAlike(now, other.before) && Self.isAlike(other.now, before)
        && abs(stayed - other.stayed) <= Share.moment
    }

    private static func isAlike(_ one: Double, _ other: Double) -> Bool {
      max(one, other) <= Share.alike * min(one, other)
    }
  }

  /// Told where it can be one other only, and both went at the same time, as far as is known: with the later side, or
  /// within it. By the counts of all of it, and else, as those of who went within it are of both places, by those of
  /// its last part.
  mutating func findSwappedPlaces() {
    let listening = listening
    func moves(_ radios: (Changed) -> BeaconChange?) -> [Move] {
      changed.indices.compactMap { place in
        radios(changed[place]).flatMap { move(of: place, $0, listening) }
      }
    }
    let told = tellPairs(moves { $0.changes.first { $0.sort == .radios } })
    _ = tellPairs(moves(\.radiosLately).filter { !told.contains($0.place) })
  }

  /// Radios of both sides by name, and by how much longer each listened.
  private typealias Listening = [String: (pair: ComparedRadios.Pair, longer: Double)]

  private var listening: Listening {
    var found: Listening = [:]
    for (number, numberNow) in radios.pairs ?? [:] {
      let pair = ComparedRadios.Pair(before: number, now: numberNow)
      guard let name = before.radios[number]?.name,
        let longer = ComparedSignals.listened(pair, before, now)
      else { continue }
      found[name] = (pair, longer)
    }
    return found
  }

  private func move(of place: Int, _ change: BeaconChange, _ listening: Listening) -> Move? {
    guard case .heardBy(let radios) = change,
      let from = radios.filter({ $0.factor <= Share.none }).max(by: { $0.expected < $1.expected }),
      let to = radios.filter({ $0.factor >= Share.many }).max(by: { $0.now < $1.now }),
      let (pair, longer) = listening[from.radio], let number = pair.before, let numberNow = pair.now
    else { return nil }
    let (old, new) = (
      before.sightings(of: changed[place].before)[number, default: 0],
      now.sightings(of: changed[place].now)[numberNow, default: 0]
    )
    return Move(
      place: place, way: Way(from: from.radio, to: to.radio), before: from.expected,
      now: Double(to.now), stayed: min(1, Double(new) / max(1, Double(old) * longer)))
  }

  /// - Returns: those that may have changed places with one or several others.
  private mutating func tellPairs(_ moves: [Move]) -> Set<Int> {
    let ways = Dictionary(grouping: moves, by: \.way)
      .mapValues { $0.sorted { ($0.before, $0.place) < ($1.before, $1.place) } }
    var others: [Int: [Int]] = [:]
    for move in moves {
      let found = Self.others(move, ways[move.way.back] ?? [])
      if !found.isEmpty { others[move.place] = found }
    }
    for (place, found) in others where found.count == 1 && others[found[0]] == [place] {
      changed[place].swappedPlacesWith = changed[found[0]].before
    }
    return Set(others.keys)
  }

  /// Two at most: which ones matters of one alone.
  /// - Parameter back: those that went the other way, who was heard least often first.
  private static func others(_ move: Move, _ back: [Move]) -> [Int] {
    var (first, end) = (0, back.count)
    while first < end {
      let middle = (first + end) / 2
      if back[middle].before * Share.alike < move.now { first = middle + 1 } else { end = middle }
    }
    var found: [Int] = []
    for other in back[first...] {
      guard found.count < 2, other.before <= Share.alike * move.now else { break }
      if move.isReverse(of: other) { found.append(other.place) }
    }
    return found
  }
}
