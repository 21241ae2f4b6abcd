/// `arma-abl`: the moving average of android-beacon-library 2.21.1, cut to a whole number after each
/// sample: `s = trunc(s − 0.1·(s − r))`. As there, a fall of less than 10 dB is never followed.
enum ARMAFilter {
  @inline(__always)
  static func take(_ rssi: Int8, into state: inout FilterState) {
    let sample = Double(rssi)
    if state.samples == 0 {
      state.estimate = sample
    } else {
      state.estimate = (state.estimate - 0.1 * (state.estimate - sample)).rounded(.towardZero)
    }
    state.samples &+= 1
  }
}
