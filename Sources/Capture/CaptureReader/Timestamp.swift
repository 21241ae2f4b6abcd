/// A moment in capture time: nanoseconds since 1970-01-01T00:00:00Z, or none.
///
/// Eight bytes, so that it travels in fixed-size records; «none» is a value of its own and never 0.
public struct Timestamp: Hashable, BitwiseCopyable, Sendable {
  /// Nanoseconds since 1970; `Int64.min` stands for «no time».
  public let nanoseconds: Int64

  @inlinable @inline(__always)
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  public static let none = Timestamp(nanoseconds: .min)

  @inlinable @inline(__always)
  public var isKnown: Bool { nanoseconds != .min }

  /// 2000-01-01T00:00:00Z: earlier stamps come from a clock that was never set.
  public static let year2000: Int64 = 946_684_800_000_000_000

  /// So many nanoseconds later; none stays none, and so does what would not fit 64 bits (1677…2262).
  public func later(by nanoseconds: Int64) -> Timestamp {
    guard isKnown else { return self }
    let (sum, overflow) = self.nanoseconds.addingReportingOverflow(nanoseconds)
    return overflow ? .none : Timestamp(nanoseconds: sum)
  }

  /// From microseconds since 1970; none where nanoseconds do not fit 64 bits (1677…2262).
  @inlinable @inline(__always)
  public init(microseconds: Int64) {
    let (value, overflow) = microseconds.multipliedReportingOverflow(by: 1000)
    self = overflow ? .none : Timestamp(nanoseconds: value)
  }

  /// `units` of 10⁻ⁿ s or 2⁻ⁿ s after an offset in seconds, rounded down to nanoseconds
  /// (pcapng `if_tsresol`, `if_tsoffset`); none where it does not fit.
  public init(units: UInt64, unitsPerSecond: UInt64, offsetSeconds: Int64) {
    // With whole seconds as unit, 64 bits of them do not fit.
    guard let seconds = Int64(exactly: units / unitsPerSecond) else {
      self = .none
      return
    }
    let rest = UInt128(units % unitsPerSecond) * 1_000_000_000 / UInt128(unitsPerSecond)
    let (sum, overflow1) = seconds.addingReportingOverflow(offsetSeconds)
    let (scaled, overflow2) = sum.multipliedReportingOverflow(by: 1_000_000_000)
    let (total, overflow3) = scaled.addingReportingOverflow(Int64(rest))
    self = overflow1 || overflow2 || overflow3 ? .none : Timestamp(nanoseconds: total)
  }
}
