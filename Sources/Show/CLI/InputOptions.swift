import ArgumentParser
import CaptureReader

/// Captures and how to read them: the same for every command.
struct InputOptions: ParsableArguments {
  @Argument(
    help: ArgumentHelp(
      "Files, folders, or - for standard input.", valueName: "capture"),
    completion: .file())
  var captures: [String]

  @Flag(
    name: .customLong("keep-bad-crc"),
    help: "Keep packets with a wrong checksum, marked crc_bad.")
  var keepBadCRC = false

  @Flag(name: .shortAndLong, help: "Say more about the inputs on standard error.")
  var verbose = false

  @Flag(name: .shortAndLong, help: "Say less: no progress, no warnings.")
  var quiet = false

  func validate() throws {
    if captures.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("Standard input (-) can be read once only.")
    }
    if verbose && quiet { throw ValidationError("-v and -q contradict each other.") }
  }
}
