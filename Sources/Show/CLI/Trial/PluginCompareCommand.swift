import Analysis
import ArgumentParser
import Exports
import Plugins

struct PluginCompareCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "compare",
    abstract: "What another text of a rule changes, on recordings.",
    usage: "beacontrace plugin compare [options] <old> <new> <capture> ...",
    discussion: """
      Runs both rules over the same recordings, each by itself, and tells which alerts vanish, which \
      appear, and which say something else. Old and new are files, or names of plugins that came with \
      beacontrace; they may be one rule with other settings (--set-new).

      Two alerts are the same where they are about the same observer, region and beacon (identity and \
      address), and at most five seconds apart (--near). Those whose rule gave them a dedupe_key are the \
      same only where that is the same, too. Of several that could be, first those that \
      say the same at the same time are paired, then those of the same time and title, then of the \
      same title, then the rest, each with the nearest; at last those of the same title, or dedupe_key, of \
      which one names no beacon, and then those of which one has a dedupe_key and one has none. What has a \
      dedupe_key and is still alone is paired farther apart, too, the nearest first, where no other alert of \
      that key lies between. Changed is what then differs in time, beacon, severity, title, text, fields or \
      cited frames.

      What a timer tells names no beacon, whatever it cites: give it a dedupe_key that does, such as the \
      id of the beacon, and it is compared with alerts of that beacon alone.

      --set NAME.option=value goes to the rule of that name, and to both where both have it; --plugin \
      names others that run beside both.

      Examples:
        beacontrace plugin compare door.lua door-new.lua may/
            Before the new text takes the place of the old one.
        beacontrace plugin compare --set-new door.after_s=60 door.lua door.lua a.log
            What another setting would have told.
        beacontrace plugin compare -q main/door.lua door.lua *.pcapng
            For CI: the status says whether anything differs.

      Exit status:
        0   no alert differs
        1   alerts differ
        64  usage or settings, or a rule that cannot be loaded
        65  damaged input: read as far as it goes, whatever differs
        66  an input could not be read; the others are, whatever differs
        70  a rule failed on the way, whatever differs
      """)

  @Argument(
    help: "The rule as it was: a file, or a name.", completion: .file(extensions: ["lua"]))
  var old: String

  @Argument(help: "The rule as it is to be.", completion: .file(extensions: ["lua"]))
  var new: String

  @OptionGroup var input: InputOptions

  @Option(
    name: .customLong("set-old"), parsing: .singleValue,
    help: ArgumentHelp("As --set, for the old rule alone.", valueName: "name=value"))
  var oldAssignments: [String] = []

  @Option(
    name: .customLong("set-new"), parsing: .singleValue,
    help: ArgumentHelp("As --set, for the new rule alone.", valueName: "name=value"))
  var newAssignments: [String] = []

  @OptionGroup var near: NearOption

  @Option(help: DocumentFormat.help)
  var format = DocumentFormat.text

  @Flag(help: "List every alert, not the first ones of each part only.")
  var all = false

  @OptionGroup(title: "Regions") var follow: FollowOptions

  @OptionGroup var clock: ClockOptions

  func validate() throws {
    _ = try clock.zone(isText: format == .text)
    try input.checkReadAgain()
  }

  func run() throws {
    let names = [try RuleTrial.name(old), try RuleTrial.name(new)]
    let rules = (
      old: try RuleTrial(old, follow, without: names, own: oldAssignments),
      new: try RuleTrial(new, follow, without: names, own: newAssignments)
    )
    let session = try Session(input, observer: follow.observer)
    // Both are loaded before anything is read.
    let told = TellingOnce(PluginOptions.toTerminal)
    let settings = (
      old: try rules.old.settings(session.captures) { told.tell($0) },
      new: try rules.new.settings(session.captures) { told.tell($0) }
    )
    told.end()
    let (old, failure) = try RuleRun.reading(session, rules.old, settings.old)
    // People have been told why there is nothing to compare; programs get a document of it.
    guard let old, old.isRead || format == .json else { throw failure ?? ExitStatus.noInput }
    let read = try RuleRun.reading(session, rules.new, settings.new, isRepeat: true)
    guard let new = read.run else { throw read.failure ?? ExitStatus.noInput }
    tellWarnings(old, new)
    let comparison = AlertComparison(old, new, near: near.nanoseconds)
    let sides = ComparedRules(
      old: ComparedRule(
        word: rules.old.word, run: old, explain: rules.old.explainCommand(input, clock)),
      new: ComparedRule(
        word: rules.new.word, run: new, explain: rules.new.explainCommand(input, clock)))
    switch format {
    case .json: try AlertCompareJSON.write(comparison, sides, to: StandardOutput())
    case .text:
      let text = AlertCompareText(style: Style(colour: Terminal.hasColour), showsAll: all)
      try clock.zone().whileShown { try write(text.lines(comparison, sides)) }
    }
    if let failure { throw failure }
    let failed = new.timeline.judges.filter { $0.errorCount > 0 }
    for plugin in failed { Terminal.tell("beacontrace: \(ProblemText.line(plugin))") }
    if !failed.isEmpty { throw ExitStatus.plugin }
    if comparison.differs { throw ExitCode.failure }
  }

  /// What of regions and files is odd: of either side, each sentence once.
  private func tellWarnings(_ old: RuleRun, _ new: RuleRun) {
    guard !input.quiet else { return }
    let more = new.timeline.warnings.filter { !old.timeline.warnings.contains($0) }
    for warning in old.timeline.warnings + more {
      Terminal.tell("beacontrace: \(ProblemText.sentence(warning))")
    }
  }
}
