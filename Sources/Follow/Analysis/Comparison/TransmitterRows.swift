/// Which row of a table the transmitters of captures belong to, as each capture numbers them: looked up once for each.
struct TransmitterRows: Sendable {
  /// By capture and its number of a transmitter: the row, behind `notYet` and `none`.
  private var known: [[Int]] = []
  private static let notYet = 0
  private static let none = 1

  /// Whether it has been said which row a transmitter has.
  mutating func knows(_ transmitter: Int, of capture: Int) -> Bool {
    while known.count <= capture { known.append([]) }
    while known[capture].count <= transmitter { known[capture].append(Self.notYet) }
    return known[capture][transmitter] != Self.notYet
  }

  /// The row of one that is known; nil where it has none.
  subscript(transmitter: Int, of capture: Int) -> Int? {
    get {
      let row = known[capture][transmitter]
      return row > Self.none ? row - 2 : nil
    }
    set { known[capture][transmitter] = newValue.map { $0 + 2 } ?? Self.none }
  }
}
