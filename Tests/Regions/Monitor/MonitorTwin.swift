import CaptureReader
import FrameDecoder
import Glibc

@testable import Beacons
@testable import Regions

/// The state machine of SEMANTICS 2 once more: slow and plain. Keeps everything in arrays and reads
/// the sentences off them; shares nothing with the monitor but the types of what goes in.
struct MonitorTwin {
  private struct Seen {
    let time: Int64
    let transmitter: UInt32
    let beacon: Beacon
    let rssi: Int8
    let frame: Int
  }

  private var start: Int64?
  private var clock = Int64.min
  private var seen: [Seen] = []
  private var reports: [Int64] = []
  /// Told when the clock was past them already: at which clock.
  private var lateReports: [(time: Int64, told: Int64)] = []
  private var gaps: [(from: Int64, to: Int64)] = []
  private var offs: [(from: Int64, to: Int64)] = []
  private var offSince: Int64?
  /// The file that said so has ended.
  private var isOffDoubtful = false
  /// Scans that leave somebody out: whom.
  private var limited: [(limits: ScanLimits, from: Int64, to: Int64)] = []
  private var limitedSince: (limits: ScanLimits, from: Int64)?
  private var losses: [(time: Int64, count: Int64)] = []
  /// Times that records are known to have come at.
  private var recorded: [Int64] = []
  private(set) var worths: [[Worth]] = []
  private(set) var stays: [(region: Int, since: Int64, until: Int64?, sightings: Int)] = []

  /// - Parameter observers: whose parts of a stage this is: of one observer, in several files.
  init(_ stage: Stage, observers: [Int]) {
    for item in stage.handed {
      switch item {
      case .sighting(let sighting):
        let transmitter = stage.transmitters[sighting.transmitter]
        if observers.contains(Int(transmitter.observer)) {
          see(sighting, stage.beacons[Int(sighting.transmitter)])
        }
      case .note(let note): if observers.contains(Int(note.observer)) { take(note) }
      }
    }
    if let since = offSince { offs.append((since, clock)) }
    endLimits(at: clock)
  }

  private mutating func endLimits(at time: Int64) {
    if let (limits, from) = limitedSince { limited.append((limits, from, time)) }
    limitedSince = nil
  }

  private mutating func see(_ sighting: BriefSighting, _ beacon: Beacon) {
    if start == nil { start = sighting.time.nanoseconds }
    clock = max(clock, sighting.time.nanoseconds)
    report(at: clock)
    recorded.append(clock)
    seen.append(
      Seen(
        time: clock, transmitter: sighting.transmitter, beacon: beacon, rssi: sighting.rssi,
        frame: sighting.frame))
  }

  private mutating func take(_ note: ObserverNote) {
    if note.kind == .lost {
      let time = max(clock, note.time.nanoseconds, losses.last?.time ?? .min)
      if start != nil { losses.append((time, note.packetsLost)) }
      return
    }
    if start == nil { start = note.time.nanoseconds }
    // One from before the clock is known already, or of a file that overlaps.
    if note.lastReport.nanoseconds >= clock {
      report(at: note.lastReport.nanoseconds)
    } else if note.lastReport.isKnown {
      lateReports.append((note.lastReport.nanoseconds, clock))
    }
    if note.lastRecord.isKnown { recorded.append(note.lastRecord.nanoseconds) }
    clock = max(clock, note.time.nanoseconds)
    if let latest = recorded.max() { gaps.append((latest, clock)) }
    recorded.append(clock)
    switch note.kind {
    case .scanOff, .reset:
      endLimits(at: clock)
      if offSince == nil { offSince = clock }
      isOffDoubtful = false
    case .scanOn, .scanLimits:
      let goesOn = note.kind == .scanLimits ? limitedSince?.limits.intersection(.duplicates) : nil
      if note.kind == .scanOn { scanBegins(at: clock) }
      endLimits(at: clock)
      limitedSince = (note.scanLimits.union(goesOn ?? []), clock)
    case .end: isOffDoubtful = offSince != nil
    case .tick, .malformed, .clock, .lost, .captureOff, .captureOn, .silence, .undecoded: break
    }
  }

  private mutating func report(at time: Int64) {
    reports.append(time)
    if isOffDoubtful { scanBegins(at: time) }
  }

  private mutating func scanBegins(at time: Int64) {
    if let since = offSince { offs.append((since, time)) }
    offSince = nil
    isOffDoubtful = false
  }

  private func listens(_ rule: Rule, at time: Int64) -> Bool {
    rule.interval == 0 || (time - start!) % rule.interval < rule.window
  }

  /// Instants at which silences are tested, if they are not tested at once.
  private func tests(_ rule: Rule) -> [Int64] {
    var tests: [Int64] = []
    let step = rule.interval > 0 ? rule.interval : rule.cycle
    var test = start! + (rule.interval > 0 ? rule.window : 0)
    while step > 0, test <= clock {
      tests.append(test)
      test += step
    }
    return tests
  }

  private struct Stay {
    var state = RegionPresence.unknown
    var since: Int64 = 0
    var last: Int64 = 0
    var first = 0
    var lastFrame = 0
    var sightings = 0
    var waits = false
    /// All matches so far, of this stay and others.
    var matches: [Seen] = []
    /// Who had matched in this stay and did not pass the gate, behind the latest match.
    var refused: [Seen] = []
  }

  private enum Action {
    case test, sighting(Seen), marker, end
  }

  /// What happens in a region, in the order of time.
  mutating func events(_ rule: Rule, region: Int, markers: [Int64]) -> [Event] {
    guard let start else { return [] }
    var actions: [(time: Int64, order: Int, action: Action)] = tests(rule).map { ($0, 0, .test) }
    actions += seen.map { ($0.time, 1, .sighting($0)) }
    actions += markers.filter { $0 >= start && $0 < clock }.map { ($0, 2, .marker) }
    actions.append((clock, 3, .end))
    let order = actions.indices.sorted {
      (actions[$0].time, actions[$0].order, $0) < (actions[$1].time, actions[$1].order, $1)
    }
    let isStepped = rule.cycle > 0 || rule.interval > 0
    var stay = Stay()
    var events: [Event] = []
    var found: [Worth] = []
    for place in order {
      let (time, _, action) = actions[place]
      let limit = (stay.state == .unknown ? start : stay.last) + rule.exitAfter
      var isOver = time > limit && stay.state != .outside
      if isStepped, case .test = action {} else if isStepped { isOver = false }
      // Before a marker's own instant exits of that instant have been told.
      if case .marker = action, !isStepped { isOver = time >= limit && stay.state != .outside }
      if isOver {
        let instant = isStepped ? time : limit
        leave(&stay, rule, region, instant, &events, &found)
      }
      switch action {
      case .sighting(let seen): take(seen, &stay, rule, region, &events)
      case .marker where stay.waits:
        stay.waits = false
        events.append(
          Event(
            time: time, rank: 3, region: region, type: .enter, state: .inside, lastSeen: nil,
            crossedAt: stay.since, frame: stay.first))
      case .marker, .test, .end: break
      }
    }
    if stay.state == .inside { stays.append((region, stay.since, nil, stay.sightings)) }
    worths.append(found)
    return events
  }

  private mutating func leave(
    _ stay: inout Stay, _ rule: Rule, _ region: Int, _ time: Int64, _ events: inout [Event],
    _ found: inout [Worth]
  ) {
    var event = Event(
      time: time, rank: 1, region: region, type: .state, state: .outside)
    if stay.state == .inside {
      stays.append((region, stay.since, time, stay.sightings))
      event.type = .exit
      event.lastSeen = stay.last
      event.frame = stay.lastFrame
      if rule.notifiesOnExit {
        events.append(event)
        found.append(worth(stay, rule, until: time))
      }
    } else {
      events.append(event)
    }
    stay.state = .outside
    stay.waits = false
  }

  private func take(
    _ seen: Seen, _ stay: inout Stay, _ rule: Rule, _ region: Int, _ events: inout [Event]
  ) {
    guard rule.matches(seen.beacon, seen.frame), listens(rule, at: seen.time) else { return }
    if seen.rssi == 127, rule.ignoresUnknownRSSI { return }
    if let least = rule.minRSSI,
      seen.rssi == 127 || Double(seen.rssi) < (stay.state == .inside ? least - 5 : least)
    {
      let wasInside = stay.matches.contains {
        $0.transmitter == seen.transmitter && $0.time >= stay.since
      }
      if stay.state == .inside, wasInside { stay.refused.append(seen) }
      return
    }
    if stay.state != .inside {
      let wasUnknown = stay.state == .unknown
      stay.state = .inside
      (stay.since, stay.first, stay.sightings) = (seen.time, seen.frame, 0)
      var event = Event(
        time: seen.time, rank: 3, region: region, type: .enter, state: .inside, frame: seen.frame)
      if wasUnknown && !rule.entersOnFirstSight {
        (event.type, event.rank) = (.state, 2)
        events.append(event)
      } else if rule.onDisplay {
        stay.waits = true
      } else if rule.notifiesOnEntry {
        events.append(event)
      }
    }
    if stay.last != seen.time { stay.refused = [] }
    (stay.last, stay.lastFrame) = (seen.time, seen.frame)
    stay.sightings += 1
    stay.matches.append(seen)
  }

  private func worth(_ stay: Stay, _ rule: Rule, until time: Int64) -> Worth {
    let isStepped = rule.cycle > 0 || rule.interval > 0
    // Those told late count for what has not been decided by then.
    let known =
      reports
      + lateReports.filter { isStepped ? $0.told < time : $0.told <= time }.map(\.time)
    let heard = known.filter {
      $0 > stay.last && (isStepped ? $0 < time : $0 <= time) && listens(rule, at: $0)
    }
    let isHeard = !heard.isEmpty
    var scanOff: Int64 = 0
    for off in offs {
      scanOff += listening(rule, from: max(off.from, stay.last), to: min(off.to, time))
    }
    let pauses = gaps.filter {
      $0.from < time && $0.to > stay.last && $0.to - $0.from >= rule.exitAfter / 2
    }
    let gap = pauses.map { $0.to - $0.from }.max() ?? 0
    // A shorter one does not make it deaf, but takes its part of the silence.
    let isDeaf = !isHeard || scanOff > 0 || gap >= rule.exitAfter
    // Counted by what ends and begins: pauses of files that overlap may, too.
    let edges = Set(pauses.flatMap { [max($0.from, stay.last), min($0.to, time)] }).sorted()
    let missing = zip(edges, edges.dropFirst()).reduce(Int64(0)) { sum, part in
      pauses.contains { $0.from <= part.0 && $0.to >= part.1 } ? sum + part.1 - part.0 : sum
    }
    // Nor says the end of it anything in which nobody was heard.
    let quiet = (isStepped ? time - 1 : time) - (heard.max() ?? time)
    let unheard = rule.interval == 0 && quiet >= rule.exitAfter / 2 ? max(missing, quiet) : missing
    let silence = isDeaf ? rule.exitAfter : rule.exitAfter - unheard
    func limits(_ limit: ScanLimits) -> Int64 {
      limited.filter { $0.limits.contains(limit) }.reduce(0) {
        $0 + listening(rule, from: max($1.from, stay.last), to: min($1.to, time))
      }
    }
    let lost = losses.filter {
      $0.time > stay.last && (isStepped ? $0.time < time : $0.time <= time)
    }
    let told = isDeaf ? (gap < rule.exitAfter ? 0 : gap) : missing
    var worth = Worth(
      grade: .gone, isHeard: isHeard, scanOff: scanOff, gap: told, filtered: limits(.duplicates),
      listedOnly: limits(.unlisted), lost: lost.reduce(0) { $0 + $1.count }, transmitters: 0)
    for transmitter in Set(stay.matches.map(\.transmitter)).sorted() {
      let times = stay.matches.filter { $0.transmitter == transmitter }.map(\.time)
      add(times, stay, rule, over: silence, &worth)
    }
    allowForStay(stay, over: silence, &worth)
    if !isDeaf, unheard > missing, let interval = worth.shortest, worth.probability != nil,
      silence < 3 * interval
    {
      worth.probability = 1
    }
    // Heard, and of somebody nobody knows how near in the last third.
    let isUnmeasured = Set(stay.refused.map(\.transmitter)).contains { transmitter in
      let own = stay.refused.filter { $0.transmitter == transmitter }
      let measured = own.filter { $0.rssi != 127 }.map(\.time).max()
      guard let measured else { return true }
      return own.contains { $0.time > measured } && time - measured > (time - stay.last) / 3
    }
    if (worth.probability ?? 1) > 0.05 || worth.filtered + worth.listedOnly + worth.lost > 0
      || isUnmeasured
    {
      worth.grade = .thin
    }
    if isDeaf { worth.grade = .deaf }
    return worth
  }

  /// Nanoseconds of an interval in windows, counted window by window.
  private func listening(_ rule: Rule, from: Int64, to: Int64) -> Int64 {
    guard rule.interval > 0 else { return max(0, to - from) }
    var sum: Int64 = 0
    var window = start!
    while window < to {
      sum += max(0, min(to, window + rule.window) - max(from, window))
      window += rule.interval
    }
    return sum
  }

  /// A stay of fewer than ten sightings allows for as much loss as they would still be a chance of one in
  /// twenty with.
  private func allowForStay(_ stay: Stay, over silence: Int64, _ worth: inout Worth) {
    let own = stay.matches.filter { $0.time >= stay.since }
    guard let interval = worth.shortest, let known = worth.probability, own.count < 10 else {
      return
    }
    let chances = max(0, Int((Double(stay.last - stay.since) / Double(interval)).rounded()) - 1)
    let senders = Set(own.map(\.transmitter)).count
    let received = min(max(0, own.count / senders - 2), chances)
    var share = 0.0
    if received > 0 {
      // Up in small steps until as many are no rare chance any more.
      var step = 0.1
      while step > 1e-12 {
        while atLeast(received, of: chances, share + step) < 0.05 { share += step }
        step /= 10
      }
    }
    let length = Double(silence) / Double(interval)
    let allowed = length < 1 ? 1 : pow(1 - share, length)
    if allowed > known { (worth.probability, worth.loss) = (allowed, 1 - share) }
  }

  private func atLeast(_ count: Int, of chances: Int, _ share: Double) -> Double {
    guard share < 1 else { return 1 }
    var fewer = 0.0
    for number in 0..<count {
      var ways = 1.0
      for k in 0..<number { ways *= Double(chances - k) / Double(k + 1) }
      fewer += ways * pow(share, Double(number)) * pow(1 - share, Double(chances - number))
    }
    return 1 - fewer
  }

  /// One transmitter's part in p; its times in order.
  private func add(
    _ times: [Int64], _ stay: Stay, _ rule: Rule, over silence: Int64, _ worth: inout Worth
  ) {
    // What follows within ten milliseconds is of the same advertising event.
    let between = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > 10_000_000 }
    guard let last = times.last, last >= stay.since, stay.last - last < rule.exitAfter else {
      return
    }
    let gaps = between.filter { $0 <= 3 * rule.exitAfter }
    let kept = gaps.suffix(64).map { max(1, $0 / 1000) }.sorted()
    guard kept.count + 1 >= 10 else { return }
    let interval = kept[(kept.count - 1) / 4]
    let expected = Double(kept.reduce(0, +)) / Double(interval)
    let loss = max(0, 1 - Double(kept.count) / expected)
    let length = Double(silence) / Double(interval * 1000)
    let own = length < 1 ? 1 : pow(loss, length)
    worth.probability = (worth.probability ?? 1) * own
    worth.transmitters += 1
    worth.shortest = min(worth.shortest ?? .max, interval * 1000)
    (worth.interval, worth.loss) = (interval * 1000, loss)
  }
}
