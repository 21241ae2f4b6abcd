import ArgumentParser

/// What goes on from one run to the next.
struct StateOptions: ParsableArguments {
  @Option(
    name: .customLong("state"),
    help: ArgumentHelp(
      "Keep in this file who is inside, and what plugins save: a restart then makes no exit and no "
        + "entry that never was.",
      valueName: "file"),
    completion: .file())
  var file: String?

  @Option(
    name: .customLong("state-max-age"),
    help: ArgumentHelp(
      "Of a state that is older nobody is taken for inside; what plugins saved is restored all the same. "
        + "15min without it.", valueName: "span"))
  var maxAge: TimeSpanOption?

  func validate() throws {
    if file == nil, maxAge != nil { throw ValidationError("--state-max-age needs --state FILE.") }
  }
}
