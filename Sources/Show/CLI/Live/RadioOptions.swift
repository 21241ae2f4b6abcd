import Analysis
import ArgumentParser
import Exports
import LiveCapture

/// How the radio is opened, and what of the user's rights stays.
struct RadioOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Scan, with duplicates kept: passive only listens, active also asks for scan responses. Without "
        + "it something else has to scan, such as bluetoothctl.",
      valueName: "mode"))
  var scan: ScanSettings.Mode?

  @Option(
    name: .customLong("controller"),
    help: ArgumentHelp(
      "The controller that --scan uses; without it the interface's, of bluetooth-monitor any that is there: where "
        + "that goes, another one.",
      valueName: "name"))
  var controller: String?

  @Option(
    name: .customLong("user"),
    help: ArgumentHelp(
      "Started as root: go on as this user once the interface is open; files are then written by this user.",
      valueName: "name"))
  var user: String?

  @Flag(name: .customLong("plugins-as-root"), help: "Let plugins run with all rights of root.")
  var runsPluginsAsRoot = false

  @Option(
    name: .customLong("buffer"),
    help: ArgumentHelp(
      "What the kernel is to hold of packets that were not read yet.", valueName: "size"))
  var buffer = ByteSize(argument: "16M")!

  @Flag(
    name: .customLong("power-up"),
    help: "Bring a controller up that is down, for --scan; this needs CAP_NET_ADMIN.")
  var powersUp = false

  @Flag(
    name: .customLong("take-over"),
    help:
      "End a scan that is under way, for --scan: another program's, or one that was left behind.")
  var takesOver = false

  func validate() throws {
    if scan == nil, controller != nil || powersUp || takesOver {
      throw ValidationError(
        "--controller, --power-up and --take-over are for --scan passive or --scan active.")
    }
    if buffer.bytes > 1 << 30 { throw ValidationError("--buffer: at most 1G.") }
  }

  /// The interface, opened with the rights that the program was started with.
  func open(_ interface: String) throws -> LiveCapture {
    var options = LiveOptions()
    options.receiveBuffer = Int(buffer.bytes)
    do throws(LiveProblem) {
      return try LiveDevice.open(interface, options)
    } catch {
      throw Self.refuse(error)
    }
  }

  /// Whether an interface hears all controllers: each is an observer of its own.
  func isOfAll(_ interface: String) -> Bool { interface == "bluetooth-monitor" }

  /// A scan of our own, where one was asked for.
  func scanTending(
    on interface: String, _ tell: @escaping (String, Alert.Severity) -> Void
  ) throws -> ScanTending? {
    guard let scan else { return nil }
    let name = controller ?? (isOfAll(interface) ? nil : interface)
    if let name, Controller.number(in: name) == nil {
      Terminal.tell("beacontrace: --controller \(name): controllers are called hci0, hci1, ….")
      throw ExitCode.validationFailure
    }
    let tending = ScanTending(
      name, ScanSettings(scan), powersUp: powersUp, takesOver: takesOver, tell)
    do throws(ControllerProblem) {
      try tending.start()
    } catch {
      Terminal.tell("beacontrace: \(error.lines())")
      throw error.kind == .permission ? ExitStatus.noPermission : ExitStatus.unavailable
    }
    return tending
  }

  /// Gives root's rights up, where they are there and another user was named.
  func dropRights(hasPlugins: Bool) throws {
    if let user {
      let kept = Privileges.Capability.allCases.filter { Privileges.has($0) }
      do throws(LiveProblem) {
        try Privileges.drop(to: user, keeping: kept)
      } catch {
        throw Self.refuse(error)
      }
    }
    guard hasPlugins, Privileges.isRoot, !runsPluginsAsRoot else { return }
    Terminal.tell(
      "beacontrace: plugins do not run as root: whoever can change their files would be root, too.\n"
        + "Go on as somebody else:   --user nobody   or, if that is meant:   --plugins-as-root")
    throw ExitStatus.noPermission
  }

  private static func refuse(_ problem: LiveProblem) -> ExitCode {
    Terminal.tell("beacontrace: \(problem.what)")
    if !problem.remedy.isEmpty { Terminal.tell(problem.remedy) }
    return switch problem.kind {
    case .permission: ExitStatus.noPermission
    case .badSetting: ExitCode.validationFailure
    case .noDevice, .noKernelSupport, .busy, .other: ExitStatus.unavailable
    }
  }
}

extension ScanSettings.Mode: ExpressibleByArgument {}
