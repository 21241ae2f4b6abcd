import Dispatch

/// Bins of a run that is over: made beside whatever else comes of it, where there is a second processor.
@safe package final class SeriesMaking: @unchecked Sendable {
  // Unchecked: the log and what is made of it belong to the queue.
  private let log: SignalLog
  private let statistics: BeaconStatistics
  private let settings: SeriesSettings
  private let stretches: [Stretches.Span]
  private let queue = DispatchQueue(label: "beacontrace.series")
  private var made: Result<RunSeries, LogProblem>?

  /// - Parameters:
  ///   - log: nothing is added to it any more.
  ///   - stretches: of the run's time, in each of which bins are as narrow as there is room for.
  ///   - isAhead: it is made before it is asked for.
  init(
    _ log: SignalLog, _ statistics: BeaconStatistics, _ settings: SeriesSettings,
    stretches: [Stretches.Span], isAhead: Bool
  ) {
    self.log = log
    self.statistics = statistics
    self.settings = settings
    self.stretches = stretches
    if isAhead { queue.async { self.make() } }
  }

  @discardableResult
  private func make() -> Result<RunSeries, LogProblem> {
    if let made { return made }
    let made = Result { () throws(LogProblem) in try log.series(statistics, settings, stretches) }
    self.made = made
    return made
  }

  /// What is drawn, when it is made.
  func series() throws(LogProblem) -> RunSeries {
    try queue.sync { make() }.get()
  }
}
