import CaptureReader
import Glibc

/// Facts → verdicts.
struct DoctorChecks {
  typealias Check = DoctorReport.Check
  let facts: DoctorFacts

  var all: [Check] {
    [
      kernel, controller, rfkill, powered, lowEnergy, permission, scanning, duplicates, library,
    ]
  }

  private var kernel: Check {
    switch facts.kernel {
    case .there: Check(.kernel, .yes, "The kernel has Bluetooth.")
    case .hidden:
      Check(
        .kernel, .no,
        "The kernel has Bluetooth, but not in this network namespace (a container's).",
        remedies: ["Run it outside, or with the network of the host (docker run --network host)."])
    case .notLoaded:
      Check(
        .kernel, .no, "The kernel's Bluetooth is not loaded.",
        remedies: ["sudo modprobe bluetooth"])
    case .missing(let release):
      Check(
        .kernel, .no,
        "This kernel (\(release)) has no Bluetooth, and there is no module of it to load.",
        remedies: [
          "Use a kernel with Bluetooth (Debian: sudo apt install linux-image-amd64, then reboot), "
            + "or another machine."
        ])
    case .other(let error):
      Check(.kernel, .no, "A Bluetooth socket cannot be opened: \(error.text).")
    }
  }

  private var controller: Check {
    guard facts.kernel == .there else { return untold(.controller, "the kernel has Bluetooth") }
    if let found = facts.controller {
      let others = facts.controllers.filter { $0 != found }.map(\.name)
      let more = others.isEmpty ? "" : " There is \(others.joined(separator: ", ")) beside it."
      return Check(.controller, .yes, "\(found.name), \(found.address), \(found.bus).\(more)")
    }
    if let asked = facts.asked, !facts.controllers.isEmpty {
      let names = facts.controllers.map(\.name)
      return Check(
        .controller, .no, "There is no controller \(asked).",
        remedies: names.map { "beacontrace doctor --controller \($0)" })
    }
    // What blocks the machine's own Bluetooth makes the controller vanish.
    if facts.switches?.contains(where: { $0.isBlocked }) == true {
      return Check(
        .controller, .no, "There is no controller; Bluetooth is blocked by rfkill.",
        remedies: [Remedies.unblock])
    }
    return Check(
      .controller, .no, "There is no Bluetooth controller.",
      remedies: ["Plug one in; for one that is there load its driver: sudo modprobe btusb"])
  }

  private var rfkill: Check {
    guard let controller = facts.controller else { return untold(.rfkill, "a controller is there") }
    guard let switches = facts.switches else {
      return Check(.rfkill, .yes, "Not blocked: the kernel has no rfkill.")
    }
    let blocked = switches.filter { $0.concerns(controller.name) && $0.isBlocked }
    guard let first = blocked.first else { return Check(.rfkill, .yes, "Not blocked.") }
    // What the machine blocks no command unblocks.
    if let hard = blocked.first(where: \.isHardBlocked) {
      let soft = blocked.contains(where: \.isSoftBlocked) ? [Remedies.unblock] : []
      return Check(
        .rfkill, .no, "Blocked by the machine itself (\(hard.name)).",
        remedies: ["Switch Bluetooth on at the machine: a switch, a key, or its firmware."] + soft)
    }
    return Check(
      .rfkill, .no, "Blocked by software, such as aeroplane mode (\(first.name)).",
      remedies: [Remedies.unblock])
  }

  private var powered: Check {
    guard let controller = facts.controller else {
      return untold(.powered, "a controller is there")
    }
    if controller.isUp { return Check(.powered, .yes, "\(controller.name) is up.") }
    return Check(
      .powered, .no, "\(controller.name) is down.",
      remedies: [Remedies.bringUp(controller.name), "bluetoothctl power on"])
  }

  private var lowEnergy: Check {
    guard let controller = facts.controller else {
      return untold(.lowEnergy, "a controller is there")
    }
    guard let able = facts.settings?.supportsLowEnergy ?? controller.hasLowEnergy else {
      return Check(
        .lowEnergy, .unknown, "Cannot be told before \(controller.name) has been up once.")
    }
    guard able else {
      return Check(
        .lowEnergy, .no, "\(controller.name) has no Bluetooth Low Energy.",
        remedies: ["Use a controller of Bluetooth 4.0 or later."])
    }
    let isOff = facts.settings.map { !$0.lowEnergyIsOn } ?? false
    return Check(
      .lowEnergy, .yes,
      "\(controller.name) has Bluetooth Low Energy."
        + (isOff ? " The host has not switched it on; scanning works all the same." : ""))
  }

  private var permission: Check {
    let rights = facts.rights
    if let problem = facts.monitorProblem, problem.code == EPERM || problem.code == EACCES {
      return refused
    }
    // Without Bluetooth only the capability tells.
    guard rights.effective.hasNetRaw else { return refused }
    let buffer =
      rights.effective.hasNetAdmin
      ? "" : " Without CAP_NET_ADMIN the buffers stay as small as the system has them."
    return Check(
      .permission, .yes,
      "This process \(rights.isRoot ? "is root's and " : "")has CAP_NET_RAW.\(buffer)")
  }

  private var refused: Check {
    let rights = facts.rights
    if rights.effective.hasNetRaw {
      return Check(
        .permission, .no,
        "This process has CAP_NET_RAW, but in a user namespace of its own (a container's).",
        remedies: ["Run it outside of the container."])
    }
    if rights.ofProgram?.hasNetRaw == true {
      let reason =
        rights.takesNoNewRights
        ? "the process may take no new rights (no_new_privs)"
        : "its file system may be mounted with nosuid"
      return Check(
        .permission, .no,
        "The program's file has CAP_NET_RAW, yet this process was not given it: \(reason).",
        remedies: ["Run it from an ordinary shell, and from an ordinary file system; or with sudo."]
      )
    }
    return Check(
      .permission, .no, "This process lacks CAP_NET_RAW, which the monitor and scanning need.",
      remedies: [Remedies.allow(rights.program), "sudo \(rights.program) …"])
  }

  private var library: Check {
    if facts.libraryHasMonitor { return Check(.libpcap, .yes, "\(facts.libraryVersion).") }
    return Check(
      .libpcap, .no, "\(facts.libraryVersion) was built without Bluetooth.",
      remedies: ["Install a libpcap with it (Debian: sudo apt install libpcap0.8)."])
  }

  func untold(_ name: Check.Name, _ condition: String) -> Check {
    Check(name, .unknown, "Cannot be told before \(condition).")
  }
}
