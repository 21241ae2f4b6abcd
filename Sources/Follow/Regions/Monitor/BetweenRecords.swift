package import CaptureReader
package import FrameDecoder

// What notes tell that no record brings: silences (live), and that capturing stopped or went on.
extension RegionMonitor {
  /// Moves an observer's clock on to the time of such a note at most: as far as what is due can be
  /// decided as it will be with the next record, whenever that comes.
  ///
  /// An exit's grade asks for gaps without any record that reach into its silence, and the one that
  /// goes on may become that long. It is known to be when it is as long as the exit's P; and it does
  /// not matter where the grade is `deaf` for another reason, or where the next record comes before.
  /// Until then the clock stands before the exit, for whoever follows it, too: what happens is told in
  /// the order in which the file of the same records tells it. So an exit is told P late at most, and
  /// only where the observer heard others before it heard nothing at all.
  mutating func passTime(_ note: ObserverNote, _ observer: UInt32) {
    let observer = Int(observer)
    // Before its first record nothing is known of an observer.
    guard timelines[observer].hasStarted, note.time.isKnown else { return }
    takeWhatCameBefore(note, observer)
    let moment = note.time.nanoseconds
    switch note.kind {
    case .captureOff: timelines[observer].activity.capturingEnds(at: moment)
    case .captureOn: timelines[observer].activity.capturingBegins(at: moment)
    default: break
    }
    timelines[observer].activity.heardLast(at: clocks[observer].lastHeard)
    let before = max(clocks[observer].lastHeard, timelines[observer].lastRecord)
    timelines[observer].activity.notePause(after: before, until: moment)
    advance(observer, to: decidable(observer, upTo: moment, silentSince: before))
  }

  /// An observer's next note is going to be this one, and its records before that are known: its clock
  /// may go on up to the time of it (`advance`), and what is due before that is decided as it would be then.
  /// - Parameter note: of a record.
  package mutating func expect(_ note: ObserverNote, observer: UInt32) {
    let observer = Int(observer)
    guard timelines[observer].hasStarted, note.time.isKnown else { return }
    takeWhatCameBefore(note, observer)
    timelines[observer].activity.heardLast(at: clocks[observer].lastHeard)
    let before = max(clocks[observer].lastHeard, timelines[observer].lastRecord)
    timelines[observer].activity.notePause(after: before, until: note.time.nanoseconds)
  }

  /// When an observer's clock has passed this, something is to be decided.
  package func nextDue(of observer: UInt32) -> Timestamp {
    Timestamp(nanoseconds: wakeTime(Int(observer)))
  }

  /// How far the clock may go on.
  private func decidable(_ observer: Int, upTo moment: Int64, silentSince before: Int64) -> Int64 {
    guard timelines[observer].deadlines.nextDue <= moment else { return moment }
    var limit = moment
    for place in timelines[observer].states.map(Int.init) where states[place].presence == .inside {
      let test = rules[Int(states[place].rule)].test
      let (due, time) = test.decision(
        after: states[place].last, start: timelines[observer].start)
      guard due <= moment else { continue }
      // What is due at the very moment waits for the next one, as in a file.
      let isOpen =
        due == moment
        || moment.since(before) < test.exitAfter && !isDeaf(place, until: time)
      if isOpen { limit = min(limit, due - 1) }
    }
    return limit
  }
}
