import Beacons
import CaptureReader
import FrameDecoder
import TrackReader

/// Some of a run on its way to those who follow it: sightings by the run's numbers, what happened
/// between them, and who is new. Everything is copied: the decoder goes on meanwhile.
final class FollowWork {
  enum Step {
    /// Sightings up to here, of a capture.
    case sightings(end: Int, capture: UInt32)
    case note(ObserverNote, observer: Int, capture: UInt32)
    case fix(Fix, observer: Int)
    /// What an observer's next note is going to be: it hears nothing until then.
    case pause(ObserverNote, observer: Int)

    var isNote: Bool { if case .note = self { true } else { false } }
  }

  private(set) var steps: [Step] = []
  private var sightings = Sightings()
  /// Names of all observers so far.
  var observers: [String] = []
  private(set) var identities: [BeaconIdentity] = []
  /// Bytes of those that are too long for an identity, in their order.
  private(set) var longBytes: [[UInt8]] = []
  private(set) var transmitters: [Transmitter] = []

  /// Sightings that are worth handing over; a little more may come together.
  static let capacity = 4096
  private static let mostSteps = 1024

  /// Sightings in brief, and what their `whole` counts in. By themselves: the properties of an object
  /// are watched at every access.
  private struct Sightings: ~Copyable {
    var briefs = Rows<BriefSighting>(capacity: capacity)
    /// Grows where all are wished for whole, and keeps its room.
    var wholes = Rows<Sighting>(capacity: 256)
    var customFields: [CustomFields] = []

    mutating func append(
      _ run: Span<BriefSighting>, wholes others: Span<Sighting>, _ fields: [CustomFields],
      numbers: Span<UInt32>
    ) {
      let first = briefs.count
      for place in run.indices {
        briefs.append(run, at: place)
        guard run[place].whole > 0 else { continue }
        let whole = others[Int(run[place].whole) - 1]
        wholes.append(whole)
        if whole.kind == .custom { takeFields(fields) }
        briefs[first + place].whole = UInt32(truncatingIfNeeded: wholes.count)
      }
      guard !numbers.isEmpty else { return }
      for place in run.indices {
        briefs[first + place].transmitter = numbers[Int(run[place].transmitter)]
      }
    }

    /// Of the whole sighting that came last.
    private mutating func takeFields(_ fields: [CustomFields]) {
      let last = wholes.count - 1
      let number = Int(wholes[last].extra.0)
      guard number > 0 else { return }
      customFields.append(fields[number - 1])
      wholes[last].extra.0 = UInt64(customFields.count)
    }
  }

  /// Fields of the custom beacons: what `extra` of this piece's whole sightings counts in.
  var customFields: [CustomFields] { sightings.customFields }

  var isFull: Bool { sightings.briefs.count >= Self.capacity || steps.count >= Self.mostSteps }
  var isEmpty: Bool { steps.isEmpty }

  func removeAll() {
    steps.removeAll(keepingCapacity: true)
    sightings.briefs.removeAll()
    sightings.wholes.removeAll()
    sightings.customFields.removeAll(keepingCapacity: true)
    identities.removeAll(keepingCapacity: true)
    longBytes.removeAll(keepingCapacity: true)
    transmitters.removeAll(keepingCapacity: true)
  }

  /// - Parameters:
  ///   - wholes: what the run's `whole` counts in.
  ///   - fields: what `extra` of custom beacons among them counts in.
  ///   - numbers: the run's number per transmitter number; none: they are the same.
  func add(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, _ fields: [CustomFields], capture: UInt32,
    numbers: Span<UInt32>
  ) {
    guard !run.isEmpty else { return }
    sightings.append(run, wholes: wholes, fields, numbers: numbers)
    let end = sightings.briefs.count
    if case .sightings(_, capture)? = steps.last {
      steps[steps.count - 1] = .sightings(end: end, capture: capture)
    } else {
      steps.append(.sightings(end: end, capture: capture))
    }
  }

  func add(_ note: ObserverNote, observer: Int, capture: UInt32) {
    steps.append(.note(note, observer: observer, capture: capture))
  }

  func add(pauseUntil note: ObserverNote, observer: Int) {
    steps.append(.pause(note, observer: observer))
  }

  func add(_ fix: Fix, observer: Int) { steps.append(.fix(fix, observer: observer)) }

  /// Lends the sightings and what their `whole` counts in.
  func withSightings(_ body: (Span<BriefSighting>, Span<Sighting>) -> Void) {
    sightings.briefs.withSpan { briefs in
      sightings.wholes.withSpan { wholes in body(briefs, wholes) }
    }
  }

  /// Those that the tables have got since.
  func meet(_ tables: RunTables, fromIdentity firstIdentity: Int, fromTransmitter first: Int) {
    for number in firstIdentity..<tables.identities.count {
      let identity = tables.identities[UInt32(number)]
      identities.append(identity)
      if identity.count == 255 { longBytes.append(tables.identities.bytes(of: identity)) }
    }
    for number in first..<tables.transmitters.count {
      transmitters.append(tables.transmitters[UInt32(number)])
    }
  }
}
