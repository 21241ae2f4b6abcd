package import CaptureReader

/// What there is to know of this machine before a live capture; each from the kernel itself.
package struct DoctorFacts: Sendable {
  package var kernel: KernelSupport
  package var controllers: [Controller]
  /// The controller that was asked for, if one was: `hci1`.
  package var asked: String?
  /// Of the controller that is looked at.
  package var settings: ManagedSettings?
  /// Nil: the kernel has no rfkill.
  package var switches: [RfkillSwitch]?
  package var rights: ProcessRights
  /// What opening the monitor gave; nil: it opened.
  package var monitorProblem: SystemError?
  /// Nil: there was nothing to listen to, or it was not permitted.
  package var observation: ScanObservation?
  /// Process numbers of `bluetoothd`.
  package var daemons: [Int]
  package var libraryVersion: String
  package var libraryHasMonitor: Bool

  package init(
    kernel: KernelSupport, controllers: [Controller] = [], asked: String? = nil,
    settings: ManagedSettings? = nil, switches: [RfkillSwitch]? = nil, rights: ProcessRights,
    monitorProblem: SystemError? = nil, observation: ScanObservation? = nil, daemons: [Int] = [],
    libraryVersion: String, libraryHasMonitor: Bool
  ) {
    self.kernel = kernel
    self.controllers = controllers
    self.asked = asked
    self.settings = settings
    self.switches = switches
    self.rights = rights
    self.monitorProblem = monitorProblem
    self.observation = observation
    self.daemons = daemons
    self.libraryVersion = libraryVersion
    self.libraryHasMonitor = libraryHasMonitor
  }

  /// The controller that the checks are of: the one asked for, else the first that is up, else the
  /// first.
  package var controller: Controller? {
    if let asked {
      return controllers.first { $0.number == Controller.number(in: asked) }
    }
    return controllers.first(where: \.isUp) ?? controllers.first
  }

  /// How long the monitor is listened to unless told otherwise.
  package static let usualListening = 1_500

  /// Asks the kernel, and listens for a moment where that is permitted.
  ///
  /// - Parameters:
  ///   - asked: `hci0`, or `bluetooth0`; nil: whichever is up.
  ///   - listening: for how long, in milliseconds; 0: not at all.
  package static func gather(
    controller asked: String? = nil, listening: Int = usualListening, tree: SystemTree = .init()
  ) -> DoctorFacts {
    var controllers: [Controller] = []
    let problem = Self.problem { () throws(SystemError) in controllers = try Controller.all() }
    var facts = DoctorFacts(
      kernel: KernelSupport(problem: problem, tree: tree), controllers: controllers, asked: asked,
      switches: RfkillSwitch.all(in: tree), rights: ProcessRights.read(tree),
      daemons: tree.processes(named: "bluetoothd"), libraryVersion: CaptureLibrary.version,
      libraryHasMonitor: CaptureLibrary.hasBluetoothMonitor)
    let number = facts.controller?.number
    if let number { facts.settings = try? ManagedSettings.read(number) }
    facts.monitorProblem = Self.problem { () throws(SystemError) in
      guard let number, listening > 0 else {
        _ = try HCISocket(.monitor)
        return
      }
      facts.observation = try ScanObservation.listen(to: number, forMilliseconds: listening)
    }
    return facts
  }

  private static func problem(_ body: () throws(SystemError) -> Void) -> SystemError? {
    do {
      try body()
      return nil
    } catch { return error }
  }
}
