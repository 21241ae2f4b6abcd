package import Beacons
package import CaptureReader
import FrameDecoder
import Regions

/// One of the two recordings that are compared: what was heard, and how well it was listened.
package struct ComparedSide: Sendable {
  package let result: AnalysisResult
  package let beacons: BeaconSummaries
  /// First and last record.
  package private(set) var first = Timestamp.none
  package private(set) var last = Timestamp.none
  /// For how long all radios together listened, nanoseconds; a radio that listens for a part of its time
  /// counts with that part.
  package private(set) var listened: Int64 = 0
  /// Advertising reports of anybody.
  package private(set) var reports = 0
  /// Radios that took part.
  package private(set) var receivers = 0
  /// Whether one of them left out what was repeated.
  package private(set) var filtersDuplicates = false
  /// Which part of its time the radio listened that did so least, 0…1.
  package private(set) var share = 1.0
  /// Places of what is compared; identities that change, and telemetry without one, are counted only.
  package private(set) var places: [Int] = []
  package private(set) var notMatched: [(kind: BeaconKind, count: Int)] = []
  /// Beacons that fell silent before the end, by place.
  let silent: [Int: SilentBeacon]
  /// By address: places of what it sends.
  private(set) var senders: [UInt64: [Int]] = [:]

  package init(_ result: AnalysisResult) {
    self.result = result
    beacons = result.statistics.summaries()
    let silent = SilentBeacons(result, beacons).all
    self.silent = Dictionary(uniqueKeysWithValues: silent.map { ($0.place, $0) })
    for capture in result.captures { add(capture) }
    let names = result.captures.flatMap(\.observers).filter(\.hasListened).map(\.name)
    receivers = Set(names).count
    for (kind, range) in beacons.kinds {
      if Self.isMatched(kind) {
        places += range
      } else {
        notMatched.append((kind, range.count))
      }
    }
    for place in places {
      for member in members(of: place) {
        let address = beacons.statistics.transmitters[member].address
        guard address.isPresent, senders[address.rawValue]?.last != place else { continue }
        senders[address.rawValue, default: []].append(place)
      }
    }
  }

  private static func isMatched(_ kind: BeaconKind) -> Bool {
    kind != .eddystoneEID && !BeaconFormats.format(kind).isTelemetry
  }

  private mutating func add(_ capture: CaptureFacts) {
    if capture.span.earliest.isKnown {
      if !first.isKnown || capture.span.earliest.nanoseconds < first.nanoseconds {
        first = capture.span.earliest
      }
      if !last.isKnown || capture.span.latest.nanoseconds > last.nanoseconds {
        last = capture.span.latest
      }
    }
    for observer in capture.observers where observer.hasListened {
      reports += observer.reports
      if observer.scan.filteredWindows > 0 { filtersDuplicates = true }
      listened += Self.listening(observer)
      for (parameters, _) in observer.scan.byParameters {
        share = min(share, parameters?.share ?? 1)
      }
    }
  }

  private static func listening(_ observer: ObserverFacts) -> Int64 {
    guard observer.carriesHCI else {
      guard observer.firstReport.isKnown, observer.lastReport.isKnown else { return 0 }
      return max(0, observer.lastReport.nanoseconds.since(observer.firstReport.nanoseconds))
    }
    guard observer.scan.windowsNotListed == 0 else { return observer.scan.listening }
    return observer.scan.byParameters.reduce(0) { sum, entry in
      sum + Int64(Double(entry.listening) * (entry.parameters?.share ?? 1))
    }
  }

  /// The transmitters of the identity at a place.
  func members(of place: Int) -> ArraySlice<UInt32> {
    beacons.members[Int(beacons.number(at: place))]
  }

  /// The observer that heard it most often; ties go to the first one.
  func observer(of place: Int) -> Int {
    var sightings: [Int: Int] = [:]
    for member in members(of: place) {
      let observer = Int(beacons.statistics.transmitters[member].observer)
      sightings[observer, default: 0] += beacons.statistics.sightings(of: Int(member))
    }
    return sightings.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
  }

  /// By how much clocks stepped back at most, nanoseconds.
  package var stepBack: Int64 { result.captures.map(\.span.largestStepBack).max() ?? 0 }

  /// Advertising reports in a second of listening; nil where nobody listened.
  package var reportsPerSecond: Double? {
    listened > 0 ? Double(reports) * 1e9 / Double(listened) : nil
  }
}
