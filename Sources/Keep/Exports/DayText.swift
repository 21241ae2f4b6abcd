import CaptureReader

/// `2026-05-19T`, and when that day is.
struct DayText: Sendable {
  /// Nanoseconds since 1970.
  let start: Int64
  /// The first character lowest; of the second number only three bytes.
  let text: (UInt64, UInt32)
  private static let length: Int64 = 86_400_000_000_000

  /// A day that holds no time.
  init() {
    start = .max
    text = (0, 0)
  }

  init(of time: Timestamp) {
    let inDay = time.nanoseconds % Self.length
    // The first day there is begins before the first time that 64 bits hold; as offsets wrap, so
    // does its beginning.
    start = time.nanoseconds &- (inDay < 0 ? inDay + Self.length : inDay)
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
    start != .max && UInt64(bitPattern: time.nanoseconds &- start) < UInt64(Self.length)
  }
}
