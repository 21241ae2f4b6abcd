import Analysis
import CaptureReader
import Regions

/// What makes a comparison worth less: damage, and sides that hardly listened, or otherwise.
enum CompareRemarks {
  typealias Remark = (code: String, text: String)

  /// Of the listening, and of the reports in a second, on the other side.
  private static let muchLess = 0.5
  private static let muchQuieter = 0.25
  /// Of the sightings of the middle one of the beacons.
  private static let muchSeldomer = 0.5

  static func all(_ comparison: Comparison) -> [Remark] {
    let (before, now) = (comparison.before, comparison.now)
    // Whoever they alone heard is missing, or new.
    var remarks = ReceiverRemarks.unpaired(comparison) + same(before, now)
    remarks += repeated(before, now)
    remarks += recordings(before, "BEFORE") + recordings(now, "AFTER")
    if isOtherWayRound(before, now) {
      remarks.append(
        ("order", "AFTER begins before BEFORE does: were they named the other way round?"))
    }
    let heardLess =
      listening(now, than: before, "AFTER", "BEFORE", "missing", comparison.radios)
      + listening(before, than: now, "BEFORE", "AFTER", "new", comparison.radios)
    remarks += heardLess
    if heardLess.isEmpty { remarks += reception(comparison) }
    remarks += ReceiverRemarks.all(comparison)
    return remarks + filtering(before, "BEFORE", "new") + filtering(now, "AFTER", "missing")
      + listing(before, "BEFORE", "new") + listing(now, "AFTER", "missing")
      + intervals(comparison)
  }

  /// Why there is no comparison.
  static func notCompared(_ before: ComparedSide, _ now: ComparedSide) -> String {
    let sides = [(before, "BEFORE"), (now, "AFTER")].filter { !$0.0.isRead }.map(\.1)
    return "No capture of \(sides.joined(separator: " or of ")) could be read: nothing is compared."
  }

  /// Two recordings of one time may begin in any order.
  private static func isOtherWayRound(_ before: ComparedSide, _ now: ComparedSide) -> Bool {
    guard before.first.isKnown, now.first.isKnown, now.last.isKnown else { return false }
    let length = now.last.nanoseconds.since(now.first.nanoseconds)
    let earlier = before.first.nanoseconds.since(now.first.nanoseconds)
    return earlier > 0 && earlier >= length / 2
  }

  /// Who left out what was repeated.
  /// - Parameter what: as of `listening`.
  private static func filtering(
    _ side: ComparedSide, _ name: String, _ what: String
  ) -> [Remark] {
    guard !side.filtering.isEmpty else { return [] }
    return [
      (
        "duplicates_filtered",
        "\(name): \(named(side.filtering)) filtered duplicates: counts and signals there are not representative, "
          + "\(side.allFilter ? "and " : "")who is \(what) may just not have been told"
          + (side.allFilter ? "." : ", and intervals are compared by the other receivers.")
      )
    ]
  }

  /// Who passed on only whom he was told to.
  /// - Parameter what: as of `listening`.
  private static func listing(_ side: ComparedSide, _ name: String, _ what: String) -> [Remark] {
    guard !side.listing.isEmpty else { return [] }
    return [
      (
        "listed_only",
        "\(name): \(named(side.listing)) passed on only whom \(side.listing.count > 1 ? "they were" : "it was") told to (advertisers on a list, or "
          + "Android's content filter) for a tenth of the time and more: who is \(what) may just not have "
          + "been passed on."
      )
    ]
  }

  private static func named(_ radios: [String]) -> String {
    let named = radios.prefix(mostNamed).map { TextColumns.printable($0) }
    let more = radios.count - named.count
    return named.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
  private static let mostNamed = 3

  private static func intervals(_ comparison: Comparison) -> [Remark] {
    guard !comparison.comparesIntervals else { return [] }
    let sides = [(comparison.before, "BEFORE"), (comparison.now, "AFTER")]
      .filter { $0.0.allFilter }.map(\.1)
    return [
      (
        "intervals_not_compared",
        sides.isEmpty
          ? "The radios listened for another part of their time before: intervals are not compared."
          : "No receiver of \(sides.joined(separator: ", nor of ")) kept duplicates: intervals are not "
            + "compared. Record that again without the filter (live: --scan passive --take-over)."
      )
    ]
  }

  /// What is wrong with the recordings themselves, and radios that lost their hearing.
  private static func recordings(_ side: ComparedSide, _ name: String) -> [Remark] {
    let found =
      Remarks.clocksDiffering(side.result) + Remarks.signalsRepeated(side.result.captures)
      + side.result.captures.flatMap { facts in
        Remarks.damage(facts) + Remarks.wrongClock(facts) + Remarks.clock(facts)
      }
      + Remarks.controllers(side.result.captures)
      + Remarks.lostHearing(HearingLoss.all(side.result, side.beacons), side.result)
    let remarks = found.prefix(mostOfSide).map { remark in
      (remark.code, "\(name): \(remark.nameToTell.map { $0 + ": " } ?? "")\(remark.text)")
    }
    let more = found.count - remarks.count
    guard more > 0 else { return remarks }
    return remarks + [
      (
        "more",
        "\(name): \(TextColumns.counted(more, "more remark")) on its recordings; analyze has them."
      )
    ]
  }
  private static let mostOfSide = 8

  /// By the beacons that both sides have: passers-by may be more or fewer.
  private static func reception(_ comparison: Comparison) -> [Remark] {
    guard let (ratio, beacons) = comparison.signals.reception,
      case let seldom = muchSeldomer * channels(comparison.radios),
      ratio < seldom || ratio > 1 / seldom
    else { return [] }
    let isNow = ratio < 1
    let side = isNow ? comparison.now : comparison.before
    guard side.filtering.isEmpty, side.listing.isEmpty else { return [] }
    let part = Int(((isNow ? ratio : 1 / ratio) * 100).rounded())
    let (less, more) = isNow ? ("AFTER", "BEFORE") : ("BEFORE", "AFTER")
    return [
      (
        "heard_less",
        "\(less) heard of a beacon \(part) % of what \(more) did in as much listening (the middle one of "
          + "\(beacons)): its radio was hard of hearing, or much was on the air, and who is "
          + "\(isNow ? "missing" : "new") may just not have been heard."
      )
    ]
  }

  private static func same(
    _ before: ComparedSide, _ now: ComparedSide
  ) -> [Remark] {
    let digests = Set(before.result.captures.map(\.sha256).filter { !$0.isEmpty })
    let both = now.result.captures.filter { digests.contains($0.sha256) }
    guard let first = both.first else { return [] }
    return [
      (
        "same_capture",
        both.count == 1
          ? "\(TextColumns.printable(first.name)) is on both sides, byte for byte."
          : "\(both.count) captures are on both sides, byte for byte."
      )
    ]
  }

  /// Captures of the later side that hold what one of the earlier side does, at other times: what is compared is one
  /// recording with itself.
  private static func repeated(_ before: ComparedSide, _ now: ComparedSide) -> [Remark] {
    let (earlier, later) = (before.result, now.result)
    let digests = Set(earlier.captures.map(\.sha256).filter { !$0.isEmpty })
    guard earlier.signals.count == earlier.captures.count,
      later.signals.count == later.captures.count
    else { return [] }
    let known = RepeatedSignals.Samples(earlier.signals)
    let found = later.captures.indices.compactMap { place -> Remark? in
      let facts = later.captures[place]
      guard !digests.contains(facts.sha256),
        let (other, repeated) = known.most(of: later.signals[place])
      else { return nil }
      let names = [facts.name, earlier.captures[other].name].map { TextColumns.printable($0) }
      return (
        "signals_repeated",
        "AFTER: \(names[0]) holds the signals of \(names[1]) once more, \(Remarks.words(repeated)) What "
          + "did not change between them says nothing."
      )
    }
    let more = found.count - mostNamed
    guard more > 0 else { return found }
    return found.prefix(mostNamed) + [
      (
        "signals_repeated",
        "AFTER: \(TextColumns.counted(more, "more capture")) like \(more == 1 ? "this" : "these")."
      )
    ]
  }

  /// Which part of the reports of three channels those of one are, where other ones were heard: fewer are no sign of a
  /// radio that is hard of hearing.
  private static func channels(_ radios: ComparedRadios) -> Double {
    radios.otherChannels.isEmpty ? 1 : 1.0 / 3
  }

  /// - Parameter what: what it makes of beacons that were not heard on this side.
  private static func listening(
    _ side: ComparedSide, than other: ComparedSide, _ name: String, _ otherName: String,
    _ what: String, _ radios: ComparedRadios
  ) -> [Remark] {
    guard side.reports > 0 else {
      return [
        (
          "heard_nobody",
          "\(name) has no advertising report at all: nothing can be said of who is \(what)."
        )
      ]
    }
    if Double(side.listened) < muchLess * Double(other.listened) {
      return [
        (
          "listened_less",
          "\(name) listened for \(TextColumns.duration(side.listened)) only, \(otherName) for "
            + "\(TextColumns.duration(other.listened)): who is \(what) may just not have been heard "
            + "in that time."
        )
      ]
    }
    // Who leaves out what is repeated, or whom he was not told to pass on, is told as such.
    guard side.filtering.isEmpty, side.listing.isEmpty, let own = side.reportsPerSecond,
      let others = other.reportsPerSecond,
      own < muchQuieter * channels(radios) * others
    else { return [] }
    return [
      (
        "heard_less",
        "\(name) heard \(TextColumns.decimal(own)) reports a second, \(otherName) "
          + "\(TextColumns.decimal(others)): its radio was somewhere else or hard of hearing, and who is "
          + "\(what) may just not have been heard."
      )
    ]
  }
}
