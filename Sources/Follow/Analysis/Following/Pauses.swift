import Beacons
import CaptureReader
import FrameDecoder

/// Observers that are known to hear nothing until a note: what falls due at them meanwhile is told as
/// the run goes on at others, and not when they hear somebody again.
struct Pauses {
  private struct Pause {
    let observer: Int
    /// What ends it.
    let note: ObserverNote
    /// Whether the run has passed the last record before it.
    var hasBegun = false
  }

  private var pauses: [Pause] = []

  var isEmpty: Bool { pauses.isEmpty }

  mutating func add(_ note: ObserverNote, observer: Int) {
    if pauses.contains(where: { $0.observer == observer && $0.note.frame == note.frame }) { return }
    end(of: observer)
    pauses.append(Pause(observer: observer, note: note))
  }

  mutating func end(of observer: Int) { pauses.removeAll { $0.observer == observer } }

  /// When the run has passed the earliest time at which something is due in a pause.
  /// - Parameter due: when something is due at an observer.
  func earliest(_ due: (Int) -> Timestamp) -> Int64 {
    // Until the last record before the pause it is not known yet what the observer heard.
    pauses.reduce(.max) {
      min($0, max(due($1.observer).nanoseconds, $1.note.lastRecord.nanoseconds))
    }
  }

  /// Those that are under way at a time.
  /// - Parameter begin: told of each once, before anything else.
  mutating func forEach(
    at time: Timestamp, begin: (ObserverNote, Int) -> Void, _ body: (Int) -> Void
  ) {
    for place in pauses.indices
    where time.nanoseconds > pauses[place].note.lastRecord.nanoseconds {
      if !pauses[place].hasBegun { begin(pauses[place].note, pauses[place].observer) }
      pauses[place].hasBegun = true
      body(pauses[place].observer)
    }
  }
}

// What happens at observers in their pauses, while others go on.
extension Following {
  func expect(_ note: ObserverNote, observer: Int) {
    if judge != nil { pauses.add(note, observer: observer) }
  }

  /// Nothing is due in pauses until the run has passed this.
  var nextDueInPauses: Int64 {
    pauses.earliest { observer in
      followers.map { $0.nextDue(of: observer) }.min { $0.nanoseconds < $1.nanoseconds } ?? .none
    }
  }

  /// How far a run goes until something is due in a pause before its next sighting; what is due before its
  /// first one is told.
  func endOfQuiet(
    _ run: Span<BriefSighting>, from start: Int, _ tables: RunTables
  ) -> Int {
    guard !pauses.isEmpty else { return run.count }
    if run[start].time.nanoseconds > nextDueInPauses {
      goOnInPauses(before: run[start].time, tables)
    }
    let due = nextDueInPauses
    var end = start + 1
    while end < run.count, run[end].time.nanoseconds <= due { end += 1 }
    return end
  }

  /// The run is going to be here: what was due before that in pauses is told.
  func goOnInPauses(before time: Timestamp, _ tables: RunTables) {
    guard time.isKnown else { return }
    let (followers, movesPositions) = (followers, !settings.tracks.isEmpty)
    var paused: [Int] = []
    pauses.forEach(
      at: time,
      begin: { note, observer in
        for follower in followers { follower.expect(note, observer: observer) }
      }
    ) { observer in
      paused.append(observer)
      for follower in followers {
        follower.goOn(observer, before: time, movesPositions: movesPositions)
      }
    }
    if movesPositions { for observer in paused { positions?.advance(observer, to: time) } }
    tellEvents(tables)
  }
}
