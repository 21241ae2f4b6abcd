import ArgumentParser
import Exports

/// What a live run tells, and whom: the same for `live` and `replay`.
struct LiveOutputOptions: ParsableArguments {
  @Option(help: "Events and alerts as lines for people, or as JSON lines.")
  var format = LiveFormat.text

  @Flag(help: "Each sighting, too.")
  var sightings = false

  @Flag(name: .customLong("no-summary"), help: "Nothing more when it ends.")
  var isWithoutSummary = false

  @Option(
    name: .customLong("alerts"),
    help: ArgumentHelp(
      "Alerts to a file, too: JSON lines in the shape of Suricata's EVE. Opened anew on SIGHUP.",
      valueName: "file"),
    completion: .file())
  var alertFile: String?

  @Option(
    name: .customLong("exec"), parsing: .singleValue,
    help: ArgumentHelp(
      "A command to start for each alert, with the alert as JSON on its standard input; no shell is "
        + "in between. May be repeated.",
      valueName: "command"))
  var commands: [String] = []

  @Option(
    name: .customLong("undelivered"),
    help: ArgumentHelp(
      "Where alerts are kept that no command took, with the reason.", valueName: "file"),
    completion: .file())
  var undelivered = "undelivered-alerts.ndjson"

  @Flag(
    name: .customLong("no-reload"),
    help: "Plugins stay as they are when their files change; narrow filters then cost less.")
  var isWithoutReload = false

  @Flag(name: .shortAndLong, help: "Say less: no status, no warnings.")
  var quiet = false
}

/// How events are written while they happen: every form that needs nothing of what comes later.
enum LiveFormat: String, ExpressibleByArgument, CaseIterable {
  case text, ndjson
}
