import ArgumentParser
import Exports
import LiveCapture

struct InterfacesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "interfaces",
    abstract: "Which Bluetooth interfaces there are to capture on, and why one cannot be opened.",
    usage: "beacontrace interfaces [options]",
    discussion: """
      Nothing is opened for it. What else a live capture may lack says 'beacontrace doctor'.

      Examples:
        beacontrace interfaces
            What live can be given with -i.

      Exit status:
        0   one of them can be opened
        64  usage
        69  none can, or there is none
        77  only the permission is missing
      """)

  @Option(help: DocumentFormat.help)
  var format = DocumentFormat.text

  func run() throws {
    let found = Interfaces.all()
    switch format {
    case .json: try InterfaceList.writeJSON(found, to: StandardOutput())
    case .text:
      try write(InterfaceList.lines(found, width: Terminal.width))
    }
    if found.contains(where: \.canOpen) { return }
    let isForbidden = found.contains { $0.problem?.kind == .permission }
    throw isForbidden ? ExitStatus.noPermission : ExitStatus.unavailable
  }
}
