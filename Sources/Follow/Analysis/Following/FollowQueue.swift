import Beacons
import CaptureReader
import Dispatch
import FrameDecoder
import Regions
import TrackReader

/// Brings a run to those who follow it: on a queue of its own with a second processor, else at once.
/// What comes of it is the same.
@safe final class FollowQueue: @unchecked Sendable {
  // Unchecked: `following`, `tables` and a piece of work that was handed over belong to the queue,
  // until `finish` has waited for it; everything else to the run.
  private let following: Following
  /// Whether anybody is told while the run goes on.
  let isTelling: Bool
  private var tables = RunTables()
  private let queue: DispatchQueue?
  /// Pieces of work that may still be handed over.
  private let room: DispatchSemaphore
  private let pieces: [FollowWork]
  /// The piece that is being filled.
  private var current = 0
  private var knownIdentities = 0
  private var knownTransmitters = 0
  private var observerNames: [String] = []

  private static let mostPieces = 8

  /// - Parameter captures: inputs as the user named them, by place.
  init(_ settings: FollowSettings, captures: [String], onQueue: Bool) throws(SettingProblem) {
    following = try Following(settings, captures: captures)
    isTelling = following.judge != nil
    queue = onQueue ? DispatchQueue(label: "beacontrace.follow") : nil
    pieces = (0..<Self.mostPieces).map { _ in FollowWork() }
    // One is being filled.
    room = DispatchSemaphore(value: Self.mostPieces - 1)
  }

  /// Observers that the run has come to know since.
  func meet(_ names: [String]) {
    if names.count > observerNames.count { observerNames = names }
  }

  /// A run of sightings of one capture.
  /// - Parameters:
  ///   - fields: of custom beacons, what their whole sightings' `extra` counts in.
  ///   - numbers: the run's number per transmitter number; none: they are the same.
  ///   - tables: the run's, with everybody that the sightings name.
  func take(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, _ fields: [CustomFields], capture: UInt32,
    numbers: Span<UInt32>, _ tables: RunTables
  ) {
    let piece = pieces[current]
    piece.meet(tables, fromIdentity: knownIdentities, fromTransmitter: knownTransmitters)
    knownIdentities = tables.identities.count
    knownTransmitters = tables.transmitters.count
    piece.add(run, wholes: wholes, fields, capture: capture, numbers: numbers)
    handOverIfFull()
  }

  /// - Parameters:
  ///   - observer: the run's number.
  ///   - capture: its place.
  func take(_ note: ObserverNote, observer: Int, capture: UInt32) {
    pieces[current].add(note, observer: observer, capture: capture)
    handOverIfFull()
  }

  /// An observer hears nothing until its next note, while others go on.
  func expect(_ note: ObserverNote, observer: Int) {
    pieces[current].add(pauseUntil: note, observer: observer)
    handOverIfFull()
  }

  func take(_ fix: Fix, observer: Int) {
    pieces[current].add(fix, observer: observer)
    handOverIfFull()
  }

  /// Hands on what there is: nothing may come for a while (live).
  func flush() {
    if !pieces[current].isEmpty { handOver() }
  }

  /// Nothing more comes: what all of it came to.
  func finish(_ statistics: BeaconStatistics) -> Timeline {
    handOver()
    guard let queue else { return following.finish(statistics) }
    return queue.sync { following.finish(statistics) }
  }

  private func handOverIfFull() {
    if pieces[current].isFull { handOver() }
  }

  private func handOver() {
    let piece = pieces[current]
    piece.observers = observerNames
    guard let queue else {
      work(piece)
      return
    }
    let number = current
    queue.async {
      self.work(self.pieces[number])
      self.room.signal()
    }
    // The next piece in the ring is free once all but the rest of them are done.
    room.wait()
    current = (current + 1) % Self.mostPieces
  }

  private func work(_ piece: FollowWork) {
    following.meet(piece.observers)
    following.judge?.customFields = piece.customFields
    tables.take(piece)
    let tables = tables
    piece.withSightings { briefs, wholes in
      var start = 0
      for (place, step) in piece.steps.enumerated() {
        switch step {
        case .note(let note, let observer, let capture):
          let isFollowed = place + 1 < piece.steps.count && piece.steps[place + 1].isNote
          following.take(
            note, observer: observer, capture: capture, tables, isFollowed: isFollowed)
        case .fix(let fix, let observer): following.take(fix, observer: observer)
        case .pause(let note, let observer): following.expect(note, observer: observer)
        case .sightings(let end, let capture):
          following.take(briefs.extracting(start..<end), wholes: wholes, capture: capture, tables)
          start = end
        }
      }
    }
    piece.removeAll()
  }
}

/// Tables by the run's numbers.
struct RunTables {
  var identities = IdentityTable()
  var transmitters = TransmitterTable()

  /// Those who are new come in the order of their numbers.
  fileprivate mutating func take(_ piece: FollowWork) {
    var long = piece.longBytes.makeIterator()
    for identity in piece.identities {
      identities.append(identity, bytes: identity.count == 255 ? long.next() : nil)
    }
    for transmitter in piece.transmitters {
      transmitters.append(transmitter)
      identities.note(transmitter)
    }
  }
}
