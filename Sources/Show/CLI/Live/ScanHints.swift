import Analysis
import Exports

/// Says once why nothing, or less than there is, may be heard.
struct ScanHints {
  private let scans: Bool
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private var isSaid = false
  private var saidToFilter: Set<String> = []
  private static let patience = Duration.seconds(5)

  /// - Parameter scans: the run itself scans.
  init(scans: Bool) {
    self.scans = scans
    start = clock.now
  }

  /// What there is to say now.
  mutating func next(_ progress: AnalysisProgress) -> String? {
    if let name = progress.filtering.first(where: { !saidToFilter.contains($0) }) {
      saidToFilter.insert(name)
      return
        "\(TextColumns.printable(name)) scans with duplicates filtered: each advertiser is heard "
        + "once in a scan, and its exits say little. --scan passive --take-over keeps duplicates."
    }
    return silence(progress.reports)
  }

  /// - Parameter reports: all so far.
  private mutating func silence(_ reports: Int) -> String? {
    guard !isSaid, !scans, reports == 0, clock.now - start > Self.patience else { return nil }
    isSaid = true
    return "No advertisement in five seconds: does anything scan? live only listens; "
      + "--scan passive scans, and 'beacontrace doctor' tells what is missing."
  }
}
