import Glibc

/// What a gate asks of a transmitter (SEMANTICS 2).
struct GateRule: Sendable {
  private let minRSSI: Hysteresis?
  /// Metres; a zone that ends before its limit (`immediate`) has `isBelow`.
  private let within: Hysteresis?
  private let isBelow: Bool
  private let exponent: Double
  let smoothing: SmoothingName
  let rangingPeriod: Int64

  init(_ gate: RegionGate, _ profile: Profile) {
    minRSSI = gate.minRSSI
    exponent = profile.pathLossExponent
    smoothing = profile.smoothing
    rangingPeriod = profile.rangingPeriod
    switch gate.within {
    case nil: (within, isBelow) = (nil, false)
    case .metres(let metres): (within, isBelow) = (metres, false)
    case .zone(let zone, let leave):
      let enter =
        switch zone {
        case .immediate: profile.immediateBelow
        case .near: profile.nearUpTo
        case .far: Double.infinity
        }
      within = Hysteresis(enter: enter, leave: leave ?? enter * RegionGate.leaveFactor)
      isBelow = zone == .immediate
    }
  }

  /// - Parameters:
  ///   - rssi: smoothed, dBm.
  ///   - power: dBm at 1 m; nil where it is not usable.
  ///   - isInside: then the leave thresholds decide.
  func lets(_ rssi: Double, power: Double?, isInside: Bool) -> Bool {
    if let minRSSI, rssi < (isInside ? minRSSI.leave : minRSSI.enter) { return false }
    guard let within else { return true }
    guard let power else { return false }
    let metres = pow(10, (power - rssi) / (10 * exponent))
    let limit = isInside ? within.leave : within.enter
    return isBelow ? metres < limit : metres <= limit
  }
}

/// The smoothed RSSI of a transmitter, as a gate needs it: the filters of SEMANTICS 3, plainly.
struct GateSignal: Sendable {
  private struct Sample: BitwiseCopyable, Sendable {
    let time: Int64
    let rssi: Double
  }

  private let smoothing: SmoothingName
  /// Oldest first; at most 256.
  private var samples: [Sample] = []
  private var estimate = 0.0
  /// Of the Kalman filter.
  private var variance = 0.0
  private var count = 0
  /// The tick of the ranging lists whose samples the mean is of.
  private var tick = Int64.min

  private static let most = 256

  init(_ smoothing: SmoothingName) { self.smoothing = smoothing }

  /// Takes a sample and returns the smoothed value in dBm.
  /// - Parameters:
  ///   - moment: nanoseconds since t0.
  ///   - period: of the ranging lists, nanoseconds; 0: there are none at fixed times.
  mutating func add(_ rssi: Int8, at moment: Int64, period: Int64) -> Double {
    let value = Double(rssi)
    count += 1
    switch smoothing {
    case .last: return value
    case .mean: return mean(value, tick: period == 0 ? 0 : (moment - 1) / period)
    case .trimmed:
      return average(value, at: moment, window: 5 * SettingText.second) { $0 / 4 }
    case .ablAverage:
      return average(value, at: moment, window: 20 * SettingText.second) {
        $0 <= 2 ? 0 : $0 / 10 + 1
      }
    case .armaABL:
      estimate = count == 1 ? value : (estimate - 0.1 * (estimate - value)).rounded(.towardZero)
      return estimate
    case .kalman: return kalman(value)
    }
  }

  /// Mean since the last list: of the samples in (previous tick, this tick].
  private mutating func mean(_ value: Double, tick: Int64) -> Double {
    if tick != self.tick {
      self.tick = tick
      (estimate, count) = (0, 1)
    }
    estimate += value
    return estimate / Double(count)
  }

  /// Mean of the samples younger than the window, without so many at each end.
  private mutating func average(
    _ value: Double, at moment: Int64, window: Int64, dropping: (Int) -> Int
  ) -> Double {
    samples.append(Sample(time: moment, rssi: value))
    let old = samples.prefix { moment.since($0.time) >= window }.count
    samples.removeFirst(max(old, samples.count - Self.most))
    let sorted = samples.map(\.rssi).sorted()
    let dropped = dropping(sorted.count)
    let kept = sorted[dropped..<(sorted.count - dropped)]
    return kept.reduce(0, +) / Double(kept.count)
  }

  /// Process noise 0.008, measurement noise 4.
  private mutating func kalman(_ value: Double) -> Double {
    if count == 1 {
      (estimate, variance) = (value, 4)
      return value
    }
    variance += 0.008
    let gain = variance / (variance + 4)
    estimate += gain * (value - estimate)
    variance *= 1 - gain
    return estimate
  }
}
