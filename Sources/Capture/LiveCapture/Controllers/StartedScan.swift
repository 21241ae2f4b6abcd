import CaptureReader
import Glibc

/// A controller that has been told to scan.
struct StartedScan: Sendable {
  let controller: Controller
  /// None once the controller has gone: a socket keeps its number from being given again.
  var socket: CommandSocket?
  let commands: ScanCommands

  static func start(
    _ number: UInt16, _ settings: ScanSettings, powersUp: Bool, takesOver: Bool
  ) throws(ControllerProblem) -> StartedScan {
    let controller = try ready(number, powersUp: powersUp)
    let name = controller.name
    let socket: CommandSocket
    do { socket = try CommandSocket(controller: number) } catch {
      throw ControllerProblem(error, name: name, program: program)
    }
    let known = try ask(socket, HCICommand.packet(HCICommand.readSupportedCommands), name)
    guard known.status == CommandAnswer.success,
      let usual = ScanCommands(supported: known.results)
    else { throw ControllerProblem(.notLE, "\(name) cannot scan: it has no Bluetooth Low Energy.") }
    if takesOver {
      for commands in [usual, usual.other] {
        // Where there is nothing to end, or these commands are not known, all is well.
        if try ask(socket, commands.enable(false), name).status == CommandAnswer.success { break }
      }
    }
    let ownAddress: UInt8 = controller.hasPublicAddress ? 0 : 1
    // A controller that was told by one set of commands refuses the other until it is reset.
    for commands in [usual, usual.other] {
      let set = try ask(socket, commands.parameters(settings, ownAddress: ownAddress), name)
      if set.status == CommandAnswer.commandDisallowed { continue }
      if set.status == CommandAnswer.unknownCommand && commands != usual { continue }
      guard set.status == CommandAnswer.success else {
        throw refusal(set, "take the scan parameters", name)
      }
      let on = try ask(socket, commands.enable(true), name)
      guard on.status == CommandAnswer.success else { throw refusal(on, "start scanning", name) }
      return StartedScan(controller: controller, socket: socket, commands: commands)
    }
    throw ControllerProblem(
      .busy, "\(name) is scanning already: for another program, or one that was killed.",
      remedy: "End that scan (bluetoothctl scan off; sudo systemctl stop bluetooth; "
        + "sudo hciconfig \(name) reset), or listen to what it finds.")
  }

  func end(by socket: CommandSocket) throws(ControllerProblem) {
    let answer = try Self.ask(socket, commands.enable(false), controller.name)
    // Nothing to end is well, too.
    guard
      answer.status == CommandAnswer.success || answer.status == CommandAnswer.commandDisallowed
    else { throw Self.refusal(answer, "stop scanning", controller.name) }
  }

  /// The controller, up.
  private static func ready(
    _ number: UInt16, powersUp: Bool
  ) throws(ControllerProblem) -> Controller {
    let name = "hci\(number)"
    do throws(SystemError) {
      let socket = try HCISocket.unbound()
      var bytes = try socket.information(of: number)
      if powersUp, Controller(information: bytes)?.isUp == false {
        try socket.bringUp(number)
        bytes = try socket.information(of: number)
      }
      guard let controller = Controller(information: bytes) else { throw SystemError(code: ENODEV) }
      guard controller.isUp else {
        let switches = RfkillSwitch.all(in: SystemTree()) ?? []
        let isBlocked = switches.contains { $0.isBlocked && $0.concerns(name) }
        throw SystemError(code: isBlocked ? ERFKILL : ENETDOWN)
      }
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
    _ socket: CommandSocket, _ packet: [UInt8], _ name: String
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

  /// For remedies only.
  private static var program: String { ProcessRights.read(SystemTree()).program }
}
