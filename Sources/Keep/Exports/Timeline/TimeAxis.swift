import CaptureReader

/// The times above bars: as many as fit, at round moments.
enum TimeAxis {
  private static let second: Int64 = 1_000_000_000
  private static let steps: [Int64] =
    [1, 2, 5, 10, 15, 30].map { $0 * second } + [1, 2, 5, 10, 15, 30].map { $0 * 60 * second }
    + [1, 2, 3, 6, 12].map { $0 * 3600 * second }
    + [1, 2, 5, 10, 30, 100, 365, 1000, 3650, 36500].map { $0 * 86_400 * second }

  /// One line, no longer than the cells.
  static func line(_ span: StateLine.Span, cells: Int) -> String {
    let length = Double(span.to) - Double(span.from)
    // With a blank and more between two labels.
    let step = steps.first { step in
      Double(cells) * Double(step) / length >= Double(width(step) + 3)
    }
    var text = ""
    guard let step else { return place(span.from, 86_400 * second, 0, cells, text) }
    let scale = StateLine(span, .none)
    let moments = marks(span, step)
    if moments.first.map({ scale.cell(at: $0, cells) > width(step) }) ?? true {
      text = place(span.from, step, 0, cells, text)
    }
    for moment in moments {
      text = place(moment, step, scale.cell(at: moment, cells), cells, text)
    }
    return text
  }

  /// Moments in the span that are round on the clock that is shown, ascending. In the hour that a change
  /// to winter time repeats a clock shows each mark twice.
  private static func marks(_ span: StateLine.Span, _ step: Int64) -> [Int64] {
    let zone = ClockZone.shown
    let shifts = [span.from, span.to].map { zone.shift(Timestamp(nanoseconds: $0)) }
    let (wall, isOutside) = span.from.addingReportingOverflow(shifts.min() ?? 0)
    let begin = isOutside ? span.from : wall
    let (last, isBeyond) = span.to.addingReportingOverflow(shifts.max() ?? 0)
    let end = isBeyond ? span.to : last
    let behind = (begin % step + step) % step
    var (mark, isLast) = begin.addingReportingOverflow(behind == 0 ? 0 : step - behind)
    var moments: [Int64] = []
    while !isLast, mark < end {
      moments += self.moments(mark, zone).filter { $0 >= span.from && $0 < span.to }
      (mark, isLast) = mark.addingReportingOverflow(step)
    }
    return moments.sorted()
  }

  /// When a clock shows a mark; one in an hour that is left out is drawn where it would be.
  private static func moments(_ mark: Int64, _ zone: ClockZone) -> [Int64] {
    let wall = Timestamp(nanoseconds: mark)
    guard zone == .local, wall.isKnown else { return [mark] }
    let times = zone.times(wall).map(\.nanoseconds)
    return times.isEmpty ? [mark &- zone.shift(wall)] : times
  }

  /// A label at a column, where there is room for it.
  private static func place(
    _ moment: Int64, _ step: Int64, _ column: Int, _ cells: Int, _ text: String
  ) -> String {
    let label = label(moment, step)
    guard column == 0 ? text.isEmpty : column > text.count, column + label.count <= cells else {
      return text
    }
    return TextColumns.left(text, column) + label
  }

  private static func width(_ step: Int64) -> Int {
    step < 60 * second ? 8 : step < 86_400 * second ? 5 : 10
  }

  /// `10:00:30`, `10:00` or `2026-05-19`, as exact as the steps between labels.
  private static func label(_ moment: Int64, _ step: Int64) -> String {
    let time = Timestamp(nanoseconds: moment)
    if step >= 86_400 * second { return TextColumns.date(time) }
    let clock = TextColumns.clock(time)
    // Over midnight the day is what tells hours apart.
    if step >= 60 * second, clock == "00:00:00" { return String(TextColumns.date(time).suffix(5)) }
    return step < 60 * second ? clock : String(clock.prefix(5))
  }
}
