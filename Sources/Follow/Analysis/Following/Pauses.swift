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
    /// The last record before it.
    let from: Int64
    /// Whether the run has passed that.
    var hasBegun = false
  }

  private var pauses: [Pause] = []

  var isEmpty: Bool { pauses.isEmpty }

  /// - Parameter clock: the observer's, as far as it was followed: in another capture of it.
  mutating func add(_ note: ObserverNote, observer: Int, clock: Timestamp) {
    if pauses.contains(where: { $0.observer == observer && $0.note.time == note.time }) { return }
    end(of: observer)
    let from = note.lastRecord.isKnown ? note.lastRecord : clock
    pauses.append(Pause(observer: observer, note: note, from: from.nanoseconds))
  }

  mutating func end(of observer: Int) { pauses.removeAll { $0.observer == observer } }

  /// When the run has passed the earliest time at which something is due in a pause.
  /// - Parameter due: when something is due at an observer.
  func earliest(_ due: (Int) -> Int64) -> Int64 {
    pauses.reduce(.max) { earliest, pause in
      // Until the last record before the pause it is not known yet what the observer heard, and what is due
      // with its end is decided there.
      let moment = max(due(pause.observer), pause.from)
      return moment < pause.note.time.nanoseconds ? min(earliest, moment) : earliest
    }
  }

  /// Those that are under way at a time, each with how far its observer's clock may go on.
  /// - Parameter begin: told of each once, before anything else.
  mutating func forEach(
    at time: Timestamp, begin: (ObserverNote, Int) -> Void, _ body: (Int, Timestamp) -> Void
  ) {
    for place in pauses.indices where time.nanoseconds > pauses[place].from {
      let pause = pauses[place]
      if !pause.hasBegun { begin(pause.note, pause.observer) }
      pauses[place].hasBegun = true
      let moment = min(time.nanoseconds, pause.note.time.nanoseconds)
      body(pause.observer, Timestamp(nanoseconds: moment))
    }
  }
}

// What happens at observers in their pauses, while others go on.
extension Following {
  func expect(_ note: ObserverNote, observer: Int) {
    guard let judge else { return }
    judge.hear(note, observer: observerNames[observer])
    let clock = followers[0].clock(of: observer)
    // Before its first record nothing is due.
    if clock.isKnown { pauses.add(note, observer: observer, clock: clock) }
  }

  /// Nothing is due in pauses until the run has passed this.
  var nextDueInPauses: Int64 {
    pauses.earliest { observer in
      var due = Int64.max
      for follower in followers { due = min(due, follower.nextDue(of: observer).nanoseconds) }
      return due
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
    let (followers, hasTrack) = (followers, hasTrack)
    var paused: [(Int, Timestamp)] = []
    pauses.forEach(
      at: time,
      begin: { note, observer in
        for follower in followers { follower.expect(note, observer: observer) }
      }
    ) { observer, moment in
      paused.append((observer, moment))
      for follower in followers {
        follower.goOn(observer, before: moment, movesPositions: hasTrack[observer])
      }
    }
    for (observer, moment) in paused where hasTrack[observer] {
      positions?.advance(observer, to: moment)
    }
    tellEvents(tables)
  }
}
