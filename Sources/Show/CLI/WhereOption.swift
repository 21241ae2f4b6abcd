import Analysis
import ArgumentParser
import Beacons
import Exports
import Plugins
import Regions

/// `--where`: one Lua expression that decides which lines are printed.
enum WhereOption {
  static func ofEvents(_ text: String) throws -> WhereExpression {
    do throws(PluginProblem) {
      return try WhereExpression(text, over: .events)
    } catch {
      throw refused(error)
    }
  }

  static func sink<Sink: FindingSink>(_ text: String, into sink: Sink) throws -> WhereSink<Sink> {
    do throws(PluginProblem) {
      return try WhereSink(text, into: sink)
    } catch {
      throw refused(error)
    }
  }

  private static func refused(_ problem: PluginProblem) -> ExitCode {
    Terminal.tell("beacontrace: \(TextColumns.printable(problem.description))")
    return ExitCode.validationFailure
  }

  /// Tells where the expression could not be worked out: those lines were left out.
  /// - Parameter what: what is left out, one of it: `event`.
  static func conclude(_ failures: (count: Int, first: String, isGivenUp: Bool), _ what: String)
    throws
  {
    guard failures.count > 0 else { return }
    let counted = TextColumns.counted(failures.count, what)
    let first = TextColumns.printable(failures.first)
    if failures.isGivenUp {
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
