/// `last`: the latest sample, as it is.
enum LastSample {
  @inline(__always)
  static func take(_ rssi: Int8, into state: inout FilterState) {
    state.estimate = Double(rssi)
    state.samples = 1
  }
}
