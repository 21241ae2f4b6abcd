package import CaptureReader

/// A transmitter's RSSI at a moment, smoothed.
package struct SmoothedRSSI: Equatable, Sendable {
  /// dBm.
  package let value: Double
  /// dB: standard deviation of the samples in the window; nil with fewer than two.
  package let deviation: Double?
  /// Samples that the value was made of.
  package let samples: Int

  package init(value: Double, deviation: Double?, samples: Int) {
    self.value = value
    self.deviation = deviation
    self.samples = samples
  }
}

/// The RSSI of one transmitter, smoothed as the settings say. Bounded storage; once warm a sample
/// costs no allocation. The same settings belong to every call.
package struct SmoothedSignal: Sendable {
  // What every sample changes lies together.
  private var window = SampleWindow()
  private var latestTime = Int64.min
  private var listSum: Int32 = 0
  private var samplesOfList: Int32 = 0
  /// What the filters without a window keep.
  private var state = FilterState()

  package init() {}

  /// Takes in a sample. 127, «not available», is none.
  /// - Parameter time: known, and not before that of any sample before.
  @inline(__always)
  package mutating func add(_ rssi: Int8, at time: Timestamp, _ settings: SmoothingSettings) {
    guard rssi != 127 else { return }
    let moment = time.nanoseconds
    if latestTime != .min, moment.since(latestTime) >= settings.forgetAfter { forget() }
    latestTime = moment
    window.append(rssi, at: moment, limit: moment.since(settings.window))
    listSum = listSum &+ Int32(rssi)
    samplesOfList = samplesOfList &+ 1
    switch settings.filter {
    case .last: LastSample.take(rssi, into: &state)
    case .armaABL: ARMAFilter.take(rssi, into: &state)
    case .kalman: KalmanFilter.take(rssi, into: &state, settings)
    case .mean, .trimmed, .ablAverage: break
    }
  }

  /// Nil without a sample that counts: none yet, or all left the window.
  /// - Parameter time: known, and not before that of the latest sample.
  package mutating func estimate(at time: Timestamp, _ settings: SmoothingSettings) -> SmoothedRSSI?
  {
    value(at: time, settings).map(withSpread)
  }

  /// The same without the spread, which costs more than it and is seldom wanted.
  mutating func value(at time: Timestamp, _ settings: SmoothingSettings) -> FilterValue? {
    window.drop(upTo: time.nanoseconds.since(settings.window))
    switch settings.filter {
    case .last, .armaABL, .kalman: return state.value
    case .mean: return MeanSinceList.value(sum: listSum, samples: samplesOfList, held: state)
    case .trimmed: return TrimmedMean.value(of: window)
    case .ablAverage: return ABLAverage.value(of: window)
    }
  }

  /// - Parameter found: a value of this signal, since which no sample came.
  func withSpread(_ found: FilterValue) -> SmoothedRSSI {
    SmoothedRSSI(value: found.value, deviation: window.deviation, samples: found.samples)
  }

  /// Begins anew, and keeps the storage.
  package mutating func forget() {
    window.removeAll()
    state = FilterState()
    listSum = 0
    samplesOfList = 0
    latestTime = .min
  }
}

extension SmoothedSignal {
  /// Samples since the last list.
  package var listSamples: Int { Int(samplesOfList) }

  /// Mean of the samples since the last list, dBm; nil without one.
  package var listMean: Double? {
    samplesOfList == 0 ? nil : Double(listSum) / Double(samplesOfList)
  }

  /// dBm: no sample in the window is above it; -128 where there is none.
  var strongest: Int8 { window.strongest }

  /// A list has been made: what comes now belongs to the next.
  package mutating func beginList(_ settings: SmoothingSettings) {
    guard samplesOfList > 0 else { return }
    if settings.filter == .mean {
      MeanSinceList.hold(sum: listSum, samples: samplesOfList, in: &state)
    }
    listSum = 0
    samplesOfList = 0
  }
}
