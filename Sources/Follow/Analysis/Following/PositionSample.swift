package import TrackReader

/// Positions that captures carry, evenly fewer where there are many.
package struct PositionSample: Sendable {
  /// Most of one observer; twice as many are kept at times.
  static let most = 20_000

  private struct OfObserver: Sendable {
    var fixes: [Fix] = []
    /// One of so many is kept.
    var step = 1
    var count = 0
  }
  private var observers: [OfObserver] = []

  package init() {}

  mutating func add(_ fix: Fix, observer: Int) {
    while observers.count <= observer { observers.append(OfObserver()) }
    defer { observers[observer].count += 1 }
    guard observers[observer].count % observers[observer].step == 0 else { return }
    observers[observer].fixes.append(fix)
    guard observers[observer].fixes.count == 2 * Self.most else { return }
    let fixes = observers[observer].fixes
    observers[observer].fixes = stride(from: 0, to: fixes.count, by: 2).map { fixes[$0] }
    observers[observer].step *= 2
  }

  /// By observer's number, in the order of the capture.
  package var kept: [(observer: Int, fix: Fix)] {
    observers.enumerated().flatMap { number, observer in observer.fixes.map { (number, $0) } }
  }

  var isEmpty: Bool { observers.allSatisfy { $0.count == 0 } }

  /// How many were left out.
  package var left: Int { observers.reduce(0) { $0 + $1.count - $1.fixes.count } }
}
