import CaptureReader

/// What a gate asks of a transmitter (SEMANTICS 2).
struct GateRule: Sendable {
  private let minRSSI: Hysteresis?
  /// Metres; a zone that ends before its limit (`immediate`) has `isBelow`.
  private let within: Hysteresis?
  private let isBelow: Bool
  private let distance: DistanceSettings
  let smoothing: SmoothingSettings
  let rangingPeriod: Int64

  init(_ gate: RegionGate, _ profile: Profile) {
    minRSSI = gate.minRSSI
    distance = profile.distance
    smoothing = SmoothingSettings(filter: profile.smoothing)
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
  func lets(_ rssi: Double, power: Int?, isInside: Bool) -> Bool {
    if let minRSSI, rssi < (isInside ? minRSSI.leave : minRSSI.enter) { return false }
    guard let within else { return true }
    guard let power else { return false }
    guard let metres = distance.metres(rssi: rssi, power: power) else { return false }
    let limit = isInside ? within.leave : within.enter
    return isBelow ? metres < limit : metres <= limit
  }
}

/// The smoothed RSSI of a transmitter, as a gate needs it.
struct GateSignal: Sendable {
  private var signal = SmoothedSignal()
  /// The tick of the ranging lists that the latest sample belongs to: a mean is of those of one.
  private var tick = Int64.min
  /// Sightings that did not pass it behind a match of the region: that match, how many, and the last of them.
  private var refusedAfter = Int64.min
  private var refused = Silence.Refused(count: 0, rssi: nil, at: .none)
  /// When the last of them was that had an RSSI.
  private var measuredAt = Int64.min

  /// Takes a sample and returns the smoothed value in dBm.
  /// - Parameters:
  ///   - moment: nanoseconds; not before that of any sample before.
  ///   - start: t0.
  mutating func add(_ rssi: Int8, at moment: Int64, from start: Int64, _ gate: GateRule) -> Double {
    let passed = moment.since(start)
    // The tick k of samples in (t0 + (k − 1)·period, t0 + k·period]; a sample at t0 is of k = 0.
    let period = gate.rangingPeriod
    let now = period == 0 || passed <= 0 ? 0 : (passed - 1) / period + 1
    if now != tick {
      signal.beginList(gate.smoothing)
      tick = now
    }
    let time = Timestamp(nanoseconds: moment)
    signal.add(rssi, at: time, gate.smoothing)
    return signal.estimate(at: time, gate.smoothing)?.value ?? Double(rssi)
  }

  /// A sighting did not pass while the region was inside: its beacon is still heard, and it is left all the same.
  /// - Parameters:
  ///   - rssi: nil: the radio told none.
  ///   - match: the region's latest one.
  mutating func refuse(_ rssi: Double?, at moment: Int64, after match: Int64) {
    if refusedAfter != match {
      (refusedAfter, measuredAt) = (match, .min)
      refused = Silence.Refused(count: 0, rssi: nil, at: .none)
    }
    if rssi != nil { measuredAt = moment }
    refused = Silence.Refused(
      count: refused.count + 1, rssi: rssi ?? refused.rssi, at: Timestamp(nanoseconds: moment))
  }

  /// What was refused behind a match of the region until an exit; nil: nothing. Its RSSI is none where all of the
  /// silence's last third had none: nobody knows how near it was then.
  func refused(after match: Int64, until end: Int64) -> Silence.Refused? {
    guard refusedAfter == match, refused.count > 0 else { return nil }
    let isOld = measuredAt == .min || end.since(measuredAt) > end.since(match) / 3
    guard isOld, measuredAt < refused.at.nanoseconds else { return refused }
    return Silence.Refused(count: refused.count, rssi: nil, at: refused.at)
  }
}
