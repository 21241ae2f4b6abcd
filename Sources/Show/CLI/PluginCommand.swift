import ArgumentParser

/// What belongs to rules in Lua themselves; `--plugin` of the other commands runs them.
struct PluginCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plugin",
    abstract: "Rules in Lua: write, check and test them; which there are.",
    discussion: """
      A plugin is a file in Lua that says what to watch and when to tell people. 'analyze' and \
      'events' run it over captures with --plugin.

      Examples:
        beacontrace plugin list
            The ones that came with beacontrace.
        beacontrace plugin new night-visit
            A template and a test beside it, in this folder.
      """,
    subcommands: [
      PluginNewCommand.self, PluginCheckCommand.self, PluginTestCommand.self,
      PluginCompareCommand.self, PluginStressCommand.self,
      PluginListCommand.self, PluginDocsCommand.self,
    ])
}
