import Beacons
package import CaptureReader
import Regions

/// An entry whose moment, or whose very crossing, the radio may not have been able to hear, or chance kept from it.
package struct EntryDoubt: Equatable, Sendable {
  /// What may be true instead.
  package enum Kind: String, CaseIterable, Sendable {
    /// There was a stay before, and between the two the radio could hear for an exit period at most, or the exit
    /// between them is `thin` and the whole absence no less likely by chance.
    case mayNeverHaveLeft = "may_never_have_left"
    /// The same from the recording's beginning on; of a beacon that was heard too seldom to say, by the exit behind
    /// it.
    case mayHaveBeenInside = "may_have_been_inside"
    /// It was outside, and came while the radio was not able to hear.
    case mayHaveComeBefore = "may_have_come_before"
  }

  package let kind: Kind
  /// The last sighting before, the observer's first record, or when the radio stopped hearing.
  package let since: Timestamp
  /// For how long the radio could hear between that and the entry, nanoseconds.
  package let listened: Int64
  /// Pauses of the recording that are too short to be times of deafness and were taken off that, nanoseconds.
  package var pauses: Int64 = 0
  /// Until then nobody at all was heard, from the exit before on; none: others were.
  package var nobodyHeardUntil = Timestamp.none
  /// It may have heard it, and left out what it had told of already.
  package var isOfFilter = false
  /// The exit before is `thin`, or there was none and the one behind is: the radio could hear, and the absence
  /// is likely by itself.
  package var chance: Chance?
  /// It goes by what came behind the entry: nobody knew when that was told.
  var isHindsight: Bool { kind == .mayHaveBeenInside && chance != nil }

  /// What an absence is worth.
  package struct Chance: Equatable, Sendable {
    /// How likely the whole of it is by loss alone; nil where too little was heard to know.
    package let probability: Double?
    /// Of which time that is, nanoseconds.
    package let length: Int64
    /// Of the whole absence; otherwise of the part of it behind the exit, in whose period it may have been lost or left
    /// out.
    package let isWhole: Bool
    /// It was heard in the exit period, and with no RSSI, which a gate asks for: so it may have been behind it.
    package var isUnmeasured = false
  }
}

/// A stay that an entry comes after, of the same observer and region.
struct EarlierStay: Equatable, Sendable {
  let lastSeen: Timestamp
  let until: Timestamp
  let silence: Silence?

  /// Of an earlier run.
  init(lastSeen: Timestamp, until: Timestamp, silence: Silence?) {
    (self.lastSeen, self.until, self.silence) = (lastSeen, until, silence)
  }

  init(_ visit: Visit) {
    (lastSeen, until, silence) = (visit.lastSeen, visit.until, visit.silence)
  }

  init(endedBy exit: TimelineEvent) {
    (lastSeen, until, silence) = (exit.lastSeen, exit.time, exit.silence)
  }
}

extension EntryDoubt {
  /// - Parameters:
  ///   - before: nil: nothing is known of it.
  ///   - start: the observer's first record.
  ///   - next: the silence that the stay ended with, where that is known already.
  /// - Returns: nil where the entry is proved, or was never called one.
  static func of(
    _ entry: Timestamp, after before: EntryDoubts.Before?, _ region: Region, _ profile: Profile,
    _ start: Timestamp, _ deafness: Deafness, next: Silence? = nil
  ) -> EntryDoubt? {
    var earlier: EarlierStay?
    switch before {
    case .left(let stay): earlier = stay
    case .outside(let until)?:
      guard !region.isCircle else { return nil }
      return unheardArrival(entry, after: until, profile.exitPeriod(of: region), deafness)
    case nil: break
    }
    guard !region.isCircle, earlier != nil || !profile.entersOnFirstSight else { return nil }
    let since = earlier?.lastSeen ?? start
    guard since.isKnown else { return nil }
    var from = since
    // While nobody at all was heard, nobody knows whether the radio could.
    var nobodyHeardUntil = Timestamp.none
    let period = profile.exitPeriod(of: region)
    if let earlier, let silence = earlier.silence,
      silence.quiet > 0 && silence.isLikely || !silence.othersHeard.isKnown
    {
      from = earlier.until
      // Where it is known not to have listened that says more.
      if deafness.listened(from: from, to: entry) > period {
        from = deafness.nobodyHeard(after: from, until: entry)
        nobodyHeardUntil = from
      }
    }
    // Nor what a scan left out that had told of it.
    let leftOut = earlier.map { deafness.leftOut(after: $0.lastSeen, until: entry) } ?? 0
    from = Timestamp(nanoseconds: max(from.nanoseconds, since.nanoseconds.later(by: leftOut)))
    var listened = deafness.listened(from: from, to: entry)
    var pauses: Int64 = 0
    // Pauses that are too short to be among the times of deafness; of what was left out they may be a part.
    if let silence = earlier?.silence, silence.grade != .deaf, leftOut == 0,
      period <= deafness.leastGap || silence.recordGap < deafness.leastGap
    {
      pauses = silence.recordGap
      listened = max(0, listened.since(pauses))
    }
    // Where it could hear all the time the exit period has passed, or there would be no entry.
    guard listened < entry.nanoseconds.since(since.nanoseconds), listened <= period else {
      return behindThinExit(entry, after: earlier, period, deafness)
        ?? seldomHeard(entry, next, after: earlier == nil ? start : nil, period, deafness)
        ?? unheardArrival(entry, after: since, period, deafness)
    }
    return EntryDoubt(
      kind: earlier == nil ? .mayHaveBeenInside : .mayNeverHaveLeft, since: since,
      listened: listened, pauses: pauses, nobodyHeardUntil: nobodyHeardUntil,
      isOfFilter: leftOut > 0)
  }

  /// Whether it may never have left as the exit before is `thin`: then the same has to hold of the whole absence, as
  /// far as it was recorded and the radio could hear. What was lost, filtered or undecided in the exit period says
  /// nothing about the time behind it. Of whom too little was heard to know how likely it is, ten exit periods without
  /// any sighting are taken for an absence (ours: an exit period is fit for beacons that are heard three times
  /// in it). Who was heard below the region's gate was not missed; who was heard without an RSSI may have been inside.
  private static func behindThinExit(
    _ entry: Timestamp, after earlier: EarlierStay?, _ period: Int64, _ deafness: Deafness
  ) -> EntryDoubt? {
    guard let earlier, let silence = earlier.silence, silence.grade == .thin,
      silence.refused?.isUnmeasured ?? true
    else { return nil }
    let isUnmeasured = silence.refused?.isUnmeasured == true
    let from = silence.isLikely ? earlier.lastSeen : earlier.until
    let pauses = silence.isLikely ? silence.recordGap : 0
    let length = max(0, deafness.listened(from: from, to: entry).since(pauses))
    // Whether it was heard without an RSSI until the entry nobody kept.
    let probability =
      isUnmeasured
      ? nil
      : silence.isLikely
        ? silence.probability(ofAbsence: length, period: period)
        : silence.probability(ofSilence: length, period: period)
    guard isUnmeasured || probability.map({ $0 > Silence.likely }) ?? (length / 10 < period) else {
      return nil
    }
    let listened = deafness.listened(from: earlier.lastSeen, to: entry)
    return EntryDoubt(
      kind: .mayNeverHaveLeft, since: earlier.lastSeen,
      listened: max(0, listened.since(silence.recordGap)), pauses: silence.recordGap,
      chance: Chance(
        probability: probability, length: length, isWhole: silence.isLikely,
        isUnmeasured: isUnmeasured))
  }

  /// Whether it may have been there from the beginning on, as it is heard so seldom that not to be heard until then
  /// is likely, too: the same of the time from the first record on, by the silence that the stay ended with. Of whom too
  /// little was heard nothing says that it was there; and a scan that filters duplicates tells of everybody once.
  private static func seldomHeard(
    _ entry: Timestamp, _ next: Silence?, after start: Timestamp?, _ period: Int64,
    _ deafness: Deafness
  ) -> EntryDoubt? {
    guard let start, let next, next.grade == .thin, next.isLikely,
      next.refused?.isUnmeasured ?? true,
      !deafness.filters(before: entry)
    else { return nil }
    let length = deafness.listened(from: start, to: entry)
    guard let probability = next.probability(ofSilence: length, period: period),
      probability > Silence.likely
    else { return nil }
    return EntryDoubt(
      kind: .mayHaveBeenInside, since: start, listened: length,
      chance: Chance(probability: probability, length: length, isWhole: true))
  }

  /// Whether it may have come while the radio could not hear: for an exit period or more, with less than a
  /// third of one between that and the entry in which it could. An exit period is fit for beacons that are
  /// heard three times in it: whoever came while it listened was heard by then.
  /// - Parameter lower: nothing before it is looked at.
  private static func unheardArrival(
    _ entry: Timestamp, after lower: Timestamp, _ period: Int64, _ deafness: Deafness
  ) -> EntryDoubt? {
    var at = entry.nanoseconds
    var (listened, unheard, listenedSince) = (Int64(0), Int64(0), Int64(0))
    for span in deafness.before(entry).reversed() {
      listened = listened.later(by: max(0, at.since(span.to.nanoseconds)))
      guard listened <= period / 3, span.to.nanoseconds > lower.nanoseconds else { break }
      let from = max(span.from.nanoseconds, lower.nanoseconds)
      unheard = unheard.later(by: max(0, min(span.to.nanoseconds, at).since(from)))
      (at, listenedSince) = (from, listened)
    }
    guard unheard >= period else { return nil }
    return EntryDoubt(
      kind: .mayHaveComeBefore, since: Timestamp(nanoseconds: at), listened: listenedSince)
  }
}
