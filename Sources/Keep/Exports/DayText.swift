import CaptureReader

/// `2026-05-19T`, and when that day is.
struct DayText: Sendable {
  /// Nanoseconds since 1970; wraps where the first day there is begins before 64 bits do.
  let start: Int64
  /// Its times; none for a day that has not been set yet.
  private let earliest: Int64
  private let latest: Int64
  /// The first character lowest; of the second number only three bytes.
  let text: (UInt64, UInt32)
  private static let length: Int64 = 86_400_000_000_000

  /// A day that holds no time.
  init() {
    start = 0
    (earliest, latest) = (.max, .min)
    text = (0, 0)
  }

  init(of time: Timestamp) {
    let rest = time.nanoseconds % Self.length
    let inDay = rest < 0 ? rest + Self.length : rest
    start = time.nanoseconds &- inDay
    earliest = time.nanoseconds.subtractingReportingOverflow(inDay).overflow ? .min : start
    let (end, isLast) = time.nanoseconds.addingReportingOverflow(Self.length - 1 - inDay)
    latest = isLast ? .max : end
    let moment = CivilTime(time)
    let years =
      UInt64(Digits.two(UInt32(moment.year / 100)))
      | UInt64(Digits.two(UInt32(moment.year % 100))) << 16
    let dash = UInt64(UInt8(ascii: "-"))
    let months = dash | UInt64(Digits.two(UInt32(moment.month))) << 8 | dash << 24
    text = (
      years | months << 32,
      UInt32(Digits.two(UInt32(moment.day))) | UInt32(UInt8(ascii: "T")) << 16
    )
  }

  @inline(__always)
  func contains(_ time: Timestamp) -> Bool {
    time.nanoseconds >= earliest && time.nanoseconds <= latest
  }
}
