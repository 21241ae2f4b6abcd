import Synchronization

/// Says each line once while two sides are loaded that have something in common, and everything afterwards.
final class TellingOnce: Sendable {
  private let told = Mutex<Set<String>?>([])
  private let out: @Sendable (String) -> Void

  init(_ out: @escaping @Sendable (String) -> Void) { self.out = out }

  func tell(_ line: String) {
    let isNew = told.withLock { lines in lines?.insert(line).inserted ?? true }
    if isNew { out(line) }
  }

  /// Both have been loaded.
  func end() { told.withLock { $0 = nil } }
}
