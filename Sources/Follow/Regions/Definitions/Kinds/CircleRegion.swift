extension RegionKind {
  /// Centre in degrees (WGS-84) and radius in metres (SEMANTICS 4).
  static let circle: RegionKind = RegionKind(
    name: "circle", form: "LATITUDE,LONGITUDE,RADIUS", example: "52.52,13.405,50",
    parse: { spec throws(SettingProblem) in
      let parts = spec.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 3 else {
        throw SettingProblem(
          "'\(spec)' has \(parts.count) of three numbers", allowed: circle.advice)
      }
      let circle = Circle(
        latitude: try SettingText.decimal(parts[0], "latitude", in: -90...90),
        longitude: try SettingText.decimal(parts[1], "longitude", in: -180...180),
        radius: try SettingText.decimal(parts[2], "radius", in: 1...20_000_000))
      return .circle(circle)
    },
    write: { condition in
      guard case .circle(let circle) = condition else { return nil }
      return "\(circle.latitude),\(circle.longitude),\(circle.radius)"
    })
}
