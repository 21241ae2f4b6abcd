import Analysis
import CaptureReader
import Regions

/// Presence: how each kind of event came to be (SEMANTICS 2 and 4).
extension EventChain {
  func exit() -> [Step] {
    guard let silence = event.silence else { return [] }
    let length = StateLine.Span(
      from: event.lastSeen.nanoseconds, to: event.time.nanoseconds
    ).length
    let from = clock(event.lastSeen)
    return [
      .evidence(label: "last matching sighting"),
      .words(
        label: "then",
        "nothing from this region\(passing) for \(Figures.seconds(length))\(counted), the limit is "
          + "\(number("exit_after")) s\(testing); \(SilenceText.chance(silence))"
          + (silence.transmitters > 1 ? ", of \(silence.transmitters) transmitters together" : "")
          + (silence.probability == nil || SilenceText.sure(silence) != nil
            ? "" : ", if each packet is lost by itself")),
      .words(
        label: "was anyone heard?",
        silence.othersHeard.isKnown
          ? "yes, last at \(clock(silence.othersHeard))"
            + (SilenceText.quiet(silence, from: event.lastSeen, to: event.time).map {
              ": \($0)\(silence.quiet > 0 ? ", which is left out above" : "")"
            } ?? "")
          : "no advertiser at all after \(from), until \(clock(event.time))"),
      .words(label: "was the radio listening?", listening(silence)),
    ] + gate(silence) + [
      .words(label: "therefore", verdict(silence) + takenBack)
    ]
  }

  /// From when on, where that is not what the sighting's record is stamped.
  private var counted: String {
    event.stamped.isKnown
      ? " from \(clock(event.lastSeen)) on, the time at which that sighting was followed" : ""
  }

  /// Who is soon heard again may never have been away.
  private var takenBack: String {
    guard let span = stays.stay(endedBy: event)?.returnsAfter else { return "" }
    return "; \(SilenceText.returned(after: span)), at "
      + clock(Timestamp(nanoseconds: event.time.nanoseconds.later(by: span)))
  }

  /// What else a sighting has to do than to be the region's.
  private var passing: String {
    guard let region else { return "" }
    let passesOver =
      profile.ignoresUnknownRSSI
      && names.timeline.hints.contains { $0.code == "sightings_without_rssi" }
    let conditions = [
      passesOver ? "had an RSSI" : nil,
      region.gate.isOpen ? nil : "passed its gate (by the smoothed signal)",
      region.ownRule == nil ? nil : "its rule took",
    ].compactMap { $0 }
    return conditions.isEmpty ? "" : " that " + conditions.joined(separator: " and that ")
  }

  /// When exits are tested, where that is not at once.
  private var testing: String {
    if number("scan_window") != "0" {
      return " and it is tested at the end of each scan window, every "
        + "\(number("scan_interval")) s"
    }
    return number("cycle") == "0"
      ? "" : " and it is tested at the end of each cycle of \(number("cycle")) s"
  }

  private func listening(_ silence: Silence) -> String {
    var reasons: [String] = []
    if silence.scanOff > 0 {
      reasons.append(
        "the scan was off for \(Figures.seconds(silence.scanOff)) of that time"
          + switches(from: event.lastSeen))
    }
    if silence.captureOff > 0 {
      reasons.append(
        "capturing had stopped for \(Figures.seconds(silence.captureOff)) of that time")
    }
    if silence.recordGap > 0, silence.grade == .deaf {
      reasons.append("nothing was recorded for \(Figures.seconds(silence.recordGap))")
    }
    guard reasons.isEmpty else {
      let isPartly = SilenceText.isPartly(silence)
      return
        (silence.isOfFilter
        ? "not known: "
        : isPartly
          ? "not all the time: "
          : heardBeforePause(silence) ?? (silence.isUnknown ? "not known: " : "no: "))
        + reasons.joined(separator: ", ")
        + deafSpans(from: event.lastSeen)
        + limits(silence)
    }
    let windows =
      silence.listened.map {
        "; by the windows of its scans it listened \(SilenceText.listened($0))"
      } ?? ""
    let pause =
      silence.recordGap > 0
      ? "but nothing was recorded for \(Figures.seconds(silence.recordGap)) of that time"
        + (silence.quiet > silence.recordGap ? "" : ", which is left out above")
      : "and no pause in the recording is as long as the exit period"
    return "as far as is known: no scan was seen to end, " + pause + windows + limits(silence)
  }

  /// For how much of a silence it could hear that a pause of the recording makes deaf although it only reaches into
  /// it: `known for 29.900 s of the 30.000 s only: `; nil where nobody was heard.
  private func heardBeforePause(_ silence: Silence) -> String? {
    guard silence.othersHeard.isKnown, silence.recordGap > 0, let region = event.region else {
      return nil
    }
    let whole = event.time.nanoseconds.since(event.lastSeen.nanoseconds)
    let heard = names.timeline.listened(
      event.observer, from: event.lastSeen, to: event.time,
      exitPeriod: names.timeline.exitPeriod(region, profile: event.profile))
    guard heard > 0, heard < whole else { return nil }
    return (silence.isUnknown ? "known " : "")
      + "for \(Figures.seconds(heard)) of the \(Figures.seconds(whole)) only: "
  }

  private func gate(_ silence: Silence) -> [Step] {
    SilenceText.refused(silence, from: event.lastSeen, to: event.time)
      .map { [.words(label: "did it pass its gate?", "no: \($0)")] } ?? []
  }

  private func verdict(_ silence: Silence) -> String {
    if silence.grade == .gone,
      silence.refused?.goesOn(from: event.lastSeen, to: event.time) == true
    {
      return
        "gone from the region, not from the radio's reach: what was heard of it did not pass the gate"
    }
    // Its transmitters may have been heard all the time.
    if silence.grade == .gone && !passing.isEmpty {
      return "gone: the radio heard others; either the beacon was away, or nothing\(passing) came "
        + "from it any more"
    }
    return switch silence.grade {
    case .deaf: "deaf: this exit says nothing about the beacon"
    case .thin where silence.filtered > 0 && !silence.isLikely:
      "thin: the beacon may have gone, or have stayed and not been told of again"
    case .thin: "thin: the beacon may have gone, or have been missed"
    case .gone:
      "gone: the radio heard others; of a beacon that is still there and heard as before, at most "
        + "one sighting in twenty would be followed by such a silence"
    }
  }

  func enter() -> [Step] {
    var steps: [Step] = [.evidence(label: "first match"), .words(label: "before that", before())]
    if event.crossedAt.isKnown {
      steps.append(
        .words(
          label: "told late",
          "the entry was at \(clock(event.crossedAt)); it is told when the display is switched on "
            + "(notify_entry_state_on_display)"))
    }
    if let region, !region.gate.isOpen {
      steps.append(.words(label: "gate", "passed by the smoothed signal, see the region"))
    }
    steps += ownRule()
    let wasUnknown = isFirstSight
    let doubt = wasUnknown ? nil : self.doubt
    if let doubt { steps.append(step(doubt)) }
    return steps + [
      .words(
        label: "therefore",
        wasUnknown
          ? "nothing was known of the region: the profile takes the first sight for an entry "
            + "(enter_on_first_sight)"
          : "the state was outside: this is an entry"
            + (doubt.map { "; but \(EntryDoubtText.possibility($0))" } ?? ""))
    ]
  }

  /// A plugin had a say.
  private func ownRule() -> [Step] {
    guard let rule = region?.ownRule else { return [] }
    return [.words(label: "rule", "\(TextColumns.printable(rule.text)) takes this sighting")]
  }

  /// Whether no state was told before: neither a stay nor that it was outside.
  private var isFirstSight: Bool {
    // Asked first: the rest goes through everything that happened.
    guard profile.entersOnFirstSight else { return false }
    let wasInside = stays.stays(around: event).contains {
      $0.visit.since.nanoseconds < event.time.nanoseconds
    }
    return !wasInside
      && !names.timeline.events.contains {
        $0.type == .state && $0.observer == event.observer && $0.region == event.region
          && $0.profile == event.profile
      }
  }

  /// What was known of the region earlier, from the stays of the same profile and observer.
  private func before() -> String {
    let moment = (event.crossedAt.isKnown ? event.crossedAt : event.time).nanoseconds
    if let earlier = stay(before: moment)?.visit {
      let grade = earlier.silence.map { " (\($0.grade.rawValue))" } ?? ""
      return "last seen at \(clock(earlier.lastSeen)), left at \(clock(earlier.until))\(grade)"
    }
    let start = names.timeline.observers[event.observer].start
    return "never inside since this observer's first record at \(clock(start))"
  }

  func state() -> [Step] {
    let start = names.timeline.observers[event.observer].start
    if region?.isCircle == true {
      return crossing(.evidence(label: "decided by"))
    }
    if event.state == .inside {
      return [
        .evidence(label: "first match")
      ] + ownRule() + [
        .words(
          label: "recording since",
          "\(clock(start)): the match came within \(number("exit_after")) s of it"),
        .words(
          label: "therefore", "inside already: no boundary was seen to be crossed, so no entry"),
      ]
    }
    let steps: [Step] = [
      .words(label: "recording since", clock(start)),
      .words(
        label: "then", "no match within \(number("exit_after")) s of the first record"),
    ]
    let therefore = "outside: the first thing known of this region"
    let heard = names.timeline.listened(event.observer, from: start, to: event.time)
    // Without any deafness it is the exit period.
    guard heard < event.time.nanoseconds.since(start.nanoseconds) else {
      return steps + [.words(label: "therefore", therefore)]
    }
    return steps + [
      .words(
        label: "was the radio listening?",
        "for \(Figures.seconds(heard)) of that time only" + deafSpans(from: start)
          + switches(from: start)),
      .words(
        label: "therefore",
        therefore + "; it may have been inside all the same, and not been heard"),
    ]
  }

  func monitoringFailed() -> [Step] {
    let place = event.region.map {
      "it is number \(TextColumns.grouped($0 + 1)) in order of definition; "
    }
    return [
      .words(
        label: "therefore",
        (place ?? "") + "profile \(profile.name) monitors "
          + "\(number("limit")) at most, so this region is not monitored "
          + "(\(RegionEvent.monitoringFailureCode))")
    ]
  }
}
