import Dispatch
import Synchronization

/// Forces a file onto the disk on a queue of its own, once at a time.
final class FileSync: Sendable {
  private struct State {
    var isBusy = false
    var problem: String?
  }

  private let queue = DispatchQueue(label: "recording.sync")
  private let state = Mutex(State())

  /// Returns false where the time before is not over yet.
  func start(_ file: RecordingFile) -> Bool {
    let isFree = state.withLock { state in
      defer { state.isBusy = true }
      return !state.isBusy
    }
    guard isFree else { return false }
    queue.async {
      let problem = file.sync()
      self.state.withLock { state in
        state.isBusy = false
        if let problem { state.problem = problem }
      }
    }
    return true
  }

  /// Closes a file that nothing more comes to.
  func close(_ file: RecordingFile, syncs: Bool) {
    queue.async {
      let problem = syncs ? file.sync() : nil
      guard let problem = file.close() ?? problem else { return }
      self.state.withLock { $0.problem = problem }
    }
  }

  /// Waits until nothing is under way.
  func wait() { queue.sync {} }

  /// What went wrong since the last time that somebody asked.
  func takeProblem() -> String? {
    state.withLock { state in
      defer { state.problem = nil }
      return state.problem
    }
  }
}
