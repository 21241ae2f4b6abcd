/// How near a transmitter is, as Apple's ranging names it.
package enum Proximity: UInt8, CaseIterable, BitwiseCopyable, Sendable {
  case unknown, immediate, near, far

  /// As output names it.
  package var name: StaticString {
    switch self {
    case .unknown: "unknown"
    case .immediate: "immediate"
    case .near: "near"
    case .far: "far"
    }
  }
}

/// Where the zones end (SEMANTICS 3; Apple has not said).
package struct ProximityZones: Equatable, Sendable {
  /// Metres: below is `immediate`.
  package var immediateBelow = 0.5
  /// Metres: up to and with this is `near`, beyond is `far`.
  package var nearUpTo = 4.0

  package init() {}

  package func zone(metres: Double?) -> Proximity {
    guard let metres else { return .unknown }
    if metres < immediateBelow { return .immediate }
    return metres <= nearUpTo ? .near : .far
  }

  package func check() throws(SettingProblem) {
    guard immediateBelow > 0, nearUpTo.isFinite, immediateBelow <= nearUpTo else {
      throw SettingProblem(
        "proximity zones \(immediateBelow) m and \(nearUpTo) m",
        allowed: "allowed are two distances above 0 m, the first not above the second")
    }
  }
}
