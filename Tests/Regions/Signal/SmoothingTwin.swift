import Regions

/// The filters as the sentences say them, over all samples each time.
enum SmoothingTwin {
  /// - Parameters:
  ///   - samples: oldest first; ages in nanoseconds, RSSI in dBm.
  ///   - filter: any but `mean`, which needs to know of lists.
  static func value(
    _ filter: SmoothingFilter, _ samples: [(age: Int64, rssi: Double)], window: Int64
  ) -> Double? {
    let recent = samples.filter { $0.age < window }.map(\.rssi).sorted()
    switch filter {
    case .last, .mean: return samples.last?.rssi
    case .trimmed: return mean(recent, without: recent.count / 4)
    case .ablAverage: return mean(recent, without: recent.count < 3 ? 0 : recent.count / 10 + 1)
    case .armaABL:
      return samples.dropFirst().reduce(samples.first?.rssi) { state, sample in
        state.map { Double(Int($0 - 0.1 * ($0 - sample.rssi))) }
      }
    case .kalman:
      var (estimate, variance) = (samples.first?.rssi, 4.0)
      for sample in samples.dropFirst() {
        variance += 0.008
        let gain = variance / (variance + 4)
        estimate = estimate.map { $0 + gain * (sample.rssi - $0) }
        variance *= 1 - gain
      }
      return estimate
    }
  }

  private static func mean(_ sorted: [Double], without count: Int) -> Double? {
    let kept = sorted.dropFirst(count).dropLast(count)
    return kept.isEmpty ? nil : kept.reduce(0, +) / Double(kept.count)
  }

  /// What is left to a filter: the samples since the latest silence after which it begins anew.
  static func sinceSilence(_ heard: [RangingTwin.Sample], _ settings: RangingSettings)
    -> [RangingTwin.Sample]
  {
    var start = 0
    for index in heard.indices.dropFirst()
    where heard[index].time - heard[index - 1].time >= settings.smoothing.forgetAfter {
      start = index
    }
    return Array(heard[start...])
  }
}
