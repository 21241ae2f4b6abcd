import Analysis
import ArgumentParser
import Beacons
import Exports
import Plugins
import Regions

/// `--where`: one Lua expression that decides which lines are printed.
enum WhereOption {
  /// - Parameter isQuiet: nothing is told of what an expression can never be.
  static func ofEvents(_ text: String, isQuiet: Bool) throws -> WhereExpression {
    do throws(PluginProblem) {
      let expression = try WhereExpression(text, over: .events)
      if !isQuiet { tellMistakes(in: text, .events) }
      return expression
    } catch {
      throw refused(error)
    }
  }

  static func sink<Sink: FindingSink>(_ text: String, into sink: Sink, isQuiet: Bool) throws
    -> WhereSink<Sink>
  {
    do throws(PluginProblem) {
      let sink = try WhereSink(text, into: sink)
      if !isQuiet { tellMistakes(in: text, .sightings) }
      return sink
    } catch {
      throw refused(error)
    }
  }

  /// A run goes on with them, as it does with those in rules.
  private static func tellMistakes(in text: String, _ fields: WhereFields) {
    for mistake in fields.mistakes(in: text) {
      Terminal.tell("beacontrace: --where: \(TextColumns.printable(mistake))")
    }
  }

  private static func refused(_ problem: PluginProblem) -> ExitCode {
    Terminal.tell("beacontrace: \(TextColumns.printable(problem.description))")
    return ExitCode.validationFailure
  }

  /// The same behind a run, and beside what went wrong with its inputs, whose status stands then.
  static func conclude(
    _ text: String, _ tally: () -> WhereTally, _ what: String, isQuiet: Bool,
    behind run: () throws -> Void
  ) throws {
    do {
      try run()
    } catch let status as ExitCode
      where [ExitStatus.damaged, ExitStatus.noInput, ExitStatus.plugin, ExitCode.validationFailure]
      .contains(status)
    {
      try? conclude(text, tally(), what, isQuiet: isQuiet)
      throw status
    }
    try conclude(text, tally(), what, isQuiet: isQuiet)
  }

  /// Tells where the expression could not be worked out: those lines were left out; and where it took none:
  /// mostly a value that is written otherwise.
  /// - Parameter what: what is left out, one of it: `event`.
  static func conclude(_ text: String, _ tally: WhereTally, _ what: String, isQuiet: Bool) throws {
    guard tally.failures > 0 else {
      guard tally.taken == 0, tally.asked > 0, !isQuiet else { return }
      let counted = TextColumns.counted(tally.asked, what)
      Terminal.tell(
        "beacontrace: none of \(counted) matches --where '\(TextColumns.printable(text))'. Values are "
          + "written as --format ndjson has them (but time: seconds since 1970): without --where it shows them."
      )
      return
    }
    let counted = TextColumns.counted(tally.failures, what)
    let first = TextColumns.printable(tally.firstFailure)
    if tally.isGivenUp {
      Terminal.tell(
        "beacontrace: the expression was given up after \(counted), one behind the other; what "
          + "came after them was left out, too; first: \(first). Write a shorter one.")
    } else {
      Terminal.tell(
        "beacontrace: the expression failed for \(counted), left out here; first: \(first). A "
          + "field may be nil: write 'rssi and rssi > -60'; times are seconds since 1970.")
    }
    throw ExitStatus.plugin
  }
}

extension RunView {
  /// What the numbers of a run's events stand for, when it has ended.
  convenience init(_ result: AnalysisResult, _ settings: FollowSettings) {
    let timeline = result.timeline ?? Timeline()
    self.init(
      identities: result.statistics.identities, transmitters: result.statistics.transmitters,
      observers: timeline.observers.map(\.name), captures: result.captureNames,
      tracks: timeline.tracks, regions: timeline.regions, messages: settings.messages,
      profile: settings.profiles[0].name)
  }
}
