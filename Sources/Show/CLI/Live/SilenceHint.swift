import LiveCapture

/// Says once why nothing may be heard.
struct SilenceHint {
  private let scans: Bool
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var isSaid = false
  private static let patience = Duration.seconds(5)

  /// - Parameter scans: the run itself scans.
  init(scans: Bool) {
    self.scans = scans
    start = clock.now
  }

  /// - Parameter records: all so far.
  mutating func hint(_ records: Int, _ counts: CaptureCounts) -> String? {
    guard !isSaid, !scans, records < 20, clock.now - start > Self.patience else { return nil }
    isSaid = true
    return "Hardly anything in five seconds: does anything scan? live only listens; "
      + "--scan passive scans, and 'beacontrace doctor' tells what is missing."
  }
}
