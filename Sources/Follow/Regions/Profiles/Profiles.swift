/// The profiles we know (SEMANTICS 2, Profiles). The first is the one to use if nobody says.
package enum Profiles {
  package static let all: [Profile] = [
    site, coreLocation, androidBeaconLibrary, ablLegacy, nearbyMessages,
  ]

  private static let second = SettingText.second

  package static let site = Profile(
    name: "site", exitAfter: 30 * second, cycle: 0, entersOnFirstSight: false, limit: nil,
    smoothing: .trimmed, ignoresUnknownRSSI: false, rangingPeriod: second)

  package static let coreLocation = Profile(
    name: "core-location", exitAfter: 30 * second, cycle: 0, entersOnFirstSight: false, limit: 20,
    smoothing: .mean, ignoresUnknownRSSI: false, rangingPeriod: second, cushion: 200)

  package static let androidBeaconLibrary = Profile(
    name: "android-beacon-library", exitAfter: 30 * second, cycle: 1_100_000_000,
    entersOnFirstSight: true, limit: nil, smoothing: .ablAverage, ignoresUnknownRSSI: true,
    rangingPeriod: 1_100_000_000)

  package static let ablLegacy = Profile(
    name: "abl-legacy", exitAfter: 10 * second, cycle: 1_100_000_000, entersOnFirstSight: true,
    limit: nil, smoothing: .ablAverage, ignoresUnknownRSSI: true, rangingPeriod: 1_100_000_000)

  package static let nearbyMessages = Profile(
    name: "nearby-messages", exitAfter: 30 * second, cycle: 0, entersOnFirstSight: true, limit: nil,
    smoothing: .last, ignoresUnknownRSSI: false, rangingPeriod: 0)

  /// - Throws: names those there are.
  package static func named(_ name: String) throws(SettingProblem) -> Profile {
    guard let profile = all.first(where: { $0.name == name }) else {
      throw SettingProblem.unknown("profile", name, among: all.map(\.name))
    }
    return profile
  }
}
