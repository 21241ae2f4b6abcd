import Regions

/// What `--set` says: numbers of profiles, and options of plugins.
extension FollowOptions {
  func profiles() throws -> [Profile] {
    let names = profile.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    for (place, name) in names.enumerated() where names[..<place].contains(name) {
      throw SettingProblem("profile '\(name)' is named twice", allowed: "name each once")
    }
    var overrides = [try ProfileOverride(name: "distance_model", distanceModel.name)]
    var own: [String: [ProfileOverride]] = [:]
    for (name, value) in try namesAndValues() {
      switch owner(name) {
      case .all: overrides.append(try setting(name, value))
      case .profile(let profile, let name):
        guard names.contains(profile) else {
          throw SettingProblem(
            "'\(profile).\(name)' is of a profile that this run does not have",
            allowed: "name it with --profile, or leave '\(profile).' out")
        }
        own[profile, default: []].append(try setting(name, value))
      case .plugin: break
      }
    }
    return try names.map { try Profiles.named($0).with(overrides + own[$0, default: []]) }
  }

  private enum Owner {
    case all
    case profile(String, setting: String)
    case plugin(String, option: String)
  }

  /// Whose name it is. A rule that is called like a profile has what is set for that name, as it would without profiles.
  private func owner(_ name: String) -> Owner {
    guard let dot = name.firstIndex(of: ".") else { return .all }
    let (owner, rest) = (String(name[..<dot]), String(name[name.index(after: dot)...]))
    let isProfile =
      Profiles.all.contains { $0.name == owner } && !rules.names.contains(owner)
    return isProfile ? .profile(owner, setting: rest) : .plugin(owner, option: rest)
  }

  private func setting(_ name: String, _ value: String) throws(SettingProblem) -> ProfileOverride {
    let isKnown = ProfileSetting.all.contains { $0.name == name }
    do {
      return try ProfileOverride(name: name, value)
    } catch {
      guard rules.hasAny, !isKnown else { throw error }
      let own = "an option of a plugin is set by --set PLUGIN.\(name)=\(value)"
      throw SettingProblem(error.what, allowed: "\(error.allowed); \(own)")
    }
  }

  private func namesAndValues() throws(SettingProblem) -> [(name: String, value: String)] {
    var found: [(name: String, value: String)] = []
    for assignment in assignments {
      guard let equals = assignment.firstIndex(of: "=") else {
        throw SettingProblem("'\(assignment)' sets nothing", allowed: "write --set exit_after=20")
      }
      found.append(
        (
          String(assignment[..<equals]),
          String(assignment[assignment.index(after: equals)...])
        ))
    }
    return found
  }

  /// Options of plugins, by plugin: `--set low-battery.below_mv=2500`.
  func pluginSettings() throws(SettingProblem) -> [String: [String: String]] {
    var settings: [String: [String: String]] = [:]
    for (name, value) in try namesAndValues() {
      guard case .plugin(let plugin, let option) = owner(name) else { continue }
      guard settings[plugin, default: [:]].updateValue(value, forKey: option) == nil else {
        throw SettingProblem("'\(name)' is set twice", allowed: "set each option once")
      }
    }
    return settings
  }
}
