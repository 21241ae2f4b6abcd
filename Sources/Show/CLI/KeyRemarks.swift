import Analysis
import BeaconKeys
import Beacons
import CaptureReader
import Exports
import TrackReader

/// What became of the keys of beacons, where somebody may expect something else: a sentence each.
enum KeyRemarks {
  private static let mostNamed = 3

  /// - Parameter odd: what nothing is to be concluded from about a beacon's clock.
  static func all(_ ring: KeyRing, _ odd: OddIdentifiers) -> [String] {
    let beyond = ring.beyondTheirWindows()
    let standings = KeyStandings(odd, ring, beyond)
    let unheard = Set(ring.unused.map(\.name))
    return [
      unused(
        ring, beyond.clocks.map(\.key.name), strangers: ring.strangers - beyond.identifiers,
        unsought: beyond.unsought)
    ]
    .compactMap(\.self)
      + several(
        standings.receivers.map { ("the clock of \($0.observer)", KeyClockRemarks.receiver($0)) })
      + several(
        beyond.clocks.compactMap { clock in
          KeyClockRemarks.beyond(
            clock, isUnheard: unheard.contains(clock.key.name), standings
          ).map { ("'\(clock.key.name)'", $0) }
        })
      + paces(ring, odd)
      // What a clock says that does not run as it should is of no use to anybody.
      + several(
        ring.strayClocks.filter { odd.pace(of: $0.key, in: ring) == nil }.compactMap { clock in
          about(clock, odd, standings).map { ("'\(clock.key.name)'", $0) }
        })
  }

  /// Beacons whose identifiers change too early or too late.
  private static func paces(_ ring: KeyRing, _ odd: OddIdentifiers) -> [String] {
    let all = ring.keys.compactMap { key in
      odd.pace(of: key, in: ring).map { pace in
        let (lasts, expected) = (Double(pace.lasts) / 1e9, Double(key.cipher.period))
        let speed = Int((expected / max(lasts, 0.1) * 100).rounded())
        return
          "--keys: identifiers of '\(key.name)' last about \(seconds(lasts)), and \(seconds(expected)) are expected "
          + "(exponent \(key.cipher.exponent)): its clock runs at \(TextColumns.grouped(speed)) % of the right speed, and "
          + "no clock= in its line sets that right."
      }
    }
    let more = all.count - mostNamed
    return Array(all.prefix(mostNamed))
      + (more > 0
        ? [
          "--keys: \(TextColumns.counted(more, "more beacon")) \(more == 1 ? "changes its" : "change their") identifiers "
            + "too early or too late."
        ] : [])
  }

  private static func seconds(_ value: Double) -> String {
    value < 10
      ? "\(TextColumns.decimal(value)) s" : "\(TextColumns.grouped(Int(value.rounded()))) s"
  }

  /// Which keys were for nothing; nil where each was for something.
  /// - Parameter unsought: of how many nobody looked for what lies beyond their windows.
  private static func unused(
    _ ring: KeyRing, _ known: [String], strangers: Int, unsought: Int
  ) -> String? {
    let unused = ring.unused.filter { !known.contains($0.name) }
    guard let first = unused.first else { return nil }
    let names = unused.prefix(mostNamed).map { "'\($0.name)'" }.joined(separator: ", ")
    let more = unused.count > mostNamed ? " and \(unused.count - mostNamed) more" : ""
    let none = "--keys: of \(names)\(more) no identifier was heard"
    guard strangers > 0 else { return none + "." }
    let others =
      ring.strangers == KeyRing.mostTold ? "\(KeyRing.mostTold) or more" : "\(strangers)"
    let reasons =
      first.clock == nil
      ? "another key or exponent, or a clock of over ten years"
      : "another key or exponent, or a clock that is further off than its window"
    let left =
      unsought == 0
      ? ""
      : " \(TextColumns.grouped(unsought)) of the keys \(unsought == 1 ? "was" : "were") not looked for beyond "
        + "\(unsought == 1 ? "its window" : "their windows"), as there are too many: name fewer at once."
    return
      "\(none); \(others) Eddystone-EID\(strangers == 1 ? " is" : "s are") of none of the keys. It may "
      + "have \(reasons).\(left)"
  }

  /// A few sentences about clocks, and whose clocks are off beside.
  private static func several(_ all: [(whose: String, text: String)]) -> [String] {
    let more = all.dropFirst(mostNamed).map(\.whose)
    return all.prefix(mostNamed).map(\.text)
      + (more.isEmpty
        ? []
        : [
          "--keys: \(TextColumns.counted(more.count, "more clock")) \(more.count == 1 ? "is" : "are") off in "
            + "that way: \(listed(more, most: 10))."
        ])
  }

  /// `'a', 'b' and 2 more`
  static func listed(_ names: [String], most: Int = mostNamed) -> String {
    let more = names.count - most
    let all = Array(names.prefix(most)) + (more > 0 ? ["\(TextColumns.grouped(more)) more"] : [])
    guard let last = all.last, all.count > 1 else { return all.first ?? "" }
    return all.dropLast().joined(separator: ", ") + " and " + last
  }

  /// `about 1 min 28 s behind where its line has it`
  static func away(_ ahead: Int64) -> String { "\(off(ahead)) where its line has it" }

  /// `about 1 min 28 s behind`
  static func off(_ ahead: Int64) -> String {
    // Times of captures lie 292 years around 1970, those of lines, too.
    let seconds = Int64(min(ahead.magnitude, 9_000_000_000))
    return "about \(TextColumns.duration(seconds * 1_000_000_000)) "
      + (ahead < 0 ? "behind" : "ahead of")
  }

  /// - Parameter part: of what comes, where not of all.
  static func advice(_ clock: BeaconClock, ahead: Int64, _ part: String = "") -> String {
    let moment = UTCTime.rfc3339(clock.moment).replacing(".000000000Z", with: "Z")
    // What is to come nobody has recorded.
    let recorded = ahead < 0 ? ", and it is no recording that somebody sends again" : ""
    return
      "Write clock=\(clock.seconds)@\(moment)\(part) if the captures' clock is right\(recorded)."
  }

  /// Of a clock that is off, within its window.
  private static func about(
    _ clock: KeyRing.StrayClock, _ odd: OddIdentifiers, _ standings: KeyStandings
  ) -> String? {
    let (name, key) = ("'\(clock.key.name)'", clock.key)
    if let found = odd.oddity(of: key, slot: clock.slot), !mayBeClocks(found) {
      guard let still = found.heard.voice.still else {
        return
          "--keys: what was heard of \(name) last is \(away(clock.ahead)), and far from what else was heard of "
          + "it: it may be a recording that is sent again, and no reason to write another clock."
      }
      return
        "--keys: an identifier of \(name) was sent for \(TextColumns.duration(still.length)), and lasts "
        + "\(TextColumns.duration(found.heard.period * 1_000_000_000)): it is a recording that is sent again, or the "
        + "beacon's clock stands still. That it is \(away(clock.ahead)) is no reason to write another clock."
    }
    // Receivers of the same packets heard the same identifier last, each at its own time.
    let standing = standings.all.filter {
      !$0.isBeyond && $0.heard.key == clock.number && $0.heard.voice.last.slot == clock.slot
    }
    .max { $0.heard.voice.last.time.nanoseconds < $1.heard.voice.last.time.nanoseconds }
    // It has been told of several keys at once.
    if let standing, standings.isOfReceiver(standing) { return nil }
    return elsewhere(clock, odd.sayers(of: key, slot: clock.slot))
      ?? standing.flatMap { KeyClockRemarks.elsewhere($0, standings) }
      ?? "--keys: \(name) has a clock that is \(away(clock.ahead)). "
      + advice(clock.clock, ahead: clock.ahead)
  }

  private static func mayBeClocks(_ found: OddIdentifiers.Found) -> Bool {
    switch found.others {
    case .elsewhere(_, .unknown), .elsewhere(_, .jumped): found.heard.voice.still == nil
    default: false
    }
  }

  /// Where it is a receiver's clock that is off, it seems, and not the beacon's; nil where nothing says so.
  private static func elsewhere(
    _ clock: KeyRing.StrayClock, _ sayers: [OddIdentifiers.Heard]
  ) -> String? {
    guard let last = sayers.first else { return nil }
    let name = clock.key.name
    let differing = sayers.dropFirst().filter { other in
      (other.voice.middle - last.voice.middle).magnitude > clock.key.cipher.period
    }
    if let other = differing.first {
      let its = clock.ahead + other.voice.middle - last.voice.middle
      return
        "--keys: by the clock of \(last.observer) '\(name)' is \(away(clock.ahead)), and by that of "
        + "\(other.observer) \(clock.key.isStray(its) ? away(its) : "where the line has it"): the receivers' "
        + "clocks differ ('beacontrace clocks'), or one of them hears a recording. Set those right (--clock) "
        + "before the key's line."
    }
    guard let off = last.clockAhead, !clock.key.isStray(clock.ahead + off) else { return nil }
    return
      "--keys: '\(name)' is \(away(clock.ahead)), by the clock of \(last.observer), which is off by about as much "
      + "against those of other receivers ('beacontrace clocks'): set it right (--clock), and leave the key's line."
  }
}
