/// How smoothed RSSI and measured power become metres (SEMANTICS 3). A new model is a file and a
/// case here; the compiler then names the place that chooses.
package enum DistanceModel: String, CaseIterable, Sendable {
  case pathLoss = "path-loss"
  case abl

  /// In the order in which they are offered.
  package static var all: [DistanceModel] { allCases }

  /// As the command line and output name it.
  package var name: String { rawValue }

  package static func named(_ name: String) -> DistanceModel? { DistanceModel(rawValue: name) }
}

/// A distance and how far it may be off.
package struct Distance: Equatable, Sendable {
  package let metres: Double
  /// Metres at one standard deviation of the RSSI to either side; nil with fewer than two samples, where
  /// all were equal, which says nothing of their scatter, or where the model has no answer there.
  package let interval: ClosedRange<Double>?

  package init(metres: Double, interval: ClosedRange<Double>?) {
    self.metres = metres
    self.interval = interval
  }
}

package struct DistanceSettings: Equatable, Sendable {
  package var model: DistanceModel
  package var pathLoss = PathLoss()
  package var abl = ABLCurve()

  package init(model: DistanceModel = .pathLoss) { self.model = model }

  /// Metres; nil where there is no distance: no RSSI, or a power that is not used.
  /// - Parameters:
  ///   - rssi: dBm.
  ///   - power: dBm at 1 m.
  package func metres(rssi: Double?, power: Int) -> Double? {
    guard let rssi, MeasuredPower.usable.contains(power) else { return nil }
    switch model {
    case .pathLoss: return pathLoss.metres(rssi: rssi, power: Double(power))
    case .abl: return abl.metres(rssi: rssi, power: Double(power))
    }
  }

  package func distance(_ rssi: SmoothedRSSI, power: Int) -> Distance? {
    guard let metres = metres(rssi: rssi.value, power: power) else { return nil }
    return Distance(metres: metres, interval: interval(rssi, power: power))
  }

  private func interval(_ rssi: SmoothedRSSI, power: Int) -> ClosedRange<Double>? {
    guard let deviation = rssi.deviation, deviation > 0,
      let nearest = metres(rssi: rssi.value + deviation, power: power),
      let farthest = metres(rssi: rssi.value - deviation, power: power), nearest <= farthest
    else { return nil }
    return nearest...farthest
  }

  package func check() throws(SettingProblem) {
    let exponent = pathLoss.exponent
    guard exponent >= 0.5, exponent <= 10 else {
      throw SettingProblem(
        "path loss exponent \(exponent)",
        allowed: "allowed is 0.5 to 10")
    }
    for (name, value) in [("A", abl.a), ("B", abl.b)] where !(value.isFinite && value > 0) {
      throw SettingProblem(
        "abl coefficient \(name) \(value)",
        allowed: "allowed is more than 0")
    }
    guard abl.c.isFinite else {
      throw SettingProblem(
        "abl coefficient C \(abl.c)",
        allowed: "allowed is any number")
    }
  }
}
