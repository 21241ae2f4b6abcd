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
    // The first round moment from the beginning on, round on the clock that is shown.
    let zone = ClockZone.shown
    let (wall, isOutside) = span.from.addingReportingOverflow(
      zone.shift(Timestamp(nanoseconds: span.from)))
    let begin = isOutside ? span.from : wall
    let behind = (begin % step + step) % step
    var (mark, isLast) = begin.addingReportingOverflow(behind == 0 ? 0 : step - behind)
    var moment = self.moment(mark, zone)
    if isLast || scale.cell(at: moment, cells) > width(step) {
      text = place(span.from, step, 0, cells, text)
    }
    while !isLast, moment < span.to {
      text = place(moment, step, scale.cell(at: moment, cells), cells, text)
      (mark, isLast) = mark.addingReportingOverflow(step)
      moment = self.moment(mark, zone)
    }
    return text
  }

  /// When a clock shows a mark; one in an hour that is left out is drawn where it would be.
  private static func moment(_ mark: Int64, _ zone: ClockZone) -> Int64 {
    let wall = Timestamp(nanoseconds: mark)
    guard zone == .local, wall.isKnown else { return mark }
    return zone.times(wall).first?.nanoseconds ?? mark &- zone.shift(wall)
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
