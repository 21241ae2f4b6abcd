import Analysis

/// What a plugin was told last: alerts cite it that are given where nothing is being handled, in
/// timers and at the end. At first the first frame that has a time.
struct ToldLast {
  private(set) var evidence: [TimelineEvent.Evidence] = []
  /// Id of the event that it was.
  private(set) var event: UInt64?

  mutating func take(_ frame: TimelineEvent.Evidence) {
    evidence = [frame]
    event = nil
  }

  /// Lists and states without a sighting cite no frame: those of before stay.
  mutating func take(_ event: TimelineEvent) {
    if !event.evidence.isEmpty { evidence = event.evidence }
    self.event = event.id
  }
}
