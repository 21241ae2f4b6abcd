import CaptureReader
import FrameDecoder
import Glibc

extension RegionMonitor {
  /// Sightings that a transmitter needs for its regularity to count (SEMANTICS 2, Evidence): with a gap between
  /// each and the next. Of one that is hardly heard most follow an absence, and the two or three gaps
  /// between the others, which are short by luck, say nothing.
  fileprivate static var enough: Int { 10 }

  /// Who falls silent within so many intervals of a beacon does so with it.
  fileprivate static var together: Int64 { 3 }

  /// What the silence in (L, X] of a region is worth, in the order of SEMANTICS 2, Evidence.
  ///
  /// `gone` says that nothing came from the beacon but what chance may lose. Nobody can say that where
  /// packets are known to be lost, any of which may have been the beacon's, or where the controller was
  /// told to leave out whom it has heard already, or who is not on its list: of a beacon that stays the
  /// capture would look the same; nor where a plugin failed to say whether a sighting belongs to the region, or the
  /// radio told no signal of the beacon that a gate asks for. Such an exit is `thin` at best; it is not `deaf`, as others
  /// were heard.
  ///
  /// SEMANTICS reckons p over P. A time without any record that is a little shorter than P does not make it deaf,
  /// but in it nobody could be heard either, and 29 of 30 s made no less `gone`: here p is reckoned without pauses
  /// of half of P and more. Nor does one report of another at its beginning prove that the radio heard for the rest: a
  /// controller hangs, a scan ends that nobody logged. Of half of P and more at its end in which nobody at all
  /// was heard the same holds; and where everybody fell silent within three intervals of the beacon it is no chance
  /// that its next packets are missing.
  func judge(_ place: Int, until end: Int64) -> Silence {
    let state = states[place]
    let rule = rules[Int(state.rule)]
    let activity = timelines[Int(state.observer)].activity
    // A test at a cycle's end comes before what arrives at its instant.
    let last = rule.test.step == 0 ? end : end - 1
    let heard = activity.heard(rule.ear, from: state.last, to: last)
    let scanOff = activity.scanOff(rule.ear, from: state.last, to: end)
    let captureOff = activity.captureOff(rule.ear, from: state.last, to: end)
    let period = rule.test.exitAfter
    let pauses = activity.recordGaps(from: state.last, to: end, atLeast: period / 2)
    let share = activity.shares.mean(from: state.last, to: end)
    let isUnrecorded = pauses.longest >= period
    let isDeaf = heard == nil || scanOff > 0 || captureOff > 0 || isUnrecorded
    let quiet = isDeaf ? 0 : quiet(rule.ear, activity, heard, last, period)
    var chance = chance(
      place, listening: share,
      over: isDeaf ? period : max(0, period.since(max(pauses.inside, quiet))))
    if quiet > pauses.inside, let known = chance,
      period.since(quiet) < Self.together * known.shortestInterval
    {
      chance?.probability = 1
    }
    let filtered = activity.filtered(rule.ear, from: state.last, to: end)
    let listedOnly = activity.listedOnly(rule.ear, from: state.last, to: end)
    let lost = activity.packetsLost(from: state.last, to: last)
    let unanswered = undecoded(rule, activity, from: state.last, to: last)
      .later(by: Int64(state.unanswered))
    let isLikely = chance.map { $0.probability > Silence.likely } ?? true
    let refused = rule.gate == nil ? nil : refused(state, until: end)
    let isThin =
      isLikely || filtered > 0 || listedOnly > 0 || lost > 0 || unanswered > 0
      || refused?.isUnmeasured == true
    var silence = Silence(
      grade: isDeaf ? .deaf : isThin ? .thin : .gone,
      othersHeard: heard.map { Timestamp(nanoseconds: $0) } ?? .none, scanOff: scanOff,
      captureOff: captureOff, recordGap: isUnrecorded ? pauses.longest : isDeaf ? 0 : pauses.inside,
      filtered: filtered, listedOnly: listedOnly,
      packetsLost: lost, unanswered: unanswered, interval: chance?.least.interval,
      loss: chance?.least.loss,
      probability: chance?.probability,
      listened: chance?.listened ?? Self.listened(share, before: nil),
      transmitters: chance?.transmitters ?? 0, isOfStay: chance?.isOfStay ?? false)
    silence.quiet = quiet
    silence.refused = refused
    return silence
  }

  /// For how long until a moment nobody was heard, where that is half of P and more. Between the windows of a duty cycle
  /// nobody is.
  private func quiet(
    _ ear: Int, _ activity: ObserverActivity, _ heard: Int64?, _ end: Int64, _ period: Int64
  ) -> Int64 {
    guard let heard, activity.ears[ear].duty.isAlways else { return 0 }
    let quiet = end.since(heard)
    return quiet >= period / 2 ? quiet : 0
  }

  /// Sightings behind L of the stay's transmitters that did not pass the gate.
  private func refused(_ state: RegionState, until end: Int64) -> Silence.Refused? {
    var found: Silence.Refused?
    var next = Int(state.links)
    while next > 0 {
      let link = links[next - 1]
      next = Int(link.next)
      guard link.gate > 0,
        let own = gates[Int(link.gate) - 1].refused(after: state.last, until: end)
      else { continue }
      let last = found.map { $0.at.nanoseconds > own.at.nanoseconds ? $0 : own } ?? own
      // It may have been any of them.
      let isUnmeasured = own.isUnmeasured || found?.isUnmeasured == true
      found = Silence.Refused(
        count: (found?.count ?? 0) + own.count, rssi: isUnmeasured ? nil : last.rssi, at: last.at)
    }
    return found
  }

  /// Reports in (L, X] that a decoder failed on, and that may have been the region's.
  private func undecoded(
    _ rule: RegionRule, _ activity: ObserverActivity, from: Int64, to: Int64
  ) -> Int64 {
    guard rule.decoded != .none else { return 0 }
    return activity.undecoded(rule.ear, from: from, to: to) { failure in
      switch rule.decoded {
      case .none: false
      case .all: failure.isFirst
      case .sender(let address): failure.isFirst && failure.sender.address == address
      case .decoder(let name):
        // Of a decoder whose name is not known it may be.
        Int(failure.decoder) < decoders.count
          ? decoders[Int(failure.decoder)] == name : failure.isFirst
      }
    }
  }

  /// Whether it is known already, without a record behind it, that the silence in (L, X] of a region
  /// is going to be `deaf`.
  func isDeaf(_ place: Int, until end: Int64) -> Bool {
    let state = states[place]
    let rule = rules[Int(state.rule)]
    let activity = timelines[Int(state.observer)].activity
    let last = rule.test.step == 0 ? end : end - 1
    return activity.heard(rule.ear, from: state.last, to: last) == nil
      || activity.scanOff(rule.ear, from: state.last, to: end) > 0
      || activity.captureOff(rule.ear, from: state.last, to: end) > 0
  }

  /// How likely a silence of P is by itself.
  struct Chance {
    var probability: Double
    /// Of the transmitter whose silence is least likely.
    var least: Regularity
    var listened: Silence.Listened?
    var leastProbability: Double
    /// Of all transmitters that count.
    var shortestInterval: Int64
    var transmitters = 1
    /// By the stay's own few sightings.
    var isOfStay = false
  }

  /// Nil where no transmitter was heard often enough, and none in the part of the stay that an earlier run
  /// followed.
  /// - Parameters:
  ///   - share: which part of the silence's time the radio listened.
  ///   - recorded: how much of P was recorded, nanoseconds; nil: all of it.
  func chance(_ place: Int, listening share: Double?, over recorded: Int64? = nil) -> Chance? {
    let state = states[place]
    let exitAfter = rules[Int(state.rule)].test.exitAfter
    let length = recorded ?? exitAfter
    let shares = timelines[Int(state.observer)].activity.shares
    if let own = chance(state, exitAfter, over: length, shares, share) {
      // Of a stay that an earlier run began L is where this one did, and what it is known by was kept.
      return earlierMatches[place] == nil || state.stay > 1
        ? own.allowing(for: state, linksOfStay(state), length) : own
    }
    guard state.stay == 1, let earlier = earlierRegularity[place] else { return nil }
    let probability =
      length == exitAfter
      ? earlier.probability : pow(earlier.probability, Double(length) / Double(exitAfter))
    return Chance(
      probability: probability,
      least: Regularity(interval: earlier.interval, loss: earlier.loss),
      leastProbability: probability, shortestInterval: earlier.interval,
      transmitters: earlier.transmitters)
  }

  /// Transmitters that were heard in the present stay.
  private func linksOfStay(_ state: RegionState) -> Int {
    var count = 0
    var next = Int(state.links)
    while next > 0 {
      count += 1
      next = Int(links[next - 1].next)
    }
    return count
  }

  /// By what this run heard.
  ///
  /// A transmitter that had been silent for P before L already does not count: its silence began
  /// earlier.
  private func chance(
    _ state: RegionState, _ exitAfter: Int64, over length: Int64, _ shares: ScanShares,
    _ share: Double?
  ) -> Chance? {
    var found: Chance?
    var next = Int(state.links)
    while next > 0 {
      let link = links[next - 1]
      next = Int(link.next)
      guard state.last.since(link.last) < exitAfter, gaps.count(link.gaps) + 1 >= Self.enough,
        let regularity = Regularity(gaps: gaps.sorted(link.gaps))
      else { continue }
      let before = shares.mean(from: link.last.later(by: -regularity.span), to: link.last)
      let listened = Self.listened(share, before: before)
      let own = regularity.probability(ofSilence: length, listened)
      var chance = Chance(
        probability: own, least: regularity, listened: listened, leastProbability: own,
        shortestInterval: regularity.interval)
      if let known = found {
        if known.leastProbability <= own { chance = known }
        chance.probability = known.probability * own
        chance.transmitters = known.transmitters + 1
        chance.shortestInterval = min(known.shortestInterval, regularity.interval)
      }
      found = chance
    }
    return found
  }

  /// Nil where it listens all the time, or nobody knows.
  private static func listened(_ share: Double?, before: Double?) -> Silence.Listened? {
    guard let share, share < 0.999 else { return nil }
    return Silence.Listened(share: share, before: before)
  }
}

extension RegionMonitor.Chance {
  /// What a stay of fewer than ten sightings allows for itself, where that is more.
  ///
  /// What is lost of a transmitter may have been learnt while it was near. Who comes back and is heard three
  /// times from far away is lost otherwise: of that nothing is known but these three. The stay begins with the
  /// first of them and ends with the last, whatever is lost; those between are so many of so many intervals, and
  /// allow for as much loss as makes that a one in twenty chance; where there are none, for all. Of several
  /// transmitters, which are not counted each, the intervals are those of the one that sends most often.
  ///
  /// - Parameter length: how long the silence was, as far as that was recorded.
  fileprivate func allowing(for state: RegionState, _ links: Int, _ length: Int64) -> Self {
    guard state.sightings < RegionMonitor.enough, shortestInterval > 0, links > 0 else {
      return self
    }
    let intervals = (Double(state.last.since(state.since)) / Double(shortestInterval)).rounded()
    let between = max(0, Int(min(intervals, 1e9)) - 1)
    let heard = min(max(0, state.sightings / links - 2), between)
    let received = Regularity.leastReceived(heard, of: between)
    let allowed = Regularity(interval: shortestInterval, loss: 1 - received)
    let own = allowed.probability(ofSilence: length, listened)
    guard own > probability else { return self }
    var chance = self
    (chance.probability, chance.least, chance.isOfStay) = (own, allowed, true)
    return chance
  }
}
