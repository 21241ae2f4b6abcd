package import Analysis
package import Plugins

/// Where a run keeps what it knows, so that it survives a restart: `--state FILE`.
///
/// It is opened before the run, by the user that the run is going to have; `restored` and `keeper(of:)`
/// go into the run's settings, `plugins` into its `PluginHost`, and behind the run `finish` is called.
/// While it is there no other run can open the file.
package final class StateFile: Sendable {
  /// What an earlier run knew; nil where there was none.
  package let restored: RunState?
  /// What plugins saved in an earlier run.
  package let plugins: SavedStates
  /// Nanoseconds for which it is good.
  package let goodFor: Int64
  /// What people should know of the file: a sentence each.
  package let warnings: [String]

  /// As the user named it.
  package let name: String
  private let writer: StateWriter

  /// No state is as large as that; nothing larger is read.
  private static let mostBytes = 256 << 20

  private init(
    _ name: String, _ file: ReplacedFile, _ text: RunStateText, goodFor: Int64, _ warnings: [String]
  ) {
    self.name = name
    self.goodFor = goodFor
    self.warnings = warnings
    restored = text.run
    plugins = text.plugins
    writer = StateWriter(file)
  }

  /// - Parameters:
  ///   - path: of a file that need not be there; its folder must.
  ///   - goodFor: nanoseconds for which a state is good.
  /// - Throws: where it is in use or cannot be read, and where it is something else than a state: that is
  ///   never overwritten. A state that is damaged, or of another version, is moved aside, with a warning,
  ///   and the run begins anew: a watch that is started again by itself must not stop for that.
  package static func open(
    _ path: String, goodFor: Int64 = RunState.usualAge
  ) throws(StateProblem) -> StateFile {
    do throws(ReplacedFile.Problem) {
      let file = try ReplacedFile(path)
      let (text, warnings) = try read(file, path)
      return StateFile(path, file, text, goodFor: goodFor, warnings)
    } catch {
      throw StateProblem(
        path: path, what: error.what, remedy: error.remedy, isForeign: error.isForeign)
    }
  }

  /// What goes into `FollowSettings.restored`.
  /// - Parameter tell: takes what people should read, a line at a time, on the queue of the run.
  package func restored(tell: @escaping @Sendable (String) -> Void) -> RestoredRun? {
    restored.map { RestoredRun($0, goodFor: goodFor, tell: tell) }
  }

  /// What goes into `FollowSettings.keeper`.
  /// - Parameters:
  ///   - host: the run's plugins.
  ///   - interval: nanoseconds of the run's clock between two writings.
  ///   - tell: takes a line, on another thread, when the file cannot be written, and when it can be again.
  package func keeper(
    of host: PluginHost?, interval: Int64 = usualInterval,
    tell: @escaping @Sendable (String) -> Void
  ) -> any RunStateKeeper {
    let name = name
    return FileKeeper(writer, interval: interval, host, plugins) { problem in
      tell(
        problem.map { "\(name): the run's state cannot be kept: \($0). It is tried again." }
          ?? "\(name): the run's state is kept again.")
    }
  }

  /// Why the latest state is not in the file, one clause; nil where nothing is wrong.
  package var problem: String? { writer.problem }

  /// The file was written, and has not all that plugins keep.
  package var isPartial: Bool { writer.isPartial }

  /// Waits until the run's last state is in the file.
  /// - Throws: where it is not.
  package func finish() throws(StateProblem) {
    guard let problem = writer.finish() else { return }
    throw StateProblem(
      path: name, what: "the run's last state is not in it: \(problem.what)",
      remedy: problem.remedy)
  }

  private static func read(
    _ file: ReplacedFile, _ path: String
  ) throws(ReplacedFile.Problem) -> (RunStateText, [String]) {
    let new = RunStateText(run: nil)
    guard let bytes = try file.read(most: mostBytes) else { return (new, []) }
    // As `mktemp` and `touch` make them: there is nothing to lose.
    if bytes.isEmpty { return (new, ["\(path): the state file is empty: the run begins anew"]) }
    do throws(RunStateText.Damage) {
      return (try RunStateText(reading: bytes), [])
    } catch {
      switch error {
      case .foreign(let what):
        throw ReplacedFile.Problem(
          "\(what), and is left as it is",
          remedy: "Name another file, or move this one away.", isForeign: true)
      case .otherVersion(let version):
        let aside = try file.moveAside(to: ".version\(version)", replaces: false)
        return (
          new,
          [
            "\(path): the saved state is of another version of beacontrace: \(version), and this one reads "
              + "\(RunStateText.version). It is kept as \(aside); nothing is restored, and the run begins anew"
          ]
        )
      case .damaged(let what):
        let aside = try file.moveAside(to: ".damaged", replaces: true)
        return (
          new,
          [
            "\(path): \(what). It is kept as \(aside); nothing is restored, and the run begins anew"
          ]
        )
      }
    }
  }
}
