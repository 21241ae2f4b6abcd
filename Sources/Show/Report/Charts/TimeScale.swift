import CaptureReader
import Exports

/// The time that a page shows, as a line of a million steps: what charts are drawn on.
struct TimeScale: Sendable {
  /// Nanoseconds since 1970; `to` is later.
  let from: Int64
  let to: Int64
  /// `2026-05-19`, where all of it is of that day.
  private let day: String?
  static let width = 1_000_000

  /// Nil where no time is known. A recording of one record has no length, and is drawn all the same.
  init?(from: Int64?, to: Int64?) {
    guard let from, let to else { return nil }
    self.from = from
    self.to = max(to, from.addingReportingOverflow(1).partialValue)
    guard self.to > from else { return nil }
    day = Words.day(from) == Words.day(self.to) ? Words.day(from) : nil
  }

  /// 0…1 000 000.
  func place(_ time: Int64) -> Int {
    let length = Int128(to) - Int128(from)
    let place = (Int128(time) - Int128(from)) * Int128(Self.width) / length
    return Int(max(0, min(Int128(Self.width), place)))
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

  /// Milliseconds since 1970, for the script.
  static func milliseconds(_ time: Int64) -> Double { Double(time) / 1e6 }

  private static let second: Int64 = 1_000_000_000
  private static let steps: [Int64] =
    [1, 2, 5, 10, 15, 30].map { $0 * second } + [1, 2, 5, 10, 15, 30].map { $0 * 60 * second }
    + [1, 2, 3, 6, 12].map { $0 * 3600 * second }
    + [1, 2, 7, 14, 30, 90, 365, 3650, 36500].map { $0 * 86_400 * second }

  /// Round moments, eight at most, and how they are written.
  func ticks() -> [(time: Int64, label: String)] {
    guard let step = Self.steps.first(where: { length / $0 <= 8 }) else { return [] }
    var ticks: [(Int64, String)] = []
    let behind = (from % step + step) % step
    var (moment, isLast) = from.addingReportingOverflow(behind == 0 ? 0 : step - behind)
    while !isLast, moment <= to {
      ticks.append((moment, Self.label(moment, step)))
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
