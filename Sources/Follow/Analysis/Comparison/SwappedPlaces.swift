/// Beacons that were put in each other's place.
extension Comparison {
  /// Of what was to be expected: not any more, hardly before, and as much as the other one.
  private enum Share {
    static let none = 0.1
    static let many = 10.0
    static let alike = 2.0
  }

  /// The radio that hears a beacon no more, and the one that hears it now: those that heard it most.
  private struct Move {
    let from: BeaconChange.Hearing
    let to: BeaconChange.Hearing

    init?(_ changes: [BeaconChange]) {
      var (from, to): (BeaconChange.Hearing?, BeaconChange.Hearing?)
      for case .heardBy(let radios) in changes {
        from = radios.filter { $0.factor <= Share.none }.max { $0.expected < $1.expected }
        to = radios.filter { $0.factor >= Share.many }.max { $0.now < $1.now }
      }
      guard let from, let to else { return nil }
      (self.from, self.to) = (from, to)
    }

    /// Whether each is heard now where the other one was, and as often.
    func isReverse(of other: Move) -> Bool {
      from.radio == other.to.radio && to.radio == other.from.radio
        && Self.isAlike(Double(to.now), other.from.expected)
        && Self.isAlike(Double(other.to.now), from.expected)
    }

    private static func isAlike(_ one: Double, _ other: Double) -> Bool {
      max(one, other) <= Share.alike * min(one, other)
    }
  }

  /// Told where it can be one other only, and both went at the same time, as far as is known: with the later side, or
  /// within it.
  mutating func findSwappedPlaces() {
    for isLately in [false, true] {
      let moves = changed.indices.compactMap { place in
        Move(isLately ? changed[place].lately : changed[place].changes).map { (place, $0) }
      }
      func others(_ move: Move) -> [Int] { moves.filter { $0.1.isReverse(of: move) }.map(\.0) }
      for (place, move) in moves {
        guard let other = others(move).first, others(move).count == 1,
          let back = moves.first(where: { $0.0 == other }), others(back.1) == [place]
        else { continue }
        changed[place].swappedPlacesWith = changed[other].before
      }
    }
  }
}
