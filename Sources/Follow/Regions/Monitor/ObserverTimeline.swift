/// What each sighting of an observer changes; small, so that it stays near the processor.
struct ObserverClock: BitwiseCopyable, Sendable {
  /// Largest time so far; `Int64.min` before the first record.
  var clock = Int64.min
  /// Something is to be done when the clock is later.
  var wake = Int64.min
  /// Before that it is enough to keep when an advertiser was heard last.
  var restsUntil = Int64.min
  var lastHeard = Int64.min
}

/// All regions at one observer.
struct ObserverTimeline: Sendable {
  let name: String
  /// t0; `Int64.min` before the first record.
  var start = Int64.min
  /// Time of the latest record that notes told of: the clock may be further, live or by sightings.
  var lastRecord = Int64.min
  /// Index of the state by region.
  var states: [UInt32] = []
  /// By state: decided as soon as the clock is later than they are due.
  var deadlines = DeadlineHeap<UInt32>()
  /// Events whose instant others may still share.
  var held: [RegionEvent] = []
  var nextMarker = 0
  var activity = ObserverActivity(start: 0, duties: [], horizon: 0, shortest: 0)

  init(name: String) { self.name = name }

  var hasStarted: Bool { start != .min }
}
