package import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// When the beacons of a side began to send at another interval: by the gaps of the radio that heard each of them most
/// often, and keeps what is repeated. For where that side is read once more.
package struct IntervalMoments: FindingSink {
  /// A beacon as its radio hears it, from one address.
  private struct Row {
    private var events = HeardEvents()
    private(set) var gaps = GapParts()

    mutating func hear(at moment: Timestamp) {
      guard moment.isKnown, let gap = events.hear(at: moment.nanoseconds),
        gap.silence <= IntervalMoments.longestGap
      else { return }
      gaps.add(gap.interval, until: moment.nanoseconds)
    }
  }

  private struct Key: Hashable {
    let identity: ComparedIdentity
    let address: DeviceAddress
  }

  /// By beacon: its radio's name.
  private let radios: [ComparedIdentity: String]
  private var rows: [Row] = []
  private var numbers: [Key: Int] = [:]
  private var places: [ComparedIdentity: [Int]] = [:]
  private var known = TransmitterRows()

  /// A longer gap is an absence, as for advice: nanoseconds.
  fileprivate static let longestGap: Int64 = 90_000_000_000
  /// What is known to a sixteenth, and of another reckoning, is the same.
  private static let alike = 1.2

  package init(_ side: ComparedSide) {
    var radios: [ComparedIdentity: String] = [:]
    for place in side.places {
      let observer = side.observer(of: place)
      guard let name = side.radios[observer]?.name, !side.filtering.contains(name) else { continue }
      radios[ComparedIdentity(place, side)] = name
    }
    self.radios = radios
  }

  package mutating func take(_ sightings: Span<Sighting>, of capture: CaptureContext) {
    for place in sightings.indices {
      let transmitter = Int(sightings[place].transmitter)
      if !known.knows(transmitter, of: capture.place) {
        known[transmitter, of: capture.place] = row(of: sightings[place], capture)
      }
      guard let row = known[transmitter, of: capture.place] else { continue }
      rows[row].hear(at: sightings[place].time)
    }
  }

  package mutating func pause() {}

  private mutating func row(of sighting: Sighting, _ capture: CaptureContext) -> Int? {
    let own = capture.identities[sighting.identity]
    let identity = ComparedIdentity(
      kind: own.kind.rawValue, bytes: capture.identities.bytes(of: own))
    guard radios[identity] == capture.observers[Int(sighting.observer)] else { return nil }
    let key = Key(identity: identity, address: sighting.address)
    if let row = numbers[key] { return row }
    places[identity, default: []].append(rows.count)
    rows.append(Row())
    numbers[key] = rows.count - 1
    return rows.count - 1
  }

  /// Since when it sends at another interval than before; nil where its gaps do not tell that of the same two,
  /// or there was a third one between them.
  /// - Parameters:
  ///   - place: of the side that was read.
  ///   - before: nanoseconds, as `now`.
  func since(_ place: Int, of side: ComparedSide, before: Double, now: Double) -> Timestamp? {
    func isAlike(_ one: Double, _ other: Double) -> Bool {
      max(one, other) < Self.alike * min(one, other)
    }
    let gaps = places[ComparedIdentity(place, side), default: []].map { rows[$0].gaps }
    let own = gaps.max { $0.heard < $1.heard }
    guard let own, case .known(let pace, let change?) = own.learnt(), change.isAtOnce,
      isAlike(change.before, before), isAlike(pace.interval, now)
    else { return nil }
    return change.since
  }
}
