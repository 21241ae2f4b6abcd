/// What a filter comes to: dBm, and of how many samples.
struct FilterValue: BitwiseCopyable, Sendable {
  let value: Double
  let samples: Int
}

/// What filters keep that look at one sample after the other.
struct FilterState: BitwiseCopyable, Sendable {
  /// dBm; without meaning before the first sample.
  var estimate = 0.0
  /// dB², of the estimate (`kalman`).
  var variance = 0.0
  /// Samples the estimate was made of; 0 before the first.
  var samples = 0

  var value: FilterValue? {
    samples == 0 ? nil : FilterValue(value: estimate, samples: samples)
  }
}
