package import TrackReader

/// Which positions are worth an event, as with Core Location's services; nil for none of a kind.
package struct PositionSettings: Sendable, Equatable {
  /// Metres from the last update; 0 for every fix [Apple: distanceFilter].
  package var distanceFilter: Double?
  /// Metres from the last significant change: about 500 [Apple].
  package var significantDistance: Double?
  /// Nanoseconds between two significant changes: not more often than every five minutes [Apple].
  package var significantInterval: Int64
  /// Degrees from the course last told.
  package var courseFilter: Double?

  package init(
    distanceFilter: Double? = nil, significantDistance: Double? = nil,
    significantInterval: Int64 = 300_000_000_000, courseFilter: Double? = nil
  ) {
    self.distanceFilter = distanceFilter
    self.significantDistance = significantDistance
    self.significantInterval = significantInterval
    self.courseFilter = courseFilter
  }

  private struct Key: Sendable {
    let name: String
    let unit: String
    let largest: Double
    /// What the key alone means.
    let usual: Double
    let path: any WritableKeyPath<PositionSettings, Double?> & Sendable
  }

  private static let keys = [
    Key(
      name: "distance", unit: "metres", largest: 20_000_000, usual: 0, path: \.distanceFilter),
    Key(
      name: "significant", unit: "metres", largest: 20_000_000, usual: 500,
      path: \.significantDistance),
    Key(name: "course", unit: "degrees", largest: 180, usual: 15, path: \.courseFilter),
  ]

  /// `distance=50,significant,course=15`: each key at most once; without a value every fix, 500 m and
  /// 15 degrees.
  /// - Throws: which key is wrong, and what is allowed.
  package init(_ text: String) throws(TextProblem) {
    self.init()
    for setting in text.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let problem = { (detail: String) in
        TextProblem(
          .badSetting, file: "positions '\(text)'", field: String(parts[0]), detail)
      }
      guard let key = Self.keys.first(where: { $0.name == parts[0] }) else {
        throw problem(
          "is unknown; the keys are \(Self.keys.map(\.name).joined(separator: ", "))")
      }
      guard self[keyPath: key.path] == nil else { throw problem("is given twice") }
      let value = parts.count == 1 ? key.usual : Double(parts[1])
      guard let value, value >= 0, value <= key.largest else {
        throw problem("has to be 0 to \(Int(key.largest)) \(key.unit), not '\(parts[1])'")
      }
      self[keyPath: key.path] = value
    }
  }
}
