/// `abl-average`: the running average of android-beacon-library 2.21.1. Up to two samples their mean;
/// of n ≥ 3 the ⌊n/10⌋ + 1 lowest and as many highest are dropped.
enum ABLAverage {
  static func value(of window: SampleWindow) -> FilterValue? {
    let dropped = window.count > 2 ? window.count / 10 + 1 : 0
    return TrimmedMean.value(of: window, droppingAtEachEnd: dropped)
  }
}
