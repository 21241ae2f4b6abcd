import Beacons
package import CaptureReader
import FrameDecoder

/// Everything a run found out.
package struct AnalysisResult: Sendable {
  package var captures: [CaptureFacts] = []
  /// Inputs that could not be read, in the order in which that was found.
  package var problems: [CaptureProblem] = []
  /// Files in folders that are no captures, and what does not belong to what is looked through there.
  package var passedOver: [CaptureProblem] = []
  /// Names by the run's observer numbers.
  package var observers: [String] = []
  /// Inputs as the user named them, by place.
  package var captureNames: [String] = []
  package var statistics = BeaconStatistics()
  /// What regions, ranging and messages came to; nil where nothing was followed.
  package var timeline: Timeline?
  /// Which part of the time beacons, visits and alerts are of; nil: all of it. Captures are whole.
  package internal(set) var limits: TimeLimits?
  /// Sightings that no part of the time has, because they have none; counted where there are limits.
  package internal(set) var sightingsWithoutTime = 0
  /// Sightings of that part by their own time, which a clock that was set back stamped: they are followed
  /// at a later one, which lies outside it.
  package internal(set) var sightingsFollowedLater = 0
  /// How clocks of captures that heard the same beacons go by one another; nil where that was not looked at, or
  /// there are none, or too many sightings to compare on the side.
  package internal(set) var clocks: ClocksCompared?
  /// Of the captures, in their order; none where they were not compared.
  package internal(set) var signals: [SignalSample] = []
  /// Identifiers of beacons with keys that somebody may have recorded and sent again.
  package internal(set) var oddIdentifiers = OddIdentifiers()
  var seriesMaking: SeriesMaking?

  /// Says in the timeline which observers are no radios.
  mutating func noteHosts() {
    let hosts = Set(captures.flatMap(\.observers).filter(\.isHost).map(\.name))
    for (place, name) in observers.enumerated() where hosts.contains(name) {
      timeline?.noteHost(place)
    }
  }

  /// Signals over time; nil where they were not asked for. Waits until they are there.
  package var series: RunSeries? {
    get throws(LogProblem) { try seriesMaking?.series() }
  }
}

extension AnalysisResult {
  /// Observers whose controller left out what was repeated, at times at least, by name.
  package var filteringObservers: Set<String> {
    Set(captures.flatMap(\.observers).filter { $0.scan.filteredWindows > 0 }.map(\.name))
  }

  /// Says of the observers that filtered that their gaps are not those of beacons; and of those that for most of their
  /// scans rested between windows for longer than a beacon takes to send again: from window to window their gaps are
  /// the radio's.
  mutating func noteFilters() {
    var names = filteringObservers
    var (all, resting): ([String: Double], [String: Double]) = ([:], [:])
    for observer in captures.flatMap(\.observers) {
      for kind in observer.scan.byParameters {
        all[observer.name, default: 0] += Double(kind.listening)
        if kind.rest >= Self.shortestInterval {
          resting[observer.name, default: 0] += Double(kind.listening)
        }
      }
    }
    names.formUnion(resting.filter { $0.value * 2 > all[$0.key] ?? 0 }.keys)
    guard !names.isEmpty else { return }
    statistics.filtering = Set(observers.indices.filter { names.contains(observers[$0]) })
  }

  /// Nanoseconds; that which Apple asks of an iBeacon.
  private static let shortestInterval: Int64 = 100_000_000

  /// Whether somebody was heard by two observers that no capture has in common: each by a clock of its own.
  package var heardByClocksOfTheirOwn: Bool {
    var captures: [String: Set<String>] = [:]
    for facts in self.captures {
      for observer in facts.observers { captures[observer.name, default: []].insert(facts.name) }
    }
    let own = observers.map { captures[$0] ?? [] }
    var first: [UInt64: Int] = [:]
    for transmitter in statistics.transmitters.transmitters where transmitter.address.isPresent {
      let observer = Int(transmitter.observer)
      let known = first[transmitter.address.address] ?? observer
      first[transmitter.address.address] = known
      if known != observer, own[known].isDisjoint(with: own[observer]) { return true }
    }
    return false
  }
}

extension Timeline {
  fileprivate mutating func noteHost(_ observer: Int) {
    if observer < observers.count { observers[observer].isHost = true }
  }
}

/// How far a run is.
package struct AnalysisProgress: Sendable {
  /// Of the stored inputs.
  package let bytesRead: Int64
  package let records: Int
  /// Live: beacons heard so far, as summaries count them.
  package let beacons: Int
  /// Live: observers whose controller leaves duplicates out just now.
  package let filtering: [String]
  /// Live: advertising reports of any advertiser so far.
  package let reports: Int
}
