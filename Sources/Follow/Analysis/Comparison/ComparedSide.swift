import Regions
package import Beacons
package import CaptureReader
import FrameDecoder
import Regions

/// One of the two recordings that are compared: what was heard, and how well it was listened.
package struct ComparedSide: Sendable {
  package let result: AnalysisResult
  package let beacons: BeaconSummaries
  package let steps: ClockSteps
  /// First and last record.
  package private(set) var first = Timestamp.none
  package private(set) var last = Timestamp.none
  /// For how long all radios together listened, nanoseconds; a radio that listens for a part of its time
  /// counts with that part. Gaps in the recording do not count, and a time of which a radio has several captures
  /// counts once.
  package private(set) var listened: Int64 = 0
  /// For how long they scanned, whatever part of that they listened.
  package private(set) var scanned: Int64 = 0
  /// Advertising reports of anybody.
  package private(set) var reports = 0
  /// Radios that took part.
  package private(set) var receivers = 0
  /// They by the run's number.
  private(set) var radios: [Int: Radio] = [:]
  /// Those that left out what was repeated, by name: their intervals and signals are not the beacons'.
  package private(set) var filtering: [String] = []
  /// Whether all of them did: then nothing tells how often a beacon sends.
  package var allFilter: Bool { !filtering.isEmpty && filtering.count == radios.count }
  /// Those that for a tenth of their listening and more passed on only whom they were told to, by name.
  package var listing: [String] { radios.values.filter(\.hearsListedOnly).map(\.name).sorted() }
  /// Which part of the listening of all of them that is, 0…1.
  var listedOnlyShare: Double {
    let all = radios.values.reduce(0) { $0 + Double($1.listened) }
    return all > 0
      ? radios.sorted { $0.key < $1.key }
        .reduce(0) { $0 + $1.value.listedOnlyShare * Double($1.value.listened) } / all : 0
  }
  /// Which part of its time the radio listened that did so least, 0…1.
  package private(set) var share = 1.0
  /// Places of what is compared; identities that change, and telemetry without one, are counted only.
  package private(set) var places: [Int] = []
  package private(set) var notMatched: [(kind: BeaconKind, count: Int)] = []
  /// Beacons that fell silent before the end, by place.
  let silent: [Int: SilentBeacon]
  private let silences: SilentBeacons
  /// By address: places of what it sends.
  private(set) var senders: [UInt64: [Int]] = [:]
  /// By address, of those that are kept: the last Eddystone-EID of no key that it sent.
  private(set) var unknownEIDs: [UInt64: Int] = [:]

  /// Whether any of its captures could be read.
  package var isRead: Bool { !result.captures.isEmpty }

  package init(_ result: AnalysisResult) {
    self.result = result
    steps = ClockSteps(result)
    beacons = result.statistics.summaries()
    silences = SilentBeacons(result, beacons)
    silent = Dictionary(uniqueKeysWithValues: silences.all.map { ($0.place, $0) })
    let repeated = RepeatedListening(result).times
    for capture in result.captures { add(capture) }
    for times in repeated.values {
      scanned = max(0, scanned - times.scanned)
      listened = max(0, listened - times.listened)
    }
    filtering = Set(
      result.captures.flatMap(\.observers)
        .filter { $0.hasListened && $0.scan.filteredWindows > 0 }.map(\.name)
    ).sorted()
    let names = result.captures.flatMap(\.observers).filter(\.hasListened).map(\.name)
    receivers = Set(names).count
    for (kind, range) in beacons.kinds {
      if Self.isMatched(kind) {
        places += range
      } else {
        notMatched.append((kind, range.count))
        if kind == .eddystoneEID { noteEIDs(range) }
      }
    }
    meetRadios(repeated)
    for place in places {
      for observer in sightings(of: place).keys { radios[observer]?.beacons += 1 }
      for member in members(of: place) {
        let address = beacons.statistics.transmitters[member].address
        guard address.isPresent, senders[address.rawValue]?.last != place else { continue }
        senders[address.rawValue, default: []].append(place)
      }
    }
  }

  private mutating func noteEIDs(_ places: Range<Int>) {
    func last(_ place: Int, from address: DeviceAddress) -> Int64 {
      members(of: place).filter { beacons.statistics.transmitters[$0].address == address }
        .map { beacons.statistics.last(of: Int($0)).nanoseconds }.max() ?? .min
    }
    for place in places {
      for address in addresses(of: place) where address.isPresent && address.lifetime == .long {
        let known = unknownEIDs[address.rawValue]
        if known.map({ last($0, from: address) < last(place, from: address) }) ?? true {
          unknownEIDs[address.rawValue] = place
        }
      }
    }
  }

  private static func isMatched(_ kind: BeaconKind) -> Bool {
    BeaconFormats.format(kind).isLasting
  }

  private mutating func add(_ capture: CaptureFacts) {
    let span = capture.span
    if span.earliest.isKnown, result.limits?.touches(span.earliest, span.latest) != false {
      let (from, to) = (result.limits?.from ?? .min, result.limits?.to ?? .max)
      let earliest = max(span.earliest.nanoseconds, from)
      let latest = min(span.latest.nanoseconds, to)
      first = Timestamp(nanoseconds: first.isKnown ? min(first.nanoseconds, earliest) : earliest)
      last = Timestamp(nanoseconds: last.isKnown ? max(last.nanoseconds, latest) : latest)
    }
    for observer in capture.observers where observer.hasListened {
      reports += observer.reports
      let times = observer.times(within: result.limits)
      listened = listened.later(by: times.listened)
      scanned = scanned.later(by: times.scanned)
      for kind in observer.scan.byParameters {
        share = min(share, kind.share ?? 1)
      }
    }
  }

  private mutating func meetRadios(_ repeated: [String: RepeatedListening.Times]) {
    let listening = result.captures.flatMap(\.observers).filter(\.hasListened)
    let numbers = Dictionary(
      result.observers.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: min)
    for facts in listening {
      guard let number = numbers[facts.name] else { continue }
      radios[number, default: Radio(facts.name)].add(facts, within: result.limits)
    }
    for (name, times) in repeated {
      guard let number = numbers[name] else { continue }
      radios[number]?.take(out: times)
    }
  }

  /// The transmitters of the identity at a place.
  func members(of place: Int) -> ArraySlice<UInt32> {
    beacons.members[Int(beacons.number(at: place))]
  }

  /// The observer that heard it most often; ties go to the first one.
  func observer(of place: Int) -> Int {
    sightings(of: place).max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? 0
  }

  /// See `SilentBeacons`.
  func longestAbsence(of place: Int) -> Double? { silences.longestAbsence(of: place) }

  /// See `SilentBeacons`.
  func silence(of place: Int, after usual: Double) -> SilentBeacon? {
    silences.silence(of: place, after: usual)
  }

  /// See `SilentBeacons`.
  func isHeardThroughout(_ place: Int, _ observer: Int) -> Bool {
    silences.isHeardThroughout(place, observer)
  }

  /// See `SilentBeacons`.
  func isHeardAllAlong(_ place: Int, _ observer: Int) -> Bool {
    silences.isHeardAllAlong(place, observer)
  }

  /// See `SilentBeacons`: to who walks every beacon changes.
  func isHeardFromOnePlace(_ place: Int) -> Bool { silences.isHeardFromOnePlace(place) }

  /// See `SilentBeacons`.
  func standsStill(_ radio: Int) -> Bool { silences.standsStill(radio) }
  func walks(_ radio: Int) -> Bool { silences.walks(radio) }

  /// See `SilentBeacons`.
  func isTooShort(_ radio: Int) -> Bool { silences.isTooShort(radio) }

  /// When a radio had recorded for so long, nanoseconds; nil where it did not.
  func moment(of radio: Int, after length: Int64) -> Int64? {
    silences.moment(of: radio, after: length)
  }

  /// Where the last quarter of it begins, by the radio that scanned longest; nil where that is too short
  /// to say anything.
  package var lastPart: Timestamp? {
    let part = (radios.values.map(\.scanned).max() ?? 0) / 4
    guard last.isKnown, part >= Self.leastPart else { return nil }
    return Timestamp(nanoseconds: last.nanoseconds.later(by: -part))
  }
  private static let leastPart: Int64 = 120_000_000_000

  /// A moment, or the first sighting behind it of those that are known of this part, where it lies in a pause: nothing
  /// is true of the pause.
  func firstSighting(from moment: Timestamp) -> Timestamp {
    let statistics = beacons.statistics
    let first = places.lazy.flatMap { members(of: $0) }
      .map { statistics.rests[Int($0)].first }.filter(\.isKnown)
      .map(\.nanoseconds).min()
    return first.map { Timestamp(nanoseconds: max($0, moment.nanoseconds)) } ?? moment
  }

  /// Advertising reports in a second of listening; nil where nobody listened.
  package var reportsPerSecond: Double? {
    listened > 0 ? Double(reports) * 1e9 / Double(listened) : nil
  }
}
