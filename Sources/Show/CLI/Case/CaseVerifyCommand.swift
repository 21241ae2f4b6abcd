import ArgumentParser
import CaseStore
import Exports

struct CaseVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a case, its inputs, and whether everything follows from them again.",
    usage: "beacontrace case verify [--format <format>] <case> [<capture> ...]",
    discussion: """
      Says whether the file is as it was sealed, and if not, which tables have other rows; names tables \
      that somebody has added, which change the file, too; compares \
      each capture and each other file with its SHA-256; analyzes the captures again with the case's \
      options, and says which events and tables do not come out the same. Nothing is written.

      Files in folders of which nothing was read are checked, too: those that could not be read, and \
      those that were passed over. The case has their SHA-256; of passed-over ones beyond 1 GB in all \
      their sizes alone. New files in a folder are not looked for.

      Whether a page is that of the case: beacontrace case report -o - CASE | cmp - PAGE

      Captures are looked for where they were named, seen from here and from the case's folder; then \
      beside the case, and among those that are named now, where they are known by their SHA-256. What \
      came from standard input is found in that way, too, and so are other files: tracks, lists, rules. \
      Rules have to have their names, and lie beside their modules.

      The exit status is 0 where everything is the same, 65 where something differs, 66 where \
      something is missing.

      Examples:
        beacontrace case verify site.sqlite
            In the folder in which the case was made.
        beacontrace case verify site.sqlite /mnt/archive
            The captures are somewhere else now.
        beacontrace case verify --format json site.sqlite | jq -r .verdict
            For a program: same, different or incomplete.
        beacontrace case report -o - site.sqlite | cmp - site.html
            Nothing is said where the page is the case's, byte by byte.
      """)

  @OptionGroup var file: CaseArgument

  @Argument(
    help: ArgumentHelp(
      "Files or folders in which captures of the case may be now.", valueName: "capture"),
    completion: .file())
  var captures: [String] = []

  @Option(help: DocumentFormat.help)
  var format = DocumentFormat.text

  func run() throws {
    try CaseWriting.telling(file.path) {
      let findings = try CaseVerification(file.path, captures).findings
      switch format {
      case .text: try write(CaseFindingsText(findings).lines)
      case .json: try CaseFindingsJSON.write(findings, to: StandardOutput())
      }
      if findings.differs { throw ExitStatus.damaged }
      if findings.misses { throw ExitStatus.noInput }
    }
  }
}
