import CaseStore
import Exports

/// How sure the story is: what was not heard, what an entry and an exit are worth, whether rules judged it.
struct Certainty {
  let contents: Contents

  var paragraphs: [[String]] { [clocks, radio, entries, exits, alerts].filter { !$0.isEmpty } }

  /// A second, nanoseconds (`CaptureFacts.clockWasSetBack`).
  private static let leastStep: Int64 = 1_000_000_000

  /// Clocks that were set back: what came until they had caught up is told at the time before.
  private var clocks: [String] {
    let captures = contents.captures.filter { $0.stepBackNs >= Self.leastStep }
    let visits = contents.presences.reduce(0) { $0 + ($1.stamped?.visits ?? 0) }
    let named = captures.prefix(Self.mostCuts).map {
      "The clock of \(Words.quotedName(contents.shown($0.name))) steps back, by up to \(Words.duration($0.stepBackNs)): "
        + "what came until it had caught up is told at the time before the step, so that visits may be shorter than they "
        + "were, several be one, and who left stand as still inside."
    }
    let told =
      visits > 0
      ? [
        "So \(Words.counted(visits, "visit")) \(visits == 1 ? "is" : "are") told at another time than "
          + "\(visits == 1 ? "its" : "their") frames are stamped. The table of visits says which."
      ] : []
    return named + told
  }

  /// Of the main profile.
  private var entries: [String] {
    let doubtful = contents.presences.reduce(0) { $0 + $1.doubtfulEntries }
    guard doubtful > 0 else { return [] }
    return [
      "\(Words.counted(doubtful, "entry", "entries")) \(doubtful == 1 ? "is" : "are") not proved: the receiver "
        + "may not have been able to hear before, the exit before is thin, or they are seldom heard, and somebody may "
        + "have been inside already, or have come earlier. The table of visits says which."
    ]
  }

  /// Nanoseconds. What lies between the last records of an observer's scan and of the observer is no finding.
  private static let shortestDeaf: Int64 = 1_000_000_000

  private var deaf: [String] {
    contents.receivers.compactMap { observer in
      guard let id = observer.id, let deaf = contents.deafness[id], deaf >= Self.shortestDeaf
      else { return nil }
      let unrecorded = Recorded.sum(contents.recorded.unrecorded(of: id))
      let length =
        Double(observer.toNs ?? 0) - Double(observer.fromNs ?? 0) - Double(unrecorded)
      let whole =
        unrecorded > 0
        ? "the \(Words.duration(Int64(length))) that it recorded" : "its time"
      let share = length > 0 ? " (\(Words.percent(Double(deaf) / length)) of \(whole))" : ""
      return
        "\(observer.name) was deaf for \(Words.duration(deaf))\(share): its scan was off, or nothing was "
        + "recorded, and its silence then says nothing."
    }
  }

  /// Codes of remarks about a receiver that heard nobody at its end.
  private static let saysWhoWasDeaf: Set<String> = ["scan_ended", "records_ended"]

  private var radio: [String] {
    var sentences = deaf
    if sentences.isEmpty, !contents.receivers.isEmpty {
      if contents.remarks.rows.contains(where: { Self.saysWhoWasDeaf.contains($0.code ?? "") }) {
        sentences.append(
          "Whose scan, or records, ended before the others' stands under 'Worth knowing'.")
      } else if contents.isFollowed {
        let hasPauses = !unrecorded.isEmpty
        sentences.append(
          "No time is known at which a receiver could not hear\(hasPauses ? " while it recorded" : "")."
        )
      } else if contents.scans.count > 0 {
        // Only where regions are followed it is worked out when a receiver was deaf.
        sentences.append("The table of scans, below, has when receivers scanned.")
      }
    }
    return filtered + sentences + unrecorded + sparse + damage
  }

  /// Between captures nobody was deaf: there is nothing that could be known of that time.
  private var unrecorded: [String] {
    contents.receivers.compactMap { observer in
      guard let pauses = observer.id.map({ contents.recorded.pauses(of: $0) }), !pauses.isEmpty
      else { return nil }
      return
        "Between its captures \(observer.name) recorded nothing for "
        + "\(Words.duration(Recorded.sum(pauses))) (\(Words.counted(pauses.count, "pause"))): "
        + "it may have been off then, and an exit that falls into such a time is deaf."
    }
  }

  /// Who reports an address once only tells little of how often it was there, and of when it went.
  private var filtered: [String] {
    contents.receivers.compactMap { observer in
      guard let id = observer.id, let length = contents.filtering[id] else { return nil }
      let untold = contents.untold[id] ?? 0
      let silent =
        untold > 0
        ? " It told of nobody for \(Words.duration(untold)), and may have heard all that time." : ""
      return
        "\(observer.name) left duplicates out for \(Words.duration(length)) of its scans (its controller's "
        + "filter): who was there was reported seldom, and its silences, visits and counts say little."
        + silent
    }
  }

  /// Radios that are not off, and listen seldom all the same.
  private var sparse: [String] {
    contents.receivers.compactMap { observer in
      guard let share = observer.id.flatMap({ contents.listening[$0] }), share < 0.99 else {
        return nil
      }
      return
        "While \(observer.name) scanned its radio listened \(Words.percent(share)) of the time, by the windows of its scans."
    }
  }

  private static let mostCuts = 5

  private var damage: [String] {
    var sentences: [String] = []
    let skipped = contents.captures.filter { contents.withSkippedPlaces.contains($0.id ?? 0) }
      .map { Words.quotedName(contents.shown($0.name)) }
    if !skipped.isEmpty {
      let bytes = contents.skippedBytes
      // Of one capture a thousand places are listed, and all of them counted.
      let least = contents.damagedPlaces > contents.damage.count ? "at least " : ""
      sentences.append(
        "\(Words.list(skipped)) \(skipped.count == 1 ? "is" : "are") damaged: "
          + "\(Words.counted(contents.damagedPlaces, "place")), \(least)\(Words.counted(bytes, "byte")) skipped."
      )
    }
    for cut in contents.cuts.prefix(Self.mostCuts) {
      sentences.append("\(Words.quotedName(contents.capture(cut.capture))): \(cut.detail).")
    }
    if contents.cuts.count > Self.mostCuts {
      sentences.append("More of that stands in Accounting.")
    }
    let sum = { (path: KeyPath<CaptureRow, Int>) in
      contents.captures.reduce(0) { $0 + $1[keyPath: path] }
    }
    if sum(\.lostPackets) > 0 {
      sentences.append(
        "The recorder counted \(Words.counted(sum(\.lostPackets), "packet")) that it lost.")
    }
    let unread = sum(\.malformed) + sum(\.truncated) + sum(\.crcFailed) + sum(\.unsupported)
    if unread > 0 {
      sentences.append(
        "\(Words.counted(unread, "record")) could not be read as "
          + "\(unread == 1 ? "it is" : "they are") (malformed, cut, bad checksum or not supported)."
      )
    }
    let caveats = contents.remarks.rows.filter {
      Remarks.codesOfMade.contains($0.code ?? "")
    }
    sentences += caveats.prefix(Self.mostCuts).map(\.text)
    if caveats.isEmpty, !contents.captures.contains(where: \.isDamaged), sum(\.lostPackets) == 0,
      unread == 0,
      !contents.captures.isEmpty
    {
      sentences.append("Every record was read; nothing is known to be lost.")
    }
    if contents.problems.count > 0 {
      sentences.append(
        "\(Words.counted(contents.problems.count, "input")) could not be read; see Accounting."
      )
    }
    return sentences
  }

  private var exits: [String] {
    let presences = contents.presences
    let count = { (presences: [Presence], path: KeyPath<Presence.Exits, Int>) in
      presences.reduce(0) { $0 + $1.exits[keyPath: path] }
    }
    // Exits of circles have no grade: no radio had to hear anything for them.
    let ofCircles = count(presences.filter { $0.basis == .positions }, \.all)
    let ofBeacons = presences.filter { $0.basis != .positions }
    let (all, deaf, thin) = (
      count(ofBeacons, \.all), count(ofBeacons, \.deaf), count(ofBeacons, \.thin)
    )
    let passing = count(ofBeacons.filter { $0.basis == .someSightings }, \.gone)
    var parts: [String] = []
    if deaf > 0 {
      parts.append("\(Words.number(deaf)) fell into a time when the receiver was deaf")
    }
    if thin > 0 {
      parts.append("\(Words.number(thin)) may as well be packets that were lost or left out (thin)")
    }
    if passing > 0 {
      parts.append(
        "\(Words.number(passing)) \(passing == 1 ? "is" : "are") from regions with a gate or a rule"
      )
    }
    var sentences: [String] = []
    if !parts.isEmpty {
      let exits = Words.counted(all, "exit") + (ofCircles > 0 ? " from regions of beacons" : "")
      sentences.append("Of \(exits)\(contents.whose), \(Words.list(parts)).")
    } else if ofCircles == 0, all > 0, count(ofBeacons, \.gone) == all {
      sentences.append(Self.gone(all, contents.whose))
    }
    if passing > 0 {
      sentences.append(
        "Such an exit says that the beacon was away, or that nothing that passed came from it any more: "
          + "it may have been heard all the time.")
    }
    if ofCircles > 0 {
      sentences.append(
        "\(Words.counted(ofCircles, "exit")) from circles\(parts.isEmpty ? contents.whose : "") "
          + "\(ofCircles == 1 ? "comes" : "come") from positions, not from what was heard.")
    }
    return sentences
  }

  /// Where nothing speaks against any exit. It is no proof: see `Silence.likely`.
  private static func gone(_ exits: Int, _ whose: String) -> String {
    let which = exits == 1 ? "At the one exit" : "At each of \(Words.number(exits)) exits"
    return
      "\(which)\(whose) the receiver heard others; of a beacon still there and heard as before, at "
      + "most one sighting in twenty would be followed by such a silence (gone). A long recording has several of these."
  }

  private var alerts: [String] {
    guard contents.alerts.count > 0 else {
      return [contents.plugins.isEmpty ? "No rule judged it." : "No rule raised an alert."]
    }
    return []
  }
}
