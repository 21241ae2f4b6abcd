import Beacons
import CaptureReader
import FrameDecoder
import Regions
import TrackReader

/// A capture inside a run: its pipeline, how far its sightings have been handed on, and how its own
/// numbers translate into the run's.
final class CaptureCursor {
  let pipeline: CapturePipeline
  let place: UInt32
  /// Its first record, as far as that was looked up.
  let first: Timestamp
  let name: String
  let stem: String
  private(set) var names: [String] = []
  /// The name that it shares with others that it continues.
  let commonName: String?
  /// By interface, where the capture is put together from several.
  private let origins: [ObserverNames.Origin]
  /// The run's observer number per observer of the capture.
  private(set) var observers: [UInt32] = []
  /// The run's identity number per identity of the capture.
  private var identities: [UInt32] = []
  /// The run's transmitter number per transmitter of the capture.
  private(set) var numbers: [UInt32] = []
  /// First note of the batch that has not been handed on, and the first whose turn has not come.
  private var nextNote = 0
  private var noteEnd = 0
  /// Whether notes are handed on at all; they take their turns like sightings then.
  private let takesNotes: Bool
  /// Positions of the batch that have not been handed on, in its order.
  private var fixes: [(fix: Fix, observer: Int)] = []
  /// How many of the observers have been handed the positions so far, and the latest of these.
  private var observersWithFixes = 0
  private var recentFixes: [Fix] = []
  private static let mostRecentFixes = 64
  /// First sighting of the batch that has not been handed on.
  private(set) var next = 0
  /// Time by which the next sighting takes its turn among the captures; one that has none at hand
  /// comes first, to be read on.
  private(set) var turn: Int64 = .min
  /// Latest time so far: a clock that steps back does not change the order of a capture.
  private var clock: Int64 = .min
  /// The note that comes next, until it was asked whether it ends a pause; nil where a sighting does.
  private var comingNote: Int?
  /// Shorter pauses keep nothing waiting for long, and there are many.
  private static let leastPause: Int64 = 1_000_000_000

  init(
    _ pipeline: CapturePipeline, place: UInt32, first: Timestamp, stem: String, commonName: String?,
    origins: [ObserverNames.Origin], takesNotes: Bool
  ) {
    self.origins = origins
    self.takesNotes = takesNotes
    self.commonName = commonName
    self.pipeline = pipeline
    self.place = place
    self.first = first
    name = pipeline.reader.name
    self.stem = stem
  }

  /// Brings the translations up to date with the batch just decoded.
  /// - Parameters:
  ///   - counts: whether sightings are going to be added up.
  ///   - isAlone: nothing to translate: the capture's numbers are the run's.
  func translate(
    _ statistics: inout BeaconStatistics, _ runObservers: inout [String], counts: Bool,
    isAlone: Bool
  ) {
    let interfaceNames = pipeline.reader.log.interfaces.map(\.name)
    while observers.count < pipeline.observers.count {
      let observer = pipeline.observers[observers.count]
      let number = observers.count
      let common = commonName.map { name in
        // Controllers have names of their own, the same in each file.
        observer.adapter != Observer.noAdapter
          ? ObserverNames.name(observer, stem: name, interfaceNames: interfaceNames)
          : ObserverNames.common(name, number)
      }
      let name =
        common ?? unlike(runObservers, ownName(of: observer, interfaceNames))
      names.append(name)
      if common != nil, let known = runObservers.firstIndex(of: name) {
        observers.append(UInt32(known))
      } else {
        observers.append(UInt32(runObservers.count))
        runObservers.append(name)
      }
    }
    guard counts else { return }
    if isAlone { return statistics.makeRoom(for: pipeline.transmitters.count) }
    let table = pipeline.identities
    while identities.count < table.count {
      identities.append(statistics.number(of: table[UInt32(identities.count)], in: table))
    }
    let transmitters = pipeline.transmitters
    while numbers.count < transmitters.count {
      let transmitter = transmitters[UInt32(numbers.count)]
      numbers.append(
        statistics.number(
          of: Transmitter(
            address: transmitter.address, identity: identities[Int(transmitter.identity)],
            observer: observers[Int(transmitter.observer)])))
    }
  }

  private func ownName(of observer: Observer, _ interfaceNames: [String?]) -> String {
    let interface = Int(observer.interface)
    if interface < origins.count {
      let origin = origins[interface]
      // Those of a replay come as one capture's: each counts beside its own.
      let number = pipeline.observers[..<observers.count].count {
        let other = Int($0.interface)
        return other < origins.count && origins[other].capture == origin.capture
      }
      return ObserverNames.name(observer, origin, number: number)
    }
    return ObserverNames.name(observer, stem: stem, interfaceNames: interfaceNames)
  }

  /// What an interface is called may be what a folder is, or another interface of the capture (mergecap of two
  /// recordings of `bluetooth0`): which radio heard something is never left open.
  private func unlike(_ others: [String], _ name: String) -> String {
    guard others.contains(name) else { return name }
    var count = 2
    while others.contains("\(name)#\(count)") { count += 1 }
    return "\(name)#\(count)"
  }

  /// Goes on with a sighting of the batch, or at its end.
  func goOn(_ sightings: Span<BriefSighting>, from next: Int) {
    self.next = next
    turn = .min
    comingNote = nil
    if let note = nextNote(before: next, sightings, nextNote) {
      turn = later(note.time)
      comingNote = nextNote
    } else if next < sightings.count {
      turn = later(sightings[next].time)
    }
  }

  /// What a note shows that comes at a place of the batch, where its observer heard nothing for a while before
  /// it. What is only remarked of its record stands before it; a loss counts in what is decided, and comes first.
  private func pauseEnd(at place: Int) -> ObserverNote? {
    let notes = pipeline.notes
    var place = place
    // All notes of a record are of one batch.
    let frame = place < notes.count ? notes[place].frame : 0
    while place < notes.count, notes[place].kind == .clock, notes[place].frame == frame {
      place += 1
    }
    guard place < notes.count, notes[place].frame == frame else { return nil }
    let note = notes[place]
    guard !note.kind.isRemark, !note.kind.isBetweenRecords, note.time.isKnown else { return nil }
    // The first record of a capture may be behind another one of its observer.
    let isLong =
      !note.lastRecord.isKnown
      || note.time.nanoseconds.since(note.lastRecord.nanoseconds) >= Self.leastPause
    return isLong ? note : nil
  }

  /// The same, of the note that `takeNote` is going to take.
  func pauseEndNow() -> (note: ObserverNote, observer: UInt32)? {
    guard nextNote < noteEnd else { return nil }
    return pauseEnd(at: nextNote).map { ($0, observers[Int($0.observer)]) }
  }

  /// The end of the pause that one of the capture's observers is in, told once; nil where there is none.
  /// - Parameter isSole: whether nothing but this capture can tell of an observer until a time.
  func takePauseEnd(
    isSole: (_ observer: UInt32, _ until: Timestamp) -> Bool
  ) -> (note: ObserverNote, observer: UInt32)? {
    guard let place = comingNote else { return nil }
    guard let note = pauseEnd(at: place) else {
      comingNote = nil
      return nil
    }
    let observer = observers[Int(note.observer)]
    guard isSole(observer, note.time) else { return nil }
    comingNote = nil
    return (note, observer)
  }

  /// Whether something of the batch has not been handed on.
  func hasMore(_ sightings: Span<BriefSighting>) -> Bool {
    next < sightings.count || (takesNotes && nextNote < pipeline.notes.count)
  }

  /// The note at a place, if it comes before a sighting.
  private func nextNote(before next: Int, _ sightings: Span<BriefSighting>, _ place: Int)
    -> ObserverNote?
  {
    guard takesNotes, place < pipeline.notes.count else { return nil }
    let note = pipeline.notes[place]
    return next >= sightings.count || note.place <= sightings[next].place ? note : nil
  }

  private func later(_ time: Timestamp) -> Int64 {
    time.isKnown ? max(clock, time.nanoseconds) : clock
  }

  /// Puts the positions that the batch brought in line, for each observer of the capture; one that is
  /// new gets the latest before, too: between two fixes so far apart no position is told.
  func lineUpFixes() {
    let new = pipeline.fixes.map { Fix($0, file: Int(place)) }.sorted {
      $0.place.number < $1.place.number
    }
    let known = observersWithFixes
    observersWithFixes = observers.count
    guard !new.isEmpty || !recentFixes.isEmpty else { return }
    for observer in observers[known...] { fixes += recentFixes.map { ($0, Int(observer)) } }
    for fix in new { fixes += observers.map { (fix, Int($0)) } }
    recentFixes = (recentFixes + new).suffix(Self.mostRecentFixes)
  }

  /// Those up to a frame: only notes move who follows positions.
  func takeFixes(until frame: Int) -> [(fix: Fix, observer: Int)] {
    guard !fixes.isEmpty else { return [] }
    let count = fixes.firstIndex { $0.fix.place.number > frame } ?? fixes.count
    defer { fixes.removeFirst(count) }
    return Array(fixes[..<count])
  }

  /// The next note of the batch whose turn it is; nil where there is none.
  func takeNote() -> ObserverNote? {
    guard nextNote < noteEnd else { return nil }
    defer { nextNote += 1 }
    return pipeline.notes[nextNote]
  }

  /// A batch has been decoded.
  func begin(_ sightings: Span<BriefSighting>) {
    nextNote = 0
    noteEnd = 0
    goOn(sightings, from: 0)
  }

  /// End of the run of sightings that come no later than `limit`; the notes on the way take their
  /// turn with them. In captures that overlap the order thus does not depend on where batches end.
  func run(_ sightings: Span<BriefSighting>, until limit: Int64?) -> Range<Int> {
    noteEnd = pipeline.notes.count
    guard let limit else { return next..<sightings.count }
    var end = next
    noteEnd = nextNote
    while end < sightings.count || (takesNotes && noteEnd < pipeline.notes.count) {
      let note = nextNote(before: end, sightings, noteEnd)
      let turn = later(note?.time ?? sightings[end].time)
      if turn > limit && (end > next || noteEnd > nextNote) { break }
      if note == nil {
        clock = turn
        end += 1
      } else {
        noteEnd += 1
      }
    }
    return next..<end
  }
}
