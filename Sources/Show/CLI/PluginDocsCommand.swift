import ArgumentParser
import Exports
import Plugins

struct PluginDocsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "docs",
    abstract: "The reference: functions, events and fields that plugins can name.",
    usage: "beacontrace plugin docs [<name>]",
    discussion: """
      Examples:
        beacontrace plugin docs
            Everything there is, each in a line.
        beacontrace plugin docs exit
            An event: when it comes, its fields, an example.
        beacontrace plugin docs timer
            What has another name: every, after, cancel.
      """)

  @Argument(
    help: ArgumentHelp(
      "A function, an event, a kind of sighting, a table, a field.", valueName: "name"),
    completion: .list(ReferenceText.names))
  var name: String?

  func run() throws {
    guard let name else { return try show(ReferenceText.overview) }
    guard
      let text = ReferenceText.terminal(name) ?? ReferenceText.terminal(name.lowercased())
        ?? ReferenceText.search(name)
    else {
      let guess = ReferenceText.likely(name).map { "; did you mean '\($0)'?" }
      Terminal.tell(
        "beacontrace: there is no '\(TextColumns.printable(name))' in a plugin"
          + (guess ?? ". 'beacontrace plugin docs' lists what there is."))
      throw ExitCode.validationFailure
    }
    try show(text)
  }

  private func show(_ text: String) throws {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    try write(lines)
  }
}
