package import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// Radios that walk, and went on for less long in the later recording. Who walks hears a beacon for a while only, and
/// nobody knows that he came by where he was later: of the earlier recording counts what he heard in as much time
/// from its beginning. For where that is read once more.
package struct ShorterWalks: FindingSink {
  /// Of a radio of the earlier recording.
  struct Walk {
    /// For how long it went on now, nanoseconds.
    let length: Int64
    /// Until when it had gone on as long before.
    fileprivate let end: Int64
    /// By how much longer it listens in as much time.
    fileprivate let ratio: Double
  }

  /// By the radio's number before.
  let walks: [Int: Walk]
  private let numbers: [String: Int]

  /// An identity from one address, as one of these radios hears it in time.
  private struct Row {
    let end: Int64
    var sightings = 0
  }

  private struct Key: Hashable {
    let identity: ComparedIdentity
    let radio: Int
  }

  private var rows: [Row] = []
  private var places: [Key: [Int]] = [:]
  private var known = TransmitterRows()

  /// Of the time that it went on before: walks of one way last about as long.
  private static let shorter = 0.8

  /// Nil where no radio went on for less long.
  /// - Parameters: as of `Comparison`.
  package init?(
    _ before: ComparedSide, _ now: ComparedSide, doubts: [ComparedNames.Doubt], areNamed: Bool
  ) {
    let radios = ComparedRadios(before, now, hasDoubts: !doubts.isEmpty, areNamed: areNamed)
    var walks: [Int: Walk] = [:]
    for pair in radios.each(before, now) {
      guard let old = pair.before, let new = pair.now else { continue }
      walks[old] = Self.walk(old, new, before, now)
    }
    guard !walks.isEmpty else { return nil }
    self.walks = walks
    numbers = Dictionary(
      walks.keys.compactMap { number in before.radios[number].map { ($0.name, number) } },
      uniquingKeysWith: min)
  }

  private static func walk(
    _ old: Int, _ new: Int, _ before: ComparedSide, _ now: ComparedSide
  ) -> Walk? {
    let (whole, length) = (before.radios[old]?.scanned ?? 0, now.radios[new]?.scanned ?? 0)
    guard length > 0, Double(length) < shorter * Double(whole),
      let ratio = ComparedSignals.listened(
        ComparedRadios.Pair(before: old, now: new), before, now),
      let end = before.moment(of: old, after: length)
    else { return nil }
    // Of a short recording nobody knows whether the radio walks; it did before.
    return before.walks(old)
      ? Walk(length: length, end: end, ratio: ratio * Double(whole) / Double(length)) : nil
  }

  package mutating func take(_ sightings: Span<Sighting>, of capture: CaptureContext) {
    for place in sightings.indices {
      let transmitter = Int(sightings[place].transmitter)
      if !known.knows(transmitter, of: capture.place) {
        known[transmitter, of: capture.place] = row(of: sightings[place], capture)
      }
      guard let row = known[transmitter, of: capture.place] else { continue }
      let time = sightings[place].time
      if time.isKnown, time.nanoseconds <= rows[row].end { rows[row].sightings += 1 }
    }
  }

  package mutating func pause() {}

  private mutating func row(of sighting: Sighting, _ capture: CaptureContext) -> Int? {
    guard let radio = numbers[capture.observers[Int(sighting.observer)]], let walk = walks[radio]
    else { return nil }
    let own = capture.identities[sighting.identity]
    let identity = ComparedIdentity(
      kind: own.kind.rawValue, bytes: capture.identities.bytes(of: own))
    places[Key(identity: identity, radio: radio), default: []].append(rows.count)
    rows.append(Row(end: walk.end))
    return rows.count - 1
  }

  /// Nil of a radio that is none of these. Where all of a side count as one, that is one radio.
  func walk(of pair: ComparedRadios.Pair) -> Walk? {
    pair.before.map { walks[$0] } ?? walks.first?.value
  }

  /// How often a radio heard the identity at a place in as much time as it went on now; nil of a radio that is none of
  /// these.
  func sightings(of place: Int, by radio: Int, _ before: ComparedSide) -> Int? {
    guard walks[radio] != nil else { return nil }
    let key = Key(identity: ComparedIdentity(place, before), radio: radio)
    return places[key, default: []].reduce(0) { $0 + rows[$1].sightings }
  }

  /// The sightings that are to be expected of that now.
  func expected(_ place: Int, by radio: Int, _ before: ComparedSide) -> Double? {
    guard let ratio = walks[radio]?.ratio else { return nil }
    return sightings(of: place, by: radio, before).map { Double($0) * ratio }
  }
}
