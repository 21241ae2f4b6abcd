import Beacons
import CaptureReader
import FrameDecoder
import Regions

/// Which radio of one recording is which one of the other: those of the same name are, but where their controllers tell
/// that another one of the same computer is.
///
/// Captures of several names that do not overlap may be files of one radio; not where somebody said which receiver each
/// capture is of.
package struct ComparedRadios: Sendable {
  /// By a radio's number before: its number now. Nil where all radios of a side count as one: no name stands
  /// on both sides, or no two radios listened at the same time (files of one radio, one after the other) and nobody
  /// said whose they are.
  let pairs: [Int: Int]?
  /// Those that the other side does not have, by name.
  package let onlyBefore: [ComparedSide.Radio]
  package let onlyNow: [ComparedSide.Radio]

  /// Whether radios that listened at the same time count as one, since no name stands on both sides.
  package let areTakenAsOne: Bool
  /// Names of radios that both sides have, where all of a side count as one as they listened one after the other.
  package let inTurn: [String]
  /// Pairs whose names are others and whose controllers are one.
  package let renamed: [ComparedControllers.Renamed]
  /// Pairs whose controllers are others: signals that they hear say nothing of the beacons.
  package let replaced: [ComparedControllers.Replaced]
  /// Pairs that heard other advertising channels: no more do theirs.
  package let otherChannels: [ComparedChannels.Other]

  /// Whether a pair's signals can be compared.
  func comparesSignals(_ pair: Pair) -> Bool {
    !replaced.contains { $0.pair == pair } && !hearsOtherChannels(pair)
  }

  func hearsOtherChannels(_ pair: Pair) -> Bool { otherChannels.contains { $0.pair == pair } }

  /// - Parameters:
  ///   - hasDoubts: radios of both sides may be the same ones, and nothing says which: they do not count as one
  ///     then.
  ///   - areNamed: somebody said of every capture which receiver it is of.
  init(_ before: ComparedSide, _ now: ComparedSide, hasDoubts: Bool, areNamed: Bool) {
    let numbers = Dictionary(
      now.radios.map { ($0.value.name, $0.key) }, uniquingKeysWith: min)
    let named = before.radios.compactMapValues { numbers[$0.name] }
    let found = ComparedControllers.pairs(named, before, now)
    let areSeveral =
      before.hasSimultaneousRadios || now.hasSimultaneousRadios
      || areNamed && max(before.radios.count, now.radios.count) > 1
    areTakenAsOne = areSeveral && !hasDoubts && found.isEmpty
    inTurn =
      areSeveral || found.count < 2
      ? [] : found.keys.compactMap { before.radios[$0]?.name }.sorted()
    guard areSeveral, !areTakenAsOne else {
      (pairs, onlyBefore, onlyNow, renamed) = (nil, [], [], [])
      replaced = ComparedControllers.replaced(before, now)
      otherChannels = ComparedChannels.others(before, now)
      return
    }
    pairs = found
    renamed = ComparedControllers.renamed(found, before, now)
    replaced = ComparedControllers.replaced(found, before, now)
    otherChannels = ComparedChannels.others(found, before, now)
    let known = Set(found.values)
    onlyBefore = before.radios.filter { found[$0.key] == nil }.map(\.value)
      .sorted { $0.name < $1.name }
    onlyNow = now.radios.filter { !known.contains($0.key) }.map(\.value)
      .sorted { $0.name < $1.name }
  }

  /// A radio before, and the same one now; one number stands for all of a side that count as one.
  struct Pair: Hashable, Sendable {
    let before: Int?
    let now: Int?
    static let all = Pair(before: nil, now: nil)
  }

  /// Those of both sides, by their numbers, also where all of a side count as one: those that are alone on theirs.
  func each(_ before: ComparedSide, _ now: ComparedSide) -> [Pair] {
    let each =
      pairs
      ?? (before.radios.count == 1 && now.radios.count == 1
        ? Dictionary(zip(before.radios.keys, now.radios.keys)) { one, _ in one } : [:])
    return each.sorted { $0.key < $1.key }.map { Pair(before: $0.key, now: $0.value) }
  }

  /// The radio that heard it most often before, among those that listen now, too; nil where none does.
  func pair(of place: Int, _ before: ComparedSide) -> Pair? {
    pairs(of: place, before).first
  }

  /// Those that heard it before and listen now, too, the one that heard it most often first.
  func pairs(of place: Int, _ before: ComparedSide) -> [Pair] {
    guard let pairs else { return [.all] }
    return before.sightings(of: place).filter { pairs[$0.key] != nil }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { Pair(before: $0.key, now: pairs[$0.key]) }
  }
}

extension ComparedSide {
  /// A radio that took part.
  package struct Radio: Sendable {
    package let name: String
    /// Nanoseconds: by its scans, and of that the part of their windows.
    package fileprivate(set) var scanned: Int64 = 0
    package fileprivate(set) var listened: Int64 = 0
    /// The same with what several captures have of one time as often, and what of that it passed on only whom it was
    /// told to.
    fileprivate var listenedInAll: Int64 = 0
    fileprivate var listedOnly: Int64 = 0
    /// Which part of its listening the latter is, 0…1.
    var listedOnlyShare: Double {
      listenedInAll > 0 ? min(1, Double(listedOnly) / Double(listenedInAll)) : 0
    }
    /// Whether that is a tenth and more: what it does not hear often says little then.
    var hearsListedOnly: Bool { listedOnlyShare >= Self.leastListedOnly }
    private static let leastListedOnly = 0.1
    /// First and last report, nanoseconds.
    fileprivate var first = Int64.max
    fileprivate(set) var last = Int64.min
    /// Where the captures tell them.
    fileprivate(set) var controllers: Set<DeviceAddress> = []
    /// Of an air sniffer: on which channels it heard somebody, its captures together.
    fileprivate(set) var channels = HeardChannels()
    /// Beacons that it heard, of those that are compared.
    package internal(set) var beacons = 0

    init(_ name: String) { self.name = name }

    /// What several of its captures have of one time.
    mutating func take(out repeated: RepeatedListening.Times) {
      scanned = max(0, scanned - repeated.scanned)
      listened = max(0, listened - repeated.listened)
    }

    mutating func add(_ facts: ObserverFacts, within limits: TimeLimits?) {
      let times = facts.times(within: limits)
      scanned = scanned.later(by: times.scanned)
      listened = listened.later(by: times.listened)
      listenedInAll = listenedInAll.later(by: times.listened)
      listedOnly = listedOnly.later(by: facts.listedOnly(within: limits))
      if let controller = facts.knownController { controllers.insert(controller) }
      channels.add(facts.channels)
      guard let heard = facts.heard(within: limits) else { return }
      first = min(first, heard.from)
      last = max(last, heard.to)
    }
  }

  /// Whether two of its radios listened at the same time, for half of the time of one of them. Logs that were
  /// rotated overlap for a moment.
  package var hasSimultaneousRadios: Bool {
    let heard = radios.values.filter { $0.first < $0.last }
      .sorted { ($0.first, $0.last) < ($1.first, $1.last) }
    guard var latest = heard.first else { return false }
    for next in heard.dropFirst() {
      let common = min(next.last, latest.last).since(next.first)
      let shorter = min(next.last.since(next.first), latest.last.since(latest.first))
      if common > 0, common >= shorter / 2 { return true }
      if next.last > latest.last { latest = next }
    }
    return false
  }

  /// By radio: how often it heard the identity at a place.
  func sightings(of place: Int) -> [Int: Int] {
    var sightings: [Int: Int] = [:]
    for member in members(of: place) {
      let observer = Int(beacons.statistics.transmitters[member].observer)
      sightings[observer, default: 0] += beacons.statistics.sightings(of: Int(member))
    }
    return sightings
  }

  /// How often a radio heard the identity at a place, its median signal there and between which nine
  /// tenths of its signals lie, dBm.
  /// - Parameters:
  ///   - radio: nil: all of them.
  ///   - address: nil: from any.
  func signal(of place: Int, by radio: Int?, from address: DeviceAddress? = nil) -> (
    sightings: Int, median: Int?, usual: ClosedRange<Int>?
  ) {
    var signals = Distribution()
    var sightings = 0
    let statistics = beacons.statistics
    for member in members(of: place)
    where (radio == nil || Int(statistics.transmitters[member].observer) == radio)
      && (address == nil || statistics.transmitters[member].address == address)
    {
      sightings += statistics.sightings(of: Int(member))
      statistics.addSignals(of: Int(member), to: &signals)
    }
    return (sightings, SignalScale.summary(signals)?.median, SignalScale.usual(signals))
  }

  /// The addresses that the identity at a place comes from.
  func addresses(of place: Int) -> Set<DeviceAddress> {
    Set(members(of: place).map { beacons.statistics.transmitters[$0].address })
  }

  /// Gaps between sightings of one device by one radio that does not filter.
  func gaps(of place: Int) -> Distribution {
    var gaps = Distribution()
    let statistics = beacons.statistics
    for member in members(of: place)
    where !statistics.filtering.contains(Int(statistics.transmitters[member].observer)) {
      statistics.addGaps(of: Int(member), to: &gaps)
    }
    return gaps
  }
}

extension ObserverFacts {
  /// From its first report to its last, of a part of the time, nanoseconds; nil without any.
  fileprivate func heard(within limits: TimeLimits?) -> (from: Int64, to: Int64)? {
    guard firstReport.isKnown, lastReport.isKnown else { return nil }
    let from = max(firstReport.nanoseconds, limits?.from ?? .min)
    let to = min(lastReport.nanoseconds, limits?.to ?? .max)
    return from <= to ? (from, to) : nil
  }

  /// For how long it scanned, and listened, of a part of the time: nanoseconds.
  func times(within limits: TimeLimits?) -> (scanned: Int64, listened: Int64) {
    guard let limits else { return (scanned, listened) }
    if let listened = listened(within: limits), self.listened > 0 {
      return (Self.part(of: listened, scanned, self.listened), listened)
    }
    // Of a sniffer, or of more scans than are listed: as much of it as its reports last.
    guard let heard = heard(within: limits), let all = self.heard(within: nil) else {
      return (0, 0)
    }
    let gaps = scan.gaps
    func length(_ span: (from: Int64, to: Int64)) -> Int64 {
      max(0, span.to.since(span.from) - gaps.length(from: span.from, to: span.to))
    }
    let (part, whole) = (length(heard), length(all))
    return (Self.part(of: part, scanned, whole), Self.part(of: part, listened, whole))
  }

  /// `value` by `part` of `whole`.
  private static func part(of part: Int64, _ value: Int64, _ whole: Int64) -> Int64 {
    whole > 0 ? Int64(Double(value) * min(1, Double(part) / Double(whole))) : 0
  }
}
