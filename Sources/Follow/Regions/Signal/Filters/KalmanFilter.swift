/// `kalman`: a value that wanders (process noise per sample) seen with noise (measurement noise).
/// Begins at the first sample with the variance of one.
enum KalmanFilter {
  @inline(__always)
  static func take(_ rssi: Int8, into state: inout FilterState, _ settings: SmoothingSettings) {
    let sample = Double(rssi)
    if state.samples == 0 {
      state.estimate = sample
      state.variance = settings.measurementNoise
    } else {
      let variance = state.variance + settings.processNoise
      let gain = variance / (variance + settings.measurementNoise)
      state.estimate += gain * (sample - state.estimate)
      state.variance = (1 - gain) * variance
    }
    state.samples &+= 1
  }
}
