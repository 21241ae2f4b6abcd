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
  /// Beacons that the radio heard long afterwards.
  package let others: Int
  /// For how long the radio listened from the last sighting to its end, nanoseconds.
  package let listened: Int64
  /// When the radio did not listen, so soon behind the last sighting that nobody knows whether the beacon was
  /// silent before; nil where there was no such pause.
  package let pause: Pause?

  package struct Pause: Equatable, Sendable {
    package let from: Timestamp
    package let to: Timestamp
  }
}

/// Beacons that fell silent while their radio went on hearing others.
///
/// Told of radios that stand still alone: at least half of the beacons that they heard often they heard
/// from the first tenth of the recording to the last. Somebody who walks passes beacons, and leaves
/// them behind. A beacon counts where it was heard fifty times, for at least half of the time before its
/// last sighting, and where the silence is ten times as long as any before it. Both last at least five
/// minutes, and a tenth of the recording; of a silence the time counts in which the radio listened. Radios
/// whose clock stepped back by a second are left out.
package struct SilentBeacons {
  /// The longest silence first.
  package private(set) var all: [SilentBeacon] = []

  private static let enough = 50
  private static let least: Int64 = 300_000_000_000
  private static let seriousStep: Int64 = 1_000_000_000
  /// A silence is so many times as long as the longest gap before it.
  private static let factor = 10.0

  private let times: ListeningTimes
  private let beacons: BeaconSummaries
  /// By observer: the last sightings of beacons heard often, ascending; how many there are of them, and
  /// how many were heard all along.
  private var lasts: [[Int64]]
  private var through: [Int]

  /// An identity as one observer heard it.
  private struct Heard {
    var sightings = 0
    var first = Int64.max
    var last = Int64.min
  }

  package init(_ result: AnalysisResult, _ beacons: BeaconSummaries) {
    self.beacons = beacons
    times = ListeningTimes(result)
    lasts = times.observers.map { _ in [] }
    through = times.observers.map { _ in 0 }
    guard times.observers.contains(where: Self.isLongEnough) else { return }
    var often: [Int] = []
    for place in beacons.indices where note(place) { often.append(place) }
    for observer in lasts.indices { lasts[observer].sort() }
    var gaps = Distribution()
    for place in often {
      if let silent = silent(place, &gaps) { all.append(silent) }
    }
    all.sort { ($0.last.nanoseconds, $0.place) < ($1.last.nanoseconds, $1.place) }
  }

  private static func isLongEnough(_ observer: ListeningTimes.Observer) -> Bool {
    observer.length >= 2 * least && observer.stepBack < seriousStep
  }

  /// By observer, of those who heard it often enough.
  private func heard(_ place: Int) -> [(observer: Int, heard: Heard)] {
    let statistics = beacons.statistics
    let members = beacons.members[Int(beacons.number(at: place))]
    // Most are heard seldom, by one.
    if members.count == 1, let only = members.first,
      statistics.sightings(of: Int(only)) < Self.enough
    {
      return []
    }
    var found: [Int: Heard] = [:]
    for member in members {
      let rest = statistics.rests[Int(member)]
      guard rest.first.isKnown else { continue }
      let observer = Int(statistics.transmitters[member].observer)
      var own = found[observer] ?? Heard()
      own.sightings += statistics.sightings(of: Int(member))
      own.first = min(own.first, rest.first.nanoseconds)
      own.last = max(own.last, statistics.last(of: Int(member)).nanoseconds)
      found[observer] = own
    }
    return found.filter { $0.value.sightings >= Self.enough }
      .map { (observer: $0.key, heard: $0.value) }
      .sorted { ($1.heard.sightings, $0.observer) < ($0.heard.sightings, $1.observer) }
  }

  /// Telemetry stands for its address, and ephemeral identities are another one's soon.
  private func isLasting(_ place: Int) -> Bool {
    let kind = beacons.identity(at: place).kind
    return kind != .eddystoneEID && !BeaconFormats.format(kind).isTelemetry
  }

  /// Whether it was heard often.
  private mutating func note(_ place: Int) -> Bool {
    guard isLasting(place) else { return false }
    let all = heard(place)
    for (observer, heard) in all {
      let own = times.observers[observer]
      lasts[observer].append(heard.last)
      let margin = own.length / 10
      if heard.first.since(own.start.nanoseconds) <= margin,
        own.end.nanoseconds.since(heard.last) <= margin
      {
        through[observer] += 1
      }
    }
    return !all.isEmpty
  }

  private func silent(_ place: Int, _ gaps: inout Distribution) -> SilentBeacon? {
    let all = heard(place)
    // Also where another radio, or the next file, heard it a few times only.
    let last =
      beacons.members[Int(beacons.number(at: place))]
      .map { beacons.statistics.last(of: Int($0)).nanoseconds }.max() ?? .min
    for (observer, heard) in all {
      let own = times.observers[observer]
      guard Self.isLongEnough(own), through[observer] * 2 >= lasts[observer].count else { continue }
      let silence = own.listening(since: last)
      let span = heard.last.since(heard.first)
      let shortest = max(Self.least, own.length / 10)
      guard silence >= shortest, span >= shortest,
        span >= heard.last.since(own.start.nanoseconds) / 2
      else { continue }
      addGaps(place, observer, &gaps)
      let later = last + own.end.nanoseconds.since(last) / 2
      let others =
        lasts[observer].count - (lasts[observer].firstIndex { $0 > later } ?? lasts[observer].count)
      guard let longest = GapScale.longest(gaps), Double(silence) >= Self.factor * longest,
        let usual = GapScale.ownInterval(gaps) ?? GapScale.quantile(0.5, gaps), others > 0
      else { continue }
      return SilentBeacon(
        place: place, last: Timestamp(nanoseconds: last), interval: usual, observer: observer,
        end: own.end, others: others, listened: silence,
        pause: own.pause(after: last, within: Int64(Self.factor * longest)))
    }
    return nil
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
  /// The first time behind a moment in which it did not listen, if it began soon.
  /// - Parameter limit: how soon, nanoseconds.
  fileprivate func pause(after moment: Int64, within limit: Int64) -> SilentBeacon.Pause? {
    var heardUntil = moment
    for span in spans.sorted(by: { $0.from < $1.from }) where span.to > heardUntil {
      if span.from > heardUntil {
        guard heardUntil.since(moment) < limit else { return nil }
        let from = Timestamp(nanoseconds: heardUntil)
        return SilentBeacon.Pause(from: from, to: Timestamp(nanoseconds: span.from))
      }
      heardUntil = span.to
    }
    return nil
  }
}
