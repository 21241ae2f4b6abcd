import CaptureReader
import Glibc
import Synchronization

/// A scan that this program has started on a controller, for which it has to answer.
///
/// Any thread may call; one call at a time does something.
package final class ScanSession: Sendable {
  /// What has become of the scan. Only `resume` makes another one `running`.
  package enum Standing: Equatable, Sendable {
    case running
    /// Another program, or the kernel, has reset the controller or changed its scan.
    case changedByOthers
    case controllerDown
    /// The controller was removed.
    case controllerGone
    case stopped
  }

  package let settings: ScanSettings
  private let powersUp: Bool
  private let takesOver: Bool
  private let state: Mutex<State>

  private struct State: Sendable {
    var scan: StartedScan
    var standing = Standing.running

    init(_ scan: StartedScan) { self.scan = scan }
  }

  /// Such as `hci0`. A controller that comes back may have another.
  package var name: String { state.withLock { $0.scan.controller.name } }

  private init(
    _ scan: StartedScan, _ settings: ScanSettings, powersUp: Bool, takesOver: Bool
  ) {
    self.settings = settings
    self.powersUp = powersUp
    self.takesOver = takesOver
    state = Mutex(State(scan))
  }

  /// A scan that nobody answers for any more is ended.
  deinit { _ = try? stop() }

  /// Starts scanning, duplicates and all. Needs CAP_NET_RAW.
  ///
  /// A scan of somebody else is left alone unless told otherwise: that is a problem of the kind
  /// `busy`, and what it reports can be captured all the same. Nobody can tell whose it is: it may
  /// be the kernel's, for devices that are paired, or one that was left by a program that was killed.
  ///
  /// - Parameters:
  ///   - name: `hci0`, or `bluetooth0` as libpcap calls it.
  ///   - powersUp: a controller that is down is brought up, which needs CAP_NET_ADMIN.
  ///   - takesOver: ends what scan there is, and starts this one.
  package static func start(
    on name: String, _ settings: ScanSettings, powersUp: Bool = false, takesOver: Bool = false
  ) throws(ControllerProblem) -> ScanSession {
    if let problem = settings.problem { throw ControllerProblem(.other, problem) }
    guard let number = Controller.number(in: name) else {
      throw ControllerProblem(
        .noController, "\(name) is no name of a controller; they are called hci0, hci1, …",
        remedy: "beacontrace doctor")
    }
    let scan = try StartedScan.start(
      number, settings, powersUp: powersUp, takesOver: takesOver)
    return ScanSession(scan, settings, powersUp: powersUp, takesOver: takesOver)
  }

  /// Looks what has become of it. Cheap, never waits; call it every now and then: what others are
  /// answered on the controller is kept for it until then.
  package func look() -> Standing { state.withLock { Self.look(&$0) } }

  /// Starts it again where it does not run any more: after the controller was away, down or reset.
  /// One that came back under another number is known by its address.
  package func resume() throws(ControllerProblem) {
    let result: Result<Void, ControllerProblem> = state.withLock { state in
      guard Self.look(&state) != .running else { return .success(()) }
      state.scan.socket = nil
      do throws(ControllerProblem) {
        let number = Self.number(of: state.scan.controller)
        state = State(
          try StartedScan.start(number, settings, powersUp: powersUp, takesOver: takesOver))
        return .success(())
      } catch {
        if error.kind == .busy { state.standing = .changedByOthers }
        return .failure(error)
      }
    }
    try result.get()
  }

  /// Ends the scan where it is still ours; twice does no harm.
  ///
  /// - Returns: what had become of it: only one that was `running` is ended.
  @discardableResult
  package func stop() throws(ControllerProblem) -> Standing {
    let result: Result<Standing, ControllerProblem> = state.withLock { state in
      let before = Self.look(&state)
      state.standing = .stopped
      defer { state.scan.socket = nil }
      guard before == .running, let socket = state.scan.socket else { return .success(before) }
      do throws(ControllerProblem) {
        try state.scan.end(by: socket)
        return .success(before)
      } catch {
        // Down or gone since, it does not scan.
        return error.kind == .down || error.kind == .noController
          ? .success(before) : .failure(error)
      }
    }
    return try result.get()
  }

  private static func look(_ state: inout State) -> Standing {
    guard state.standing == .running, let socket = state.scan.socket else { return state.standing }
    do throws(SystemError) {
      let changes = try socket.answersToOthers()
      if changes.contains(where: affectsScan) {
        state.standing = .changedByOthers
      } else if try !socket.controllerIsUp() {
        state.standing = .controllerDown
      }
    } catch {
      state.standing = .controllerGone
      state.scan.socket = nil
    }
    return state.standing
  }

  private static func affectsScan(_ answer: CommandAnswer) -> Bool {
    answer.status == CommandAnswer.success
      && [HCICommand.reset, HCICommand.setScanEnable, HCICommand.setExtendedScanEnable]
        .contains(answer.opcode)
  }

  /// The number that the controller has now.
  private static func number(of controller: Controller) -> UInt16 {
    guard controller.hasPublicAddress, let all = try? Controller.all() else {
      return controller.number
    }
    return all.first { $0.address == controller.address }?.number ?? controller.number
  }
}
