import BeaconKeys
import CaptureReader
import Exports
import TrackReader

/// What became of the keys of beacons, where somebody may expect something else: a sentence each.
enum KeyRemarks {
  private static let mostNamed = 3

  static func all(_ ring: KeyRing) -> [String] {
    let beyond = ring.beyondTheirWindows()
    return [
      unused(ring, beyond.clocks.map(\.key.name), strangers: ring.strangers - beyond.identifiers)
    ]
    .compactMap(\.self)
      + clocks(
        beyond.clocks, what: "was heard, but its clock is",
        why: ", beyond its window: what it sent counts as that of nobody")
      + clocks(ring.strayClocks, what: "has a clock that is", why: "")
  }

  /// Which keys were for nothing; nil where each was for something.
  private static func unused(_ ring: KeyRing, _ known: [String], strangers: Int) -> String? {
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
    return
      "\(none); \(others) Eddystone-EID\(strangers == 1 ? " is" : "s are") of none of the keys. It may "
      + "have \(reasons)."
  }

  private static func clocks(
    _ clocks: [KeyRing.StrayClock], what: String, why: String
  ) -> [String] {
    let told = clocks.prefix(mostNamed).map { clock in
      let span = TextColumns.duration(Int64(clock.ahead.magnitude) * 1_000_000_000)
      let moment = UTCTime.rfc3339(clock.clock.moment).replacing(".000000000Z", with: "Z")
      return
        "--keys: '\(clock.key.name)' \(what) about \(span) \(clock.ahead < 0 ? "behind" : "ahead of") where its "
        + "line has it\(why). Write clock=\(clock.clock.seconds)@\(moment) "
        + "if the captures' clock is right."
    }
    let more = clocks.count - mostNamed
    return told
      + (more > 0
        ? [
          "--keys: \(TextColumns.counted(more, "more clock")) \(more == 1 ? "is" : "are") off in that way."
        ]
        : [])
  }
}
