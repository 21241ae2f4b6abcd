import Testing

@testable import Exports

@Suite struct StateLineTests {
  typealias Span = StateLine.Span

  /// A slow twin: one state per nanosecond.
  struct Twin {
    var states: [StateLine.State]
    let from: Int64

    init(_ line: StateLine) {
      from = line.span.from
      states = []
      for part in line.parts {
        #expect(part.span.from == from + Int64(states.count))
        states += Array(repeating: part.state, count: Int(part.span.to - part.span.from))
      }
    }

    mutating func paint(_ spans: [Span], _ state: StateLine.State) {
      for span in spans {
        for moment in span.from..<span.to where states.indices.contains(Int(moment - from)) {
          states[Int(moment - from)] = state
        }
      }
    }

    /// What holds for most of each cell; of equals the higher one. Being inside counts together, and is
    /// deaf where most of it is.
    func cells(_ count: Int) -> [StateLine.State] {
      (0..<count).map { cell in
        let here = states.indices.filter { $0 * count / states.count == cell }.map { states[$0] }
        let deaf = here.count { $0 == .insideDeaf }
        let sums = StateLine.State.allCases.filter { $0 != .insideDeaf }.map { state in
          (state: state, time: here.count { $0 == state || state == .inside && $0 == .insideDeaf })
        }
        guard let most = sums.max(by: { ($0.time, $0.state) < ($1.time, $1.state) }),
          most.time > 0
        else { return .none }
        return most.state == .inside && 2 * deaf > most.time ? .insideDeaf : most.state
      }
    }
  }

  /// Multiply with carry (Lehmer); the seed is printed with what fails.
  struct Numbers {
    var state: UInt64
    mutating func below(_ limit: Int64) -> Int64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int64(state >> 33) % limit
    }
  }

  private static func spans(_ numbers: inout Numbers) -> [Span] {
    var at = numbers.below(20) - 10
    return (0..<numbers.below(6)).map { _ in
      let from = at + numbers.below(20)
      at = from + numbers.below(25)
      return Span(from: from, to: at)
    }
  }

  @Test(arguments: UInt64(1)...400)
  func paintsMergesAndCutsAsASlowTwinDoes(seed: UInt64) {
    var numbers = Numbers(state: seed)
    let span = Span(from: 0, to: 1 + numbers.below(120))
    var line = StateLine(span, .unknown)
    var twin = Twin(line)
    var other = StateLine(span, .none)
    for state in [StateLine.State.outside, .deaf, .inside, .insideDeaf, .none] {
      let spans = Self.spans(&numbers)
      line.paint(spans, state)
      twin.paint(spans, state)
      other.paint(Self.spans(&numbers), state)
      #expect(Twin(line).states == twin.states, "seed \(seed)")
    }
    let merged = Twin(line.merged(with: other)).states
    #expect(merged == zip(twin.states, Twin(other).states).map { max($0, $1) }, "seed \(seed)")
    let count = Int(1 + numbers.below(40))
    #expect(line.cells(count, visible: []) == twin.cells(count), "seed \(seed), \(count) cells")
  }

  @Test func neighboursOfOneStateAreOnePart() {
    var line = StateLine(Span(from: 0, to: 10), .outside)
    line.paint([Span(from: 2, to: 4), Span(from: 4, to: 6)], .inside)
    #expect(line.parts.map(\.state) == [.outside, .inside, .outside])
  }

  @Test func aVisitShorterThanACellStillShows() {
    var line = StateLine(Span(from: 0, to: 1000), .outside)
    let visits = [Span(from: 250, to: 251), Span(from: 777, to: 777)]
    line.paint(visits, .inside)
    let cells = line.cells(10, visible: visits)
    #expect(cells.enumerated().filter { $0.element == .inside }.map(\.offset) == [2, 7])
    #expect(!line.cells(10, visible: []).contains(.inside))
  }

  @Test func aVisitThatShowsAlreadyTakesNoOtherCell() {
    var line = StateLine(Span(from: 0, to: 100), .outside)
    let visit = Span(from: 9, to: 20)
    line.paint([visit], .inside)
    #expect(
      line.cells(10, visible: [visit]).map { $0 == .inside } == [false, true]
        + .init(repeating: false, count: 8))
  }

  @Test func theLongestTimeThereIsNeitherTrapsNorShifts() {
    var line = StateLine(Span(from: .min + 1, to: .max), .unknown)
    line.paint([Span(from: 0, to: .max)], .inside)
    #expect(line.cells(2, visible: []) == [.unknown, .inside])
    #expect(line.cell(at: .max, 80) == 79)
    #expect(line.cell(at: .min + 1, 80) == 0)
    #expect(Span.sum([line.span, line.span]) == .max)
  }

  @Test func aLineWithoutLengthHasOneCellForEverything() {
    let line = StateLine(Span(from: 5, to: 5), .inside)
    #expect(line.parts.isEmpty)
    #expect(line.cells(4, visible: [Span(from: 5, to: 5)]) == [.inside, .none, .none, .none])
  }
}
