import Analysis
import Dispatch
import Plugins
import Synchronization

/// Writes states on a queue of its own, so that a slow disk holds nothing up. One that comes while
/// another is being written is left out: the next is never far.
final class StateWriter: Sendable {
  private struct Progress {
    var isBusy = false
    /// Of the latest writing.
    var problem: ReplacedFile.Problem?
  }

  private let file: ReplacedFile
  private let queue = DispatchQueue(label: "beacontrace.state")
  private let progress = Mutex(Progress())

  init(_ file: ReplacedFile) { self.file = file }

  var isBusy: Bool { progress.withLock { $0.isBusy } }

  /// - Parameters:
  ///   - plugins: as `PluginHost.savedState` gives it.
  ///   - failed: told, on the queue, of the first failure of those that follow one another.
  func write(
    _ run: RunState, plugins: [UInt8], failed: @escaping @Sendable (String) -> Void
  ) {
    progress.withLock { $0.isBusy = true }
    queue.async { [self] in
      let problem = replace(run, plugins)
      let isNew = progress.withLock { progress in
        defer {
          progress.problem = problem
          progress.isBusy = false
        }
        return progress.problem == nil
      }
      if isNew, let problem { failed(problem.what) }
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
    return progress.withLock { $0.problem }
  }
}

/// Takes what a run knows, and what its plugins save, to the file.
final class FileKeeper: RunStateKeeper {
  let interval: Int64
  private let writer: StateWriter
  private let host: PluginHost?
  /// What plugins saved in an earlier run: goes on where none runs now.
  private let saved: [UInt8]
  private let failed: @Sendable (String) -> Void

  init(
    _ writer: StateWriter, interval: Int64, _ host: PluginHost?, _ saved: SavedStates,
    failed: @escaping @Sendable (String) -> Void
  ) {
    self.writer = writer
    self.interval = interval
    self.host = host
    self.saved = saved.text
    self.failed = failed
  }

  func keep(_ state: () -> RunState) {
    if !writer.isBusy { keepLast(state()) }
  }

  func keepLast(_ state: RunState) {
    writer.write(state, plugins: host?.savedState() ?? saved, failed: failed)
  }
}

extension StateFile {
  /// Nanoseconds of the run's clock between two writings.
  package static let usualInterval: Int64 = 5 * 1_000_000_000
}
