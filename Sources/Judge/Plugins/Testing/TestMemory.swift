import Analysis
import Synchronization

/// What one run of a test leaves to the next, as `--state` would have it.
final class TestMemory: RunStateKeeper {
  private struct Kept {
    var run: RunState?
    var plugins: [UInt8] = []
  }

  /// Stopped in good order: the last state alone counts.
  let interval = Int64.max
  private let host: PluginHost
  private let kept = Mutex(Kept())

  init(_ host: PluginHost) { self.host = host }

  func keep(_ state: () -> RunState) -> Bool { true }

  func keepLast(_ state: RunState) {
    let plugins = host.savedState()
    kept.withLock { $0 = Kept(run: state, plugins: plugins) }
  }

  var run: RestoredRun? { kept.withLock(\.run).map { RestoredRun($0) } }

  func plugins() throws(PluginProblem) -> SavedStates {
    let bytes = kept.withLock(\.plugins)
    return bytes.isEmpty ? SavedStates() : try SavedStates(reading: bytes, name: "the saved state")
  }
}
