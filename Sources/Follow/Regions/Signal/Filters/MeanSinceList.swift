/// `mean`: of the samples since the last list (Apple's `CLBeacon.rssi`). Where there are none yet,
/// that of the last list with samples stands: proximity gets unknown by silence (2 s), not because a
/// slow advertiser sent nothing between two lists.
enum MeanSinceList {
  static func value(sum: Int32, samples: Int32, held: FilterState) -> FilterValue? {
    guard samples > 0 else { return held.value }
    return FilterValue(value: Double(sum) / Double(samples), samples: Int(samples))
  }

  static func hold(sum: Int32, samples: Int32, in state: inout FilterState) {
    state.estimate = Double(sum) / Double(samples)
    state.samples = Int(samples)
  }
}
