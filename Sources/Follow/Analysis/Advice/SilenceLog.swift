import Beacons
package import CaptureReader
import FrameDecoder
import Regions

/// Which silences of single beacons are counted while a run is followed.
package struct SilenceSettings: Sendable {
  /// Exit periods, nanoseconds: ascending, each once, one at least.
  package let periods: [Int64]
  /// A silence that goes on for longer behind an exit period than this is an absence, nanoseconds.
  package let returned: Int64
  /// The exit period that holds now, nanoseconds: a pause of all advertisers for so long is the radio's.
  package let present: Int64
  /// A longer gap is an absence, too: neither interval nor loss (as for grades, SEMANTICS 2), nanoseconds.
  package var longestGap: Int64 { present.later(by: present).later(by: present) }
  /// Which part of the time counts; nil: all of it.
  package let limits: TimeLimits?

  package init(periods: [Int64], returned: Int64, present: Int64, limits: TimeLimits? = nil) {
    self.periods = Array(Set(periods)).sorted()
    self.returned = returned
    self.limits = limits
    self.present = present
  }
}

/// What the silences of a beacon, from one address at one observer, came to.
package struct BeaconSilences: Sendable {
  /// The run's number; its observer's, too.
  package let transmitter: Int
  package let observer: Int
  /// Regions that it belongs to, ascending.
  package let regions: [Int]
  package let sightings: Int
  /// When it was heard last.
  package let last: Timestamp
  /// Mean time between two advertisements, nanoseconds, and lost of all, 0…1; nil where that cannot be told.
  package let pace: BeaconPace?
  /// Why it cannot.
  package let untold: BeaconPace.Untold?
  /// Whether silences may be of other times than those that the pace is of: it was learnt from a part of them.
  package let isOfPart: Bool
  /// Why its address' counter of frames is not used, where it has one.
  package let countFault: BeaconPace.CountFault?
  /// Longest silence while the observer listened, nanoseconds, less its pauses of all advertisers; and the
  /// longest ones with one of the shortest period or longer, the longest first.
  package let longest: Int64
  package let paused: [Pause]
  /// By period: silences that were longer, and no absence; without a pause of all advertisers that was as
  /// long, and with one.
  package let counts: [(heard: Int, paused: Int)]

  /// A silence of it, and how long nobody at all was heard in it, nanoseconds.
  package struct Pause: Sendable {
    package let silence: Int64
    package let pause: Int64
  }
}

/// Silences of each beacon while a run goes on: for every transmitter a fixed number of counts, and its gaps by
/// length in up to sixteen parts of its time, whatever the length of the run. Only where somebody asks for advice.
struct SilenceLog {
  /// What an observer could hear.
  private struct Listener {
    /// How often it was known to stop: a silence across that says nothing.
    var stops: UInt32 = 0
    /// Whether its controller leaves out what is repeated, and whether its radio listens a part of the time.
    var filters = false
    var isPartly = false
    /// Which part of its time, 0…1.
    var share = 1.0
    var isWhole: Bool { !filters && !isPartly }
    /// Its latest pauses without any record of the shortest period or longer.
    var pauses: [(from: Int64, to: Int64)] = []
    /// Whether there were more of them.
    var forgotPauses = false
    var lastRecord = Int64.min
  }

  fileprivate struct Row {
    var isKnown = false
    var events = HeardEvents()
    var stops: UInt32 = 0
    /// Whether that was with all that is sent, as far as nothing is lost; and how many sightings were not:
    /// with a filter of duplicates, and by a radio that listened a part of the time.
    var wasWhole = true
    var filtered = 0
    var partly = 0
    var group = 0
    var isTelemetry = false
    var sightings = 0
    var longest: Int64 = 0
    var paused: [BeaconSilences.Pause] = []
    var gaps = GapParts()
  }

  private let settings: SilenceSettings
  private var listeners: [Listener] = []
  private var rows: [Row] = []
  /// By transmitter and period.
  private var counts: [(heard: UInt32, paused: UInt32)] = []
  private var counters: [FrameCounter] = []
  private var groups: [Transmitter: Int] = [:]

  /// Pauses that are kept: no silence that counts is as long as so many of them.
  private static let mostPauses = 256
  /// Silences of a beacon with a pause that are kept.
  static let mostPaused = 1024
  /// A radio that listens nearly all the time loses next to nothing by that (as when recordings are compared).
  private static let all = 0.9

  init?(_ settings: SilenceSettings?) {
    guard let settings else { return nil }
    self.settings = settings
  }

  /// - Parameter tables: the run's, with everybody that the run names.
  mutating func take(_ run: Span<BriefSighting>, wholes: Span<Sighting>, _ tables: RunTables) {
    for place in run.indices {
      let sighting = run[place]
      guard sighting.time.isKnown, settings.limits?.contains(sighting.time) ?? true else {
        continue
      }
      let number = Int(sighting.transmitter)
      if number >= rows.count || !rows[number].isKnown { learn(number, tables) }
      add(sighting.time.nanoseconds, number, Int(tables.transmitters[UInt32(number)].observer))
      let listener = Int(tables.transmitters[UInt32(number)].observer)
      if rows[number].isTelemetry, sighting.whole > 0, listeners[listener].isWhole {
        let told = TelemetryReading(wholes[Int(sighting.whole) - 1].extra)
        counters[rows[number].group].tell(
          told.advertisements, uptime: told.uptime,
          at: sighting.time.nanoseconds, stops: listeners[listener].stops)
      }
    }
  }

  private mutating func learn(_ number: Int, _ tables: RunTables) {
    while rows.count <= number {
      rows.append(Row())
      counts.append(contentsOf: settings.periods.map { _ in (0, 0) })
    }
    let transmitter = tables.transmitters[UInt32(number)]
    meet(Int(transmitter.observer))
    // All that an address sends counts in one counter.
    let key = Transmitter(address: transmitter.address, identity: 0, observer: transmitter.observer)
    let group = groups[key] ?? counters.count
    if group == counters.count {
      counters.append(FrameCounter())
      groups[key] = group
    }
    rows[number].isKnown = true
    rows[number].group = group
    if transmitter.address.isPresent { counters[group].meet() }
    rows[number].isTelemetry =
      BeaconFormats.format(tables.identities[transmitter.identity].kind).telemetry == .plain
  }

  private mutating func meet(_ observer: Int) {
    while listeners.count <= observer { listeners.append(Listener()) }
  }

  private mutating func add(_ time: Int64, _ number: Int, _ observer: Int) {
    let last = rows[number].events.last
    rows[number].sightings += 1
    let isWhole = rows[number].wasWhole && listeners[observer].isWhole
    rows[number].wasWhole = listeners[observer].isWhole
    if listeners[observer].filters { rows[number].filtered += 1 }
    if listeners[observer].isPartly { rows[number].partly += 1 }
    let event = rows[number].events.hear(at: time)
    if last == .min { counters[rows[number].group].hear(at: time, within: settings.longestGap) }
    guard time > last else { return }
    let wasStopped = rows[number].stops != listeners[observer].stops
    rows[number].stops = listeners[observer].stops
    guard let event else { return }
    let gap = event.silence
    counters[rows[number].group].hear(
      at: time, within: settings.longestGap, isWhole: isWhole && !wasStopped)
    guard !wasStopped else { return }
    let isLong = gap > settings.periods[0]
    let (pause, pauses) = isLong ? pauses(observer, from: last, to: time) : (0, 0)
    if isLong { count(gap, pause: pause, number) }
    if pause > 0 { keep(.init(silence: gap, pause: pause), number) }
    rows[number].longest = max(rows[number].longest, gap - pauses)
    if isWhole, gap <= settings.longestGap, pause < settings.present {
      rows[number].gaps.add(event.interval, until: time)
    }
  }

  private mutating func keep(_ pause: BeaconSilences.Pause, _ number: Int) {
    let kept = rows[number].paused
    let place = kept.firstIndex { $0.silence < pause.silence } ?? kept.count
    guard place < Self.mostPaused else { return }
    if kept.count == Self.mostPaused { rows[number].paused.removeLast() }
    rows[number].paused.insert(pause, at: place)
  }

  private mutating func count(_ gap: Int64, pause: Int64, _ number: Int) {
    let first = number * settings.periods.count
    for (place, period) in settings.periods.enumerated()
    where gap > period && gap <= period.later(by: settings.returned) {
      if pause >= period {
        counts[first + place].paused += 1
      } else {
        counts[first + place].heard += 1
      }
    }
  }

  /// How long the longest pause of all advertisers between two moments is, and how long all of them are that lie
  /// there: all of the time where some that may lie there were forgotten, nanoseconds.
  private func pauses(_ observer: Int, from: Int64, to: Int64) -> (longest: Int64, all: Int64) {
    var (longest, all): (Int64, Int64) = (0, 0)
    for pause in listeners[observer].pauses.reversed() {
      guard pause.to > from else { return (longest, all) }
      guard pause.from < to else { continue }
      longest = max(longest, pause.to.since(pause.from))
      all += min(pause.to, to).since(max(pause.from, from))
    }
    return (longest, listeners[observer].forgotPauses ? to.since(from) : all)
  }

  /// What an observer did, in its place between the sightings.
  mutating func take(_ note: ObserverNote, observer: Int) {
    guard note.time.isKnown, !note.kind.isRemark, note.kind != .silence else { return }
    meet(observer)
    switch note.kind {
    case .scanOn:
      let filters = note.scanLimits.contains(.duplicates)
      let share = note.scanShare ?? 1
      // What the counter says across that is not what was lost.
      if filters != listeners[observer].filters || share != listeners[observer].share {
        listeners[observer].stops &+= 1
      }
      listeners[observer].filters = filters
      listeners[observer].share = share
      listeners[observer].isPartly = share < Self.all
    case .scanOff, .reset, .captureOff: listeners[observer].stops &+= 1
    default: break
    }
    guard !note.kind.isOfCapturing else { return }
    let now = note.time.nanoseconds
    let before = max(note.lastRecord.nanoseconds, listeners[observer].lastRecord)
    listeners[observer].lastRecord = max(listeners[observer].lastRecord, now)
    // Between its windows a radio hears nobody anyhow.
    let least = listeners[observer].isPartly ? settings.present : settings.periods[0]
    guard before != .min, now.since(before) >= least else { return }
    listeners[observer].pauses.append((before, now))
    if listeners[observer].pauses.count > Self.mostPauses {
      listeners[observer].pauses.removeFirst(Self.mostPauses / 2)
      listeners[observer].forgotPauses = true
    }
  }

  /// Nothing more comes.
  mutating func finish(_ monitor: borrowing RegionMonitor, _ tables: RunTables) -> [BeaconSilences]
  {
    let paces = paces(tables)
    var found: [BeaconSilences] = []
    for number in rows.indices where rows[number].isKnown {
      var regions: [Int] = []
      monitor.forEachRegion(of: number) { regions.append(Int($0)) }
      guard !regions.isEmpty else { continue }
      let row = rows[number]
      let first = number * settings.periods.count
      found.append(
        BeaconSilences(
          transmitter: number, observer: Int(tables.transmitters[UInt32(number)].observer),
          regions: regions.sorted(), sightings: row.sightings,
          last: Timestamp(nanoseconds: row.events.last),
          pace: paces[number], untold: paces[number] == nil ? row.untold(counters[row.group]) : nil,
          isOfPart: row.isOfPart || paces[number]?.change != nil,
          countFault: counters[row.group].fault,
          longest: row.longest, paused: row.paused,
          counts: counts[first..<first + settings.periods.count]
            .map { (Int($0.heard), Int($0.paused)) }))
    }
    return found
  }

  // MARK: intervals

  /// By transmitter. Where the gaps at one receiver do not tell how often somebody sends, those at another one
  /// do, or the telemetry that comes from the same address.
  private func paces(_ tables: RunTables) -> [BeaconPace?] {
    var paces = rows.map { $0.isKnown ? BeaconPace($0.gaps, counters[$0.group]) : nil }
    // By identity and address at any observer: that with most gaps.
    var heard: [Transmitter: (gaps: Int, known: BeaconPace.KnownInterval)] = [:]
    // By address: the counter that counted most.
    var counted: [DeviceAddress: (sent: Int, interval: Double)] = [:]
    for number in rows.indices where rows[number].isKnown {
      let transmitter = tables.transmitters[UInt32(number)]
      guard transmitter.address.isPresent else { continue }
      if let pace = paces[number], pace.gaps > heard[Self.anywhere(transmitter)]?.gaps ?? 0 {
        heard[Self.anywhere(transmitter)] = (
          pace.gaps,
          .init(interval: pace.interval, source: .receiver(Int(transmitter.observer)))
        )
      }
      let counter = counters[rows[number].group]
      if let interval = counter.interval, counter.sent > counted[transmitter.address]?.sent ?? 0 {
        counted[transmitter.address] = (counter.sent, interval)
      }
    }
    for number in rows.indices where rows[number].isKnown && paces[number] == nil {
      // An interval from elsewhere would be that of all its time, or of one device.
      if case .changed = rows[number].gaps.learnt() { continue }
      if counters[rows[number].group].fault == .several { continue }
      let transmitter = tables.transmitters[UInt32(number)]
      let told = counted[transmitter.address].map {
        BeaconPace.KnownInterval(interval: $0.interval, source: .telemetry)
      }
      guard let known = heard[Self.anywhere(transmitter)]?.known ?? told else { continue }
      paces[number] = BeaconPace(
        rows[number].gaps.whole, counters[rows[number].group], known, longest: settings.longestGap)
    }
    return paces
  }

  /// Whoever hears it.
  private static func anywhere(_ transmitter: Transmitter) -> Transmitter {
    Transmitter(address: transmitter.address, identity: transmitter.identity, observer: 0)
  }
}

extension SilenceLog.Row {
  /// Whether it was heard, for a part of the time, by a radio that could not hear all that was sent.
  fileprivate var isOfPart: Bool { filtered > 0 || partly > 0 }

  fileprivate func untold(_ counter: FrameCounter) -> BeaconPace.Untold {
    if filtered > gaps.heard { return .filtered }
    if partly > gaps.heard { return .partly }
    if counter.fault == .several { return .several }
    if case .changed(let first, let last) = gaps.learnt() {
      return .changed(first: first, last: last)
    }
    return gaps.heard < BeaconGaps.least ? .seldom : .lossy
  }
}
