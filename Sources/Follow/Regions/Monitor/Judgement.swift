import CaptureReader

extension RegionMonitor {
  /// Sightings that a transmitter needs for its regularity to count (SEMANTICS 2, Evidence).
  private static var enough: UInt32 { 10 }

  /// What the silence in (L, X] of a region is worth, in the order of SEMANTICS 2, Evidence.
  func judge(_ place: Int, until end: Int64) -> Silence {
    let state = states[place]
    let rule = rules[Int(state.rule)]
    let activity = timelines[Int(state.observer)].activity
    // A test at a cycle's end comes before what arrives at its instant.
    let last = rule.test.step == 0 ? end : end - 1
    let heard = activity.heard(rule.ear, from: state.last, to: last)
    let scanOff = activity.scanOff(rule.ear, from: state.last, to: end)
    let captureOff = activity.captureOff(rule.ear, from: state.last, to: end)
    let gap = activity.recordGap(
      from: state.last, to: end, atLeast: rule.test.exitAfter)
    let chance = chance(place)
    let isDeaf = heard == nil || scanOff > 0 || captureOff > 0 || gap > 0
    let isThin = chance.map { $0.probability > Silence.likely } ?? true
    return Silence(
      grade: isDeaf ? .deaf : isThin ? .thin : .gone,
      othersHeard: heard.map { Timestamp(nanoseconds: $0) } ?? .none, scanOff: scanOff,
      captureOff: captureOff, recordGap: gap, interval: chance?.least.interval,
      loss: chance?.least.loss,
      probability: chance?.probability, transmitters: chance?.transmitters ?? 0)
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

  /// How likely a silence of P is by itself; nil where no transmitter was heard often enough, and none in
  /// the part of the stay that an earlier run followed.
  func chance(_ place: Int) -> (probability: Double, least: Regularity, transmitters: Int)? {
    let state = states[place]
    if let own = chance(state, rules[Int(state.rule)].test.exitAfter) { return own }
    guard state.stay == 1, let earlier = earlierRegularity[place] else { return nil }
    return (
      earlier.probability, Regularity(interval: earlier.interval, loss: earlier.loss),
      earlier.transmitters
    )
  }

  /// By what this run heard.
  ///
  /// A transmitter that had been silent for P before L already does not count: its silence began
  /// earlier.
  private func chance(_ state: RegionState, _ exitAfter: Int64)
    -> (probability: Double, least: Regularity, transmitters: Int)?
  {
    var found: (probability: Double, least: Regularity, transmitters: Int)?
    var leastProbability = Double.infinity
    var next = Int(state.links)
    while next > 0 {
      let link = links[next - 1]
      next = Int(link.next)
      guard state.last.since(link.last) < exitAfter, link.received >= Self.enough,
        let regularity = Regularity(gaps: gaps.sorted(link.gaps))
      else { continue }
      let own = regularity.probability(ofSilence: exitAfter)
      let least = own < leastProbability ? regularity : found?.least ?? regularity
      leastProbability = min(leastProbability, own)
      found = ((found?.probability ?? 1) * own, least, (found?.transmitters ?? 0) + 1)
    }
    return found
  }
}
