import Synchronization

/// Something that one thread says and another one looks at.
final class Notice: Sendable {
  private let isUp = Atomic<Bool>(false)

  /// - Returns: whether it was up before.
  @discardableResult
  func raise() -> Bool { isUp.exchange(true, ordering: .acquiringAndReleasing) }

  /// - Returns: whether it was up.
  func lower() -> Bool { isUp.exchange(false, ordering: .acquiringAndReleasing) }
}
