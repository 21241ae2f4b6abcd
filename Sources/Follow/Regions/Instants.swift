/// Sums of instants and spans in nanoseconds that stop at the ends of the scale instead of trapping:
/// time stamps come from files.
extension Int64 {
  @inline(__always)
  package func later(by span: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(span)
    return overflow ? (span > 0 ? .max : .min) : sum
  }

  /// How long since an earlier instant.
  @inline(__always)
  package func since(_ earlier: Int64) -> Int64 {
    let (difference, overflow) = subtractingReportingOverflow(earlier)
    return overflow ? (self > earlier ? .max : .min) : difference
  }
}
