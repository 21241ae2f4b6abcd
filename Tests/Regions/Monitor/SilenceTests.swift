import CaptureReader
import FrameDecoder
import Glibc
import Testing

@testable import Regions

private let a = Beacon.iBeacon(1, 1)
private let b = Beacon.iBeacon(1, 2, address: 2)
private let other = Beacon.eddystone(namespace: 9)
private let s = second

/// SEMANTICS 2, Evidence: what an exit is worth.
@Suite struct SilenceTests {
  /// Twenty sightings, a second apart, the last at 19.
  private static let regular: [Happening] = (0..<20).map { .sees($0 * s, a) }
  /// Another advertiser, twice a second, from 19.5 to 60.
  private static let others: [Happening] = (0...81).map { .hears(39 * s / 2 + $0 * s / 2) }

  private func grades(_ happenings: [Happening]) throws -> [Silence.Grade] {
    try Telling(regions: [lobby]).silences(happenings).map(\.grade)
  }

  @Test("deaf: the observer heard no advertiser at all")
  func nobodyHeard() throws {
    let records: [Happening] = (20...60).map { .record($0 * s) }
    let silences = try Telling(regions: [lobby]).silences(Self.regular + records)
    #expect(silences.map(\.grade) == [.deaf])
    #expect(silences.first?.othersHeard == Timestamp.none && silences.first?.recordGap == 0)
  }

  @Test("deaf: a gap of at least P without any record")
  func recordGap() throws {
    let silences = try Telling(regions: [lobby]).silences(Self.regular + [.hears(60 * s)])
    #expect(silences.map(\.grade) == [.deaf])
    #expect(silences.first?.recordGap == 41 * s)
    // Somebody was heard, and then the recording pauses for longer than P.
    #expect(try grades(Self.regular + [.hears(20 * s), .hears(50 * s)]) == [.deaf])
    #expect(
      try grades(Self.regular + [.hears(20 * s), .hears(50 * s - 1), .hears(51 * s)]) == [.gone])
  }

  @Test("a pause that is a little shorter than P takes its part of the silence")
  func shortPause() throws {
    // Every four seconds, the last at 76: X is 106.
    let slow: [Happening] = (0..<20).map { .sees(4 * $0 * s, a) }
    func silence(_ heard: [Int64]) throws -> Silence {
      let silences = try Telling(regions: [lobby]).silences(slow + heard.map { .hears($0) })
      return try #require(silences.first)
    }
    let all = (77...120).map { $0 * s }
    let whole = try silence(all)
    #expect(whole.grade == .gone && whole.recordGap == 0 && whole.probability == 0)
    // Three seconds are left, in which it need not have sent.
    let hole = try silence(all.filter { $0 <= 77 * s || $0 >= 104 * s })
    #expect(hole.grade == .thin && hole.recordGap == 27 * s && hole.probability == 1)
    // Half of P is left.
    let half = try silence(all.filter { $0 <= 80 * s || $0 >= 95 * s })
    #expect(half.grade == .gone && half.recordGap == 15 * s && half.probability == 0)
    // Of two each takes its part; of one that reaches beyond X the part before it.
    let two = try silence([76 * s + s / 2, 91 * s + s / 2, 107 * s])
    #expect(two.grade == .thin && two.recordGap == 29 * s + s / 2 && two.probability == 1)
    let beyond = try silence(all.filter { $0 <= 100 * s || $0 >= 120 * s })
    #expect(beyond.recordGap == 6 * s)
    let short = try silence(all.filter { $0 <= 80 * s || $0 >= 94 * s })
    #expect(short.recordGap == 0)
  }

  @Test("one report of another at its beginning says nothing about the rest of a silence")
  func nobodyAtItsEnd() throws {
    func silence(lastOther: Int64) throws -> Silence {
      let others = stride(from: 39 * s / 2, through: lastOther, by: Int(s)).map {
        Happening.hears($0)
      }
      let records = (20...60).map { Happening.record($0 * s) }
      let silences = try Telling(regions: [lobby]).silences(
        Self.regular + mixed(others, records))
      return try #require(silences.first)
    }
    // Every second until 19: X is 49. In half a second it need not have sent.
    let hung = try silence(lastOther: 39 * s / 2)
    #expect(hung.grade == .thin && hung.probability == 1 && hung.recordGap == 0)
    #expect(hung.quiet == 59 * s / 2)
    // Nor is it by chance that it is missing where all fall silent within three intervals of it.
    let together = try silence(lastOther: 43 * s / 2)
    #expect(together.grade == .thin && together.probability == 1 && together.quiet == 55 * s / 2)
    #expect(try silence(lastOther: 45 * s / 2).grade == .gone)
    let half = try silence(lastOther: 67 * s / 2)
    #expect(half.grade == .gone && half.probability == 0 && half.quiet == 31 * s / 2)
    #expect(try silence(lastOther: 69 * s / 2).quiet == 0)
  }

  @Test(
    "deaf: any part of the window is known to be without scanning",
    arguments: [
      [Happening.scan(30 * s, on: false), .scan(31 * s, on: true)], [.reset(48 * s)],
      [.scan(30 * s, on: false)],
    ])
  func scanOff(_ notes: [Happening]) throws {
    let silences = try Telling(regions: [lobby]).silences(mixed(Self.regular + Self.others, notes))
    #expect(silences.map(\.grade) == [.deaf])
    #expect(silences.first.map { $0.scanOff > 0 && $0.othersHeard.isKnown } == true)
  }

  @Test(
    "a scan that ended in one file is off in the next one, until it begins or somebody is heard")
  func scanOffAcrossFiles() throws {
    func silence(_ next: [Happening]) throws -> Silence {
      let telling = Telling(regions: [lobby], observers: 2, names: ["phone", "phone"])
      let happenings =
        Self.regular + [.hears(20 * s), .scan(21 * s, on: false), .end()] + next
        + [.hears(50 * s, observer: 1), .record(52 * s, observer: 1)]
      return try #require(try telling.silences(happenings).first)
    }
    let begins = try silence([.scan(41 * s, on: true, observer: 1), .hears(42 * s, observer: 1)])
    #expect(begins.grade == .deaf && begins.scanOff == 20 * s && begins.recordGap == 0)
    let heard = try silence([.record(30 * s, observer: 1), .hears(31 * s, observer: 1)])
    #expect(heard.grade == .deaf && heard.scanOff == 10 * s)
    let reset = try silence([.scan(30 * s, on: false, observer: 1), .hears(31 * s, observer: 1)])
    #expect(reset.scanOff > 19 * s)
  }

  @Test func scanningThatWasOffBeforeOrAfterDoesNotMatter() throws {
    let notes: [Happening] = [
      .scan(5 * s + 1, on: false), .scan(6 * s - 1, on: true), .scan(49 * s, on: false),
      .scan(50 * s, on: true),
    ]
    #expect(try grades(mixed(Self.regular + Self.others, notes)) == [.gone])
  }

  @Test("gone: who was heard in a file that overlaps with another is told late, and counts")
  func heardInAnotherFile() throws {
    let silence = try #require(
      try Telling(regions: [lobby], observers: 2, names: ["phone", "phone"]).silences(
        Self.regular + [
          .hears(45 * s / 2), .record(30 * s, observer: 1), .record(48 * s),
          .record(60 * s, observer: 1),
        ]
      ).first)
    #expect(silence.grade == .gone)
    #expect(silence.othersHeard.nanoseconds == origin + 45 * s / 2)
  }

  @Test("thin: the radio listens so little of its time that a regular beacon may be missed")
  func listensLess() throws {
    func silence(_ share: Double, _ later: Double) throws -> Silence {
      let scans: [Happening] = [
        .scan(0, on: true, share: share), .scan(20 * s, on: true, share: later),
      ]
      return try #require(
        try Telling(regions: [lobby]).silences(mixed(scans, Self.regular + Self.others)).first)
    }
    let sparse = try silence(1, 0.05)
    #expect(sparse.grade == .thin && sparse.loss == 0)
    let listened = try #require(sparse.listened)
    // A second of the silence was before.
    #expect(abs(listened.share - (1 + 29 * 0.05) / 30) < 1e-6 && listened.before == 1)
    #expect(abs((sparse.probability ?? 0) - pow(1 - listened.share, 30)) < 1e-6)
    // As it was, or more: what SEMANTICS says.
    for (share, later) in [(1.0, 1.0), (0.1, 0.1), (0.1, 1), (0, 0.1), (1, 0)] {
      let silence = try silence(share, later)
      #expect(silence.grade == .gone && silence.listened?.isLess != true)
      #expect(silence.probability == 0)
    }
  }

  @Test("thin: packets were lost that may have been the beacon's")
  func packetsLost() throws {
    let found = try Telling(regions: [lobby]).silences(
      mixed(Self.regular + Self.others, [.lost(30 * s, 400), .lost(49 * s, 100)]))
    #expect(found.map(\.grade) == [.thin] && found.first?.packetsLost == 500)
    // At L, and behind the exit.
    let besides = try Telling(regions: [lobby]).silences(
      mixed(Self.regular + Self.others, [.lost(19 * s, 7), .lost(49 * s + 1, 7)]))
    #expect(besides.map(\.grade) == [.gone] && besides.first?.packetsLost == 0)
  }

  @Test(
    "thin: a scan was told to leave out who was heard, or who is not on a list",
    arguments: [ScanLimits.duplicates, .unlisted])
  func limitedScan(_ limits: ScanLimits) throws {
    func silence(_ notes: [Happening]) throws -> Silence {
      try #require(
        try Telling(regions: [lobby]).silences(mixed(Self.regular + Self.others, notes)).first)
    }
    let all = try silence([.scan(0, on: true, limits: limits)])
    #expect(all.grade == .thin && all.probability == 0)
    #expect((limits == .duplicates ? all.filtered : all.listedOnly) == 30 * s)
    let part = try silence([
      .scan(40 * s, on: true, limits: limits), .scan(41 * s, on: true), .scan(49 * s, on: false),
    ])
    #expect(part.grade == .thin && part.filtered + part.listedOnly == s)
    let before = try silence([
      .scan(0, on: true, limits: limits), .scan(10 * s, on: true),
      .scan(50 * s, on: true, limits: limits),
    ])
    #expect(before.grade == .gone)
  }

  @Test("one advertising event on three channels, or heard twice, counts once")
  func oneEventSeveralSightings() throws {
    // Two thirds are lost: that is thin, however often each of the others is seen.
    let times: [Int64] = (0..<40).map { $0 * 3 + ($0 % 2) }.map { $0 * s }
    func silence(_ besides: [Int64]) throws -> Silence {
      let seen = times.flatMap { time in ([0] + besides).map { Happening.sees(time + $0, a) } }
      let others = (0...400).map { Happening.hears($0 * s / 2 + s / 4) }
      return try #require(try Telling(regions: [lobby]).silences(mixed(seen, others)).first)
    }
    let once = try silence([])
    let often = try silence([s / 2000, s / 1000, s / 100])
    #expect(once.loss != nil && often.grade == once.grade)
    #expect(abs(Double(often.interval ?? 0) / Double(once.interval ?? 1) - 1) < 0.01)
    #expect(abs((often.loss ?? 0) - (once.loss ?? 1)) < 0.01)
    // Below ten events nothing is known of it.
    let few = (0..<9).flatMap { second in
      (0..<3).map { Happening.sees(second * s + $0 * s / 1000, a) }
    }
    let silences = try Telling(regions: [lobby]).silences(
      mixed(few, (0...100).map { .hears($0 * s / 2) }))
    #expect(silences.first?.probability == nil && silences.first?.grade == .thin)
  }

  @Test("gone: others were heard, and the silence is unlikely by itself")
  func gone() throws {
    let silences = try Telling(regions: [lobby]).silences(Self.regular + Self.others)
    let silence = try #require(silences.first)
    #expect(silence.grade == .gone && silence.interval == s && silence.loss == 0)
    #expect(silence.probability == 0 && silence.transmitters == 1)
    // Of what is no beacon a note tells the last one before its second only: not that at 49.
    #expect(silence.othersHeard.nanoseconds == origin + 97 * s / 2)
  }

  @Test("thin: p > 0.05, where p = loss^(P / interval)")
  func thin() throws {
    let happenings = irregular(from: 0, a) + heard(389..<430)
    let silence = try #require(try Telling(regions: [lobby]).silences(happenings).first)
    #expect(silence.grade == .thin && silence.interval == 10 * s)
    #expect(abs((silence.loss ?? 0) - Self.loss) < 1e-12)
    #expect(abs((silence.probability ?? 0) - pow(Self.loss, 3)) < 1e-12)
  }

  /// Seventeen sightings; of the gaps between them a quarter are 10 s, the rest 29 s: the interval
  /// is 10 s, and 388 s have room for 38.8 of which 16 came. The last lies 388 s behind the first.
  private func irregular(from start: Int64, _ beacon: Beacon) -> [Happening] {
    var moment = start
    var happenings: [Happening] = [.sees(moment * s, beacon)]
    for gap in 0..<16 {
      moment += gap % 4 == 0 ? 10 : 29
      happenings.append(.sees(moment * s, beacon))
    }
    return happenings
  }

  private static let loss = 1 - 16 / 38.8

  /// Others, in each of these seconds.
  private func heard(_ seconds: Range<Int64>) -> [Happening] { seconds.map { .hears($0 * s) } }

  @Test("with fewer than 10 sightings the grade is thin", arguments: [9, 10])
  func few(_ count: Int64) throws {
    let seen: [Happening] = (0..<count).map { .sees((20 - count + $0) * s, a) }
    let silence = try #require(
      try Telling(regions: [lobby]).silences([.record(0)] + seen + Self.others).first)
    #expect(silence.grade == (count < 10 ? .thin : .gone))
    #expect((silence.probability == nil) == (count < 10))
  }

  /// Heard twice now and then, of many packets: what follows an absence tells nothing of how regular it is.
  @Test("with gaps between fewer than 10 sightings the grade is thin, however many came one by one")
  func hardlyHeard() throws {
    // Pairs 21 s apart, 200 s from one to the next: longer than three times P.
    func pairs(_ count: Int64) -> [Happening] {
      (0..<count).flatMap { (pair: Int64) -> [Happening] in
        [.sees(200 * pair * s, a), .sees((200 * pair + 21) * s, a)]
      }
    }
    let happenings = mixed(pairs(8), heard(0..<1600))
    let silences = try Telling(regions: [lobby]).silences(happenings)
    #expect(silences.count == 8)
    #expect(silences.allSatisfy { $0.grade == .thin && $0.probability == nil })
    let told = try Telling(regions: [lobby]).silences(mixed(pairs(9), heard(0..<1800)))
    #expect(told.last?.interval == 21 * s)
  }

  @Test("with several transmitters p is their product")
  func several() throws {
    let seen = mixed(irregular(from: 0, a), irregular(from: 5, b))
    let silence = try #require(
      try Telling(regions: [lobby]).silences(seen + heard(394..<440)).first)
    #expect(silence.transmitters == 2 && silence.grade == .gone)
    #expect(abs((silence.probability ?? 1) - pow(Self.loss, 6)) < 1e-12)
  }

  @Test func aTransmitterThatHadLeftBeforeDoesNotCount() throws {
    // b is heard until 19, a alone until 60.
    let both: [Happening] = (0..<20).flatMap { [.sees($0 * s, a), .sees($0 * s + 1, b)] }
    let alone: [Happening] = (20...60).map { .sees($0 * s, a) }
    let after: [Happening] = (61...95).map { .hears($0 * s) }
    let silence = try #require(
      try Telling(regions: [lobby]).silences(both + alone + after).first)
    #expect(silence.transmitters == 1)
  }

  /// Exits by chance are told from the gaps that made them: a beacon heard every third second has to
  /// be lost for 5 s now and then, and is not gone.
  @Test func gapsSomewhatLongerThanPAreLosses() throws {
    let telling = Telling(regions: [lobby], settings: ["exit_after=5"])
    var moments: [Int64] = [0]
    for gap in [1, 1, 2, 6, 1, 3, 1, 8, 2, 1, 4, 6, 1, 2, 9, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1] {
      moments.append((moments.last ?? 0) + Int64(gap))
    }
    let happenings = mixed(moments.map { .sees($0 * s, a) }, heard(0..<80))
    let silences = try telling.silences(happenings)
    #expect(silences.count == 5)
    #expect(silences.allSatisfy { $0.grade == .thin })
    // 25 gaps of 60 s in all.
    let loss: Double = try #require(silences.last?.loss)
    #expect(abs(loss - 35.0 / 60) < 1e-12)
  }

  /// Near, a beacon is heard each second; it comes back a few times, far away, and may well be there still
  /// when its sightings end.
  @Test(
    "thin: a stay of a few sightings, however well the beacon was heard before",
    arguments: [
      ([0], nil), ([0, 1], nil), ([0, 1, 2], 0.95), ([0, 1, 2, 3], 0.77639),
      ([0, 9, 17], 0.99680), ([0, 1, 2, 3, 4, 5, 6, 7, 8], 0.34816),
    ] as [([Int64], Double?)])
  func fewSightings(_ later: [Int64], _ loss: Double?) throws {
    let near: [Happening] = (0...60).map { .sees($0 * s, a) }
    let far: [Happening] = later.map { .sees((200 + $0) * s, a) }
    let silences = try Telling(regions: [lobby]).silences(mixed(near + far, heard(0..<400)))
    #expect(silences.count == 2)
    #expect(silences[0].grade == .gone && !silences[0].isOfStay)
    #expect(silences[1].isOfStay)
    #expect(silences[1].interval == s)
    let known: Double = try #require(silences[1].loss)
    #expect(abs(known - (loss ?? 1)) < 1e-4)
    let likely = pow(loss ?? 1, 30) > 0.05
    #expect(silences[1].grade == (likely ? .thin : .gone))
  }

  /// Nothing has to arrive in a shorter time than an interval.
  @Test func aSilenceShorterThanTheIntervalIsThin() throws {
    let telling = Telling(regions: [lobby], settings: ["exit_after=3"])
    let happenings = mixed(
      (0..<20).map { .sees($0 * 5 * s, a) }, heard(0..<120))
    let silences = try telling.silences(happenings)
    #expect(silences.count == 20 && silences.allSatisfy { $0.grade == .thin })
    #expect(silences.last?.probability == 1 && silences.last?.loss == 0)
  }

  @Test func anAbsenceIsNoLoss() throws {
    let again: [Happening] = (0..<20).map { .sees((1000 + $0) * s, a) }
    let after: [Happening] = (1020...1060).map { .hears($0 * s) }
    let silences = try Telling(regions: [lobby]).silences(
      Self.regular + Self.others + again + after)
    #expect(silences.map(\.loss) == [0, 0] && silences.map(\.grade) == [.gone, .gone])
  }

  @Test("Sightings outside the windows do not count for a profile's grades")
  func dutyCycle() throws {
    var telling = Telling(
      regions: [lobby], settings: ["scan_window=20", "scan_interval=60", "exit_after=30"])
    // Heard between the windows only: deaf. Exits are tested at 20, 80, …
    let between: [Happening] = (20...59).map { .sees($0 * s, other) }
    let quiet: [Happening] = (60...85).map { .record($0 * s) }
    #expect(try telling.silences(Self.regular + between + quiet).map(\.grade) == [.deaf])
    let within: [Happening] = (60...85).map { .sees($0 * s, other) }
    #expect(try telling.silences(Self.regular + between + within).map(\.grade) == [.gone])
    // Scanning that is off between the windows is nothing new.
    let off: [Happening] = [.scan(30 * s, on: false), .scan(50 * s, on: true)]
    #expect(try telling.silences(Self.regular + off + within).map(\.grade) == [.gone])
    telling.settings = []
    #expect(try telling.silences(Self.regular + off + within).map(\.grade) == [.deaf])
  }

  /// Notes put among happenings of one observer, in the order of time.
  private func mixed(_ happenings: [Happening], _ notes: [Happening]) -> [Happening] {
    (happenings + notes).enumerated().sorted {
      ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
    }.map(\.element)
  }
}

extension Happening {
  fileprivate var time: Int64 {
    switch self {
    case .sees(let time, _, _, _), .hears(let time, _), .record(let time, _),
      .scan(let time, _, _, _, _), .lost(let time, _, _), .limits(let time, _, _),
      .reset(let time):
      time
    case .untimed, .end: .max
    }
  }
}
