package import Analysis
import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// Something about a run that changes what a reader may conclude from it.
package struct Remark: Sendable {
  package let code: String
  package let capture: String?
  package let kind: String?
  package let id: String?
  /// One sentence.
  package let text: String
  /// How many captures it is about.
  let captures: Captures

  enum Captures {
    case one, two
    /// A group, of which only the first is named here.
    case several
  }

  /// The capture, where the sentence does not name it itself.
  var nameToTell: String? { capture.flatMap { text.contains($0) ? nil : $0 } }

  /// - Parameter beacon: its kind, and its identity as text.
  init(
    _ code: String, capture: String? = nil, of captures: Captures = .one,
    beacon: (kind: BeaconKind, id: String)? = nil, _ text: String
  ) {
    self.code = code
    self.captures = captures
    self.capture = capture
    kind = beacon.map { "\(BeaconFormats.format($0.kind).name)" }
    id = beacon?.id
    self.text = text
  }
}

/// The warnings that matter, worst first: what rules could not judge, damage, clock, listening, then beacons.
package enum Remarks {
  /// One after the other: a million beacons may have one each.
  package static func forEach(
    _ result: AnalysisResult, _ beacons: BeaconSummaries, _ chains: IdentifierChains,
    _ body: (Remark) throws -> Void
  ) rethrows {
    let names = BeaconNames(result, beacons)
    for remark in said(result) { try body(remark) }
    let empties = EmptyReceivers(result.captures)
    let between =
      clocks(result) + unshared(result) + leftOut(result) + empties.remarks
      + repeated(result.captures)
      + signalsRepeated(result.captures) + overlaps(result.captures) + rotated(result.captures)
      + controllers(result.captures) + packetsCounted(result)
    for remark in between { try body(remark) }
    for facts in result.captures {
      for remark in madeAnew(facts) + (empties.areTold(facts) ? [] : empty(facts)) + joined(facts)
        + namedAlike(facts)
        + damage(facts) + unlikeTheRest(facts) + moved(facts)
        + wrongClock(facts)
        + clock(facts)
        + listening(facts) + doubled(facts) + recordsEnded(facts) + broken(facts) + positions(facts)
      {
        try body(remark)
      }
    }
    for remark in scansEnded(result) + oddIdentifiers(result) + unopened(result)
      + refused(result)
      + silent(result, beacons, names)
      + doubledAddresses(result, beacons, names)
      // Who leaves duplicates out hears everybody once.
      + (result.filteringObservers.isEmpty ? invented(beacons) : [])
      + lowBatteries(beacons, names) + oddPowers(beacons, names)
      + oddIntervals(beacons, names) + formats(beacons, names)
    {
      try body(remark)
    }
    try forEach(
      beacons, names, chains,
      steps: ClockSteps(result),
      clocksAgree: result.clocks?.agree == true, body)
  }

  /// Of the inputs of a run, where together they say more or something else than each by itself: captures that hold the
  /// same, or are of one receiver and one time, and receivers whose clocks differ.
  package static func ofInputs(_ result: AnalysisResult) -> [Remark] {
    (clocks(result) + unshared(result) + repeated(result.captures)
      + signalsRepeated(result.captures) + overlaps(result.captures))
      .filter { codesOfInputs.contains($0.code) }
  }

  /// Codes of these remarks.
  package static let codesOfInputs: Set<String> = [
    "clocks_differ", "packets_unshared", "same_capture", "same_packets", "shared_packets",
    "signals_repeated",
    "captures_overlap",
  ]

  /// Captures of several receivers that are the same, byte for byte, and others that look like copies: packed, written anew in
  /// another container, or changed.
  static func repeated(_ captures: [CaptureFacts]) -> [Remark] {
    var first: [[UInt8]: CaptureFacts] = [:]
    var firstPackets: [Packets: CaptureFacts] = [:]
    return captures.compactMap { (facts) -> Remark? in
      // Of two in which nobody was heard, such as the hours of a receiver that was off, nothing counts twice.
      guard !facts.sha256.isEmpty, facts.observers.contains(where: { $0.reports > 0 }) else {
        return nil
      }
      let packets = Packets(facts)
      defer {
        first[facts.sha256] = first[facts.sha256] ?? facts
        if let packets { firstPackets[packets] = firstPackets[packets] ?? facts }
      }
      if let other = first[facts.sha256] {
        return Remark(
          "same_capture", capture: facts.name, of: .two,
          "\(facts.name) is the same capture as \(other.name), byte for byte, and read all the same "
            + "(named as another receiver's or by another clock, out of a pipe, or held by the case): all in it "
            + "counts once more.")
      }
      if let packets, let other = firstPackets[packets] {
        return Remark(
          "same_packets", capture: facts.name, of: .two, likeness(facts, other, packets))
      }
      return facts.sharing.map { shared(facts, $0.name, $0.part) }
    }
  }

  /// A part of another capture, or one with a part of it.
  private static func shared(_ facts: CaptureFacts, _ other: String, _ part: Double) -> Remark {
    let all = part > 0.95 ? "all" : "\(Int((part * 100).rounded())) %"
    return Remark(
      "shared_packets", capture: facts.name, of: .two,
      "\(facts.name) and \(other) hold the same packets: by a sample, \(all) of the sightings of beacons in "
        + "the one that has fewer. What both hold counts twice.")
  }

  private static func likeness(
    _ facts: CaptureFacts, _ other: CaptureFacts, _ packets: Packets
  ) -> String {
    let what =
      "it has as many reports (\(TextColumns.grouped(packets.reports))), the first and the last at the "
      + "same microseconds"
    let isOtherForm = facts.format != other.format || facts.compression != other.compression
    return isOtherForm
      ? "\(facts.name) seems to be a copy of \(other.name) in another form: \(what); what both hold "
        + "counts twice."
      : "\(facts.name) looks like \(other.name), and its bytes are others: \(what). One may have been "
        + "changed, or written anew; what both hold counts twice."
  }

  /// What two captures hardly share unless one was made of the other. Containers that keep nanoseconds
  /// are written anew in others that do not.
  private struct Packets: Hashable {
    let reports: Int
    let first: Int64
    let last: Int64

    init?(_ facts: CaptureFacts) {
      let heard = facts.observers.filter { $0.firstReport.isKnown && $0.lastReport.isKnown }
      guard let first = heard.map(\.firstReport.nanoseconds).min(),
        let last = heard.map(\.lastReport.nanoseconds).max(), first < last
      else { return nil }
      reports = heard.reduce(0) { $0 + $1.reports }
      self.first = first / 1000
      self.last = last / 1000
    }
  }

  /// Clocks are corrected: only what is longer, in nanoseconds, are the same packets once more.
  private static let usualOverlap: Int64 = 1_000_000_000

  /// Captures of one observer that are of the same time and hold other packets: those that hold the same are
  /// told as such.
  private static func overlaps(_ captures: [CaptureFacts]) -> [Remark] {
    var spans: [String: [(capture: CaptureFacts, first: Int64, last: Int64)]] = [:]
    for facts in captures {
      for observer in facts.observers
      where observer.firstReport.isKnown && observer.lastReport.isKnown {
        spans[observer.name, default: []].append(
          (facts, observer.firstReport.nanoseconds, observer.lastReport.nanoseconds))
      }
    }
    return spans.sorted { $0.key < $1.key }.flatMap { name, spans -> [Remark] in
      let inOrder = spans.sorted { $0.first < $1.first }
      guard var latest = inOrder.first else { return [] }
      return inOrder.dropFirst().compactMap { next in
        defer { if next.last > latest.last { latest = next } }
        let length = min(next.last, latest.last).since(next.first)
        guard length > usualOverlap, !next.capture.shares(with: latest.capture),
          Packets(next.capture) != Packets(latest.capture)
        else { return nil }
        return Remark(
          "captures_overlap", capture: next.capture.name, of: .two,
          "\(latest.capture.name) and \(next.capture.name) are said to be of one observer, \(name), and "
            + "overlap for \(TextColumns.duration(length)); \(overlap(latest.capture, next.capture, name))"
        )
      }
    }
  }

  private static func overlap(_ one: CaptureFacts, _ next: CaptureFacts, _ name: String) -> String {
    guard one.isSampled, next.isSampled else { return "what both may hold counts twice." }
    guard let found = next.overlapping, found.name == one.name else {
      return "they share no packets: their clocks disagree, or they are of two radios."
    }
    let packets = TextColumns.counted(found.packets, "packet was", "packets were")
    let ahead = abs(found.ahead)
    guard ahead >= sameTime else {
      return
        "\(packets) heard in both at the same times, and hardly any with the same signal and time stamp: they are "
        + "of two radios whose clocks agree. Give each a name of its own (--observer)."
    }
    return "\(packets) heard in both, in \(next.name) \(TextColumns.duration(ahead)) "
      + "\(found.ahead > 0 ? "later" : "earlier"): its clock is off, or they are of two radios and one clock is."
  }

  /// Nanoseconds: two radios that hear a packet note it within this.
  private static let sameTime: Int64 = 100_000_000

  private static func empty(_ facts: CaptureFacts) -> [Remark] {
    guard EmptyReceivers.isEmpty(facts) else { return [] }
    let isRun = facts.format == "live"
    return [
      Remark(
        "no_records", capture: facts.name,
        isRun ? "nothing came: not one packet." : "it holds no record: there is its header alone.")
    ]
  }

  /// Advertising data whose structures end behind it, where that is more than a few: what stands in them
  /// is not known.
  private static func broken(_ facts: CaptureFacts) -> [Remark] {
    let reports = facts.accounting.reports
    guard let entry = facts.accounting.warnings.first(where: { $0.code.rawValue == "ad_overrun" }),
      entry.count >= 3, entry.count * 20 >= reports
    else { return [] }
    return [
      Remark(
        "ad_overrun", capture: facts.name,
        "\(TextColumns.grouped(entry.count)) of \(TextColumns.grouped(reports)) reports have broken "
          + "advertising data (first frame \(TextColumns.grouped(entry.firstFrame))): a structure is "
          + "longer than what is left, and is not read; beacons in them may be missing.")
    ]
  }

  static func damage(_ facts: CaptureFacts) -> [Remark] {
    var remarks: [Remark] = []
    for gap in facts.damage.prefix(5) {
      let after =
        gap.resumedAtFrame.map { "went on with record \(TextColumns.grouped($0))" }
        ?? (gap.isAnotherCapture ? "it goes to the end" : "nothing readable followed")
      remarks.append(
        Remark(
          "damage_skipped", capture: facts.name,
          "damaged at byte \(TextColumns.grouped(Int(gap.offset)))\(DamageText.unpacked(facts)) (\(gap.detail)): "
            + "\(TextColumns.counted(Int(gap.bytes), "byte")) skipped\(DamageText.behindComma(gap)), \(after)."
        ))
    }
    if facts.damage.count > 5 {
      remarks.append(
        Remark(
          "damage_skipped", capture: facts.name,
          TextColumns.counted(facts.damage.count - 5, "more damaged place")
            + "; info lists them all."))
    }
    for entry in ProblemText.unlistedDamage(facts) {
      remarks.append(
        Remark(
          entry.code.rawValue, capture: facts.name,
          "\(entry.detail)\(DamageText.after(entry.firstFrame))."))
    }
    if facts.lost.packets > 0 {
      let lost = TextColumns.counted(Int(clamping: facts.lost.packets), "packet")
      let (first, last) = (facts.lost.first, facts.lost.last)
      let when =
        !first.isKnown
        ? "" : first == last ? " (\(moment(first)))" : " (\(moment(first)) to \(moment(last)))"
      remarks.append(
        Remark("records_dropped", capture: facts.name, "the recorder lost \(lost) itself\(when)."))
    }
    return remarks + pauses(facts)
  }

  private static func moment(_ time: Timestamp) -> String {
    time.isKnown
      ? "\(TextColumns.date(time)) \(TextColumns.clock(time)) \(ClockZone.shown.label(time))"
      : "no time"
  }

  /// Interfaces of one name: two radios, or one that began anew. Nothing in the capture says which.
  private static func namedAlike(_ facts: CaptureFacts) -> [Remark] {
    let names = facts.observers.filter(\.hasListened).map(\.name)
    return names.compactMap { name in
      let others = names.filter {
        $0.hasPrefix(name + "#") && Int($0.dropFirst(name.count + 1)) != nil
      }
      guard !others.isEmpty else { return nil }
      return Remark(
        "interfaces_named_alike", capture: facts.name,
        "\(TextColumns.grouped(others.count + 1)) interfaces are called \(name): they are told apart as it and "
          + "\(others.prefix(3).joined(separator: ", "))\(others.count > 3 ? ", …" : "").")
    }
  }

  /// When nothing was captured.
  private static func pauses(_ facts: CaptureFacts) -> [Remark] {
    guard let first = facts.pauses.first else { return [] }
    let ended = facts.pauses.filter { $0.from.isKnown && $0.to.isKnown }
    let total = ended.reduce(Int64(0)) { sum, pause in
      let length = pause.to.nanoseconds.subtractingReportingOverflow(pause.from.nanoseconds)
      return length.overflow ? sum : sum.addingReportingOverflow(length.partialValue).partialValue
    }
    let count = facts.pauses.count + facts.pausesNotListed
    let times = count == 1 ? "once" : "\(TextColumns.grouped(count)) times"
    let isOpen = facts.pauses.contains { !$0.to.isKnown }
    guard !ended.isEmpty || !isOpen else {
      return [
        Remark(
          "capture_paused", capture: facts.name,
          "capturing stopped at \(moment(first.from)), and did not go on.")
      ]
    }
    return [
      Remark(
        "capture_paused", capture: facts.name,
        "capturing stopped \(times)\(isOpen ? ", the last time to the end" : ""), for \(TextColumns.duration(total)) altogether, first at "
          + "\(moment(first.from)).")
    ]
  }
}
