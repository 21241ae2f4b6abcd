import ArgumentParser
import Regions

/// The options of a run that a case is made by: stored in it as words, and read from there for the same
/// run again.
struct CaseOptions: ParsableArguments {
  @OptionGroup var follow: FollowOptions

  @OptionGroup var clocks: CaptureClocks

  @Flag(name: .customLong("no-regions")) var isWithoutRegions = false

  @Flag(name: .customLong("keep-bad-crc")) var keepsBadCRC = false

  @Flag(name: .customLong("keep-sightings")) var keepsSightings = false

  @Flag(name: .customLong("keep-proximity")) var keepsProximity = false

  /// In a fixed order, those that differ from what holds without them.
  var words: [String] {
    follow.words + clocks.words.map { "--clock=\($0)" } + (isWithoutRegions ? ["--no-regions"] : [])
      + (keepsBadCRC ? ["--keep-bad-crc"] : []) + (keepsSightings ? ["--keep-sightings"] : [])
      + (keepsProximity ? ["--keep-proximity"] : [])
  }
}

extension FollowOptions {
  /// The options as words, in a fixed order, those that differ from what holds without them.
  var words: [String] { wordsOfFollowing + wordsOfSightings }

  var wordsOfFollowing: [String] {
    // In one word: a value may begin with a hyphen.
    func each(_ option: String, _ values: [String]) -> [String] { values.map { "\(option)=\($0)" } }
    let model = distanceModel == .pathLoss ? nil : distanceModel.name
    return each("--region", regions) + each("--regions", regionFiles)
      + each("--regions-per", found == .beacon ? [FoundRegions.beacon.rawValue] : [])
      + each("--profile", profile == Self.usualProfile ? [] : [profile])
      + each("--set", assignments) + each("--distance-model", [model].compactMap { $0 })
      + each("--observer", observer.observers) + each("--track", tracks)
      + each("--positions", [positions].compactMap { $0 })
      + each("--messages", [messages].compactMap { $0 }) + each("--subscribe", subscriptions)
      + each("--markers", [markers].compactMap { $0 }) + each("--plugin", rules.plugins)
      + each("--site", rules.sites)
  }

  /// Those that say whose sightings they are: they mean something where nothing is followed, too.
  private var wordsOfSightings: [String] {
    keys.files.map { "--keys=\($0)" } + keys.devices.map { "--device=\($0)" }
  }
}
