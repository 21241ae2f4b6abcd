/// Why nothing can be captured.
package struct LiveProblem: Error, Equatable, Sendable {
  package enum Kind: Sendable {
    /// Something may not be done.
    case permission
    /// There is no such interface.
    case noDevice
    /// The kernel knows nothing of Bluetooth.
    case noKernelSupport
    /// Another program has it.
    case busy
    /// What was asked for makes no sense here: asked again it makes none, either.
    case badSetting
    case other
  }

  package let kind: Kind
  /// What is wrong, a sentence that begins small: `may not open bluetooth0: …`
  package let what: String
  /// What to do next, complete lines; empty where nobody knows.
  package let remedy: String

  package init(_ kind: Kind, _ what: String, remedy: String = "") {
    self.kind = kind
    self.what = what
    self.remedy = remedy
  }

  static func permission(_ name: String) -> LiveProblem {
    LiveProblem(
      .permission, "may not open \(name): this needs CAP_NET_RAW.",
      remedy: "Either   sudo setcap cap_net_raw+ep $(which beacontrace)\n"
        + "or       sudo beacontrace live …")
  }

  static func noDevice(_ name: String, all: [String]) -> LiveProblem {
    // As most programs call a controller.
    if let number = Controller.number(in: name), name.hasPrefix("hci"),
      all.contains("bluetooth\(number)")
    {
      return LiveProblem(
        .noDevice,
        "there is no interface \(name): libpcap calls this controller bluetooth\(number).",
        remedy: "Try   -i bluetooth\(number)")
    }
    let there =
      all.isEmpty ? "no interface of Bluetooth at all" : all.joined(separator: ", ")
    return LiveProblem(
      .noDevice, "there is no interface \(name) to capture Bluetooth on; there is \(there).",
      remedy: "See   beacontrace interfaces")
  }

  static func noKernelSupport(_ name: String, _ words: String) -> LiveProblem {
    LiveProblem(
      .noKernelSupport, "cannot open \(name): the kernel has no Bluetooth (\(words)).",
      remedy: "Where it is a module:   sudo modprobe bluetooth\n"
        + "Containers and WSL have no Bluetooth of their own: capture on the machine itself,"
        + " and analyze the file here.")
  }

  static func busy(_ name: String, _ words: String) -> LiveProblem {
    LiveProblem(
      .busy, "cannot open \(name): another program has it (\(words)).",
      remedy: "End that program, or capture bluetooth-monitor, which any number may open.")
  }

  /// Out of what libpcap says, which ends in the system's sentence for the error number.
  static func opening(_ name: String, says text: String, all: () -> [String]) -> LiveProblem {
    let end = text.split(separator: ": ").last.map(String.init) ?? text
    let words = end.prefix(1).lowercased() + end.dropFirst()
    switch end {
    case "Operation not permitted", "Permission denied": return .permission(name)
    case "No such device", "No such file or directory": return .noDevice(name, all: all())
    case "Address family not supported by protocol", "Protocol not supported":
      return .noKernelSupport(name, words)
    case "Device or resource busy", "Address already in use": return .busy(name, words)
    default:
      return LiveProblem(
        .other, "cannot open \(name): \(text.isEmpty ? "libpcap does not say why" : text).")
    }
  }
}
