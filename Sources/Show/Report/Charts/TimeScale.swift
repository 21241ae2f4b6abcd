import Analysis
import CaptureReader
import Exports

/// The time that a page shows, as a line of a million steps: what charts are drawn on. Where pauses between
/// recordings are left out (`Stretches` has the rule) each stretch has steps of its own, with a few between.
struct TimeScale: Sendable {
  /// A stretch of time, and its steps.
  struct Piece: Equatable, Sendable {
    /// Nanoseconds since 1970; `to` is later.
    let from: Int64
    let to: Int64
    let begin: Int
    let end: Int

    /// One before or behind it counts to its ends.
    func place(_ time: Int64) -> Int {
      let length = Int128(to) - Int128(from)
      // The last moment that there is has no other behind it.
      guard length > 0 else { return begin }
      let place = (Int128(time) - Int128(from)) * Int128(end - begin) / length
      return begin + Int(max(0, min(Int128(end - begin), place)))
    }
  }

  /// Nanoseconds since 1970; `to` is later.
  let from: Int64
  let to: Int64
  /// Ascending; one where nothing is left out.
  let pieces: [Piece]
  /// Times without a record within captures, at which the clock may have been set forward.
  let steps: [Stretches.Span]
  /// `2026-05-19`, where all of it is of that day.
  private let day: String?
  static let width = 1_000_000

  /// Nil where no time is known. A recording of one record has no length, and is drawn all the same.
  /// - Parameter stretches: ascending; what lies between them is left out.
  init?(
    from: Int64?, to: Int64?, stretches: [Stretches.Span] = [], steps: [Stretches.Span] = []
  ) {
    guard let from, let to else { return nil }
    self.steps = steps
    self.from = from
    self.to = Self.end(from, to)
    guard self.to > from else { return nil }
    pieces =
      stretches.count > 1
      ? Self.pieces(stretches) : [Piece(from: from, to: self.to, begin: 0, end: Self.width)]
    day = Words.day(from) == Words.day(self.to) ? Words.day(from) : nil
  }

  private static func end(_ from: Int64, _ to: Int64) -> Int64 {
    max(to, from.addingReportingOverflow(1).partialValue)
  }

  /// Steps by length; a quarter of all is divided evenly, so that a short one is seen beside a long one.
  private static func pieces(_ stretches: [Stretches.Span]) -> [Piece] {
    let cuts = stretches.count - 1
    let gap = min(4000, width / 10 / cuts)
    let room = width - cuts * gap
    let least = [Int](repeating: room / 4 / stretches.count, count: stretches.count)
    var begin = 0
    return zip(stretches, Stretches.shares(stretches, of: room, least: least)).map { span, share in
      defer { begin += share + gap }
      return Piece(
        from: span.from, to: end(span.from, span.to), begin: begin, end: begin + share)
    }
  }

  /// 0…1 000 000. A time that is left out is at the end of the stretch before.
  func place(_ time: Int64) -> Int {
    (pieces.last { $0.from <= time } ?? pieces[0]).place(time)
  }

  /// A share of the whole as CSS writes it: `.25`.
  func share(_ time: Int64) -> HTMLText { Self.share(place(time)) }

  static func share(_ place: Int) -> HTMLText {
    guard place < width else { return "1" }
    let digits = String(place)
    return HTMLText(text: "." + String(repeating: "0", count: 6 - digits.count) + digits)
  }

  /// `10:05:43.118`; with the date where the recording is not all of one day.
  func clock(_ time: Int64?) -> String { Words.clock(time, on: day ?? "") }

  var length: Int64 { to.subtractingReportingOverflow(from).partialValue }

  private static let second: Int64 = 1_000_000_000
  private static let steps: [Int64] =
    [1, 2, 5, 10, 15, 30].map { $0 * second } + [1, 2, 5, 10, 15, 30].map { $0 * 60 * second }
    + [1, 2, 3, 6, 12].map { $0 * 3600 * second }
    + [1, 2, 7, 14, 30, 90, 365, 3650, 36500].map { $0 * 86_400 * second }

  /// Steps that a label takes.
  private static let (room, roomOfDate) = (70_000, 100_000)

  /// Round moments, eight at most, and how they are written; where times are left out, the date at which
  /// each stretch begins, too.
  func ticks() -> [(time: Int64, label: String)] {
    guard pieces.count > 1 else { return Self.ticks(from, to, most: 8) }
    var ticks: [(time: Int64, label: String)] = []
    var free = 0
    func add(_ time: Int64, _ label: String, _ place: Int, _ room: Int) {
      guard place >= free else { return }
      ticks.append((time, label))
      free = place + room
    }
    var year = ""
    for piece in pieces {
      let day = Words.day(piece.from)
      let isYearKnown = day.prefix(4) == year
      year = String(day.prefix(4))
      add(
        piece.from, isYearKnown ? String(day.dropFirst(5)) : day, piece.begin,
        isYearKnown ? Self.room : Self.roomOfDate)
      let most = max(1, (piece.end - piece.begin) / Self.roomOfDate)
      for tick in Self.ticks(piece.from, piece.to, most: Int64(most)) {
        let place = piece.place(tick.time)
        if place + Self.room <= piece.end { add(tick.time, tick.label, place, Self.room) }
      }
    }
    return ticks
  }

  private static func ticks(_ from: Int64, _ to: Int64, most: Int64) -> [(
    time: Int64, label: String
  )] {
    let length = to.subtractingReportingOverflow(from).partialValue
    guard let step = steps.first(where: { length / $0 <= most }) else { return [] }
    var ticks: [(Int64, String)] = []
    let behind = (from % step + step) % step
    var (moment, isLast) = from.addingReportingOverflow(behind == 0 ? 0 : step - behind)
    while !isLast, moment <= to {
      ticks.append((moment, label(moment, step)))
      (moment, isLast) = moment.addingReportingOverflow(step)
    }
    return ticks
  }

  private static func label(_ moment: Int64, _ step: Int64) -> String {
    let time = Timestamp(nanoseconds: moment)
    if step >= 86_400 * second { return TextColumns.date(time) }
    if moment % (86_400 * second) == 0 { return String(TextColumns.date(time).suffix(5)) }
    let clock = TextColumns.clock(time)
    return step < 60 * second ? clock : String(clock.prefix(5))
  }
}
