import Analysis
import ArgumentParser
import BeaconKeys
import CaptureReader
import Exports
import Plugins
import Regions
import TrackReader

/// Regions and the rules they are followed by: the same for every command that follows them.
struct FollowOptions: ParsableArguments {
  @Option(
    name: .customLong("region"), parsing: .singleValue,
    help: ArgumentHelp(
      "A region, as NAME=KIND:SPEC[,key=value...]; may be repeated. Without one there is a region "
        + "for every iBeacon UUID and Eddystone namespace heard.",
      valueName: "region"))
  var regions: [String] = []

  @Option(
    name: .customLong("regions"), parsing: .singleValue,
    help: ArgumentHelp(
      "A file with a region on each line, written in the same way; lines that begin with # are "
        + "comments. May be repeated.",
      valueName: "file"),
    completion: .file())
  var regionFiles: [String] = []

  @Option(
    name: .customLong("regions-per"),
    help: ArgumentHelp(
      "Where no region is named: uuid, one for every iBeacon UUID and Eddystone namespace, or beacon, one "
        + "for every iBeacon, Eddystone-UID and AltBeacon. (default: uuid)", valueName: "what"))
  var found: FoundRegions?

  @Option(
    help: ArgumentHelp(
      "Whose rules: \(Profiles.all.map(\.name).joined(separator: ", ")). Several, with commas "
        + "between them, are compared; advise takes one.",
      valueName: "names"),
    completion: .list(Profiles.all.map(\.name)))
  var profile = usualProfile

  static let usualProfile = Profiles.all[0].name

  @Option(
    name: .customLong("set"), parsing: .singleValue,
    help: ArgumentHelp(
      "Another number for all profiles of the run, such as exit_after=20, or for one of several, such as "
        + "core-location.exit_after=20, or an option of a plugin, such as low-battery.below_mv=2500; may be repeated.",
      valueName: "name=value"))
  var assignments: [String] = []

  @Option(
    name: .customLong("distance-model"),
    help: ArgumentHelp("How signals become metres.", valueName: "model"))
  var distanceModel = DistanceModel.pathLoss

  @OptionGroup var observer: ObserverOptions

  @Option(
    name: .customLong("track"), parsing: .singleValue,
    help: ArgumentHelp(
      "Where the observers were: GPX or NMEA; may be repeated. NAME=FILE is the track of the one of that "
        + "name (--observer), or of all radios NAME/...; a file alone is of all that have none of their own. "
        + "Without one positions in a capture count.",
      valueName: "[name=]file"),
    completion: .file())
  var tracks: [String] = []

  @Option(
    help: ArgumentHelp(
      "Tell positions, too: distance=METRES, significant (500 m and five minutes), "
        + "course=DEGREES, with commas between them.", valueName: "filter"))
  var positions: String?

  @Option(
    help: ArgumentHelp(
      "Messages that beacons carry: JSON lines with beacon, namespace, type, content.",
      valueName: "file"),
    completion: .file())
  var messages: String?

  @Option(
    name: .customLong("subscribe"), parsing: .singleValue,
    help: ArgumentHelp(
      "Which of the messages, by what is joined with commas: namespace=..., type=..., ibeacon=no, "
        + "eddystone=no, background=yes, low_power=yes; may be repeated. All without one.",
      valueName: "filter"))
  var subscriptions: [String] = []

  @Option(
    help: ArgumentHelp(
      "Moments such as display_on: CSV with the columns time,kind.", valueName: "file"),
    completion: .file())
  var markers: String?

  @OptionGroup var keys: KeyOptions

  @OptionGroup(title: "Rules") var rules: PluginOptions

  /// What can be told without the captures and the other files.
  func validate() throws {
    do {
      var settings = FollowSettings()
      settings.profiles = try profiles()
      settings.regions = RegionList(try regions.map { try Region.parse($0) })
      try settings.check()
      if !rules.hasAny { try Self.check(settings.regions.regions, decoders: []) }
      if keys.files.isEmpty {
        try Self.check(settings.regions.regions, keys: [])
        try DeviceRegions.check(settings.regions.regions, try keys.ringOfDevices())
      }
      try checkFound(settings.regions.regions)
      _ = try subscriptions.map { try Subscription($0) }
      _ = try positions.map { try PositionSettings($0) }
    } catch let problem as SettingProblem {
      throw ValidationError("\(problem).")
    } catch let problem as TextProblem {
      throw ValidationError(problem.description)
    }
  }

  /// What the options say; `captures` are the inputs in the order of their places.
  /// - Parameters:
  ///   - saved: what plugins saved in an earlier run.
  ///   - mayReload: plugins may be replaced while the run goes on.
  ///   - places: where files are that are not where they were named.
  ///   - tell: takes what plugins print and what goes wrong in them, a line at a time.
  func settings(
    _ captures: [String], wantsLists: Bool = false, saved: SavedStates = SavedStates(),
    mayReload: Bool = false, places: SidePlaces = SidePlaces(),
    tell: @escaping @Sendable (String) -> Void = PluginOptions.toTerminal
  ) throws -> FollowSettings {
    var settings = FollowSettings()
    settings.wantsLists = wantsLists
    settings.profiles = try profiles()
    settings.subscriptions = try subscriptions.map { try Subscription($0) }
    settings.positions = try positions.map { try PositionSettings($0) }
    settings.keys = try keys.ring(places)
    do {
      try addRegions(to: &settings, saved, mayReload: mayReload, places, tell: tell)
    } catch let problem as TextProblem {
      Terminal.tell("beacontrace: \(problem.description)")
      throw ExitCode.validationFailure
    } catch let problem as PluginProblem {
      Terminal.tell("beacontrace: \(TextColumns.printable(problem.description))")
      throw ExitCode.validationFailure
    } catch let problem as SettingProblem {
      Terminal.tell("beacontrace: \(problem).")
      throw ExitCode.validationFailure
    }
    settings.observerNames = try observer.names(captures)
    settings.warnings += try [observer.loose(captures)].compactMap { $0 }
    return settings
  }

  /// Regions, from wherever they are declared, rules, and what else plugins and site files declare.
  private func addRegions(
    to settings: inout FollowSettings, _ saved: SavedStates, mayReload: Bool, _ places: SidePlaces,
    tell: @escaping @Sendable (String) -> Void
  ) throws {
    let keyNames = settings.keys?.keys.map(\.name) ?? []
    let lists = try regionFiles.map { path in
      try ListFile.read(places.path(path, .regions)) { (line) throws(SettingProblem) in
        try Region.parse(line)
      }
    }
    let written = try regions.map { try Region.parse($0) } + lists.flatMap(\.self)
    let host = try rules.host(
      pluginSettings(), regions: written,
      keys: keyNames + DeviceRegions.names(settings.keys), saved: saved, mayReload: mayReload,
      places: places, tell: tell)
    let declared = host?.declarations ?? []
    settings.regions = RegionList()
    for (file, declared) in zip(rules.sites + rules.plugins, declared) {
      for region in declared.regions { settings.regions.add(region, from: file) }
    }
    for region in written { settings.regions.add(region, from: "--region") }
    try checkFound(settings.regions.regions)
    settings.regions.found = found ?? .uuid
    settings.judge = host
    settings.custom = host?.decoders
    let decoders = Set(declared.flatMap(\.decoders).map(\.name))
    try Self.check(written, decoders: decoders)
    try Self.check(written, keys: keyNames)
    try DeviceRegions.check(written, settings.keys)
    try settings.check()
    settings.tracks = try tracks.map { try TrackWord($0, places).read(places) }
    settings.messages =
      declared.flatMap(\.messages)
      + (try messages.map { try MessageFile.read(places.path($0, .messages)) } ?? [])
    settings.subscriptions += declared.flatMap(\.subscriptions)
    if settings.messages.isEmpty { try host?.checkMessages() }
    host?.tellDeadHandlers(
      RunNames(
        devices: DeviceRegions.names(settings.keys), keys: keyNames,
        hasPositions: settings.positions != nil))
    try Self.check(settings.messages, keys: keyNames)
    let moments =
      declared.flatMap(\.markers)
      + (try markers.map { try MarkerFile.read(places.path($0, .markers)) } ?? [])
    settings.displayMarkers = moments.filter { $0.kind == "display_on" }.map(\.time)
    settings.warnings =
      Self.waiting(settings.regions.regions, decoders: decoders)
      + Self.waiting(settings.regions.regions, keys: keyNames)
      + DeviceRegions.waiting(settings.regions.regions, settings.keys) + unused(moments)
      + emptyLists(lists, isDefault: settings.regions.regions.isEmpty)
  }

  /// Which regions come to be is asked only where none is defined.
  private func checkFound(_ regions: [Region]) throws(SettingProblem) {
    guard let found, let region = regions.first else { return }
    throw SettingProblem(
      "--regions-per \(found.rawValue) is for runs without a region, and there is "
        + "'\(region.identifier)'", allowed: "leave --regions-per out, or the regions")
  }

  /// What no decoder makes would be outside for ever. (A site file may be there without the plugin that
  /// its regions wait for; what stands on the command line is meant for this run.)
  private static func check(_ regions: [Region], decoders: Set<String>) throws(SettingProblem) {
    for region in regions {
      guard let name = region.decoder, !decoders.contains(name) else { continue }
      throw SettingProblem(
        "region '\(region.identifier)': there is no decoder '\(name)'",
        allowed: decoders.isEmpty
          ? "name the plugin that has it with --plugin"
          : "there are: \(decoders.sorted().joined(separator: ", "))")
    }
  }

  /// Regions of decoders that this run does not have: declared ones, the others are refused.
  private static func waiting(_ regions: [Region], decoders: Set<String>) -> [String] {
    regions.compactMap { region in
      guard let name = region.decoder, !decoders.contains(name) else { return nil }
      return
        "region '\(region.identifier)' takes what the decoder '\(name)' finds, and no plugin of "
        + "this run has one of that name"
    }
  }

  /// The same of beacons whose key is not there.
  private static func check(_ regions: [Region], keys: [String]) throws(SettingProblem) {
    for region in regions {
      guard let name = region.key, !keys.contains(name) else { continue }
      let guess = LikelyWord.of(name, among: keys).map { " (did you mean '\($0)'?)" } ?? ""
      throw SettingProblem(
        "region '\(region.identifier)': there is no key '\(name)'\(guess)",
        allowed: keys.isEmpty
          ? "name the file that has it with --keys, or write the 16 hexadecimal digits that the beacon "
            + "sends" : "there are: \(keys.sorted().joined(separator: ", "))")
    }
  }

  private static func check(_ messages: [BeaconMessage], keys: [String]) throws(SettingProblem) {
    for message in messages {
      guard let name = message.beacon.key, !keys.contains(name) else { continue }
      throw SettingProblem(
        "a message of '\(message.beacon.text)': there is no key '\(name)'",
        allowed: keys.isEmpty
          ? "name the file that has it with --keys"
          : "there are: \(keys.sorted().joined(separator: ", "))")
    }
  }

  private static func waiting(_ regions: [Region], keys: [String]) -> [String] {
    regions.compactMap { region in
      guard let name = region.key, !keys.contains(name) else { return nil }
      return
        "region '\(region.identifier)' takes the beacon of the key '\(name)', and no file of this "
        + "run (--keys) has one of that name"
    }
  }

  /// Lists without a region.
  private func emptyLists(_ lists: [[Region]], isDefault: Bool) -> [String] {
    zip(regionFiles, lists).filter(\.1.isEmpty).map { path, _ in
      "\(path) names no region"
        + (isDefault
          ? ": there is one for every UUID and namespace that was heard, as without a list" : "")
    }
  }

  /// Only one kind means something yet.
  private func unused(_ moments: [Marker]) -> [String] {
    let others = moments.filter { $0.kind != "display_on" }
    guard let first = others.first else { return [] }
    return [
      "\(others.count) of \(moments.count) markers are not used: their kind is not display_on but, "
        + "in line \(first.line), '\(first.kind)'"
    ]
  }
}

extension DistanceModel: ExpressibleByArgument {
  public init?(argument: String) {
    guard let model = DistanceModel.named(argument) else { return nil }
    self = model
  }
  public var defaultValueDescription: String { name }
  public static var allValueStrings: [String] { all.map(\.name) }
}

extension FoundRegions: ExpressibleByArgument {}
