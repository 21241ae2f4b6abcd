package import CaptureReader

/// A moment in UTC, in calendar fields (proleptic Gregorian).
package struct CivilTime: Sendable {
  package let year: Int
  package let month: Int
  package let day: Int
  package let hour: Int
  package let minute: Int
  package let second: Int
  package let nanosecond: Int

  package init(_ time: Timestamp) {
    var (seconds, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    if rest < 0 { (seconds, rest) = (seconds - 1, rest + 1_000_000_000) }
    nanosecond = Int(rest)
    var (days, inDay) = seconds.quotientAndRemainder(dividingBy: 86_400)
    if inDay < 0 { (days, inDay) = (days - 1, inDay + 86_400) }
    hour = Int(inDay / 3600)
    minute = Int(inDay / 60 % 60)
    second = Int(inDay % 60)
    // Days from civil, the other way round: years begin in March, eras have 400 years.
    let shifted = Int(days) + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
    month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }
}
