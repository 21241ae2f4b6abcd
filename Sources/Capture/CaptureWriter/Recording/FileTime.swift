/// A moment in UTC, as names of files and comments have it.
struct FileTime {
  /// `20260101T120000Z`.
  let compact: String
  /// `2026-01-01T12:00:00Z`.
  let text: String

  /// - Parameter nanoseconds: since 1970; before it counts as 1970.
  init(_ nanoseconds: Int64) {
    let seconds = Int(max(0, nanoseconds) / 1_000_000_000)
    let (year, month, day) = Self.date(seconds / 86_400)
    let date = [Self.digits(year, 4), Self.digits(month), Self.digits(day)]
    let clock = [
      Self.digits(seconds / 3600 % 24), Self.digits(seconds / 60 % 60), Self.digits(seconds % 60),
    ]
    compact = date.joined() + "T" + clock.joined() + "Z"
    text = date.joined(separator: "-") + "T" + clock.joined(separator: ":") + "Z"
  }

  private static func digits(_ value: Int, _ width: Int = 2) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }

  /// The date of a day, counted from 1970: years begin in March, eras have 400 years.
  private static func date(_ day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * marchMonth + 2) / 5 + 1
    )
  }
}
