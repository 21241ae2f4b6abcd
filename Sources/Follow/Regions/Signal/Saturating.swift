// Time stamps come from the capture and may lie at the ends of what 64 bits hold.
extension Int64 {
  @inline(__always)
  func saturatingMinus(_ other: Int64) -> Int64 {
    let (value, overflow) = subtractingReportingOverflow(other)
    return overflow ? (other > 0 ? .min : .max) : value
  }

  @inline(__always)
  func saturatingPlus(_ other: Int64) -> Int64 {
    let (value, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : value
  }
}
