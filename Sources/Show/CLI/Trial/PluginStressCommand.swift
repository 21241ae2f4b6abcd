import Analysis
import ArgumentParser
import Exports
import Plugins

struct PluginStressCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stress",
    abstract: "What becomes of a rule's alerts where less, or more, is heard.",
    usage: "beacontrace plugin stress [options] <rule> <capture> ...",
    discussion: """
      Runs a rule over recordings as they are, then over the same as a worse radio would have heard \
      them, and tells how many of its alerts are kept, changed (they say something else), moved in \
      time, lost and new, and whether the rule failed. The same seed gives the same; with one seed, what is lost at 10 % is \
      lost at 30 %, too.

      What is done to the recordings:
        loss        so many of a hundred advertising packets are not there, each by
                    chance by itself (real losses often come in a row)
        duplicates  so many of a hundred come twice at their moment
        delay       each comes up to so many milliseconds later, which changes their
                    order

      A packet is lost before it is decoded, of all beacons and whoever else advertises; commands and \
      answers of the controller stay. What is a record of the capture is lost as one: an HCI event may \
      hold several reports.

      An alert is still there where one about the same observer, region and beacon, and with the same \
      dedupe_key where the rule gave one, is told at most five seconds apart (--near), whatever it says. \
      Moved is one that comes at another time: of the same dedupe_key, whatever it says, the nearest first, \
      where no other alert of that key lies between; without a key, of the same title. The rest is lost, and \
      what nothing undisturbed belongs to is new. With one level and one seed the alerts that differ are \
      listed.

      Examples:
        beacontrace plugin stress door.lua site.pcapng
            Losses of 10, 30 and 60 %, duplicates, delays, with three seeds each.
        beacontrace plugin stress --loss 1,2,5,10,20 --seeds 20 low-battery a.log
            From which loss on does it lose alerts? (Duplicates and delays as usual.)
        beacontrace plugin stress --duplicates none --delay none door.lua a.log
            Losses alone.

      Exit status:
        0   done, whatever became of the alerts
        64  usage or settings, or a rule that cannot be loaded
        65  damaged input: read as far as it goes
        66  an input could not be read; the others are
        70  the rule failed on the way, in one of the runs
      """)

  @Argument(
    help: "A file, or a name of one that came along.", completion: .file(extensions: ["lua"]))
  var rule: String

  @OptionGroup var input: InputOptions

  @Option(
    help: ArgumentHelp(
      "How many packets are lost, with commas between them.", valueName: "percents"))
  var loss = StressLevels([10, 30, 60])

  @Option(
    help: ArgumentHelp(
      "How many packets come twice, with commas between them.", valueName: "percents"))
  var duplicates = StressLevels([20])

  @Option(
    help: ArgumentHelp(
      "How much later packets come at most, with commas between them.", valueName: "milliseconds"))
  var delay = StressLevels([200])

  @Option(help: "The first seed.")
  var seed: UInt64 = 1

  @Option(help: ArgumentHelp("How many seeds: runs with each level.", valueName: "count"))
  var seeds = 3

  @OptionGroup var near: NearOption

  @Option(help: DocumentFormat.help)
  var format = DocumentFormat.text

  @Flag(help: "List every alert, not the first ones only.")
  var all = false

  @OptionGroup(title: "Regions") var follow: FollowOptions

  @OptionGroup var clock: ClockOptions

  private static let mostSeeds = 1000

  func validate() throws {
    _ = try clock.zone(isText: format == .text)
    try input.checkReadAgain()
    if let percent = (loss.values + duplicates.values).first(where: { $0 > 100 }) {
      throw ValidationError("\(StressText.number(percent)) % is more than all of them.")
    }
    if let delay = delay.values.first(where: { $0 > 10_000 }) {
      throw ValidationError("--delay \(StressText.number(delay)): at most 10 000 milliseconds.")
    }
    guard (1...Self.mostSeeds).contains(seeds) else {
      throw ValidationError("--seeds \(seeds): at least 1 and at most \(Self.mostSeeds).")
    }
    guard seed <= UInt64.max - UInt64(Self.mostSeeds) else {
      throw ValidationError("--seed \(seed): the seeds behind it would be too large.")
    }
    guard !kinds.isEmpty else {
      throw ValidationError("Nothing is disturbed: --loss, --duplicates and --delay are none.")
    }
  }

  /// What is done to the recordings, in the order in which it is told.
  private var kinds: [Disturbance.Kind] {
    loss.values.map { .loss(percent: $0) } + duplicates.values.map { .duplicates(percent: $0) }
      + delay.values.map { .delay(milliseconds: $0) }
  }

  func run() throws {
    let trial = try RuleTrial(rule, follow)
    let session = try Session(input, observer: follow.observer)
    let (undisturbed, failure) = try RuleRun.reading(
      session, trial, trial.settings(session.captures))
    // People have been told why there is nothing to disturb; programs get a document of it.
    guard let undisturbed, undisturbed.isRead || format == .json else {
      throw failure ?? ExitStatus.noInput
    }
    var test = StressTest(undisturbed, near: near.nanoseconds)
    for kind in undisturbed.isRead ? kinds : [] {
      for number in 0..<UInt64(seeds) {
        let disturbance = Disturbance(kind, seed: seed + number)
        // What goes wrong is in the report, and what it prints has been read once.
        let settings = try trial.settings(session.captures, tell: { _ in })
        let read = try RuleRun.reading(
          session, trial, settings, disturbed: disturbance, isRepeat: true)
        guard let run = read.run else { throw read.failure ?? ExitStatus.noInput }
        test.add(run, disturbance)
      }
    }
    let stressed = StressedRule(word: rule, test: test) { command($0) }
    switch format {
    case .json: try StressJSON.write(stressed, to: StandardOutput())
    case .text:
      let text = StressText(style: Style(colour: Terminal.hasColour), showsAll: all)
      try clock.zone().whileShown { try write(text.lines(stressed)) }
    }
    if let failure { throw failure }
    if test.hasFailed { throw ExitStatus.plugin }
  }

  /// What does one of the runs again, alone.
  private func command(_ disturbance: Disturbance) -> [String] {
    let levels: (loss: String, duplicates: String, delay: String) =
      switch disturbance.kind {
      case .loss(let percent): (StressText.number(percent), "none", "none")
      case .duplicates(let percent): ("none", StressText.number(percent), "none")
      case .delay(let milliseconds): ("none", "none", StressText.number(milliseconds))
      }
    var words = ["beacontrace", "plugin", "stress", "--loss", levels.loss]
    words += ["--duplicates", levels.duplicates, "--delay", levels.delay]
    words += ["--seed", String(disturbance.seed), "--seeds", "1"]
    if near.near != NearOption.usual { words += ["--near", "\(near.near)"] }
    return words + RuleTrial.words(follow, input, clock) + [rule] + RuleTrial.captureWords(input)
  }
}

/// How much, several times: `10,30,60`, ascending, or `none`.
struct StressLevels: ExpressibleByArgument, Equatable {
  let values: [Double]

  init(_ values: [Double]) { self.values = values }

  init?(argument: String) {
    if argument == "none" {
      values = []
      return
    }
    let words = argument.split(separator: ",", omittingEmptySubsequences: false)
    let values = words.compactMap { Double($0) }
    guard values.count == words.count, values.allSatisfy({ $0 > 0 && $0.isFinite }) else {
      return nil
    }
    self.values = Set(values).sorted()
  }

  var defaultValueDescription: String {
    values.map { StressText.number($0) }.joined(separator: ",")
  }
}
