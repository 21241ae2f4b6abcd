package import CaptureReader

/// A moment in UTC as people write it (RFC 3339, ISO 8601), to and from nanoseconds since 1970.
package enum UTCTime {
  /// A day of the proleptic Gregorian calendar as days since 1970-01-01; nil where there is no such
  /// day. Years 0…9999.
  package static func day(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    guard (0...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= daysInMonth(year, month)
    else { return nil }
    // Days from civil: years begin in March, eras have 400 years.
    let shifted = month > 2 ? year : year - 1
    let era = (shifted >= 0 ? shifted : shifted - 399) / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func daysInMonth(_ year: Int, _ month: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
  }

  /// None where nanoseconds do not fit 64 bits (1677…2262).
  package static func moment(day: Int, nanosecondOfDay: Int64) -> Timestamp {
    let (start, overflow1) = Int64(day).multipliedReportingOverflow(by: 86_400_000_000_000)
    let (total, overflow2) = start.addingReportingOverflow(nanosecondOfDay)
    return overflow1 || overflow2 ? .none : Timestamp(nanoseconds: total)
  }

  /// What a text says: the moment, and whether it names its zone (else it was taken as UTC).
  package struct Reading: Sendable, Equatable {
    package let time: Timestamp
    package let hasZone: Bool
  }

  /// `2026-05-19T10:00:00[.123][Z|±hh:mm]`, `t`, `z` and a blank for `T` allowed (RFC 3339); nil for
  /// anything else, and where nanoseconds do not hold it. A second 60 is the one after 59.
  package static func read(_ text: some Collection<UInt8>) -> Reading? {
    var cursor = DigitCursor(Array(text))
    guard let year = cursor.number(4), cursor.takes("-"), let month = cursor.number(2),
      cursor.takes("-"), let day = cursor.number(2), cursor.takes("T", "t", " "),
      let hour = cursor.number(2), cursor.takes(":"), let minute = cursor.number(2),
      cursor.takes(":"), let second = cursor.number(2), hour < 24, minute < 60, second <= 60,
      let date = self.day(year, month, day), let fraction = cursor.fraction()
    else { return nil }
    var seconds = hour * 3600 + minute * 60 + second
    var hasZone = true
    if cursor.isAtEnd {
      hasZone = false
    } else if !cursor.takes("Z", "z") {
      guard let offset = cursor.offset() else { return nil }
      seconds -= offset
    }
    guard cursor.isAtEnd else { return nil }
    let time = moment(day: date, nanosecondOfDay: Int64(seconds) * 1_000_000_000 + fraction)
    return time.isKnown ? Reading(time: time, hasZone: hasZone) : nil
  }

  /// The same as people type it or copy it from what is printed: a blank may stand before the zone, which may
  /// be `UTC` or have no colon (`+0200`).
  package static func read(typed text: String) -> Reading? {
    if let reading = read(text.utf8) { return reading }
    guard let parts = text.wholeMatch(of: /(.*:\d\d(?:\.\d+)?) ?(?:([Zz]|UTC)|([+-]\d\d):?(\d\d))/)
    else { return nil }
    let zone = parts.2 == nil ? "\(parts.3 ?? ""):\(parts.4 ?? "")" : "Z"
    return read("\(parts.1)\(zone)".utf8)
  }

  /// `2026-05-19 10:00:00 UTC`, for sentences; fractions are left out.
  package static func text(_ time: Timestamp) -> String {
    guard time.isKnown else { return "an unknown time" }
    let second = time.nanoseconds / 1_000_000_000 - (time.nanoseconds % 1_000_000_000 < 0 ? 1 : 0)
    let days = second / 86_400 - (second % 86_400 < 0 ? 1 : 0)
    let inDay = Int(second - days * 86_400)
    let (year, month, day) = date(Int(days))
    let clock = [inDay / 3600, inDay / 60 % 60, inDay % 60].map { padded($0, 2) }
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2)) "
      + clock.joined(separator: ":") + " UTC"
  }

  /// RFC 3339 with nine decimals, as the exports have it: `2026-05-19T10:00:00.123456789Z`.
  package static func rfc3339(_ time: Timestamp) -> String {
    guard time.isKnown else { return "" }
    let second: Int64 = 1_000_000_000
    let inSecond = (time.nanoseconds % second + second) % second
    return text(time).dropLast(4).split(separator: " ").joined(separator: "T")
      + "." + padded(Int(inSecond), 9) + "Z"
  }

  private static func date(_ days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
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

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
