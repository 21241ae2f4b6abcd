import ArgumentParser

/// What belongs to cases that `analyze --case` made.
struct CaseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "case",
    abstract: "Cases, one file each: look into them, ask them, check them.",
    discussion: """
      A case is a SQLite file with everything that an analysis found: captures and their SHA-256, \
      beacons, visits, events with their evidence, alerts, settings. 'analyze --case' makes it, or \
      adds captures to it: then all of them are analyzed together, with the case's options. It is \
      written as a whole or not at all. Tables of your own in it stay, \
      but the seal holds no more from when they are made until captures are added: CASE.md tells how.

      The tables are described in CASE.md (share/doc/beacontrace, where the program is installed), and \
      'case query' without a statement lists them. Any tool that reads SQLite reads a case.

      Examples:
        beacontrace analyze --case site.sqlite north.log
            A new case.
        beacontrace analyze --case site.sqlite south.log
            Another capture to it.
        beacontrace case query site.sqlite 'SELECT * FROM visits'
            Who was where.
        beacontrace case report -o site.html site.sqlite
            A page for people, to look at and to hand over.
        beacontrace case verify site.sqlite
            Does everything still follow from the captures?
      """,
    subcommands: [
      CaseInfoCommand.self, CaseQueryCommand.self, CaseReportCommand.self, CaseVerifyCommand.self,
    ])
}

/// The case that a command is about.
struct CaseArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("A file that 'analyze --case' made.", valueName: "case"),
    completion: .file(extensions: ["sqlite"]))
  var path: String
}
