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

  @OptionGroup var clocks: CaptureClocks

  @Flag(name: .shortAndLong, help: "Say more about the inputs on standard error.")
  var verbose = false

  @Flag(
    name: .shortAndLong,
    help: "Say less: no progress, no warnings but of damage and of what could not be read.")
  var quiet = false

  func validate() throws {
    if captures.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("Standard input (-) can be read once only.")
    }
    try clocks.check()
    if verbose && quiet { throw ValidationError("-v and -q contradict each other.") }
  }
}

/// Captures whose clocks were wrong.
struct CaptureClocks: ParsableArguments {
  @Option(
    name: .customLong("clock"), parsing: .singleValue,
    help: ArgumentHelp(
      "A capture's clock was wrong: move it by +2h or -90s (--clock=-90s), or say when its first "
        + "record was, such as pi.pcapng=2026-05-19T10:00:00Z. ,drift=20ppm behind it: it was fast; "
        + ",from=TIME and ,until=TIME: a part alone, by the times that stand in it (those that a clock "
        + "set back shows twice are moved alike). A folder stands "
        + "for all captures below it, a value alone for all captures; may be repeated. "
        + "'beacontrace clocks' proposes them.",
      valueName: "file=shift"))
  var words: [String] = []

  func check() throws { _ = try words.map { try ClockShift($0) } }
}
