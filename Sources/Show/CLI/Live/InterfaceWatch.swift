import LiveCapture

/// Says when an interface has gone or is switched off, what is waited for, and that it is there again.
struct InterfaceWatch {
  enum Standing {
    case well
    /// The controller is there, and down; of the monitor: none is up.
    case down
    case gone

    init(isCapturing: Bool, isDown: Bool) {
      self = isDown ? .down : isCapturing ? .well : .gone
    }
  }

  private let name: String
  /// Whether it is the monitor, which outlives controllers.
  private let isOfAll: Bool
  /// A scan of our own says itself why it cannot go on.
  private let scans: Bool
  private(set) var standing = Standing.well
  private let clock = ContinuousClock()
  private var goneAt: ContinuousClock.Instant?
  /// So long a controller that is plugged in again may take to come.
  private static let patience = Duration.seconds(5)

  init(_ name: String, isOfAll: Bool, scans: Bool) {
    self.name = name
    self.isOfAll = isOfAll
    self.scans = scans
  }

  /// - Parameter trouble: why it could not be opened again.
  /// - Returns: what there is to say now.
  mutating func next(_ new: Standing, _ trouble: LiveProblem?) -> String? {
    guard new != standing else { return reason(trouble) }
    standing = new
    goneAt = new == .gone ? clock.now : nil
    switch new {
    case .well where isOfAll: return "A controller is up: what it hears is captured."
    case .well: return "\(name) is there again: what it hears is captured."
    case .gone: return "\(name) has gone. It is captured again as soon as it is back."
    case .down:
      guard !scans else { return nil }
      guard !isOfAll else {
        return "No controller is up: nothing is heard until one is.\nTry   beacontrace doctor"
      }
      return "\(name) is down: nothing is heard until it is up again.\nTry   "
        + Remedies.bringUp(name.replacing("bluetooth", with: "hci"))
    }
  }

  /// One that stays away, once: it may be there by another name.
  private mutating func reason(_ trouble: LiveProblem?) -> String? {
    guard let since = goneAt, clock.now - since > Self.patience, let trouble else { return nil }
    goneAt = nil
    return "\(trouble.what) It is tried again every two seconds."
  }
}
