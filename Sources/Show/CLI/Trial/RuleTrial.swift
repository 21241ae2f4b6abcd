import Analysis
import ArgumentParser
import CaptureWriter
import Exports
import Plugins
import Regions
import TrackReader

/// A rule that is tried on recordings: each run has a host of its own, so nothing of one is left to the next.
struct RuleTrial {
  /// As the user named it.
  let word: String
  /// What alerts and options call it.
  let name: String
  /// The options of a run with this rule.
  let follow: FollowOptions

  /// - Parameters:
  ///   - word: a file, or a name of one that came along.
  ///   - others: names of rules whose settings are none of this one's.
  ///   - own: settings for this one alone.
  init(_ word: String, _ follow: FollowOptions, without others: [String] = [], own: [String] = [])
    throws
  {
    self.word = word
    let name = try Self.name(word)
    self.name = name
    var options = follow
    let foreign = others.filter { $0 != name }
    options.assignments.removeAll { text in foreign.contains { text.hasPrefix($0 + ".") } }
    // The rule's own settings stand in the place of those of both.
    let replaced = own.compactMap { text in text.firstIndex(of: "=").map { String(text[...$0]) } }
    options.assignments.removeAll { text in replaced.contains { text.hasPrefix($0) } }
    options.assignments += own
    options.rules.plugins.append(word)
    self.follow = options
  }

  /// The name of a rule by its word.
  static func name(_ word: String) throws -> String {
    do throws(TextProblem) {
      return try PluginFile.read(PluginShelf.path(of: word)).name
    } catch {
      Terminal.tell("beacontrace: \(TextColumns.printable(error.description))")
      throw ExitCode.validationFailure
    }
  }

  /// Settings of a run, with a host that knows nothing of any other.
  func settings(
    _ captures: [String], tell: @escaping @Sendable (String) -> Void = PluginOptions.toTerminal
  ) throws -> FollowSettings {
    try follow.settings(captures, tell: tell)
  }

  /// `beacontrace explain` for an alert of this rule; EVENT stands for the alert's id.
  func explainCommand(_ input: InputOptions, _ clock: ClockOptions) -> [String] {
    ["beacontrace", "explain"] + Self.words(follow, input, clock) + ["EVENT"]
      + Self.captureWords(input)
  }

  /// All options of a run but those of the command itself, as somebody has to give them who is to see the
  /// same alerts, with the same ids, at the same times.
  static func words(_ follow: FollowOptions, _ input: InputOptions, _ clock: ClockOptions)
    -> [String]
  {
    follow.words + follow.observer.wordsOfGrouping + input.wordsOfReading
      + (clock.local ? ["--local"] : [])
  }

  static func captureWords(_ input: InputOptions) -> [String] {
    (input.captures.contains { $0.hasPrefix("-") } ? ["--"] : []) + input.captures
  }
}

extension ObserverOptions {
  /// As the user gave it, for the same captures (a case keeps what comes of it: `words`).
  var wordsOfGrouping: [String] { grouping.map { ["--observers=\($0.rawValue)"] } ?? [] }
}

extension InputOptions {
  /// How captures are read, as words: those that differ from what holds without them.
  var wordsOfReading: [String] {
    clocks.words.map { "--clock=\($0)" } + (keepBadCRC ? ["--keep-bad-crc"] : [])
  }

  /// Several runs read the captures: each has to be there for the second one, too.
  func checkReadAgain() throws {
    guard let word = captures.first(where: { $0 == "-" || DiskFile.isStream($0) }) else { return }
    throw ValidationError(
      "\(word == "-" ? "Standard input (-)" : TextColumns.printable(word)) can be read once only, and here "
        + "every run reads the captures: write them to a file first.")
  }
}

extension RuleRun {
  /// Reads the captures with a rule.
  /// - Throws: what every command throws of its inputs, but not where `isRepeat`.
  /// - Returns: nil where the rule did not run; with the status that the inputs call for.
  static func reading(
    _ session: Session, _ rule: RuleTrial, _ settings: FollowSettings,
    disturbed disturbance: Disturbance? = nil, isRepeat: Bool = false
  ) throws -> (run: RuleRun?, failure: ExitCode?) {
    var run: RuleRun?
    var none = NoSink()
    do {
      try session.run(
        collectsStatistics: true, following: settings, disturbed: disturbance, isRepeat: isRepeat,
        tellsClocks: true, into: &none
      ) { run = RuleRun($0, plugin: rule.name) }
    } catch let status as ExitCode {
      return (run, status)
    }
    return (run, nil)
  }
}

/// How near in time two alerts are one.
struct NearOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Alerts about the same observer, region and beacon are the same up to so far apart; those with a "
        + "dedupe_key of the rule's farther apart, too.",
      valueName: "seconds"))
  var near = usual

  static let usual = 5.0

  func validate() throws {
    guard near >= 0, near <= 1e6 else {
      throw ValidationError("--near \(near): at least 0 and at most 1 000 000 seconds.")
    }
  }

  var nanoseconds: Int64 { Int64((near * 1e9).rounded()) }
}
