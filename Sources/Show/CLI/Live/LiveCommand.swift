import Analysis
import ArgumentParser
import CaptureWriter
import Exports
import LiveCapture
import Plugins
import Regions
import StateFile

struct LiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "live",
    abstract: "Follows what a Bluetooth interface hears while it hears it.",
    usage: "beacontrace live -i <interface> [options]",
    discussion: """
      The same as events, on packets as they arrive: regions, rules, evidence. What is recorded with \
      --write gives the same events when it is analyzed later, but around a restart, with the same ids \
      where the observer has the same name: events --observer bluetooth0=site.pcapng. It ends with \
      Ctrl-C (SIGINT) or SIGTERM, with everything written, and shows the summary of analyze. Plugins are \
      read anew when their files change, and on SIGHUP; files of regions and keys when a run begins.

      Interfaces: bluetooth-monitor hears all controllers and outlives them; bluetooth0 is one \
      controller. Both need CAP_NET_RAW: see 'beacontrace doctor'. live only listens; something has \
      to scan: --scan does it itself.

      What the kernel or the program could not keep is counted, told as an event of the type \
      observer, and recorded.

      As a service: a unit for systemd, with the rights that it needs, and what SIGHUP, the status file and \
      a restart do, stand in README.md, in the chapter Live; what is installed has both in \
      share/doc/beacontrace. A second SIGINT or SIGTERM does not wait for who still gets alerts.

      How regions are written, and what their numbers mean: 'beacontrace help events'.

      Examples:
        beacontrace live -i bluetooth-monitor --scan passive
            What is heard here now.
        beacontrace live -i bluetooth-monitor --scan passive --screen
            The same to look at: signals, regions, what happened last.
        beacontrace live -i bluetooth-monitor --site hall.lua --plugin low-battery
            Regions of a site, and an alert when a battery gets low.
        beacontrace live -i bluetooth0 --write site.pcapng --rotate-time 1h --keep 48
            Two days of packets beside it.
        beacontrace live -i bluetooth0 --plugin door.lua --exec ./ring-the-bell
            A command for each alert.
        beacontrace live -i bluetooth0 --plugin low-battery --check
            Whether a start or a reload would take its rules and regions.
      """)

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp(
      "bluetooth-monitor, or a controller: bluetooth0. See 'beacontrace interfaces'.",
      valueName: "interface"))
  var interface: String

  @OptionGroup var output: LiveOutputOptions
  @OptionGroup(title: "Regions") var follow: FollowOptions
  @OptionGroup(title: "Recording") var recording: RecordingOptions
  @OptionGroup(title: "Restarts") var state: StateOptions
  @OptionGroup(title: "The radio") var radio: RadioOptions

  @Flag(
    help:
      "Read the site, regions, rules and keys as a start would, say what is wrong with them, and end: nothing is heard or written. For what changes the files of a service."
  )
  var check = false

  func validate() throws {
    if !follow.observer.isEmpty {
      throw ValidationError(
        "--observer and --observers put captures together; what live hears is called otherwise with --name hall."
      )
    }
    try files.validate()
    try output.needRules(hasRules: !follow.rules.plugins.isEmpty, recording)
  }

  private var files: RunFiles { LiveFiles.all([], follow, output, recording, state) }

  func run() throws {
    Privileges.keepToSelf()
    if check { return try tryOut() }
    let screen = LiveScreen(
      hasStatus: !output.quiet, board: try output.board(),
      outlivesReader: recording.isAny || output.hasReceivers,
      mayDrop: true)
    let notices = RunNotices(screen, givesAlerts: output.givesSelfAlerts)
    // Before there are threads, which look at the environment, too.
    let service = ServiceManager()
    let capture = try radio.open(interface)
    // A scan of ours is ended by whatever ends the program, from its beginning on.
    let signals = StopSignals()
    let scan = try radio.scanTending(on: interface) { notices.tell($0, $1) }
    try radio.dropRights(hasPlugins: follow.rules.hasAny)
    let known = try LiveOutputs.state(state)
    let settled = SettledFiles(follow.settledFiles)
    var settings = try follow.settings(
      [interface], saved: known?.plugins ?? SavedStates(), mayReload: !output.isWithoutReload)
    if let name = output.observerName { settings.observerNames[0] = name }
    let host = settings.judge as? PluginHost
    // Of the monitor only records tell which controllers there are.
    if let name = settings.observerNames[0] ?? (radio.isOfAll(interface) ? nil : interface) {
      host?.tellUnknownObservers(among: [name])
    }
    try LiveFiles.check(files, host)
    let outputs = try LiveOutputs.open(
      output, recording, known, interfaces: [capture.interface])
    let ring = RecordRing()
    let stream = LiveStream(
      ring, name: interface, interfaces: [capture.interface], recorders: outputs.recorders)
    notices.begin(outputs.deliveries, observer: settings.observerNames[0] ?? interface)
    notices.alert(of: outputs)
    let session = try LiveSession(
      stream, settings, output, outputs, screen: screen, notices, service: service)
    session.settled = settled
    var hints = ScanHints(scans: scan != nil)
    var watch = InterfaceWatch(
      interface, isOfAll: radio.isOfAll(interface), scans: scan != nil)
    let isQuiet = output.quiet
    session.standing.isDown = { capture.isDown }
    session.standing.cannotScan = { scan?.isFailing == true }
    session.tend = { progress in
      let standing = InterfaceWatch.Standing(
        isCapturing: !stream.counts.isOff, isDown: capture.isDown)
      scan?.tend(isGone: standing == .gone)
      if let line = watch.next(standing, capture.trouble) {
        notices.tell(line, standing == .well ? .notice : .critical)
      }
      if !isQuiet, let hint = hints.next(progress) { screen.tell(hint) }
    }
    session.atEnd = {
      capture.stop()
      scan?.end()
    }
    capture.start(into: ring)
    try output.clock.zone().whileShown { try session.run(signals) }
  }

  private func tryOut() throws {
    let settings = try follow.settings([interface], saved: SavedStates(), mayReload: false)
    let host = settings.judge as? PluginHost
    try LiveFiles.check(files, host)
    let regions = settings.regions.regions.count
    let found =
      regions == 0
      ? "regions as they are heard" : TextColumns.counted(regions, "region")
    try write([
      "Nothing is wrong: \(found), \(TextColumns.counted(follow.rules.plugins.count, "plugin")). "
        + "Not looked at: the interface, and whether what is to be written can be."
    ])
  }
}
