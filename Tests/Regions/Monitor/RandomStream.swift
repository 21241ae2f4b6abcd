import CaptureReader
import FrameDecoder
import TestSupport

@testable import Beacons
@testable import Regions

/// Regions, a profile and happenings at random, made so that instants often fall together.
final class RandomStream {
  private struct Third: RegionPredicate {
    func matches(_ candidate: RegionCandidate) -> Bool { candidate.frame % 3 == 0 }
  }

  private static let beacons: [Beacon] = [
    .iBeacon(1, 1), .iBeacon(1, 1, address: 9), .iBeacon(1, 2, address: 2),
    .iBeacon(2, 1, address: 3), .iBeacon(1, 1, uuid: 8, address: 4),
    .eddystone(namespace: 9, address: 5), .eddystone(namespace: 9, instance: 2, address: 1),
  ]

  private var regions: [Region] = []
  private var rules: [MonitorTwin.Rule] = []
  private var profile = Profiles.site
  private var stage: Stage
  private var markers: [Int64] = []
  private let comesToBe: Bool
  /// Two files of one observer, the second of which may begin before the first ends.
  private let isRotated: Bool
  private(set) var exits = 0
  private(set) var grades: Set<String> = []

  init(_ random: inout Seeded) {
    isRotated = random.once(in: 5)
    stage = Stage(observers: isRotated ? 2 : random.pick([1, 1, 2, 3]))
    comesToBe = random.once(in: 6)
    profile.exitAfter = random.pick([1, 2, 3, 5]) * second
    profile.smoothing = .last
    if random.once(in: 3) { profile.cycle = random.pick([5, 10, 11]) * second / 10 }
    if random.once(in: 5) {
      profile.scanWindow = random.pick([5, 10, 20]) * second / 10
      profile.scanInterval = random.pick([20, 35, 70]) * second / 10
    }
    profile.entersOnFirstSight = random.once(in: 3)
    profile.ignoresUnknownRSSI = random.once(in: 3)
    if !comesToBe {
      for place in 0...random.below(6) { addRegion(place, &random) }
    }
    for _ in 0..<random.below(4) { markers.append(Int64(random.below(400)) * second / 10) }
    play(&random)
  }

  private func addRegion(_ place: Int, _ random: inout Seeded) {
    var rule = MonitorTwin.Rule(matches: { _, _ in false }, exitAfter: profile.exitAfter)
    var region: Region
    let (condition, matches) = Self.condition(&random)
    region = Region(identifier: "r\(place)", condition)
    rule.matches = matches
    (rule.cycle, rule.window, rule.interval) = (
      profile.cycle, profile.scanWindow, profile.scanInterval
    )
    rule.entersOnFirstSight = profile.entersOnFirstSight
    rule.ignoresUnknownRSSI = profile.ignoresUnknownRSSI
    if random.once(in: 4) {
      rule.exitAfter = random.pick([1, 4]) * second
      override(&region, "exit_after", "\(rule.exitAfter / second)")
    }
    if random.once(in: 5) {
      rule.cycle = second
      override(&region, "cycle", "1")
    }
    if random.once(in: 6) {
      (rule.window, rule.interval) = (second, 3 * second)
      override(&region, "scan_window", "1")
      override(&region, "scan_interval", "3")
    }
    if random.once(in: 4) {
      rule.minRSSI = -70
      region.gate.minRSSI = Hysteresis(enter: -70, leave: -75)
    }
    rule.notifiesOnEntry = !random.once(in: 5)
    rule.notifiesOnExit = !random.once(in: 6)
    rule.onDisplay = random.once(in: 4)
    region.notifiesOnEntry = rule.notifiesOnEntry
    region.notifiesOnExit = rule.notifiesOnExit
    region.notifiesEntryOnDisplay = rule.onDisplay
    regions.append(region)
    rules.append(rule)
  }

  private func override(_ region: inout Region, _ name: String, _ value: String) {
    do throws(SettingProblem) {
      region.overrides.append(try ProfileOverride(name: name, value))
    } catch {
      fatalError("\(error)")
    }
  }

  private static func condition(_ random: inout Seeded) -> (
    RegionCondition, (Beacon, Int) -> Bool
  ) {
    let wanted = random.pick(beacons)
    let bytes = (0..<Int(wanted.identity.count)).map { wanted.identity.byte($0) }
    let kind = wanted.identity.kind
    switch random.below(5) {
    case 0:
      return (.address(wanted.address), { beacon, _ in beacon.address == wanted.address })
    case 1: return (.custom(Third()), { _, frame in frame % 3 == 0 })
    case 2:
      return (
        .identity(IdentityPrefix(kind, bytes)), { beacon, _ in beacon.identity == wanted.identity }
      )
    default:
      // A wildcard: without major and minor, or without instance.
      let count = kind == .iBeacon ? 16 : 10
      let matches: (Beacon, Int) -> Bool = { beacon, _ in
        beacon.identity.kind == kind
          && (0..<count).allSatisfy { beacon.identity.byte($0) == bytes[$0] }
      }
      return (.identity(IdentityPrefix(kind, Array(bytes.prefix(count)))), matches)
    }
  }

  private func play(_ random: inout Seeded) {
    var now: Int64 = 0
    var liked = Self.beacons[0]
    let count = random.pick([6, 60, 150])
    for place in 0..<count {
      now += step(&random)
      if isRotated && place == count / 2 {
        stage.play(.end(observer: 0))
        now = max(0, now - random.pick([0, second, 4 * second]))
      }
      let time = max(
        0, now + (random.once(in: 12) ? random.pick([-1, 1, -second, -3 * second]) : 0))
      let observer = isRotated ? place / (count / 2) : random.below(stage.observers)
      if random.once(in: 15) { liked = random.pick(Self.beacons) }
      switch random.below(14) {
      case 0: stage.play(.record(time, observer: observer))
      case 1 where random.once(in: 3):
        // Others go on, without a pause that takes its part of a silence.
        for _ in 0..<random.pick([10, 30]) {
          now += random.pick([2, 5]) * second / 10
          stage.play(.hears(max(time, now), observer: observer))
        }
      case 1: stage.play(.hears(time, observer: observer))
      case 2 where random.once(in: 5):
        stage.play(
          .scan(
            time, on: !random.once(in: 3), observer: observer,
            limits: random.pick([[], [], .duplicates, .unlisted, [.duplicates, .unlisted]])))
      case 2 where random.once(in: 12):
        stage.play(.limits(time, random.pick([[], .unlisted]), observer: observer))
      case 3 where random.once(in: 8):
        let found = max(0, time + random.pick([0, 0, second / 10, second]))
        stage.play(.lost(found, Int64(1 + random.below(9)), observer: observer))
      default:
        stage.play(
          .sees(
            time, random.once(in: 3) ? random.pick(Self.beacons) : liked,
            rssi: random.pick([-60, -60, -70, -72, -76, -90, 127]), observer: observer))
      }
    }
    for observer in (isRotated ? 1 : 0)..<stage.observers { stage.play(.end(observer: observer)) }
  }

  private func step(_ random: inout Seeded) -> Int64 {
    switch random.below(14) {
    case 0: 0
    case 1: profile.exitAfter
    case 2: profile.exitAfter + 1
    case 3: random.pick([10, 20, 30, 60]) * second / 10
    case 4, 5: random.pick([1, 700, 9_999, 10_000, 10_001, 20_000]) * second / 1_000_000
    default: Int64(1 + random.below(5)) * second / 10
    }
  }

  /// What the monitor and its twin do not agree about; nil: nothing.
  func difference() throws -> String? {
    var monitor = try RegionMonitor(RegionList(regions), profile)
    for marker in markers { monitor.markDisplayOn(at: Timestamp(nanoseconds: origin + marker)) }
    stage.perform(for: &monitor, names: isRotated ? ["phone", "phone"] : nil)
    let events = monitor.drain()
    let rules = comesToBe ? rulesThatCameToBe() : rules
    let files = isRotated ? [[0, 1]] : (0..<stage.observers).map { [$0] }
    for (observer, files) in files.enumerated() {
      var twin = MonitorTwin(stage, observers: files)
      var expected: [(event: MonitorTwin.Event, worth: MonitorTwin.Worth?)] = []
      for (region, rule) in rules.enumerated() {
        let found = twin.events(
          rule, region: region, markers: markers.map { origin + $0 }.sorted())
        var worths = (twin.worths.last ?? [])[...]
        expected += found.map { ($0, $0.type == .exit ? worths.popFirst() : nil) }
      }
      expected.sort {
        ($0.event.time, $0.event.rank, $0.event.region)
          < ($1.event.time, $1.event.rank, $1.event.region)
      }
      var own = events.filter { $0.observer == UInt32(observer) }
      if comesToBe { own.sort(by: RegionEvent.comesBefore) }
      if let found = compare(own, expected) { return "observer \(observer): \(found)" }
      if let found = compareStays(monitor, twin, observer) { return found }
    }
    return nil
  }

  private func rulesThatCameToBe() -> [MonitorTwin.Rule] {
    var prefixes: [IdentityPrefix] = []
    for case .sighting(let sighting) in stage.handed {
      let identity = stage.beacons[Int(sighting.transmitter)].identity
      let count = identity.kind == .iBeacon ? 16 : 10
      if let prefix = IdentityPrefix(of: identity, count: count), !prefixes.contains(prefix) {
        prefixes.append(prefix)
      }
    }
    return prefixes.map { prefix in
      var rule = MonitorTwin.Rule(
        matches: { beacon, _ in
          IdentityPrefix(of: beacon.identity, count: prefix.bytes.count) == prefix
        }, exitAfter: profile.exitAfter)
      rule.cycle = profile.cycle
      rule.window = profile.scanWindow
      rule.interval = profile.scanInterval
      rule.entersOnFirstSight = profile.entersOnFirstSight
      rule.ignoresUnknownRSSI = profile.ignoresUnknownRSSI
      return rule
    }
  }

  private func compare(
    _ own: [RegionEvent], _ expected: [(event: MonitorTwin.Event, worth: MonitorTwin.Worth?)]
  ) -> String? {
    for place in 0..<max(own.count, expected.count) {
      guard place < own.count else { return "missing \(expected[place].event)" }
      guard place < expected.count else { return "too many: \(own[place])" }
      let (event, twin) = (own[place], expected[place].event)
      var plain = MonitorTwin.Event(
        time: event.time.nanoseconds, rank: twin.rank, region: Int(event.region),
        type: event.type, state: event.state)
      if event.lastSeen.isKnown { plain.lastSeen = event.lastSeen.nanoseconds }
      if event.crossedAt.isKnown { plain.crossedAt = event.crossedAt.nanoseconds }
      plain.frame = event.evidence?.frame
      if plain != twin { return "\(place): \(plain) instead of \(twin)" }
      guard let silence = event.silence, let worth = expected[place].worth else { continue }
      exits += 1
      grades.insert(silence.grade.rawValue)
      if !Self.agree(silence, worth) { return "\(twin): \(silence) instead of \(worth)" }
    }
    return nil
  }

  private static func agree(_ silence: Silence, _ worth: MonitorTwin.Worth) -> Bool {
    guard silence.grade == worth.grade, silence.othersHeard.isKnown == worth.isHeard,
      silence.scanOff == worth.scanOff, silence.recordGap == worth.gap,
      silence.transmitters == worth.transmitters, silence.filtered == worth.filtered,
      silence.listedOnly == worth.listedOnly, silence.packetsLost == worth.lost
    else { return false }
    if worth.transmitters == 1,
      silence.interval != worth.interval || !isNear(silence.loss, worth.loss)
    {
      return false
    }
    return isNear(silence.probability, worth.probability)
  }

  /// Up to rounding: sums and products are made in another order.
  private static func isNear(_ a: Double?, _ b: Double?) -> Bool {
    if let a, let b { return abs(a - b) < 1e-9 }
    return a == nil && b == nil
  }

  private func compareStays(
    _ monitor: borrowing RegionMonitor, _ twin: MonitorTwin, _ observer: Int
  ) -> String? {
    let own = (monitor.visits + monitor.openVisits).filter { $0.observer == UInt32(observer) }
      .map { [Int64($0.region), $0.since.nanoseconds, $0.until.nanoseconds, Int64($0.sightings)] }
    let expected = twin.stays.map {
      [Int64($0.region), $0.since, $0.until ?? .min, Int64($0.sightings)]
    }
    func isBefore(_ a: [Int64], _ b: [Int64]) -> Bool { a.lexicographicallyPrecedes(b) }
    let (left, right) = (own.sorted(by: isBefore), expected.sorted(by: isBefore))
    return left == right ? nil : "observer \(observer): stays \(left) instead of \(right)"
  }
}
