/// When a capture was made, and how its clock behaved.
public struct TimeSpan: Sendable {
  /// Records between two steps of their times.
  public struct Run: Equatable, Sendable {
    public let first: Timestamp
    public let last: Timestamp
    /// All of the file from the first of them up to the next run.
    public let records: Int

    public init(first: Timestamp, last: Timestamp, records: Int) {
      (self.first, self.last, self.records) = (first, last, records)
    }
  }

  public let earliest: Timestamp
  public let latest: Timestamp
  /// Nanoseconds; 0 where the clock never went back.
  public let largestStepBack: Int64
  /// Nanoseconds; 0 where no step was longer than ten minutes.
  public let largestStepForward: Int64
  /// From step to step, of a second or more back, or of more than ten minutes forward, in the order of the input. None
  /// where that is not known: of several interfaces, and of very many steps.
  public let runs: [Run]
  /// The first time stamp that was not believed (`timestamp_outlier`); none where all were.
  public let firstOutlier: Timestamp
  /// The earliest of those; none where there is none.
  public let earliestOutlier: Timestamp
}
