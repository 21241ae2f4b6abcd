import Beacons
package import CaptureReader
import FrameDecoder
import Regions

/// A radio of a run, and what it heard in all of its captures: what the word of each is worth.
package struct ReceiverSummary: Sendable {
  package let name: String
  /// From the first record to the last of its captures, as far as that lies in the part of the time that was
  /// looked at.
  package internal(set) var from = Timestamp.none
  package internal(set) var to = Timestamp.none
  package internal(set) var reports = 0
  /// For how long it listened, nanoseconds: a time of which it has several captures counts once. Nil of an air
  /// sniffer, whose capture does not tell that.
  package var listened: Int64? {
    isUnknown ? nil : listenedInAll.map { max(0, $0.later(by: -repeated)) }
  }
  /// Of a part of the time, where not all of its scans are listed.
  private var isUnknown = false
  private var listenedInAll: Int64?
  /// What captures of the same time have of that more than once, nanoseconds.
  fileprivate var repeated: Int64 = 0
  /// From the first record to the last of its captures.
  private var spans: [RecordGaps.Span] = []
  /// Its controller left out what was repeated, at times at least.
  package internal(set) var filtersDuplicates = false
  /// For how much of what it listened it passed on only whom it was told to, nanoseconds.
  package var listedOnly: Int64 { min(listedOnlyInAll, listened ?? 0) }
  private var listedOnlyInAll: Int64 = 0
  package internal(set) var sightings = 0
  /// Identities that it heard, and those of them that no other radio did.
  package internal(set) var beacons = 0
  package internal(set) var alone = 0
  /// dBm of the weakest sighting; nil where none was told.
  package internal(set) var weakest: Int?

  /// How much of the time that its captures last it listened, 0…1.
  package var share: Double? {
    guard let listened, let recorded, recorded > 0 else { return nil }
    return min(1, Double(listened) / Double(recorded))
  }
  /// For how long its captures last, from the first record to the last of each, nanoseconds: what several have of
  /// one time counts once. Nil where none has a time.
  package var recorded: Int64? {
    guard from.isKnown else { return nil }
    return RecordGaps(joining: spans).spans.reduce(0) { $0.later(by: $1.to.since($1.from)) }
  }
  /// Whether there are times of which it has no capture: more than a hundredth.
  package var pauses: Bool {
    guard let recorded, from.isKnown, to.isKnown else { return false }
    return Double(recorded) < 0.99 * Double(to.nanoseconds.since(from.nanoseconds))
  }

  init(name: String) { self.name = name }

  fileprivate mutating func add(
    _ facts: ObserverFacts, of capture: CaptureFacts, within limits: TimeLimits?
  ) {
    let span = capture.span
    if span.earliest.isKnown, limits?.touches(span.earliest, span.latest) != false {
      let first = Timestamp(nanoseconds: max(span.earliest.nanoseconds, limits?.from ?? .min))
      let last = Timestamp(nanoseconds: min(span.latest.nanoseconds, limits?.to ?? .max))
      if !from.isKnown || first.nanoseconds < from.nanoseconds { from = first }
      if !to.isKnown || last.nanoseconds > to.nanoseconds { to = last }
      spans += facts.scan.gaps.withoutSetClocks(from: first.nanoseconds, to: last.nanoseconds)
    }
    reports += facts.reports
    let own = limits.map { facts.listened(within: $0) } ?? facts.listened
    if facts.carriesHCI {
      if let own { listenedInAll = (listenedInAll ?? 0).later(by: own) } else { isUnknown = true }
    }
    if facts.scan.filteredWindows > 0 { filtersDuplicates = true }
    listedOnlyInAll = listedOnlyInAll.later(by: facts.listedOnly(within: limits))
  }
}

extension AnalysisResult {
  /// The radios of a run that listened, in its order; none where there is but one.
  package func receivers(_ beacons: BeaconSummaries) -> [ReceiverSummary] {
    var receivers: [String: ReceiverSummary] = [:]
    for capture in captures {
      for facts in capture.observers where facts.hasListened && !facts.isHost {
        receivers[facts.name, default: ReceiverSummary(name: facts.name)].add(
          facts, of: capture, within: limits)
      }
    }
    guard receivers.count > 1 else { return [] }
    let repeated = RepeatedListening(self).times
    let heard = beacons.heard(by: observers.count)
    return observers.enumerated().compactMap { place, name in
      guard var receiver = receivers[name] else { return nil }
      receiver.repeated = repeated[name]?.listened ?? 0
      receiver.sightings = heard[place].sightings
      receiver.beacons = heard[place].beacons
      receiver.alone = heard[place].alone
      receiver.weakest = heard[place].weakest
      return receiver
    }
  }
}

extension BeaconSummaries {
  fileprivate struct Heard {
    var sightings = 0
    var beacons = 0
    var alone = 0
    /// dBm.
    var weakest: Int?
    /// Place of the beacon that was counted last.
    var last = -1
  }

  /// By the run's observers.
  fileprivate func heard(by observers: Int) -> [Heard] {
    var heard = [Heard](repeating: Heard(), count: observers)
    for place in indices {
      var count = 0
      var only = 0
      for member in members[Int(number(at: place))] {
        let observer = Int(statistics.transmitters[member].observer)
        heard[observer].sightings += statistics.sightings(of: Int(member))
        if let low = statistics.weakestSignal(of: Int(member)) {
          heard[observer].weakest = Swift.min(low, heard[observer].weakest ?? low)
        }
        guard heard[observer].last != place else { continue }
        heard[observer].last = place
        heard[observer].beacons += 1
        count += 1
        only = observer
      }
      if count == 1 { heard[only].alone += 1 }
    }
    return heard
  }
}
