import ArgumentParser
import Exports
import Plugins
import Regions
import TrackReader

/// Rules in Lua: the same for every command that follows regions.
struct PluginOptions: ParsableArguments {
  @Option(
    name: .customLong("plugin"), parsing: .singleValue,
    help: ArgumentHelp(
      "Rules in Lua: a file, or the name of one that came with beacontrace; may be repeated. See "
        + "'beacontrace plugin list' and 'beacontrace plugin docs'.",
      valueName: "file"),
    completion: .file(extensions: ["lua"]))
  var plugins: [String] = []

  @Option(
    name: .customLong("site"), parsing: .singleValue,
    help: ArgumentHelp(
      "What there is at a site, in Lua: regions, messages, decoders, no rules; may be repeated.",
      valueName: "file"),
    completion: .file(extensions: ["lua"]))
  var sites: [String] = []

  /// What `--set` calls them.
  var names: Set<String> {
    Set(
      (plugins + sites).map { path in
        let file = path.split(separator: "/").last.map(String.init) ?? path
        return file.hasSuffix(".lua") ? String(file.dropLast(4)) : file
      })
  }

  var hasAny: Bool { !plugins.isEmpty || !sites.isEmpty }

  /// A line, with the tabs that `print` parts values by.
  static let toTerminal: @Sendable (String) -> Void = { line in
    let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
    Terminal.tell(parts.map { TextColumns.printable(String($0)) }.joined(separator: "\t"))
  }

  /// Nil where there are none.
  /// - Parameters:
  ///   - settings: of plugins, by name: `--set plugin.option=value`.
  ///   - regions: declared elsewhere.
  ///   - keys: names of beacons that are resolved: where no region is declared, each has one.
  ///   - saved: what plugins saved in an earlier run.
  ///   - mayReload: they may be replaced while the run goes on.
  ///   - places: where files are that are not where they were named.
  ///   - tell: takes what plugins print and what goes wrong in them, a line at a time.
  func host(
    _ settings: [String: [String: String]], regions: [Region], keys: [String] = [],
    saved: SavedStates = SavedStates(), mayReload: Bool = false,
    places: SidePlaces = SidePlaces(),
    tell: @escaping @Sendable (String) -> Void = PluginOptions.toTerminal
  ) throws -> PluginHost? {
    do {
      guard !plugins.isEmpty || !sites.isEmpty else {
        if let name = settings.keys.sorted().first {
          throw PluginProblem("--set \(name).…: no plugin is named; write --plugin \(name)")
        }
        return nil
      }
      let files =
        try sites.map { (try PluginFile.read(places.path($0, .site)), true) }
        + plugins.map {
          (try PluginFile.read(try places[.plugin, $0] ?? PluginShelf.path(of: $0)), false)
        }
      for word in plugins where places[.plugin, word] == nil && PluginShelf.isHidden(word) {
        tell(
          "\(word): the plugin that came with beacontrace; for the file here write ./\(word).lua.")
      }
      let host = try PluginHost(
        files, settings: settings, regions: regions, keys: keys, saved: saved,
        mayReload: mayReload, tell: tell)
      try host.checkNames()
      host.tellMistakes()
      return host
    } catch let problem as TextProblem {
      Terminal.tell("beacontrace: \(problem.description)")
      throw ExitCode.validationFailure
    } catch let problem as PluginProblem {
      Terminal.tell("beacontrace: \(TextColumns.printable(problem.description))")
      throw ExitCode.validationFailure
    }
  }
}
