import Synchronization

/// Lets whoever runs an analysis end the work of its rules, from any thread: from then on they are told
/// nothing more, and the sightings that they were not told of are counted. All else goes on.
package final class JudgeRecess: Sendable {
  private let isGiven = Atomic<Bool>(false)
  private let passedBy = Atomic<Int>(0)

  package init() {}

  package func begin() { isGiven.store(true, ordering: .relaxed) }

  package var hasBegun: Bool { isGiven.load(ordering: .relaxed) }

  /// Sightings that rules wished for and were not told of.
  package var sightings: Int { passedBy.load(ordering: .relaxed) }

  func passBy(_ count: Int) { passedBy.wrappingAdd(count, ordering: .relaxed) }
}
