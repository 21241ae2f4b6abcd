/// What held for a region over a time: parts that touch, in order.
package struct StateLine: Equatable {
  /// The higher one wins where several observers differ: who heard something knows more than who
  /// was deaf.
  package enum State: Int, CaseIterable, Comparable {
    /// No recording.
    case none
    /// Not known yet whether inside.
    case unknown
    case deaf
    case outside
    /// As last known: the observer was deaf meanwhile, and might not have heard it go on either.
    case insideDeaf
    case inside

    var isInside: Bool { self >= .insideDeaf }

    package static func < (a: State, b: State) -> Bool { a.rawValue < b.rawValue }
  }

  package struct Span: Equatable {
    /// Nanoseconds since 1970, `to` not included.
    package let from: Int64
    package let to: Int64

    /// Nanoseconds, as many as 64 bits hold.
    var length: Int64 {
      let (length, overflow) = to.subtractingReportingOverflow(from)
      return overflow ? .max : length
    }

    static func sum(_ spans: [Span]) -> Int64 {
      spans.reduce(0) { sum, span in
        let (next, overflow) = sum.addingReportingOverflow(span.length)
        return overflow ? .max : next
      }
    }

    /// Those that touch are one. Ascending.
    static func joined(_ spans: [Span]) -> [Span] {
      spans.sorted { $0.from < $1.from }.reduce(into: []) { joined, span in
        if let last = joined.last, last.to >= span.from {
          joined[joined.count - 1] = Span(from: last.from, to: max(last.to, span.to))
        } else {
          joined.append(span)
        }
      }
    }
  }

  package struct Part: Equatable {
    package let span: Span
    package let state: State
  }

  let span: Span
  package private(set) var parts: [Part] = []

  init(_ span: Span, _ state: State) {
    self.span = span
    append(span.from, span.to, state)
  }

  private mutating func append(_ from: Int64, _ to: Int64, _ state: State) {
    guard to > from else { return }
    if let last = parts.last, last.state == state, last.span.to == from {
      parts[parts.count - 1] = Part(span: Span(from: last.span.from, to: to), state: state)
    } else {
      parts.append(Part(span: Span(from: from, to: to), state: state))
    }
  }

  /// Puts a state over what was there.
  /// - Parameter spans: ascending; what lies outside the line is left out.
  mutating func paint(_ spans: [Span], _ state: State) { paint(spans) { _ in state } }

  /// - Parameter state: by what was there.
  mutating func paint(_ spans: [Span], _ state: (State) -> State) {
    let before = parts
    parts.removeAll(keepingCapacity: true)
    var next = 0
    for part in before {
      var at = part.span.from
      while next < spans.count, spans[next].from < part.span.to {
        let begin = max(spans[next].from, at)
        let end = min(spans[next].to, part.span.to)
        if end > begin {
          append(at, begin, part.state)
          append(begin, end, state(part.state))
          at = end
        }
        guard spans[next].to <= part.span.to else { break }
        next += 1
      }
      append(at, part.span.to, part.state)
    }
  }

  /// Both lines' parts cut at each other's ends.
  static func both(_ a: StateLine, _ b: StateLine) -> [(span: Span, a: State, b: State)] {
    var found: [(Span, State, State)] = []
    var (i, j) = (0, 0)
    while i < a.parts.count, j < b.parts.count {
      let (x, y) = (a.parts[i], b.parts[j])
      let from = max(x.span.from, y.span.from)
      let to = min(x.span.to, y.span.to)
      if to > from { found.append((Span(from: from, to: to), x.state, y.state)) }
      if x.span.to <= y.span.to { i += 1 }
      if y.span.to <= x.span.to { j += 1 }
    }
    return found
  }

  /// The higher state of two lines over the same time.
  func merged(with other: StateLine) -> StateLine {
    var line = self
    line.parts.removeAll(keepingCapacity: true)
    for (span, a, b) in Self.both(self, other) { line.append(span.from, span.to, max(a, b)) }
    return line
  }

  /// What of it lies in a span that begins before its end and ends behind its beginning.
  func part(_ span: Span) -> StateLine {
    guard span != self.span else { return self }
    var line = StateLine(span, .none)
    line.parts.removeAll()
    line.append(span.from, max(span.from, self.span.from), .none)
    for part in parts {
      line.append(max(part.span.from, span.from), min(part.span.to, span.to), part.state)
    }
    line.append(min(span.to, self.span.to), span.to, .none)
    return line
  }

  /// What holds for most of each of so many equal pieces; but of each span in `visible` at least one
  /// cell shows that it was inside.
  func cells(_ count: Int, visible: [Span]) -> [State] {
    var sums = [[Int64]](repeating: State.allCases.map { _ in 0 }, count: count)
    for part in parts {
      for cell in cell(at: part.span.from, count)...cell(at: part.span.to - 1, count) {
        let from = max(part.span.from, start(of: cell, count))
        let to = min(part.span.to, start(of: cell + 1, count))
        sums[cell][part.state.rawValue] += max(0, to - from)
      }
    }
    var cells = sums.map { Self.most($0) }
    for stay in visible {
      let first = cell(at: stay.from, count)
      let range = first...max(first, cell(at: stay.to - 1, count))
      if !cells[range].contains(where: \.isInside) { cells[first] = Self.inside(sums[first]) }
    }
    return cells
  }

  /// - Parameter sums: the time of each state. Being inside is one of them, deaf or not.
  private static func most(_ sums: [Int64]) -> State {
    var together = sums
    together[State.inside.rawValue] += sums[State.insideDeaf.rawValue]
    together[State.insideDeaf.rawValue] = 0
    let most = together.max() ?? 0
    let state = State(rawValue: together.lastIndex { $0 == most && $0 > 0 } ?? 0) ?? .none
    return state == .inside ? inside(sums) : state
  }

  private static func inside(_ sums: [Int64]) -> State {
    sums[State.insideDeaf.rawValue] > sums[State.inside.rawValue] ? .insideDeaf : .inside
  }

  /// The cell in which a moment lies; one before or behind the line counts to its ends.
  func cell(at moment: Int64, _ count: Int) -> Int {
    let length = Int128(span.to) - Int128(span.from)
    guard length > 0 else { return 0 }
    let cell = (Int128(moment) - Int128(span.from)) * Int128(count) / length
    return Int(max(0, min(Int128(count - 1), cell)))
  }

  private func start(of cell: Int, _ count: Int) -> Int64 {
    let length = Int128(span.to) - Int128(span.from)
    // Rounded up, so that `cell(at:)` of it is this cell.
    return Int64(
      Int128(span.from) + (length * Int128(cell) + Int128(count - 1)) / Int128(count))
  }
}
