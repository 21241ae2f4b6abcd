/// A number of a profile under the name by which it is overridden and reported.
package struct ProfileSetting: Sendable {
  package let name: String
  /// Whether one region may have its own.
  package let mayDifferByRegion: Bool
  /// As it is reported and may be written.
  package let read: @Sendable (Profile) -> String
  let write: @Sendable (inout Profile, String) throws(SettingProblem) -> Void

  package static let all: [ProfileSetting] = [
    span("exit_after", \.exitAfter, mayBeZero: false),
    span("cycle", \.cycle),
    span("scan_window", \.scanWindow),
    span("scan_interval", \.scanInterval),
    flag("enter_on_first_sight", \.entersOnFirstSight),
    limit,
    smoothing,
    flag("ignore_unknown_rssi", \.ignoresUnknownRSSI),
    span("ranging_period", \.rangingPeriod),
    distanceModel,
    decimal("path_loss_exponent", \.pathLossExponent, in: 1...6),
    decimal("immediate_below", \.immediateBelow, in: 0.01...1000),
    decimal("near_up_to", \.nearUpTo, in: 0.01...1000),
    ofProfile(decimal("cushion", \.cushion, in: 0...100_000)),
    ofProfile(span("dwell", \.dwell)),
    maximumRadius,
  ]

  package static var ofRegions: [ProfileSetting] { all.filter(\.mayDifferByRegion) }

  package static func named(_ name: String) throws(SettingProblem) -> ProfileSetting {
    guard let setting = all.first(where: { $0.name == name }) else {
      throw SettingProblem.unknown("setting", name, among: all.map(\.name))
    }
    return setting
  }

  private static func span(
    _ name: String, _ path: any WritableKeyPath<Profile, Int64> & Sendable, mayBeZero: Bool = true
  ) -> ProfileSetting {
    ProfileSetting(
      name: name, mayDifferByRegion: true,
      read: { SettingText.text(span: $0[keyPath: path]) },
      write: { profile, text throws(SettingProblem) in
        let value = try SettingText.span(text, name)
        guard mayBeZero || value > 0 else {
          throw SettingProblem("\(name) is 0", allowed: "it must be above 0, such as 30")
        }
        profile[keyPath: path] = value
      })
  }

  private static func flag(
    _ name: String, _ path: any WritableKeyPath<Profile, Bool> & Sendable
  ) -> ProfileSetting {
    ProfileSetting(
      name: name, mayDifferByRegion: true,
      read: { $0[keyPath: path] ? "yes" : "no" },
      write: { profile, text throws(SettingProblem) in
        profile[keyPath: path] = try SettingText.flag(text, name)
      })
  }

  private static func decimal(
    _ name: String, _ path: any WritableKeyPath<Profile, Double> & Sendable,
    in range: ClosedRange<Double>
  ) -> ProfileSetting {
    ProfileSetting(
      name: name, mayDifferByRegion: true, read: { "\($0[keyPath: path])" },
      write: { profile, text throws(SettingProblem) in
        profile[keyPath: path] = try SettingText.decimal(text, name, in: range)
      })
  }

  /// The same for all regions.
  private static func ofProfile(_ setting: ProfileSetting) -> ProfileSetting {
    ProfileSetting(
      name: setting.name, mayDifferByRegion: false, read: setting.read, write: setting.write)
  }

  /// How many regions there may be is nothing that one of them can say.
  private static let limit = ProfileSetting(
    name: "limit", mayDifferByRegion: false, read: { $0.limit.map(String.init) ?? "none" },
    write: { profile, text throws(SettingProblem) in
      profile.limit =
        text == "none" ? nil : try SettingText.integer(text, "limit", in: 1...1_000_000)
    })

  private static let distanceModel = ProfileSetting(
    name: "distance_model", mayDifferByRegion: true, read: { $0.distanceModel.name },
    write: { profile, text throws(SettingProblem) in
      guard let model = DistanceModel.named(text) else {
        throw SettingProblem.unknown("distance_model", text, among: DistanceModel.all.map(\.name))
      }
      profile.distanceModel = model
    })

  private static let maximumRadius = ProfileSetting(
    name: "max_radius", mayDifferByRegion: false,
    read: { $0.maximumRadius.map { "\($0)" } ?? "none" },
    write: { profile, text throws(SettingProblem) in
      profile.maximumRadius =
        text == "none" ? nil : try SettingText.decimal(text, "max_radius", in: 1...20_000_000)
    })

  private static let smoothing = ProfileSetting(
    name: "smoothing", mayDifferByRegion: true, read: { $0.smoothing.rawValue },
    write: { profile, text throws(SettingProblem) in
      guard let smoothing = SmoothingFilter.named(text) else {
        throw SettingProblem.unknown("smoothing", text, among: SmoothingFilter.all.map(\.name))
      }
      profile.smoothing = smoothing
    })
}

/// Another value for one of a profile's numbers.
package struct ProfileOverride: Equatable, Sendable {
  package let name: String
  /// As the profile would be reported to have it.
  package let value: String

  /// - Throws: where the value is none that the setting takes.
  init(_ setting: ProfileSetting, _ text: String) throws(SettingProblem) {
    var probe = Profiles.site
    try setting.write(&probe, text)
    name = setting.name
    value = setting.read(probe)
  }

  /// `exit_after`, `10`.
  package init(name: String, _ text: String) throws(SettingProblem) {
    try self.init(ProfileSetting.named(name), text)
  }

  /// From the command line's form, `exit_after=10`.
  package init(parsing text: String) throws(SettingProblem) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else {
      throw SettingProblem(
        "setting '\(text)' has no value", allowed: "write name=value, such as exit_after=10")
    }
    try self.init(name: String(parts[0]), String(parts[1]))
  }

  func apply(to profile: inout Profile) throws(SettingProblem) {
    try ProfileSetting.named(name).write(&profile, value)
  }
}
