package import Analysis
import Beacons
import CLuaGuard
import CaptureReader
import FrameDecoder
package import Regions

/// The plugins of a run, as its judge.
///
/// Unchecked: before the run it belongs to whoever made it, then to the queue that follows the run,
/// and after that again to its maker.
package final class PluginHost: Judge, @unchecked Sendable {
  private(set) var plugins: [Plugin]
  let regionStates: RegionStates
  var sightings: SightingHandlers
  /// Handlers of everything but sightings, in the order of plugins and of their lines.
  var handlers: [HandledEvent: [(plugin: Plugin, handler: Handler)]] = [:]
  let moment: Moment
  /// By plugin: who is to be called with which sightings of the run under way.
  var turns: [[guard_turn]]
  private let asked: HostWishes
  /// Nil where no plugin has any.
  package let decoders: PluginDecoders?
  /// What all plugins declared when they were loaded first, in their order: the run goes by it.
  package let declarations: [Declarations]
  let regions: [Region]
  private let keys: Set<String>
  /// Nil where it is not asked which handlers can be called.
  var runNames: RunNames?
  /// What `start` says, but for its time; nil before the run.
  var startTable: LuaTable?
  /// Plugins whose text came later, and has not been told `start`.
  var unstarted: [Plugin] = []
  let tell: @Sendable (String) -> Void
  /// Names of plugins of whose decoders an alert has told that they are switched off.
  var decodersToldOff: Set<String> = []
  /// By plugin's name: the text that was not taken last, so that it is not tried again, and why.
  var refused: [String: (print: TextPrint, why: String)] = [:]
  var saving: StateSaving

  /// - Parameters:
  ///   - files: plugins, and site files, in the order in which the user named them.
  ///   - settings: by plugin's name: options as the user set them.
  ///   - regions: declared elsewhere, which filters may name.
  ///   - keys: names of beacons that are resolved; where no region is declared, each has one.
  ///   - saved: what plugins saved in an earlier run: in their `state` before their texts run.
  ///   - mayReload: everything is handed on that another text could wish for, each sighting whole.
  ///     Sightings then go one by one, and distances are reckoned, whether anybody asks or not: that
  ///     costs many times what narrow filters do, so only where a run may take its time.
  ///   - tell: takes what people should read, a line at a time, on any thread.
  ///   - printed: takes what plugins print; nil: `tell` does, with the plugin's name before it.
  /// - Throws: why one of them cannot be used.
  package init(
    _ files: [(file: PluginFile, isSite: Bool)], settings: [String: [String: String]] = [:],
    regions: [Region] = [], keys: [String] = [], saved: SavedStates = SavedStates(),
    mayReload: Bool = false,
    tell: @escaping @Sendable (String) -> Void,
    printed: (@Sendable (String) -> Void)? = nil
  ) throws(PluginProblem) {
    let states = RegionStates()
    let moment = Moment()
    regionStates = states
    self.moment = moment
    var plugins: [Plugin] = []
    for (file, isSite) in files {
      if plugins.contains(where: { $0.file.name == file.name }) {
        throw PluginProblem("\(file.path): there are two plugins called '\(file.name)'; rename one")
      }
      let plugin = Plugin(
        file, isSite ? .site : .rules, settings: settings[file.name] ?? [:], regions: states,
        moment: moment, tell: tell)
      plugin.printed = printed
      try saved.load(plugin)
      plugins.append(plugin)
    }
    for name in settings.keys.sorted() where !plugins.contains(where: { $0.file.name == name }) {
      throw PluginProblem(
        "--set \(name).…: "
          + UnknownWord.sentence("plugin", name, among: plugins.map(\.file.name)))
    }
    self.plugins = plugins
    self.tell = tell
    saving = StateSaving(saved)
    turns = plugins.map { _ in [] }
    decoders = try Self.decoders(plugins, tell, printed)
    declarations = plugins.map(\.declared)
    let declared = declarations.flatMap(\.regions)
    self.regions = regions + declared
    self.keys = Set(keys)
    states.declared = Set(self.regions.map(\.identifier))
    sightings = SightingHandlers(plugins.map(\.handlers), regions: self.regions)
    asked = HostWishes(
      plugins.flatMap(\.handlers), sightings: sightings.wish,
      isRuled: declared.contains { $0.ownRule != nil }, takesAll: mayReload)
    sortHandlers()
  }

  package var wishes: JudgeWishes { asked.wishes }

  private func sortHandlers() {
    handlers = [:]
    for plugin in plugins {
      for handler in plugin.handlers where !handler.event.isSighting {
        handlers[handler.event, default: []].append((plugin, handler))
      }
    }
  }

  /// Another text takes a plugin's place.
  /// - Returns: what of it does not come into force before the next start, a clause each.
  func replace(_ place: Int, by plugin: Plugin) -> [String] {
    let name = plugin.file.name
    let old = plugins[place]
    plugin.timers.follow(old.timers)
    plugin.told = old.told
    plugins[place] = plugin
    for case let rule as LuaPredicate in declarations[place].regions.compactMap(\.ownRule) {
      let others = plugin.declared.regions.filter { $0.identifier == rule.region }
      if let other = others.last?.ownRule as? LuaPredicate { rule.become(other) }
    }
    sightings = SightingHandlers(plugins.map(\.handlers), regions: regions)
    sortHandlers()
    unstarted.removeAll { $0.file.name == name }
    if startTable != nil {
      plugin.seed(moment.now)
      plugin.timers.begin(at: moment.now.nanoseconds)
      unstarted.append(plugin)
    }
    let sentences =
      DeclarationChanges(declarations[place], plugin.declared).sentences
      + asked.missing(plugin.handlers)
    // Rules of regions hold the plugin that holds them.
    old.declared.regions = []
    plugin.declared.regions = []
    return sentences
  }

  /// The plugins that have decoders, loaded once more.
  private static func decoders(
    _ plugins: [Plugin], _ tell: @escaping @Sendable (String) -> Void,
    _ printed: (@Sendable (String) -> Void)?
  ) throws(PluginProblem) -> PluginDecoders? {
    var decoding: [Plugin] = []
    for plugin in plugins where !plugin.declared.decoders.isEmpty {
      let twin = Plugin(plugin.file, .decoding, settings: plugin.settings, tell: tell)
      // What the file prints while it loads has been read once.
      twin.printed = { _ in }
      try twin.load()
      twin.printed = printed
      decoding.append(twin)
    }
    var names: [String: String] = [:]
    for plugin in decoding {
      for decoder in plugin.declared.decoders {
        if let other = names.updateValue(plugin.file.path, forKey: decoder.name) {
          throw PluginProblem(
            "\(plugin.file.path): decoder '\(decoder.name)' is declared in \(other), too")
        }
      }
    }
    return decoding.isEmpty ? nil : PluginDecoders(decoding)
  }

  /// Looks for filters, and options, that name what nobody declared: they would wait for ever.
  package func checkNames() throws(PluginProblem) {
    let decoders = plugins.flatMap(\.declared.decoders).map(\.name)
    for plugin in plugins {
      for option in plugin.declared.options where option.kind == .region {
        guard let name = option.value.text, !name.isEmpty, let unknown = unknownRegion(name) else {
          continue
        }
        throw PluginProblem("\(plugin.file.path): option '\(option.name)': \(unknown)")
      }
      for handler in plugin.handlers {
        for wish in handler.filter.wishes {
          for name in wish.values.compactMap(\.text) {
            let unknown: String?
            switch wish.key {
            case "region":
              unknown =
                unknownRegion(name) ?? (handler.event.isSighting ? nothingButRule(name) : nil)
            case "decoder": unknown = unknownDecoder(name, decoders)
            default: unknown = nil
            }
            guard let unknown else { continue }
            throw PluginProblem(
              "\(plugin.file.path): on(\"\(handler.event.rawValue)\"): \(unknown)")
          }
        }
      }
    }
  }

  /// Whether nothing comes of the plugins, whatever is heard.
  package var isIdle: Bool { plugins.allSatisfy(\.isIdle) }

  /// Looks for handlers of messages where there are none at all. To be called where that is known.
  package func checkMessages() throws(PluginProblem) {
    for plugin in plugins {
      for event in plugin.handlers.map(\.event)
      where event == .messageFound || event == .messageLost {
        throw PluginProblem(
          "\(plugin.file.path): on(\"\(event.rawValue)\"): there are no messages; declare them with "
            + "message, in a --site, or with --messages")
      }
    }
  }

  private func unknownRegion(_ name: String) -> String? {
    let known = regionStates.declared
    if known.contains(name) { return nil }
    guard known.isEmpty else {
      return UnknownWord.sentence("region", name, among: known.sorted())
    }
    if keys.contains(name) { return nil }
    // Those that are heard make theirs, by their identity.
    if HeardRegionNames.hasAlike(name) {
      return HeardRegionNames.has(name)
        ? nil
        : "no region is declared, and those that are heard are named in small letters, UUIDs with "
          + "hyphens; '\(name)' is not"
    }
    return "no region is declared, so there are those of the UUIDs and namespaces that are heard; "
      + "'\(name)' is none: declare it with region, --site or --region"
  }

  private func nothingButRule(_ name: String) -> String? {
    regions.last { $0.identifier == name }?.isRuleAlone == true
      ? PluginProblem.nothingButRule(name) : nil
  }

  private func unknownDecoder(_ name: String, _ known: [String]) -> String? {
    if known.contains(name) { return nil }
    if known.isEmpty { return "no decoder '\(name)' is declared; a --site or --plugin has to" }
    return UnknownWord.sentence("decoder", name, among: known.sorted())
  }
}
