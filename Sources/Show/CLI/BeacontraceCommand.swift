import ArgumentParser
import Exports
import Glibc

/// The tool. Exit statuses stand in one table, here and in the README.
@main
struct BeacontraceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "beacontrace",
    abstract: "Says which beacons a Bluetooth capture holds, when and where they were heard.",
    usage: "beacontrace <subcommand> [options] [<capture> ...]",
    discussion: """
      Beacons are iBeacon, Eddystone and AltBeacon. Captures are what tcpdump, Wireshark, btmon, \
      a sniffer or a phone's Bluetooth log wrote: btsnoop, pcap, pcapng, PacketLogger, Android bug \
      reports with a btsnooz block, and gzip or zstd of these, recognised by content. A folder \
      stands for every capture in it, - for standard input.

      Examples:
        beacontrace analyze site.pcapng
            What was recorded, which beacons were heard, what to mind.
        beacontrace sightings --format csv phone.log > sightings.csv
            Every sighting, for a spreadsheet or a program.

      Environment:
        NO_COLOR  no colours, where it is set
        TMPDIR    where is kept meanwhile what does not fit into memory, and what
                  comes through a pipe and is read twice; /tmp without it
        TZ        the time zone of --local, such as Europe/Berlin

      \(ExitStatus.table)
      """,
    version: Version.text,
    subcommands: [
      AnalyzeCommand.self, CompareCommand.self, AdviseCommand.self, EventsCommand.self,
      ExplainCommand.self, SightingsCommand.self, DevicesCommand.self, ClocksCommand.self,
      InfoCommand.self, CaseCommand.self, ExportCommand.self, LiveCommand.self,
      ReplayCommand.self, ShareCommand.self, InterfacesCommand.self,
      DoctorCommand.self, PluginCommand.self, SynthCommand.self,
    ])

  static func main() {
    // Writing into a closed pipe is told by the write itself (`| head` ends quietly).
    signal(SIGPIPE, SIG_IGN)
    // And so is a file that may not grow any more (ulimit -f).
    signal(SIGXFSZ, SIG_IGN)
    OpenFiles.keepStandardOnes()
    OpenFiles.allowAll()
    // Swift reads the arguments from there; without it the first one, the program, is missing, too.
    guard !CommandLine.arguments.isEmpty else {
      Terminal.tell("beacontrace: cannot see its arguments: /proc is not mounted here.")
      Glibc.exit(ExitCode.validationFailure.rawValue)
    }
    do {
      var command = try parseQuickly() ?? parseWhole()
      try command.run()
    } catch is OutputClosed {
      // Nobody is left to be told.
    } catch let failure as OutputFailed {
      Terminal.tell("beacontrace: standard output cannot be written: \(failure.reason).")
      exit(withError: ExitStatus.output)
    } catch let code as ExitCode {
      exit(withError: code)
    } catch {
      exit(withError: error)
    }
  }

  /// The subcommand that the arguments name, parsed by itself, which takes two milliseconds less than by
  /// way of all of them. Nil where that fails, or is no command of ours but one for help: what is to be said
  /// then is said by the whole, which knows the full names.
  private static func parseQuickly() -> (any ParsableCommand)? {
    let words = CommandLine.arguments.dropFirst()
    let subcommand = configuration.subcommands.first {
      $0.configuration.commandName == words.first
    }
    guard let subcommand, let parsed = try? subcommand.parseAsRoot(Array(words.dropFirst())) else {
      return nil
    }
    let ours = [subcommand] + subcommand.configuration.subcommands
    guard let command = ours.first(where: { $0 == type(of: parsed) }) else { return nil }
    if let problem = RepeatedOptions.problem(Array(words.dropFirst()), of: command) {
      // The parser takes the command for the whole program, and would call its help by half its name.
      let names = [subcommand, command].compactMap { $0.configuration.commandName }
      let path = (command == subcommand ? names.prefix(1) : names[...]).joined(separator: " ")
      refuse(problem, path)
    }
    return parsed
  }

  private static func parseWhole() throws -> any ParsableCommand {
    let names = configuration.subcommands.compactMap { $0.configuration.commandName }
    let words = Array(CommandLine.arguments.dropFirst())
    if let first = words.first,
      let answer = first == "help"
        ? FirstWord.answer(toHelpOf: Array(words.dropFirst()), Self.self)
        : FirstWord.answer(to: first, commands: names)
    {
      refuse(answer, "")
    }
    if words.first != "help" {
      if let problem = UnknownOption(in: words, of: Self.self) {
        refuse(problem.text, problem.command.path)
      }
      if let (answer, path) = FirstWord.answer(below: words, Self.self) { refuse(answer, path) }
    }
    return try parseAsRoot()
  }

  /// - Parameter path: the command whose help tells more, such as `case query`.
  private static func refuse(_ sentence: String, _ path: String) -> Never {
    let help = (["beacontrace", path].filter { !$0.isEmpty } + ["--help"]).joined(separator: " ")
    Terminal.tell("Error: \(sentence)\n  See '\(help)' for more information.")
    Glibc.exit(ExitCode.validationFailure.rawValue)
  }
}

enum Version {
  static let text = "0.1.0"
}
