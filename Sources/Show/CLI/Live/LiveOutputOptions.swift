import Analysis
import ArgumentParser
import Exports

/// What a live run tells, and whom: the same for `live` and `replay`.
struct LiveOutputOptions: ParsableArguments {
  @Option(help: "Events and alerts as lines for people, or as JSON lines.")
  var format = LiveFormat.text

  @Flag(
    name: .customLong("screen"),
    help: """
      In place of lines a screen that keeps itself up to date: beacons with a trace of their signal each, \
      regions, what happened last. Keys: q ends, / filters, s sorts, space holds, ? helps.
      """)
  var isScreen = false

  @Flag(help: "Each sighting, too.")
  var sightings = false

  @Flag(help: "List every beacon and every remark in the summary, not the first ones only.")
  var all = false

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
        + "in between; one runs after the other, the most severe alert that waits first, for 30 s each at "
        + "most. One that fails gets its alert again, for some ten minutes. May be repeated.",
      valueName: "command"))
  var commands: [String] = []

  @Option(
    name: .customLong("alerts-from"),
    help: ArgumentHelp(
      "Only alerts of this severity and above to --alerts.", valueName: "severity"))
  var alertsFrom: Alert.Severity?

  @Option(
    name: .customLong("exec-from"),
    help: ArgumentHelp(
      "Only alerts of this severity and above to --exec.", valueName: "severity"))
  var execFrom: Alert.Severity?

  @Option(
    name: .customLong("exec-at-once"),
    help: ArgumentHelp(
      "So many of each --exec at once; more than one get their alerts in any order.",
      valueName: "number"))
  var execAtOnce: Int?

  @Option(
    name: .customLong("undelivered"),
    help: ArgumentHelp(
      "Where alerts are kept that could not be delivered, and why; with --exec "
        + "\(usualUndelivered) without it.", valueName: "file"),
    completion: .file())
  var undelivered: String?

  @Flag(
    name: .customLong("self-alerts"),
    help: """
      Alerts of the program itself, too, to --alerts and --exec: an interface that is gone, silence, \
      packets that are not recorded, a rule that fails.
      """)
  var givesSelfAlerts = false

  @Option(
    name: .customLong("status"),
    help: ArgumentHelp(
      "Say in this file how the run goes, as JSON, every five seconds and when something goes wrong.",
      valueName: "file"),
    completion: .file())
  var statusFile: String?

  @Option(
    name: .customLong("name"),
    help: ArgumentHelp(
      "What the observer is called in events, alerts and the state; without it as the interface, or the "
        + "capture.", valueName: "name"))
  var observerName: String?

  @Flag(help: "Changes of proximity, too.")
  var proximity = false

  /// Where alerts are kept that could not be delivered; nil: nowhere.
  var undeliveredFile: String? {
    undelivered ?? (commands.isEmpty ? nil : Self.usualUndelivered)
  }

  var hasReceivers: Bool { alertFile != nil || !commands.isEmpty }

  /// Without rules there are no alerts that could go anywhere.
  func needRules(hasRules: Bool, _ recording: RecordingOptions) throws {
    let needsRules = hasReceivers && !givesSelfAlerts || recording.alertFile != nil
    guard !hasRules, needsRules else { return }
    throw ValidationError(
      "--exec, --alerts and --write-on-alert are for alerts, which only rules give: name a --plugin, or "
        + "for the first two --self-alerts."
    )
  }

  static let usualUndelivered = "undelivered-alerts.ndjson"

  func validate() throws {
    _ = try clock.zone(isText: format == .text)
    if isScreen { try validateScreen() }
    if observerName?.isEmpty == true {
      throw ValidationError("--name: an empty name tells nobody which observer it is.")
    }
    if alertFile == "-" || undelivered == "-" {
      throw ValidationError(
        "--alerts and --undelivered need a file: standard output has the events, alerts among them; "
          + "--format ndjson writes them as JSON.")
    }
    if givesSelfAlerts, !hasReceivers {
      throw ValidationError(
        "--self-alerts needs somebody to get them: --alerts FILE or --exec COMMAND.")
    }
    if statusFile == "-" {
      throw ValidationError("--status needs a file: it is replaced, not written on.")
    }
    if undelivered != nil, alertFile == nil, commands.isEmpty {
      throw ValidationError("--undelivered is for alerts of --exec and --alerts: name one of them.")
    }
    if alertFile == nil, alertsFrom != nil {
      throw ValidationError("--alerts-from needs --alerts FILE.")
    }
    if commands.isEmpty, execFrom != nil || execAtOnce != nil {
      throw ValidationError("--exec-from and --exec-at-once need --exec COMMAND.")
    }
    if let execAtOnce, !(1...64).contains(execAtOnce) {
      throw ValidationError("--exec-at-once \(execAtOnce): from 1 to 64.")
    }
  }

  private func validateScreen() throws {
    if format != .text || sightings || quiet {
      throw ValidationError(
        "--screen shows events and sightings in its own way: leave --format, --sightings and --quiet out, "
          + "or --screen.")
    }
  }

  /// The screen that was asked for; nil: lines are told.
  func board() throws -> BoardScreen? {
    guard isScreen else { return nil }
    guard Terminal.canMove else {
      Terminal.tell(
        "beacontrace: --screen needs a terminal that can move its cursor: leave it out where output goes "
          + "elsewhere.")
      throw ExitStatus.unavailable
    }
    return BoardScreen()
  }

  @Flag(
    name: .customLong("no-reload"),
    help: "Do not read plugins anew when their files change; a little faster.")
  var isWithoutReload = false

  @OptionGroup var clock: ClockOptions

  @Flag(name: .shortAndLong, help: "Say less: no status and no hints; what was lost is still told.")
  var quiet = false
}

extension Alert.Severity: ExpressibleByArgument {}

/// How events are written while they happen: every form that needs nothing of what comes later.
enum LiveFormat: String, ExpressibleByArgument, CaseIterable {
  case text, ndjson
}
