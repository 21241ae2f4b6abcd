import Glibc
import Synchronization

/// A scan that this program has started on a controller, for which it has to answer.
///
/// Any thread may call; one call at a time does something.
package final class ScanSession: Sendable {
  /// What has become of the scan.
  package enum Standing: Equatable, Sendable {
    case running
    /// Another program, or the kernel, has reset the controller or changed its scan.
    case changedByOthers
    /// The controller was removed.
    case controllerGone
    case stopped
  }

  package let name: String
  package let settings: ScanSettings
  private let number: UInt16
  private let powersUp: Bool
  private let program: String
  private let state: Mutex<State>

  private struct State: Sendable {
    var socket: CommandSocket
    var commands: ScanCommands
    var standing: Standing
  }

  /// Which commands the controller is told by.
  package var commands: ScanCommands { state.withLock { $0.commands } }

  private init(
    _ name: String, _ number: UInt16, _ settings: ScanSettings, powersUp: Bool, program: String
  ) throws(ControllerProblem) {
    self.name = name
    self.number = number
    self.settings = settings
    self.powersUp = powersUp
    self.program = program
    state = Mutex(
      try Self.begin(name, number, settings, powersUp: powersUp, program: program))
  }

  /// Starts scanning, duplicates and all. Needs CAP_NET_RAW.
  ///
  /// A scan of somebody else is left alone: that is a problem of the kind `busy`, and what it
  /// reports can be captured all the same.
  ///
  /// - Parameters:
  ///   - name: `hci0`, or `bluetooth0` as libpcap calls it.
  ///   - powersUp: a controller that is down is brought up, which needs CAP_NET_ADMIN.
  package static func start(
    on name: String, _ settings: ScanSettings, powersUp: Bool = false
  ) throws(ControllerProblem) -> ScanSession {
    if let problem = settings.problem { throw ControllerProblem(.other, problem) }
    guard let number = Controller.number(in: name) else {
      throw ControllerProblem(
        .noController, "\(name) is no name of a controller; they are called hci0, hci1, …",
        remedy: "beacontrace doctor")
    }
    return try ScanSession(
      "hci\(number)", number, settings, powersUp: powersUp,
      program: ProcessRights.read(SystemTree()).program)
  }

  /// Looks what has become of it; cheap, and never waits.
  package func look() -> Standing {
    state.withLock { state in
      guard state.standing == .running || state.standing == .changedByOthers else {
        return state.standing
      }
      state.standing = Self.standing(of: state)
      return state.standing
    }
  }

  /// Starts it again where it does not run any more: after the controller was away, down or reset.
  package func resume() throws(ControllerProblem) {
    let result: Result<Void, ControllerProblem> = state.withLock { state in
      // What the socket says of a controller that went it says once: it is kept.
      if state.standing == .running { state.standing = Self.standing(of: state) }
      if state.standing == .running { return .success(()) }
      do throws(ControllerProblem) {
        state = try Self.begin(
          name, number, settings, powersUp: powersUp, program: program)
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
      let before = state.standing == .running ? Self.standing(of: state) : state.standing
      state.standing = .stopped
      guard before == .running else { return .success(before) }
      do throws(ControllerProblem) {
        let off = state.commands.enable(false)
        let answer = try Self.ask(state.socket, off, name, program)
        // Nothing to end is well, too.
        guard
          answer.status == CommandAnswer.success
            || answer.status == CommandAnswer.commandDisallowed
        else { throw Self.refusal(answer, "stop scanning", name) }
        return .success(before)
      } catch {
        // Down, it does not scan.
        return error.kind == .down || error.kind == .noController
          ? .success(before) : .failure(error)
      }
    }
    return try result.get()
  }

  private static func standing(of state: State) -> Standing {
    do throws(SystemError) {
      let changes = try state.socket.answersToOthers()
      let isChanged = changes.contains {
        $0.status == CommandAnswer.success && affectsScan($0.opcode)
      }
      return isChanged ? .changedByOthers : state.standing
    } catch {
      return .controllerGone
    }
  }

  private static func affectsScan(_ opcode: UInt16) -> Bool {
    opcode == HCICommand.reset || opcode == HCICommand.setScanEnable
      || opcode == HCICommand.setExtendedScanEnable
  }
}

extension ScanSession {
  private static func begin(
    _ name: String, _ number: UInt16, _ settings: ScanSettings, powersUp: Bool, program: String
  ) throws(ControllerProblem) -> State {
    let controller = try ready(name, number, powersUp: powersUp, program: program)
    let socket: CommandSocket
    do { socket = try CommandSocket(controller: number) } catch {
      throw ControllerProblem(error, name: name, program: program)
    }
    let known = try ask(
      socket, HCICommand.packet(HCICommand.readSupportedCommands), name, program)
    guard known.status == CommandAnswer.success,
      let usual = ScanCommands(supported: known.results)
    else { throw ControllerProblem(.notLE, "\(name) cannot scan: it has no Bluetooth Low Energy.") }
    let ownAddress: UInt8 = controller.hasPublicAddress ? 0 : 1
    // A controller that was told by one set of commands refuses the other until it is reset.
    for commands in [usual, usual.other] {
      let set = try ask(
        socket, commands.parameters(settings, ownAddress: ownAddress), name, program)
      if set.status == CommandAnswer.commandDisallowed { continue }
      if set.status == CommandAnswer.unknownCommand && commands != usual { continue }
      guard set.status == CommandAnswer.success else {
        throw refusal(set, "take the scan parameters", name)
      }
      let on = try ask(socket, commands.enable(true), name, program)
      guard on.status == CommandAnswer.success else { throw refusal(on, "start scanning", name) }
      return State(socket: socket, commands: commands, standing: .running)
    }
    throw ControllerProblem(
      .busy, "\(name) is scanning already, for another program.",
      remedy: "End that scan (bluetoothctl scan off; or sudo systemctl stop bluetooth), "
        + "or listen to what it finds: beacontrace live without --scan.")
  }

  /// The controller, up.
  private static func ready(
    _ name: String, _ number: UInt16, powersUp: Bool, program: String
  ) throws(ControllerProblem) -> Controller {
    do throws(SystemError) {
      let socket = try HCISocket.unbound()
      var bytes = try socket.information(of: number)
      if powersUp, Controller(information: bytes)?.isUp == false {
        try socket.bringUp(number)
        bytes = try socket.information(of: number)
      }
      guard let controller = Controller(information: bytes) else { throw SystemError(code: ENODEV) }
      guard controller.isUp else { throw SystemError(code: ENETDOWN) }
      return controller
    } catch {
      // EPERM of the only call that needs CAP_NET_ADMIN.
      if powersUp && error.code == EPERM {
        throw ControllerProblem(
          .permission, "\(name) is down, and to bring it up needs the capability CAP_NET_ADMIN.",
          remedy: Remedies.bringUp(name))
      }
      throw ControllerProblem(error, name: name, program: program)
    }
  }

  private static func ask(
    _ socket: CommandSocket, _ packet: [UInt8], _ name: String, _ program: String
  ) throws(ControllerProblem) -> CommandAnswer {
    do throws(SystemError) {
      if let answer = try socket.ask(packet) { return answer }
    } catch {
      throw ControllerProblem(error, name: name, program: program)
    }
    throw ControllerProblem(
      .noAnswer, "\(name) gives no answer to a command within two seconds.",
      remedy: "sudo hciconfig \(name) reset")
  }

  private static func refusal(
    _ answer: CommandAnswer, _ what: String, _ name: String
  ) -> ControllerProblem {
    let code = String(answer.status, radix: 16, uppercase: true)
    return ControllerProblem(
      .refused, "\(name) refuses to \(what): error 0x\(code.count < 2 ? "0" : "")\(code).",
      remedy: "sudo hciconfig \(name) reset")
  }
}
