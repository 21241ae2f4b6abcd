package import BeaconKeys
package import Beacons
import CaptureReader
import FrameDecoder

/// Identifiers of beacons with keys that no clock that runs made as they were heard: sent for longer than they last, or
/// far from what the same key's others said at the time, in the capture or at another receiver.
package struct OddIdentifiers: Sendable {
  /// What one observer of a capture heard of a key, of one clock.
  package struct Heard: Sendable {
    /// Of the ring's keys.
    package let key: Int
    /// What it is called.
    package let name: String
    package let capture: String
    /// By place in the run.
    package let place: Int
    package let observer: String
    package let voice: HeardIdentifiers.Voice
    package let period: Int64
    /// Seconds by which the capture's clock was found to be ahead of those of most; nil where nobody knows.
    package let clockAhead: Int64?
    /// Seconds by which the capture's clock jumped forward, or the recording paused, and stepped back, at most.
    fileprivate let jumps: [Int64]
  }

  /// What the others were, beside which it is odd.
  package enum Others: Sendable {
    /// Of the same observer, before it and behind it, or at the same time; one of them.
    case meanwhile(HeardIdentifiers.Moment)
    /// Of the same observer, and none since; the last of them.
    case before(HeardIdentifiers.Moment)
    /// Of another observer, at the same time.
    case elsewhere(Heard, Clocks)
  }

  /// How the clocks of two observers go.
  package enum Clocks: Sendable {
    /// They are one, or were compared by what both heard: no more than that lies between what was told.
    case known
    case unknown
    /// That of the odd one's capture was set by as much, or its recording paused.
    case jumped
  }

  package struct Found: Sendable {
    package let heard: Heard
    /// Nil where it is only that one was sent for too long.
    package let others: Others?
    /// Seconds by which it is ahead of the others; less than two periods more or less.
    package let ahead: Int64
  }

  /// In the order of the captures.
  package private(set) var paces: [Pace] = []
  /// In the order of the keys.
  package private(set) var unopened: [Unopened] = []
  /// By the key's name: what nothing in its own capture contradicts.
  private var even: [String: [Heard]] = [:]
  /// In the order of the keys, and of the captures.
  package private(set) var all: [Found] = []
  /// Of each capture that has any: what is of none of the keys.
  private var unknown: [Unknown] = []
  private var times = ClockAhead(nil)
  /// Captures, by place, whose times --clock has moved, or that are no file.
  package private(set) var notMovable: Set<Int> = []
  /// How many receivers recorded a capture, by place, where they are several.
  private(set) var receivers: [Int: Int] = [:]

  private struct Unknown: Sendable {
    let place: Int
    let capture: String
    let observers: [String]
    let identifiers: UnknownIdentifiers
  }

  package init() {}

  /// - Parameter clocks: how those of the captures go, where they were compared.
  init(
    _ captures: [(place: UInt32, facts: CaptureFacts)], _ ring: KeyRing, clocks: ClocksCompared?
  ) {
    let times = ClockAhead(clocks)
    self.times = times
    for (place, facts) in captures {
      if let unknown = facts.identifiers?.unknown, !unknown.isEmpty {
        self.unknown.append(
          Unknown(
            place: Int(place), capture: facts.name, observers: facts.observers.map(\.name),
            identifiers: unknown))
      }
      if !facts.correction.pieces.isEmpty || facts.format == "live" {
        notMovable.insert(Int(place))
      }
      if facts.observers.count > 1 { receivers[Int(place)] = facts.observers.count }
      for (whose, heard) in facts.identifiers?.all ?? [] {
        let name = ring.keys[whose.key].name
        let voices = heard.voices.map { voice in
          Heard(
            key: whose.key, name: name, capture: facts.name,
            place: Int(place), observer: facts.observers[whose.observer].name, voice: voice,
            period: heard.period, clockAhead: times.ahead(Int(place), voice),
            jumps: [facts.span.largestStepForward, -facts.span.largestStepBack].map {
              $0 / 1_000_000_000
            })
        }
        if let lasts = heard.pace.unexpected(period: heard.period) {
          paces.append(
            Pace(
              key: whose.key, place: Int(place), observer: facts.observers[whose.observer].name,
              lasts: lasts, changes: heard.pace.changes))
        }
        let odd = Self.odd(heard, voices)
        all += voices.indices.compactMap { odd[$0] }
        even[name, default: []] += voices.indices.filter { odd[$0] == nil }.map { voices[$0] }
      }
    }
    for key in even.keys.sorted() { compare(even[key] ?? [], times) }
    all.removeAll { found in paces.contains { $0.explains(found) } }
    unopened = Self.unopened(captures, ring)
    all.sort {
      ($0.heard.key, $0.heard.place, $0.heard.voice.first.frame)
        < ($1.heard.key, $1.heard.place, $1.heard.voice.first.frame)
    }
  }

  /// Of one observer's voices those that others contradict, by number.
  private static func odd(_ heard: HeardIdentifiers, _ voices: [Heard]) -> [Int: Found] {
    var found: [Int: Found] = [:]
    for back in heard.returns {
      let (low, high) = (heard.voices[back.low], heard.voices[back.high])
      let isBetween =
        high.last.frame > back.moment.frame || low.first.frame < high.first.frame
      let isHighOdd = isBetween && isMinor(high, beside: low)
      let odd = isHighOdd ? back.high : back.low
      guard found[odd] == nil else { continue }
      let reference = isHighOdd ? back.moment : back.before
      let passed = max(0, back.moment.time.nanoseconds.addingWithin(-back.before.time.nanoseconds))
      let apart =
        Int64(back.before.slot) - Int64(back.moment.slot) + passed / 1_000_000_000
      found[odd] = Found(
        heard: voices[odd], others: isBetween ? .meanwhile(reference) : .before(reference),
        ahead: isHighOdd ? apart : -apart)
    }
    return found
  }

  private mutating func take(_ one: Heard, beside other: Heard, _ times: ClockAhead) {
    let (apart, clocks) = times.apart(one, other)
    let isOther = apart > 0 && !Self.isMinor(one.voice, beside: other.voice)
    let (odd, reference) = isOther ? (other, one) : (one, other)
    let ahead = isOther ? -apart : apart
    let isJump = odd.jumps.contains {
      $0.magnitude > UInt64(odd.period) && ($0 + ahead).magnitude <= 2 * odd.period + 2
    }
    let isKnown = all.contains {
      $0.heard.key == odd.key && $0.heard.place == odd.place
        && $0.heard.voice.first.frame == odd.voice.first.frame
    }
    guard !isKnown else { return }
    all.append(
      Found(
        heard: odd, others: .elsewhere(reference, isJump ? .jumped : clocks), ahead: ahead))
  }

  /// Whether it is one that is ahead that is odd. Who has no key has no later ones than he recorded; but what goes on for
  /// much longer is the beacon.
  private static func isMinor(
    _ high: HeardIdentifiers.Voice, beside low: HeardIdentifiers.Voice
  ) -> Bool { 2 * high.identifiers <= low.identifiers }

  /// What several observers heard of a key, and none of them finds odd by itself.
  private mutating func compare(_ heard: [Heard], _ times: ClockAhead) {
    // The most identifiers first: there the beacon is likeliest.
    let sorted = heard.sorted {
      ($1.voice.identifiers, $0.place, $0.voice.first.frame)
        < ($0.voice.identifiers, $1.place, $1.voice.first.frame)
    }
    var agreed: [Heard] = []
    for one in sorted {
      let others = agreed.filter { $0.observer != one.observer && one.isAtTheTime(of: $0) }
      let odd = others.first.flatMap { other in
        others.contains { times.agree(one, $0) } ? nil : other
      }
      if let odd {
        take(one, beside: odd, times)
        continue
      }
      agreed.append(one)
      if one.voice.still != nil { all.append(Found(heard: one, others: nil, ahead: 0)) }
    }
  }
}

extension HeardIdentifiers.Voice {
  /// Seconds by which the beginnings of its identifiers are ahead of when they were heard, about.
  package var middle: Int64 {
    offsets.lowerBound + (offsets.upperBound - offsets.lowerBound) / 2
  }
}

extension OddIdentifiers.Heard {
  /// Whether both were heard in the same part of the time, as far as their clocks say.
  func isAtTheTime(of other: Self) -> Bool {
    voice.first.time.nanoseconds <= other.voice.last.time.nanoseconds
      && other.voice.first.time.nanoseconds <= voice.last.time.nanoseconds
  }

  /// Whether one clock may have made both.
  /// - Parameter ahead: seconds by which this one's receiver is ahead of the other one's.
  fileprivate func isAlike(_ other: Self, by ahead: Int64) -> Bool {
    let (own, its) = (voice.offsets, other.voice.offsets)
    let high = max(own.upperBound + ahead, its.upperBound)
    let low = min(own.lowerBound + ahead, its.lowerBound)
    let times = [voice.first, voice.last, other.voice.first, other.voice.last]
      .map { $0.time.nanoseconds / 1_000_000_000 }
    let span = (times.max() ?? 0) - (times.min() ?? 0)
    return high - low <= 2 * period + 2 + span / 5_000
  }
}

/// How far the clocks of captures are ahead of one another, where they were compared.
private struct ClockAhead {
  /// By place of the capture: the group in which it was compared, and how it goes by that group's clock; no track:
  /// it is that clock.
  private var known: [Int: (group: Int, track: ClockTrack?)] = [:]

  init(_ clocks: ClocksCompared?) {
    guard let clocks else { return }
    for (number, group) in clocks.comparison.groups.enumerated() {
      for place in clocks.clocks[group.against].captures { known[place] = (number, nil) }
      for capture in group.captures {
        for place in clocks.clocks[capture.place].captures {
          known[place] = (number, capture.track)
        }
      }
    }
    for place in clocks.comparison.notCompared { known[place] = nil }
  }

  /// Seconds by which the first one's clock is ahead of the other one's; nil where nobody knows.
  func ahead(_ one: OddIdentifiers.Heard, _ other: OddIdentifiers.Heard) -> Int64? {
    if one.place == other.place { return 0 }
    guard known[one.place]?.group == known[other.place]?.group, let own = one.clockAhead,
      let its = other.clockAhead
    else { return nil }
    return own - its
  }

  /// Seconds by which a capture's clock is ahead of that of its group while something was heard; nil where nobody
  /// knows: it was compared in another part of the time, or set meanwhile.
  func ahead(_ place: Int, _ voice: HeardIdentifiers.Voice) -> Int64? {
    guard let (_, track) = known[place] else { return nil }
    guard let track else { return 0 }
    let (first, last) = (voice.first.time.nanoseconds, voice.last.time.nanoseconds)
    let piece = track.pieces.first {
      $0.own.lowerBound.addingWithin(-Self.margin) <= min(first, last)
        && $0.own.upperBound.addingWithin(Self.margin) >= max(first, last)
    }
    return piece.map { Int64((Double($0.ahead) / 1_000_000_000).rounded()) }
  }

  /// Nanoseconds: what both heard begins a little later, and ends a little sooner.
  private static let margin: Int64 = 10_000_000_000

  func agree(_ one: OddIdentifiers.Heard, _ other: OddIdentifiers.Heard) -> Bool {
    one.isAlike(other, by: ahead(one, other) ?? 0)
  }

  /// Seconds by which the first one's identifiers are ahead of those of the other, by one clock where that is known.
  func apart(_ one: OddIdentifiers.Heard, _ other: OddIdentifiers.Heard) -> (
    Int64, OddIdentifiers.Clocks
  ) {
    let ahead = ahead(one, other)
    return (
      one.voice.middle - other.voice.middle + (ahead ?? 0), ahead == nil ? .unknown : .known
    )
  }
}

extension OddIdentifiers {
  /// What said where a key's clock is, of each observer that heard it at the time, by most of its identifiers: first
  /// of the one that heard it last. Empty where that is odd itself.
  package func sayers(of key: BeaconKey, slot: UInt32) -> [Heard] {
    let all = even[key.name] ?? []
    guard
      let last = all.filter({ $0.voice.last.slot == slot }).max(by: {
        $0.voice.last.time.nanoseconds < $1.voice.last.time.nanoseconds
      })
    else { return [] }
    var sayers = [last]
    let others = all.filter { $0.isAtTheTime(of: last) }
      .sorted { ($1.voice.identifiers, $0.place) < ($0.voice.identifiers, $1.place) }
    for other in others where !sayers.contains(where: { $0.observer == other.observer }) {
      sayers.append(other)
    }
    return sayers
  }

  /// What makes of no use what was heard of a key last; nil where nothing does.
  package func oddity(of key: BeaconKey, slot: UInt32) -> Found? {
    all.first {
      $0.heard.name == key.name
        && ($0.heard.voice.last.slot == slot || $0.heard.voice.still?.first.slot == slot)
    }
  }

  /// What nothing in its own capture contradicts, nor what another receiver heard at the time by a known clock; in the
  /// order of the keys' names.
  var agreeing: [Heard] {
    even.keys.sorted().flatMap { even[$0] ?? [] }.filter { heard in
      heard.voice.still == nil
        && !all.contains { found in
          guard case .elsewhere(_, .known) = found.others else { return false }
          return found.heard.key == heard.key && found.heard.place == heard.place
            && found.heard.voice.first.frame == heard.voice.first.frame
        }
    }
  }

  /// What is of keys after all, beyond their windows.
  /// - Parameter places: of which time of which key's clock each identifier is.
  func heard(beyond places: [UInt64: KeyRing.Place], _ ring: KeyRing) -> [Heard] {
    var slots: [Int: [UInt64: UInt32]] = [:]
    for (sent, place) in places { slots[place.key, default: [:]][sent] = place.slot }
    return slots.sorted { $0.key < $1.key }.flatMap { key, slots in
      let (name, period) = (ring.keys[key].name, Int64(ring.keys[key].cipher.period))
      return unknown.flatMap { capture in
        capture.identifiers.heard(slots, period: period).flatMap { observer, heard in
          heard.voices.map { voice in
            Heard(
              key: key, name: name, capture: capture.capture, place: capture.place,
              observer: capture.observers[observer], voice: voice, period: period,
              clockAhead: times.ahead(capture.place, voice), jumps: [])
          }
        }
      }
    }
  }

  /// Seconds by which the receiver's clock of the first is ahead of that of the other; nil where nobody knows.
  func clockAhead(of one: Heard, beside other: Heard) -> Int64? { times.ahead(one, other) }

  /// Leaves those alone of which something was heard in a part of the time.
  mutating func narrow(to limits: TimeLimits) {
    all.removeAll { !limits.touches($0.heard.voice.first.time, $0.heard.voice.last.time) }
    unopened.removeAll { !$0.spans.contains { limits.touches($0.first, $0.last) } }
  }
}
