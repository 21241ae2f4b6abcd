import Analysis
import CaptureReader

/// The columns of bars: stretches of time beside each other, with a cut where a pause between recordings is
/// left out (`Stretches` has the rule).
struct BarScale {
  /// A stretch and its columns.
  struct Piece: Equatable {
    let span: StateLine.Span
    let cells: Int
  }

  static let cut: Character = "┆"
  /// Columns of a date without its year, and of one with it.
  private static let (date, wholeDate) = (5, 10)

  let pieces: [Piece]

  /// - Parameter cells: columns. Of pauses that could be left out the longest are, as far as there is room
  ///   for a date in each stretch; the others are drawn.
  init(_ history: PresenceHistory, _ span: StateLine.Span, cells: Int) {
    var most = max(1, min(Stretches.most, (cells + 1) / (Self.date + 1)))
    var spans = history.stretches(most: most)
    while spans.count > 1, Self.least(spans).reduce(spans.count - 1, +) > cells {
      most = spans.count - 1
      spans = history.stretches(most: most)
    }
    guard let first = spans.first else {
      pieces = [Piece(span: span, cells: cells)]
      return
    }
    guard spans.count > 1 else {
      pieces = [Piece(span: first, cells: cells)]
      return
    }
    let lengths = spans.map { Stretches.Span(from: $0.from, to: $0.to) }
    let shares = Stretches.shares(
      lengths, of: cells - (spans.count - 1), least: Self.least(spans))
    pieces = zip(spans, shares).map { Piece(span: $0, cells: $1) }
  }

  /// Columns that the date needs at which each begins: the first has its year with it where that is the
  /// year of all.
  private static func least(_ spans: [StateLine.Span]) -> [Int] {
    let isOneYear = Set(spans.map { year($0) }).count == 1
    return spans.indices.map { $0 == 0 && isOneYear ? wholeDate : date }
  }

  private static func date(_ span: StateLine.Span) -> String {
    TextColumns.date(Timestamp(nanoseconds: span.from))
  }

  private static func year(_ span: StateLine.Span) -> String {
    String(date(span).dropLast(date + 1))
  }

  /// One line of times; where something is left out, above it one of the dates at which stretches begin,
  /// and one of their years where these differ.
  var axis: [String] {
    guard pieces.count > 1 else {
      return pieces.map { TimeAxis.line($0.span, cells: $0.cells) }
    }
    let years = changes(pieces.map { Self.year($0.span) })
    let isOneYear = years.dropFirst().allSatisfy(\.isEmpty)
    var dates = changes(pieces.map { Self.date($0.span) })
    for place in dates.indices where place > 0 || !isOneYear {
      dates[place] = String(dates[place].suffix(Self.date))
    }
    let times = pieces.map { piece in
      let line = TimeAxis.line(piece.span, cells: piece.cells)
      let clock = TextColumns.clock(Timestamp(nanoseconds: piece.span.from)).prefix(5)
      return line.isEmpty ? String(clock) : line
    }
    return (isOneYear ? [] : [row(years)]) + [row(dates), row(times)]
  }

  /// What is as it was stands there once.
  private func changes(_ texts: [String]) -> [String] {
    texts.indices.map { $0 > 0 && texts[$0] == texts[$0 - 1] ? "" : texts[$0] }
  }

  /// Each text in the columns of its stretch.
  private func row(_ texts: [String]) -> String {
    let columns = zip(pieces, texts).map { TextColumns.left($1, $0.cells) }
    return Self.trimmed(Array(columns.joined(separator: String(Self.cut))))
  }

  private static func trimmed(_ marks: [Character]) -> String {
    String(marks.reversed().drop { $0 == " " }.reversed())
  }

  /// - Parameters:
  ///   - visible: spans of which at least a column shows `inside`.
  ///   - open: the end of what is still inside; nil where nothing is.
  func bar(
    _ line: StateLine, visible: [StateLine.Span], open: Int64?, openMark: Character,
    mark: (StateLine.State) -> Character
  ) -> String {
    var marks: [Character] = []
    for (place, piece) in pieces.enumerated() {
      if place > 0 { marks.append(Self.cut) }
      let part = line.part(piece.span)
      let shown = visible.filter {
        pieces.count == 1 || $0.to >= piece.span.from && $0.from <= piece.span.to
      }
      var cells = part.cells(piece.cells, visible: shown).map(mark)
      if let open, open > piece.span.from, place == pieces.count - 1 || open <= piece.span.to {
        cells[part.cell(at: open - 1, piece.cells)] = openMark
      }
      marks += cells
    }
    return Self.trimmed(marks)
  }

  /// The time that a column stands for; nanoseconds, at least 1.
  var column: Int64 {
    max(1, StateLine.Span.sum(pieces.map(\.span)) / Int64(max(1, pieces.map(\.cells).reduce(0, +))))
  }

  /// How many pauses are left out, and their time: nanoseconds.
  var leftOut: (count: Int, time: Int64) {
    let pauses = zip(pieces, pieces.dropFirst()).map {
      StateLine.Span(from: $0.span.to, to: $1.span.from)
    }
    return (pauses.count, StateLine.Span.sum(pauses))
  }
}
