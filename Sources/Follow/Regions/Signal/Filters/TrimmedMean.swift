/// `trimmed`: mean of the window without its lowest and highest quarter (rounded down).
enum TrimmedMean {
  static func value(of window: SampleWindow) -> FilterValue? {
    value(of: window, droppingAtEachEnd: window.count / 4)
  }

  static func value(of window: SampleWindow, droppingAtEachEnd dropped: Int) -> FilterValue? {
    guard window.count > 0 else { return nil }
    let left = window.count - 2 * dropped
    let sum = dropped == 0 ? window.sum : window.sum(droppingAtEachEnd: dropped)
    return FilterValue(value: Double(sum) / Double(left), samples: left)
  }
}
