package import Analysis
package import CaptureReader
import Regions

/// Whether the radio could hear, with the frames that say so.
extension EventChain {
  /// When exactly the observer was deaf between a moment and the event.
  func deafSpans(from start: Timestamp) -> String {
    let timeline = names.timeline
    let known =
      event.region.map { timeline.deaf(event.observer, region: $0, profile: event.profile) }
      ?? timeline.observers[event.observer].deaf
    let spans = known.filter {
      $0.from.nanoseconds < event.time.nanoseconds && $0.to.nanoseconds > start.nanoseconds
    }
    guard !spans.isEmpty else { return "" }
    return (spans.allSatisfy(\.isOfFilter) ? "; nobody was told of " : "; deaf ")
      + spans.prefix(3).map { "\(clock($0.from))–\(clock($0.to))" }.joined(separator: ", ")
      + (spans.count > 3 ? " and \(TextColumns.counted(spans.count - 3, "time")) more" : "")
  }

  /// The first frames that switched scanning off and on around that time:
  /// ` (switched off in frame 2 943, on again in frame 2 945)`.
  func switches(from start: Timestamp) -> String {
    let switches = names.timeline.observers[event.observer].switches
    // What was switched off before is off in it.
    let before = switches.last { $0.time.nanoseconds <= start.nanoseconds }
    let off =
      before.flatMap { $0.isOn ? nil : $0 }
      ?? switches.first {
        !$0.isOn && $0.time.nanoseconds > start.nanoseconds
          && $0.time.nanoseconds <= event.time.nanoseconds
      }
    guard let off else { return "" }
    let on = switches.first { $0.isOn && $0.time.nanoseconds > off.time.nanoseconds }
    return " (switched off in \(frame(off))" + (on.map { ", on again in \(frame($0))" } ?? "") + ")"
  }

  /// What the capture cannot hold of a silence: `; but 500 packets were lost in that time, …`.
  func limits(_ silence: Silence) -> String {
    var limits: [String] = []
    if silence.packetsLost > 0 { limits.append(losses(silence)) }
    if silence.unanswered > 0 {
      limits.append(
        "of \(SilenceText.failures(silence)) nobody knows whether they were of this region: its rule, or a "
          + "decoder, failed on them or had been switched off")
    }
    if silence.filtered > 0 {
      limits.append(
        "the controller filtered duplicates for \(Figures.seconds(silence.filtered)) of it: who stays is "
          + "not heard again")
    }
    if silence.listedOnly > 0 {
      limits.append(
        "for \(Figures.seconds(silence.listedOnly)) of it the controller passed on only whom it was told to "
          + "(its list, or a content filter)")
    }
    return limits.isEmpty ? "" : "; but " + limits.joined(separator: "; ")
  }

  private func losses(_ silence: Silence) -> String {
    let count = TextColumns.counted(Int(silence.packetsLost), "packet")
    let losses = names.timeline.observers[event.observer].losses.filter {
      $0.touches(from: event.lastSeen, to: event.time)
    }
    let places = losses.prefix(3).map { loss in
      (loss.since.isKnown ? "at some time until " : "") + clock(loss.until)
        + (loss.place.map { place in
          (loss.since.isKnown ? ", behind " : ", ") + frame(place)
        } ?? "")
    }
    let more = losses.count > 3 ? ["\(TextColumns.counted(losses.count - 3, "time")) more"] : []
    let when = silence.lostUntil.isKnown ? "may have been" : "were"
    return "\(count) \(when) lost in that time, by the recorder's own count"
      + (places.isEmpty ? "" : " (" + (places + more).joined(separator: "; ") + ")")
  }

  private func frame(_ mark: Timeline.Switch) -> String { frame(mark.place) }

  private func frame(_ place: TimelineEvent.Evidence) -> String {
    let number = "frame \(TextColumns.grouped(place.number))"
    guard names.areSeveralCaptures else { return number }
    return "\(number) of \(TextColumns.printable(names.file(place)))"
  }

  /// The stay that ended last before a moment, nanoseconds.
  func stay(before moment: Int64) -> Timeline.Stay? {
    stays.stays(around: event).last {
      !$0.visit.isOpen && $0.visit.until.nanoseconds <= moment
    }
  }

  /// What an entry leaves open; nil where it is proved.
  var doubt: EntryDoubt? {
    let moment = event.entered.nanoseconds
    return stays.stays(around: event).last { $0.visit.since.nanoseconds == moment }?.doubt
  }

  /// Whether the radio could hear before an entry, or whether chance may be all there was to it.
  func step(_ doubt: EntryDoubt) -> Step {
    guard let chance = doubt.chance else {
      return .words(label: "was the radio listening?", hearing(doubt))
    }
    if chance.isUnmeasured {
      return .words(
        label: "was it away?",
        "not proved: in the exit period before it was heard without an RSSI, and perhaps behind that"
      )
    }
    let away = Figures.seconds(event.entered.nanoseconds.since(doubt.since.nanoseconds))
    let length = Figures.seconds(chance.length)
    let of =
      chance.isWhole
      ? chance.length < event.entered.nanoseconds.since(doubt.since.nanoseconds)
        ? ", of which \(length) could be heard" : ""
      : "; in the exit period it may have been lost or left out, and there are \(length) behind that"
    let worth =
      chance.probability.map { "by loss alone \(Figures.probability($0))" }
      ?? "of which nobody knows how likely it is: too little of it was heard"
    return .words(
      label: "was it away?",
      "not proved: not heard for \(away)\(of), \(worth); "
        + "the exit \(doubt.kind == .mayHaveBeenInside ? "behind it" : "before") is thin"
    )
  }

  private func hearing(_ doubt: EntryDoubt) -> String {
    let since = clock(doubt.since)
    let heard =
      doubt.isOfFilter
      ? "maybe, but after \(since) it left out whom it had told of already"
      : doubt.nobodyHeardUntil.isKnown
        ? "nobody knows: after \(since) nobody at all was heard until \(clock(doubt.nobodyHeardUntil))"
          + (doubt.listened == 0 ? "" : ", and then for \(Figures.seconds(doubt.listened)) only")
        : doubt.listened == 0
          ? "not known of the time after \(since)"
          : "known for \(Figures.seconds(doubt.listened)) only after \(since)"
    let scale =
      doubt.kind == .mayHaveComeBefore
      ? "" : ", and it takes \(number("exit_after")) s to leave"
    let pauses =
      doubt.pauses > 0
      ? "; pauses of the recording shorter than that, \(Figures.seconds(doubt.pauses)) in all, are not counted as "
        + "hearing" : ""
    return heard + scale + pauses + deafSpans(from: doubt.since) + switches(from: doubt.since)
  }

  /// What a silence that ended a message is worth.
  func messageListening() -> [Step] {
    let length = event.time.nanoseconds.since(event.lastSeen.nanoseconds)
    let heard = names.timeline.listened(event.observer, from: event.lastSeen, to: event.time)
    guard event.lastSeen.isKnown, heard < length else { return [] }
    return [
      .words(
        label: "was the radio listening?",
        "for \(Figures.seconds(heard)) of that time only" + deafSpans(from: event.lastSeen)
          + switches(from: event.lastSeen) + ": this says nothing about the beacon")
    ]
  }
}

/// What an entry leaves open that the radio was not able to hear, in words.
package enum EntryDoubtText {
  static func possibility(_ doubt: EntryDoubt) -> String {
    switch doubt.kind {
    case .mayNeverHaveLeft: "it may never have left"
    case .mayHaveBeenInside: "it may have been inside before"
    case .mayHaveComeBefore:
      "it may have come before, when the radio may not have been able to hear"
    }
  }

  /// Below a visit.
  package static func words(_ doubt: EntryDoubt, besides time: Timestamp) -> String {
    if doubt.chance != nil {
      let why = doubt.kind == .mayHaveBeenInside ? "it is seldom heard" : "the exit before is thin"
      return "\(may(doubt)): \(why)"
    }
    if doubt.nobodyHeardUntil.isKnown, !doubt.isOfFilter {
      return
        "\(may(doubt)): after \(moment(doubt.since, besides: time)) nobody at all was heard until "
        + moment(doubt.nobodyHeardUntil, besides: time)
    }
    let heard =
      doubt.isOfFilter
      ? "left out whom it had told of already (duplicates filtered)"
      : doubt.listened == 0
        ? "may not have heard"
        : "is known to have heard for \(TextColumns.duration(doubt.listened)) only"
    return "\(may(doubt)): after \(moment(doubt.since, besides: time)) the radio \(heard)"
  }

  private static func may(_ doubt: EntryDoubt) -> String {
    switch doubt.kind {
    case .mayNeverHaveLeft: "may never have left"
    case .mayHaveBeenInside: "may have been inside before"
    case .mayHaveComeBefore: "may have come before"
    }
  }

  /// With its day where that is another one.
  static func moment(_ time: Timestamp, besides other: Timestamp) -> String {
    TextColumns.date(time) == TextColumns.date(other)
      ? TextColumns.clock(time, besides: other) : TextColumns.moment(time)
  }
}
