import Analysis
import Dispatch
import Plugins
import Synchronization

/// Writes states on a queue of its own, so that a slow disk holds nothing up.
final class StateWriter: Sendable {
  private struct Progress {
    var isBusy = false
    /// Of the latest writing.
    var problem: ReplacedFile.Problem?
    /// Why it has not all that plugins keep.
    var missing: String?
  }

  private let file: ReplacedFile
  private let queue = DispatchQueue(label: "beacontrace.state")
  private let progress = Mutex(Progress())

  init(_ file: ReplacedFile) { self.file = file }

  var isBusy: Bool { progress.withLock { $0.isBusy } }

  /// Of the latest writing, one clause.
  var problem: String? { progress.withLock { $0.problem?.what ?? $0.missing } }

  var isPartial: Bool { progress.withLock { $0.problem == nil && $0.missing != nil } }

  /// - Parameters:
  ///   - plugins: as `PluginHost.savedState` gives it.
  ///   - missing: why that is not all of it, which has been told.
  ///   - told: what changed, on the queue: the first failure of those that follow one another, and nil
  ///     where it can be written again.
  func write(
    _ run: RunState, plugins: [UInt8], missing: String? = nil,
    told: @escaping @Sendable (String?) -> Void
  ) {
    progress.withLock { progress in
      progress.isBusy = true
      progress.missing = missing
    }
    queue.async { [self] in
      let problem = replace(run, plugins)
      let hadProblem = progress.withLock { progress in
        defer {
          progress.problem = problem
          progress.isBusy = false
        }
        return progress.problem != nil
      }
      if hadProblem != (problem != nil) { told(problem?.what) }
    }
  }

  private func replace(_ run: RunState, _ plugins: [UInt8]) -> ReplacedFile.Problem? {
    do throws(ReplacedFile.Problem) {
      try file.replace(RunStateText.bytes(run, plugins: plugins))
      return nil
    } catch {
      return error
    }
  }

  /// Waits for what is being written.
  /// - Returns: what went wrong with the latest state.
  func finish() -> ReplacedFile.Problem? {
    queue.sync {}
    return progress.withLock { progress in
      progress.problem
        ?? progress.missing.map {
          ReplacedFile.Problem(
            $0, remedy: "Keep less in state, or forget what is old (beacontrace.recent).")
        }
    }
  }
}

/// Takes what a run knows, and what its plugins save, to the file: some times a second at most, and not
/// while another state is being written.
final class FileKeeper: RunStateKeeper {
  let interval: Int64
  private let writer: StateWriter
  private let host: PluginHost?
  /// What plugins saved in an earlier run: goes on where none runs now.
  private let saved: [UInt8]
  private let told: @Sendable (String?) -> Void
  private let clock = ContinuousClock()
  private let nextAt: Mutex<ContinuousClock.Instant>
  private static let pace = Duration.milliseconds(100)
  /// Where much is known, so many times as long as it takes to write it down: it holds the run up.
  private static let share = 20

  init(
    _ writer: StateWriter, interval: Int64, _ host: PluginHost?, _ saved: SavedStates,
    told: @escaping @Sendable (String?) -> Void
  ) {
    nextAt = Mutex(clock.now)
    self.writer = writer
    self.interval = interval
    self.host = host
    self.saved = saved.text
    self.told = told
  }

  func keep(_ state: () -> RunState) -> Bool {
    let start = clock.now
    guard !writer.isBusy, start >= nextAt.withLock({ $0 }) else { return false }
    keepLast(state())
    let end = clock.now
    nextAt.withLock { $0 = end + max(Self.pace, (end - start) * Self.share) }
    return true
  }

  func keepLast(_ state: RunState) {
    let plugins = host?.savedState() ?? saved
    writer.write(state, plugins: plugins, missing: host?.savingProblem, told: told)
  }
}

extension StateFile {
  /// Nanoseconds of the run's clock between two writings.
  package static let usualInterval: Int64 = 5 * 1_000_000_000
}
