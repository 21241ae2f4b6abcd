import ArgumentParser
import Glibc

/// The tool. Exit statuses stand in one table, here and in the README.
@main
struct BeacontraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "beacontrace",
    abstract: "Says which beacons a Bluetooth capture holds, when and where they were heard.",
    discussion: """
      Reads btsnoop, pcap, pcapng and PacketLogger captures, Android bug reports with a btsnooz \
      block, and gzip or zstd of these. Recognised by content. A folder stands for every capture \
      in it, - for standard input.

      Start with:  beacontrace analyze CAPTURE

      \(ExitStatus.table)
      """,
    version: Version.text,
    subcommands: [AnalyzeCommand.self, SightingsCommand.self, InfoCommand.self, SynthCommand.self])

  private static let commandNames = configuration.subcommands.compactMap {
    $0.configuration.commandName
  }

  static func main() {
    // Writing into a closed pipe is told by the write itself (`| head` ends quietly).
    signal(SIGPIPE, SIG_IGN)
    OpenFiles.allowAll()
    if let first = CommandLine.arguments.dropFirst().first,
      let answer = FirstWord.answer(to: first, commands: commandNames)
    {
      Terminal.tell("Error: \(answer)\n  See 'beacontrace --help' for more information.")
      Glibc.exit(ExitCode.validationFailure.rawValue)
    }
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let code as ExitCode {
      exit(withError: code)
    } catch {
      exit(withError: error)
    }
  }
}

enum Version {
  static let text = "0.1.0"
}
