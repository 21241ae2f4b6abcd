import CaptureReader
import FrameEncoder
import Regions
import Testing

@testable import Analysis

/// Entries behind exits that are `thin`: whether the beacon had left nobody knows.
@Suite struct ThinEntryTests {
  private static let one = Address(1, isRandom: true)
  private static let two = Address(2, isRandom: true)

  /// The last entry of a region with an exit period of 10 s, and the exit before it.
  /// - Parameter heard: when its beacon is, ms; another one is ten times a second, for 200 s.
  private static func last(_ heard: [Int64]) throws -> (
    exit: TimelineEvent, entry: TimelineEvent, stay: Timeline.Stay
  ) {
    var recording = Recording("hall")
    var moments = heard[...]
    for tenth in Int64(0)..<2000 {
      recording.hear(Recording.eddystone, from: two, at: tenth * 100)
      if moments.first == tenth * 100 {
        recording.hear(Recording.iBeacon(1), from: one, at: moments.removeFirst())
      }
    }
    let timeline = try recording.timeline(exitAfter: 10)
    return (
      try #require(timeline.events.last { $0.type == .exit && $0.time.nanoseconds < end(heard) }),
      try #require(timeline.events.last { $0.type == .enter }),
      try #require(timeline.outcomes[0].stays.last)
    )
  }

  private static func end(_ heard: [Int64]) -> Int64 {
    (Recording.start + (heard.last ?? 0)) * 1_000_000
  }

  @Test("a beacon of which little is known may never have left")
  func seldomHeard() throws {
    let (exit, entry, stay) = try Self.last([10_000, 11_000, 12_000, 90_000])
    #expect(exit.silence?.grade == .thin)
    #expect(entry.doubt?.kind == .mayNeverHaveLeft && entry.doubt?.chance?.probability == nil)
    #expect(entry.doubt?.listened == 78_000_000_000 && entry.doubt == stay.doubt)
  }

  @Test(
    "where the radio fell silent as a whole right behind a beacon, it may never have left",
    arguments: [(100_500, true), (140_000, false)] as [(Int64, Bool)])
  func hung(_ back: Int64, _ isDoubted: Bool) throws {
    // Both twice a second until 20 s, the other one a little longer, and again from 100 s on. Records all the time.
    var recording = Recording("hall")
    for half in Int64(0)..<300 {
      let now = half * 500
      if now <= 20_000 || now >= back {
        recording.hear(Recording.iBeacon(1), from: Self.one, at: now)
      }
      recording.other(at: now + 100)
      if now <= 20_000 || now >= 100_000 {
        recording.hear(Recording.eddystone, from: Self.two, at: now + 200)
      }
    }
    let timeline = try recording.timeline(exitAfter: 30)
    let exit = try #require(timeline.events.first { $0.type == .exit })
    #expect(exit.silence?.grade == .thin && exit.silence?.quiet == 29_800_000_000)
    let doubt = timeline.events.last { $0.type == .enter }?.doubt
    #expect((doubt?.kind == .mayNeverHaveLeft) == isDoubted)
    if isDoubted { #expect(doubt?.nobodyHeardUntil.isKnown == true) }
  }

  @Test(
    "a whole absence that is likely proves nothing, and one that is not proves that it was away",
    arguments: [(10_500, true), (11_000, true), (12_800, true), (100_000, false)] as [(Int64, Bool)]
  )
  func regular(_ absence: Int64, _ isDoubted: Bool) throws {
    // Gaps of 2 and of 8 s: three in five of what is sent each 2 s are lost.
    var heard: [Int64] = []
    var now: Int64 = 5_000
    for number in 0..<16 {
      heard.append(now)
      now += number % 2 == 0 ? 2_000 : 8_000
    }
    let last = heard[heard.count - 1]
    let (exit, entry, _) = try Self.last(heard + [last + absence])
    #expect(exit.silence?.grade == .thin)
    #expect((entry.doubt != nil) == isDoubted)
    if isDoubted {
      let probability = try #require(entry.doubt?.chance?.probability)
      #expect(probability > Silence.likely && probability < 1)
    }
  }

  @Test(
    "an absence between two sightings lacks one advertisement less than it has intervals",
    arguments: [(15_000, true), (15_010, true), (14_900, true), (30_020, false), (45_000, false)]
      as [(Int64, Bool)])
  func slow(_ absence: Int64, _ isDoubted: Bool) throws {
    // Each 15 s and up to 10 ms, none lost: longer than the exit period of 10 s.
    let heard = (Int64(0)..<11).map { 2_000 + $0 * 15_000 + ($0 * 7) % 10 }
    let last = heard[heard.count - 1]
    let others = (Int64(0)..<220).map { (time: $0 * 1_000 + 500, isOwn: false) }
    let own = (heard + [last + absence]).map { (time: $0, isOwn: true) }
    var recording = Recording("hall")
    for moment in (own + others).sorted(by: { $0.time < $1.time }) {
      if moment.isOwn {
        recording.hear(Recording.iBeacon(1), from: Self.one, at: moment.time)
      } else {
        recording.hear(Recording.eddystone, from: Self.two, at: moment.time)
      }
    }
    let timeline = try recording.timeline(exitAfter: 10)
    let entry = try #require(timeline.events.last { $0.type == .enter })
    #expect((entry.doubt?.kind == .mayNeverHaveLeft) == isDoubted)
    #expect(entry.doubt == timeline.outcomes[0].stays.last?.doubt)
    if isDoubted { #expect(entry.doubt?.chance?.probability == 1) }
  }

  @Test(
    "who was heard without an RSSI in the exit period of a gate may never have left",
    arguments: [(127, true), (-90, false)] as [(Int8, Bool)])
  func unmeasured(_ rssi: Int8, _ isDoubted: Bool) throws {
    var recording = Recording("hall")
    for second in Int64(0)..<200 {
      let isNear = second <= 60 || second > 160
      recording.hear(
        Recording.iBeacon(1), from: Self.one, at: second * 1000, rssi: isNear ? -60 : rssi)
      recording.hear(Recording.eddystone, from: Self.two, at: second * 1000 + 500)
    }
    let timeline = try recording.timeline(",min_rssi=-70")
    let exit = try #require(timeline.events.first { $0.type == .exit })
    #expect(exit.silence?.grade == (isDoubted ? .thin : .gone))
    let entry = try #require(timeline.events.last { $0.type == .enter })
    #expect((entry.doubt?.kind == .mayNeverHaveLeft) == isDoubted)
    #expect(entry.doubt?.chance?.isUnmeasured == (isDoubted ? true : nil))
    #expect(entry.doubt == timeline.outcomes[0].stays.last?.doubt)
  }

  @Test(
    "a first entry of a beacon that is seldom heard proves nothing soon behind the beginning",
    arguments: [(10_400, true), (15_000, false)] as [(Int64, Bool)])
  func first(_ first: Int64, _ isDoubted: Bool) throws {
    // As above: gaps of 2 and of 8 s, and no more is heard of it from its last moment on.
    var recording = Recording("hall")
    let heard = (Int64(0)..<12).map { first + $0 / 2 * 10_000 + ($0 % 2) * 2_000 }
    for tenth in Int64(0)..<3000 {
      recording.hear(Recording.eddystone, from: Self.two, at: tenth * 100)
      if heard.contains(tenth * 100) {
        recording.hear(Recording.iBeacon(1), from: Self.one, at: tenth * 100)
      }
    }
    let timeline = try recording.timeline(exitAfter: 10)
    let entry = try #require(timeline.events.first { $0.type == .enter })
    let doubt = timeline.outcomes[0].stays[0].doubt
    let chance = doubt?.chance?.probability
    #expect((doubt?.kind == .mayHaveBeenInside) == isDoubted && (chance != nil) == isDoubted)
    #expect(doubt?.listened == (isDoubted ? first * 1_000_000 : nil))
    // Nobody knew when it was told.
    #expect(entry.doubt == nil)
  }

  @Test(
    "of whom too little was heard, who ended deaf, or whom a filter would have told of, nobody says that he was there",
    arguments: ["few", "deaf", "filtered"])
  func nothingSaid(_ kind: String) throws {
    var recording = Recording("hall")
    recording.scan(filtersDuplicates: kind == "filtered", at: 0)
    let heard: [Int64] =
      kind == "few"
      ? [10_400, 10_500, 10_600]
      : (Int64(0)..<12).map { 10_400 + $0 / 2 * 10_000 + ($0 % 2) * 2_000 }
    for tenth in Int64(0)..<1500 where kind != "deaf" || tenth < 630 || tenth > 1400 {
      recording.hear(Recording.eddystone, from: Self.two, at: tenth * 100)
      if heard.contains(tenth * 100) {
        recording.hear(Recording.iBeacon(1), from: Self.one, at: tenth * 100)
      }
    }
    let stay = try #require(try recording.timeline(exitAfter: 10).outcomes[0].stays.first)
    #expect(stay.visit.since.nanoseconds == (Recording.start + 10_400) * 1_000_000)
    #expect(stay.visit.silence?.grade == (kind == "deaf" ? .deaf : .thin) && stay.doubt == nil)
  }

  @Test("of who was heard well a first entry is proved")
  func heardWell() throws {
    var recording = Recording("hall")
    for tenth in Int64(0)..<3000 {
      recording.hear(Recording.eddystone, from: Self.two, at: tenth * 100)
      if (400..<900).contains(tenth) {
        recording.hear(Recording.iBeacon(1), from: Self.one, at: tenth * 100)
      }
    }
    let timeline = try recording.timeline(exitAfter: 10)
    let entries = timeline.events.filter { $0.type == .enter }
    #expect(!entries.isEmpty && entries.allSatisfy { $0.doubt == nil })
  }

  @Test("a pause of the recording is no part of the absence, as it is none of the silence")
  func pauses() {
    func silence(_ recordGap: Int64, _ transmitters: Int = 1) -> Silence {
      Silence(
        grade: .thin, othersHeard: .none, scanOff: 0, captureOff: 0, recordGap: recordGap,
        filtered: 0, listedOnly: 0, packetsLost: 0, interval: 10 * s, loss: 0.474,
        probability: 0.082, listened: nil, transmitters: transmitters)
    }
    // Of 30 s, of which 20 s were not recorded: the same for each 10 s more.
    #expect(
      abs((silence(20 * s).probability(ofSilence: 20 * s, period: 30 * s) ?? 0) - 0.0067) < 1e-3)
    // Two transmitters: longer is never more likely.
    #expect(
      abs((silence(0, 2).probability(ofSilence: 40 * s, period: 30 * s) ?? 0) - 0.0356) < 1e-3)
  }

  private let s: Int64 = 1_000_000_000
}
