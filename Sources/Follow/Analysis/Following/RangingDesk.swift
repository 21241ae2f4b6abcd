import Beacons
import CaptureReader
import Regions

/// Ranging of one profile: carries the monitor's crossings and the sightings of its regions to the
/// rangers, in the order of each observer's time.
struct RangingDesk {
  /// One for each set of numbers that some region has.
  private var rangers: [Ranger] = []
  /// When each listens.
  private var duties: [DutyCycle] = []
  private let listensAlways: Bool
  /// By region; regions that come to be while reading have the first.
  private var rangerOfRegion: [Int] = []
  /// By transmitter number.
  private var rows: [Row] = []
  /// By observer.
  private var clocks: [Int64] = []
  private var starts: [Int64] = []
  /// Crossings that the observer's clock has not reached, by observer.
  private var waiting: [[RegionCrossing]] = []
  private var isAnyWaiting = false
  /// By index of the monitor's visits, from `firstNearest` on.
  private var nearest: [NearestApproach?] = []
  private var firstNearest = 0

  /// A transmitter as each sighting needs it.
  private struct Row: BitwiseCopyable {
    /// Bits of the rangers that follow it; the highest bit: it is known who does.
    var followers: UInt32 = 0
    var observer: UInt32 = 0
    /// dBm as sent.
    var power: Int8 = 0
  }

  private static let asked: UInt32 = 1 << 31
  /// Sets of numbers that are told apart; more would be odd.
  static let mostRangers = 31

  /// - Parameter wishes: of whoever is told while it goes on; nil: nobody is.
  init(
    _ settings: FollowSettings, _ profile: Profile, _ wishes: JudgeWishes?,
    wantsSamples: Bool = false
  ) throws(SettingProblem) {
    let wantsChanges = settings.wantsProximity || wishes?.proximity == true
    let wantsLists = settings.wantsLists || wishes?.ranging == true
    keptChanges = Latest(most: settings.mostKept)
    keptLists = Latest(most: settings.mostKept)
    var known: [(settings: RangingSettings, duty: DutyCycle)] = []
    func place(_ profile: Profile) throws(SettingProblem) -> Int {
      let (settings, duty) = (numbers(profile), DutyCycle(profile))
      if let place = known.firstIndex(where: { $0 == (settings, duty) }) { return place }
      guard known.count < Self.mostRangers else {
        throw SettingProblem(
          "more than \(Self.mostRangers) different sets of ranging numbers in regions",
          allowed: "let regions share theirs")
      }
      known.append((settings, duty))
      return known.count - 1
    }
    func numbers(_ profile: Profile) -> RangingSettings {
      var numbers = RangingSettings(profile, wantsChanges: wantsChanges, wantsLists: wantsLists)
      numbers.wantsSamples = wantsSamples
      return numbers
    }
    _ = try place(profile)
    for region in settings.regions.regions {
      // Nearly every region has the profile's own numbers.
      if region.overrides.isEmpty {
        rangerOfRegion.append(0)
      } else {
        rangerOfRegion.append(try place(profile.with(region.overrides)))
      }
    }
    for entry in known { rangers.append(try Ranger(entry.settings)) }
    duties = known.map(\.duty)
    listensAlways = duties.allSatisfy(\.isAlways)
  }

  private func ranger(of region: UInt32) -> Int {
    Int(region) < rangerOfRegion.count ? rangerOfRegion[Int(region)] : 0
  }

  /// The monitor has gone on; what it crossed is to be told when the clock is there.
  mutating func expect(_ crossings: [RegionCrossing]) {
    for crossing in crossings {
      let observer = Int(crossing.observer)
      makeObserver(observer)
      waiting[observer].append(crossing)
      isAnyWaiting = true
    }
  }

  private mutating func makeObserver(_ observer: Int) {
    while waiting.count <= observer {
      waiting.append([])
      clocks.append(.min)
      starts.append(.min)
    }
  }

  /// A run of sightings that the monitor has taken.
  /// - Parameter members: transmitters that a region with a rule of its own took for the first time,
  ///   at the run's only sighting.
  mutating func take(
    _ run: Span<BriefSighting>, wholes: Span<Sighting>, capture: UInt32, _ tables: RunTables,
    _ monitor: borrowing RegionMonitor, joining members: [UInt32]
  ) {
    for ranger in rangers.indices { rangers[ranger].capture = capture }
    // Nothing depends then on the clock at a sighting: where it stands behind the run is enough.
    let isPlain = listensAlways && !isAnyWaiting && members.isEmpty
    var (observer, latest) = (0, Int64.min)
    for place in run.indices {
      let sighting = run[place]
      let number = Int(sighting.transmitter)
      if number >= rows.count || rows[number].followers == 0 { ask(number, tables, monitor) }
      if sighting.whole > 0 { note(wholes[Int(sighting.whole) - 1], of: number) }
      var row = rows[number]
      if isPlain {
        if Int(row.observer) != observer {
          if latest != .min { _ = move(observer, to: latest) }
          (observer, latest) = (Int(row.observer), .min)
        }
        latest = max(latest, sighting.time.nanoseconds)
      } else {
        let moment = move(Int(row.observer), to: sighting.time.nanoseconds)
        for member in members {
          join(Int(member), at: Timestamp(nanoseconds: moment), tables, monitor)
        }
        row = rows[number]
        if !listensAlways { row.followers &= ~deafRangers(row.observer, at: moment) }
      }
      if row.followers != Self.asked { add(sighting, number, row, tables, monitor) }
    }
    if latest != .min { _ = move(observer, to: latest) }
  }

  /// Bits of the rangers that do not listen at a moment. Not inlined, and no row handed in: both cost the loop above.
  @inline(never)
  private func deafRangers(_ observer: UInt32, at moment: Int64) -> UInt32 {
    let start = starts[Int(observer)]
    return duties.indices.reduce(0) { bits, place in
      duties[place].listens(at: moment, from: start) ? bits : bits | 1 << UInt32(place)
    }
  }

  /// A transmitter has got another region.
  private mutating func join(
    _ number: Int, at time: Timestamp, _ tables: RunTables, _ monitor: borrowing RegionMonitor
  ) {
    ask(number, tables, monitor)
    var bits = rows[number].followers & ~Self.asked
    while bits != 0 {
      let place = bits.trailingZeroBitCount
      bits &= bits - 1
      follow(number, place, Int(rows[number].observer), time, tables, monitor)
    }
  }

  /// A repeat that somebody else wanted says nothing new: what is followed does not depend on it.
  private mutating func note(_ sighting: Sighting, of number: Int) {
    if !sighting.isRepeat { rows[number].power = sighting.power }
  }

  /// Who ranges a transmitter that is seen for the first time.
  private mutating func ask(
    _ number: Int, _ tables: RunTables, _ monitor: borrowing RegionMonitor
  ) {
    while rows.count <= number { rows.append(Row()) }
    var bits = Self.asked
    let transmitter = tables.transmitters[UInt32(number)]
    let kind = tables.identities[transmitter.identity].kind
    if !BeaconFormats.format(kind).isTelemetry {
      monitor.forEachRegion(of: number) { bits |= 1 << UInt32(ranger(of: $0)) }
    }
    rows[number].followers = bits
    rows[number].observer = transmitter.observer
    makeObserver(Int(transmitter.observer))
  }

  private mutating func add(
    _ sighting: BriefSighting, _ number: Int, _ row: Row, _ tables: RunTables,
    _ monitor: borrowing RegionMonitor
  ) {
    var bits = row.followers & ~Self.asked
    while bits != 0 {
      let place = bits.trailingZeroBitCount
      bits &= bits - 1
      let isTaken = rangers[place].add(
        transmitter: UInt32(number), time: sighting.time, rssi: sighting.rssi,
        power: row.power, frame: sighting.frame)
      guard !isTaken else { continue }
      follow(number, place, Int(row.observer), sighting.time, tables, monitor)
      _ = rangers[place].add(
        transmitter: UInt32(number), time: sighting.time, rssi: sighting.rssi,
        power: row.power, frame: sighting.frame)
    }
  }

  @inline(never)
  private mutating func follow(
    _ number: Int, _ place: Int, _ observer: Int, _ time: Timestamp, _ tables: RunTables,
    _ monitor: borrowing RegionMonitor
  ) {
    let transmitter = tables.transmitters[UInt32(number)]
    let identity = tables.identities[transmitter.identity]
    var regions: [Int] = []
    monitor.forEachRegion(of: number) { region in
      if ranger(of: region) == place { regions.append(Int(region)) }
    }
    for region in regions {
      rangers[place].follow(
        UInt32(number), transmitter, identity, observer: observer, region: region, at: time)
    }
  }

  /// Moves an observer's clock on, and makes the crossings up to there.
  /// - Returns: when a sighting of this time is handled.
  private mutating func move(_ observer: Int, to time: Int64) -> Int64 {
    if time > clocks[observer] {
      if clocks[observer] == .min { starts[observer] = time }
      clocks[observer] = time
    }
    if isAnyWaiting, !waiting[observer].isEmpty { cross(observer, upTo: clocks[observer]) }
    return clocks[observer]
  }

  private mutating func cross(_ observer: Int, upTo moment: Int64) {
    var done = 0
    for crossing in waiting[observer] {
      guard crossing.time.nanoseconds <= moment else { break }
      done += 1
      let (place, region) = (ranger(of: crossing.region), Int(crossing.region))
      if let visit = crossing.endedVisit {
        rangers[place].leave(region, observer: observer, at: crossing.time)
        guard visit >= firstNearest else { continue }
        while nearest.count <= visit - firstNearest { nearest.append(nil) }
        nearest[visit - firstNearest] = rangers[place].nearest(region: region, observer: observer)
      } else {
        rangers[place].enter(region, observer: observer, at: crossing.time)
      }
    }
    waiting[observer].removeFirst(done)
    isAnyWaiting = waiting.contains { !$0.isEmpty }
  }

  /// The observer's clock stands here.
  mutating func advance(_ observer: Int, to time: Timestamp) {
    guard time.isKnown else { return }
    makeObserver(observer)
    let moment = Timestamp(nanoseconds: move(observer, to: time.nanoseconds))
    for place in rangers.indices { rangers[place].advance(observer: observer, to: moment) }
  }

  /// Nothing more comes.
  mutating func finish() {
    for observer in waiting.indices {
      cross(observer, upTo: .max)
      for place in rangers.indices { rangers[place].finish(observer: observer) }
    }
  }

  /// How near the region's transmitters came during the latest stay.
  func nearest(region: UInt32, observer: UInt32) -> NearestApproach? {
    rangers[ranger(of: region)].nearest(region: Int(region), observer: Int(observer))
  }

  /// The same, during a stay that has ended.
  /// - Parameter visit: index among all the monitor's visits.
  func nearest(ofVisit visit: Int) -> NearestApproach? {
    let place = visit - firstNearest
    return nearest.indices.contains(place) ? nearest[place] : nil
  }

  /// The monitor has forgotten its visits before that.
  mutating func forgetVisits(before first: Int) {
    nearest.removeFirst(min(first - firstNearest, nearest.count))
    firstNearest = first
  }

  /// What was found and is wanted, since the beginning, as far as there is room.
  var changes: [ProximityChange] { keptChanges.elements }
  var lists: [RangingList] { keptLists.elements }
  private(set) var powers: [UnusablePower] = []
  private var keptChanges: Latest<ProximityChange>
  private var keptLists: Latest<RangingList>

  /// Of moments that were chosen, in the order of their times, then by observer, region and place.
  var samples: [RangingSample] {
    rangers.flatMap(\.samples.all).sorted {
      ($0.time.nanoseconds, $0.observer, $0.region, $0.place)
        < ($1.time.nanoseconds, $1.observer, $1.region, $1.place)
    }
  }

  /// Changes and lists that there was no room for.
  var forgottenEvents: Int { keptChanges.forgotten + keptLists.forgotten }

  /// What was found since the last call of `keep`.
  var newChanges: [ProximityChange] { rangers.flatMap(\.changes) }
  var newLists: [RangingList] { rangers.flatMap(\.lists) }

  /// Keeps what was found since the last call, if it is wanted.
  mutating func keep(changes wantsChanges: Bool, lists wantsLists: Bool) {
    for place in rangers.indices {
      if wantsChanges { keptChanges.append(contentsOf: rangers[place].changes) }
      if wantsLists { keptLists.append(contentsOf: rangers[place].lists) }
      powers += rangers[place].unusablePowers
      rangers[place].removeResults()
    }
  }

  /// Forgets what there is no room for.
  mutating func trim() {
    keptChanges.trim()
    keptLists.trim()
  }
}
