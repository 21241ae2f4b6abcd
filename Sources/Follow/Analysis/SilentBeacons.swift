import Beacons
package import CaptureReader
import FrameDecoder
import Regions

/// A beacon that a radio heard all along and then no more, long before its recording ended.
package struct SilentBeacon: Sendable {
  /// Among the summaries.
  package let place: Int
  /// Its last sighting, by any radio.
  package let last: Timestamp
  /// How often it sent, or was heard, before: nanoseconds.
  package let interval: Double
  /// The radio, by its number, and its last report.
  package let observer: Int
  package let end: Timestamp
  /// All radios that heard it in the last two minutes in which any did, by their numbers, and until when: the
  /// latest first.
  package let heardLast: [(observer: Int, until: Timestamp)]
  /// Beacons that the radio heard often, and behind the last sighting, or the end of the pause.
  package let others: Int
  /// For how long the radio listened from the last sighting, or the end of the pause, to its end, nanoseconds.
  package let listened: Int64
  /// When the radio did not listen, so soon behind the last sighting, or over it, that nobody knows whether the
  /// beacon was silent before; nil where there was no such pause.
  package let pause: Pause?

  package struct Pause: Equatable, Sendable {
    package let from: Timestamp
    package let to: Timestamp
  }
}

/// Beacons that fell silent while their radio went on hearing others.
///
/// Told of radios that stand still alone: at least half of the beacons that they heard often from the first
/// tenth of the recording on they heard up to the last, and never missed for another tenth. Somebody who walks
/// passes beacons, and leaves them behind; he may come back. Who is carried past a radio says nothing of
/// it. A beacon counts where it was heard fifty times, for at least half of the time before its
/// last sighting, and where the silence is ten times as long as any before it. Both last at least five
/// minutes, and a tenth of the recording; of a silence the time counts in which the radio listened. It is the
/// radio that heard it up to its last sighting by any: of a beacon that went on to another one, whose
/// recording ends there, nothing is known. While it paused it may have been heard by another one; that one has to
/// have listened on, or heard it now and then only. Of several the one that heard it most often, but first those that
/// listened on from there. Radios
/// whose clock stepped back by a second are left out.
package struct SilentBeacons {
  /// The longest silence first.
  package private(set) var all: [SilentBeacon] = []

  private static let enough = 50
  private static let least: Int64 = 300_000_000_000
  /// Of a beacon that is known to stand there, whose absences are known of two recordings: as long as clocks of several
  /// radios may differ.
  private static let leastOfKnown: Int64 = 60_000_000_000
  /// Who stays in one place for three minutes still walks through the rest of a longer recording: of what is shorter
  /// nothing is said. (Samples of five minutes are common.)
  private static let leastStanding: Int64 = 180_000_000_000
  /// Nanoseconds.
  private static let lastMinutes: Int64 = 120_000_000_000
  private static let seriousStep: Int64 = 1_000_000_000
  /// A silence is so many times as long as the longest gap before it.
  private static let factor = 10.0
  /// By how much clocks of several radios may differ, nanoseconds.
  private static let slack = 60e9

  private let times: ListeningTimes
  private let beacons: BeaconSummaries
  /// By observer: the last sightings of beacons heard often, ascending; how many of them were heard from the
  /// beginning on, and how many of those all along.
  private var lasts: [[Int64]]
  private var early: [Int]
  private var through: [Int]

  /// An identity as one observer heard it.
  private struct Heard {
    var sightings = 0
    var first = Int64.max
    var last = Int64.min

    mutating func add(_ member: UInt32, _ statistics: BeaconStatistics) {
      let rest = statistics.rests[Int(member)]
      guard rest.first.isKnown else { return }
      sightings += statistics.sightings(of: Int(member))
      first = min(first, rest.first.nanoseconds)
      last = max(last, statistics.last(of: Int(member)).nanoseconds)
    }
  }

  package init(_ result: AnalysisResult, _ beacons: BeaconSummaries) {
    self.beacons = beacons
    times = ListeningTimes(result)
    lasts = times.observers.map { _ in [] }
    early = times.observers.map { _ in 0 }
    through = early
    guard times.observers.contains(where: Self.mayStand) else { return }
    var often: [Int] = []
    var gaps = Distribution()
    for place in beacons.indices where note(place, &gaps) { often.append(place) }
    for observer in lasts.indices { lasts[observer].sort() }
    for place in often {
      if let silent = silent(place, &gaps) { all.append(silent) }
    }
    all.sort { ($0.last.nanoseconds, $0.place) < ($1.last.nanoseconds, $1.place) }
  }

  private static func mayStand(_ observer: ListeningTimes.Observer) -> Bool {
    observer.length >= leastStanding && observer.stepBack < seriousStep
  }

  /// Whether a radio recorded something, but not for long enough to say whether it stands still.
  func isTooShort(_ observer: Int) -> Bool {
    times.observers[observer].start.isKnown
      && times.observers[observer].length < Self.leastStanding
  }

  /// When a radio had recorded for so long, nanoseconds; nil where it did not.
  func moment(of observer: Int, after length: Int64) -> Int64? {
    times.observers[observer].moment(after: length)
  }

  /// By observer, of those who heard it often enough.
  private func heard(_ place: Int, atLeast least: Int = enough) -> [(observer: Int, heard: Heard)] {
    let statistics = beacons.statistics
    let members = beacons.members[Int(beacons.number(at: place))]
    // Most are heard seldom, by one.
    if members.count == 1, let only = members.first,
      statistics.sightings(of: Int(only)) < least
    {
      return []
    }
    var found: [Int: Heard] = [:]
    for member in members {
      let observer = Int(statistics.transmitters[member].observer)
      found[observer, default: Heard()].add(member, statistics)
    }
    return found.filter { $0.value.sightings >= least }
      .map { (observer: $0.key, heard: $0.value) }
      .sorted { ($1.heard.sightings, $0.observer) < ($0.heard.sightings, $1.observer) }
  }

  /// Telemetry stands for its address, and ephemeral identities are another one's soon. Devices come and go with
  /// who carries them, and what they send stands for itself.
  static func isLasting(_ place: Int, _ beacons: BeaconSummaries) -> Bool {
    let kind = beacons.identity(at: place).kind
    return kind != .device && BeaconFormats.format(kind).isLasting
  }

  /// How one observer heard the identity at a place; nanoseconds.
  static func heard(
    _ place: Int, by observer: Int, _ beacons: BeaconSummaries
  ) -> (sightings: Int, first: Int64, last: Int64) {
    let statistics = beacons.statistics
    var own = Heard()
    for member in beacons.members[Int(beacons.number(at: place))]
    where Int(statistics.transmitters[member].observer) == observer {
      own.add(member, statistics)
    }
    return (own.sightings, own.first, own.last)
  }

  /// Whether it was heard often.
  private mutating func note(_ place: Int, _ gaps: inout Distribution) -> Bool {
    guard Self.isLasting(place, beacons) else { return false }
    let all = heard(place)
    for (observer, heard) in all {
      let own = times.observers[observer]
      lasts[observer].append(heard.last)
      let margin = own.length / 10
      guard own.recorded(from: own.start.nanoseconds, to: heard.first) <= margin else { continue }
      early[observer] += 1
      guard own.recorded(from: heard.last, to: own.end.nanoseconds) <= margin else { continue }
      if let longest = longestAbsence(of: place, at: observer, &gaps), longest <= Double(margin) {
        through[observer] += 1
      }
    }
    return !all.isEmpty
  }

  /// - Parameter known: the longest absence that is known of it elsewhere, nanoseconds: it is known to stand there,
  ///   however short it is heard here. Nil: this recording has to say so.
  private func silent(
    _ place: Int, known: Double? = nil, _ gaps: inout Distribution
  ) -> SilentBeacon? {
    let all = heard(place, atLeast: known == nil ? Self.enough : 1)
    // Also where another radio, or the next file, heard it a few times only.
    let last =
      beacons.members[Int(beacons.number(at: place))]
      .map { beacons.statistics.last(of: Int($0)).nanoseconds }.max() ?? .min
    var afterPause: SilentBeacon?
    for (observer, heard) in all where standsStill(observer) {
      let wentOn = all.contains { $0.observer != observer && ends($0.observer, $0.heard, at: last) }
      guard
        let found = silent(place, observer, heard, last, wentOn: wentOn, known: known, &gaps)
      else { continue }
      if found.pause == nil { return found }
      afterPause = afterPause ?? found
    }
    return afterPause
  }

  /// Whether the recording of a radio that heard it until its last sighting ends there.
  private func ends(_ observer: Int, _ heard: Heard, at last: Int64) -> Bool {
    Double(last.since(heard.last)) <= Self.slack
      && times.observers[observer].listening(since: last) < Self.least
  }

  /// As one observer heard it.
  /// - Parameters:
  ///   - last: sighting by any.
  ///   - wentOn: it may be where another radio heard it last, whose recording ends there.
  private func silent(
    _ place: Int, _ observer: Int, _ heard: Heard, _ last: Int64, wentOn: Bool, known: Double?,
    _ gaps: inout Distribution
  ) -> SilentBeacon? {
    let own = times.observers[observer]
    let silence = own.listening(since: last)
    // Of a shorter silence this radio has to have heard it up to then: it may have gone to one whose recording ends.
    let isShort = silence < max(Self.least, own.length / 10)
    guard !isShort || known != nil && silence >= Self.leastOfKnown,
      !isShort || Double(silence) >= Self.factor * Double(last.since(heard.last)),
      heardBehind(last + own.end.nanoseconds.since(last) / 2, observer) > 0
    else { return nil }
    addGaps(place, observer, &gaps)
    let gap = longest(gaps, observer)
    guard stood(heard, own, gap ?? 0, known),
      let longest = known.map({ max($0, gap ?? 0) }) ?? gap,
      Double(silence) >= Self.factor * longest,
      // Who listened, and did not hear it any more while another one did, says nothing of where it is now.
      Double(
        wentOn ? last.since(heard.last) : own.listening(since: heard.last).since(silence))
        <= max(Self.slack, Self.factor * longest),
      let usual = GapScale.ownInterval(gaps) ?? GapScale.median(gaps) ?? known
    else { return nil }
    let pause = own.pause(after: last, within: Int64(Self.factor * longest))
    let from = pause?.to.nanoseconds ?? last
    return SilentBeacon(
      place: place, last: Timestamp(nanoseconds: last), interval: usual, observer: observer,
      end: own.end, heardLast: heardLast(place, last), others: heardBehind(from, observer),
      listened: pause == nil ? silence : own.listening(since: from), pause: pause)
  }

  /// Whether it was there until it was silent. Of one that is known to stand there: from the beginning on, without a
  /// break; who was carried past, or heard by chance, was not.
  private func stood(
    _ heard: Heard, _ own: ListeningTimes.Observer, _ gap: Double, _ known: Double?
  ) -> Bool {
    if let known {
      let before = own.recorded(from: own.start.nanoseconds, to: heard.first)
      return max(Double(before), gap) <= max(Self.slack, known)
    }
    let span = own.recorded(from: heard.first, to: heard.last)
    return span >= max(Self.least, own.length / 10)
      && span >= own.recorded(from: own.start.nanoseconds, to: heard.last) / 2
  }

  /// Of a beacon that is known to stand there; nil where it was not silent for long enough.
  /// - Parameter usual: the longest absence that is known of it elsewhere, nanoseconds.
  func silence(of place: Int, after usual: Double) -> SilentBeacon? {
    guard Self.isLasting(place, beacons) else { return nil }
    var gaps = Distribution()
    return silent(place, known: usual, &gaps)
  }

  /// Of the beacons that a radio heard often: those that it heard behind a moment.
  private func heardBehind(_ moment: Int64, _ observer: Int) -> Int {
    let all = lasts[observer]
    return all.count - (all.firstIndex { $0 > moment } ?? all.count)
  }

  /// Who heard the identity at a place last, and shortly before.
  private func heardLast(_ place: Int, _ last: Int64) -> [(observer: Int, until: Timestamp)] {
    let statistics = beacons.statistics
    var latest: [Int: Int64] = [:]
    for member in beacons.members[Int(beacons.number(at: place))] {
      let observer = Int(statistics.transmitters[member].observer)
      latest[observer] = max(
        latest[observer] ?? .min, statistics.last(of: Int(member)).nanoseconds)
    }
    return latest.filter { last.since($0.value) <= Self.lastMinutes }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }
      .map { ($0.key, Timestamp(nanoseconds: $0.value)) }
  }

  /// Whether a radio hears at its end whom it heard at its beginning, and listened long enough for that to
  /// say something.
  /// What is heard in its first part is mostly not heard in its later ones. Not where a recording is too short, or its
  /// clock was set back: then nobody knows.
  func walks(_ observer: Int) -> Bool {
    Self.mayStand(times.observers[observer])
      && early[observer] > 0 && through[observer] * 2 < early[observer]
  }

  func standsStill(_ observer: Int) -> Bool {
    Self.mayStand(times.observers[observer])
      && early[observer] > 0 && through[observer] * 2 >= early[observer]
  }

  /// Whether a radio heard it in the first quarter of its recording, and in the last one.
  func isHeardThroughout(_ place: Int, _ observer: Int) -> Bool {
    let heard = Self.heard(place, by: observer, beacons)
    let own = times.observers[observer]
    return own.recorded(from: own.start.nanoseconds, to: heard.first) <= own.length / 4
      && own.recorded(from: heard.last, to: own.end.nanoseconds) <= own.length / 4
  }

  /// The same, and never missed it for a tenth of its recording.
  func isHeardAllAlong(_ place: Int, _ observer: Int) -> Bool {
    var gaps = Distribution()
    guard isHeardThroughout(place, observer),
      let longest = longestAbsence(of: place, at: observer, &gaps)
    else { return false }
    return longest <= Double(times.observers[observer].length / 10)
  }

  /// Whether the radio that heard a beacon most often, and often enough, stands still.
  func isHeardFromOnePlace(_ place: Int) -> Bool {
    heard(place).first.map { standsStill($0.observer) } ?? false
  }

  /// No gap was longer but for the long ones that the recording has itself, nanoseconds; nil without one.
  private func longest(_ gaps: Distribution, _ observer: Int) -> Double? {
    // What is a little longer: the beacon was not heard at once behind it.
    // Short ones are left in: where a radio paused for a minute, a silence has to be long to say anything.
    var pauses = times.observers[observer].gaps.spans.map { Double($0.to.since($0.from)) }
      .filter { $0 >= Double(Self.least) }
    pauses.sort(by: >)
    var next = 0
    for (bucket, count) in gaps.counts.reversed() {
      let (low, high) = (GapScale.lowerBound(bucket), GapScale.lowerBound(bucket + 1))
      for _ in 0..<count {
        while next < pauses.count, pauses[next] > high { next += 1 }
        guard next < pauses.count, low <= pauses[next] + Double(RecordGaps.least) else {
          return high
        }
        next += 1
      }
    }
    return nil
  }

  /// The longest time in which a beacon was not heard between two sightings, nanoseconds, but for gaps in the
  /// recording: at the radio that heard it most often, where that stands still; nil where it does not.
  func longestAbsence(of place: Int) -> Double? {
    guard let observer = heard(place).first?.observer, standsStill(observer) else { return nil }
    var gaps = Distribution()
    return longestAbsence(of: place, at: observer, &gaps)
  }

  /// The same at one radio. Of several addresses of an identity each has gaps of its own: whichever was missed
  /// for the shortest time shows that it was there.
  private func longestAbsence(
    of place: Int, at observer: Int, _ gaps: inout Distribution
  ) -> Double? {
    var shortest: Double?
    for member in beacons.members[Int(beacons.number(at: place))]
    where Int(beacons.statistics.transmitters[member].observer) == observer
      && beacons.statistics.sightings(of: Int(member)) >= Self.enough
    {
      gaps.clear()
      beacons.statistics.addGaps(of: Int(member), to: &gaps)
      if let own = longest(gaps, observer) { shortest = min(shortest ?? .infinity, own) }
    }
    return shortest
  }

  private func addGaps(_ place: Int, _ observer: Int, _ gaps: inout Distribution) {
    gaps.clear()
    for member in beacons.members[Int(beacons.number(at: place))]
    where Int(beacons.statistics.transmitters[member].observer) == observer {
      beacons.statistics.addGaps(of: Int(member), to: &gaps)
    }
  }
}

extension ListeningTimes.Observer {
  /// The first time behind a moment, or over it, in which it did not listen, if it began soon. What is shorter
  /// than a gap in a recording hides nobody: between two files of it there is no packet for a second, too.
  /// - Parameter limit: how soon, nanoseconds.
  fileprivate func pause(after moment: Int64, within limit: Int64) -> SilentBeacon.Pause? {
    // Before its first report it did not listen either, but nobody was there to stop.
    var heardUntil: Int64?
    for span in spans.sorted(by: { $0.from < $1.from }) {
      if span.to > moment, let before = heardUntil, span.from.since(before) >= RecordGaps.least,
        span.from > moment
      {
        guard before.since(moment) < limit else { return nil }
        return SilentBeacon.Pause(
          from: Timestamp(nanoseconds: before), to: Timestamp(nanoseconds: span.from))
      }
      heardUntil = max(heardUntil ?? .min, span.to)
    }
    return nil
  }
}
