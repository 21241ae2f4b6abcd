import Analysis
import CaptureReader
import FrameEncoder
import Regions
import Testing

@Suite("Stretches of time") struct StretchesTests {
  private static let minute: Int64 = 60_000_000_000

  /// Minutes.
  private static func stretches(_ recorded: [(Int64, Int64)], most: Int = Stretches.most)
    -> [[Int64]]
  {
    Stretches(
      recorded.map { Stretches.Span(from: $0.0 * minute, to: $0.1 * minute) }, most: most
    ).spans.map { [$0.from / minute, $0.to / minute] }
  }

  @Test("leave out pauses of over an hour that are longer than a recording beside them")
  func rule() {
    #expect(Self.stretches([]) == [])
    #expect(Self.stretches([(0, 10)]) == [[0, 10]])
    #expect(Self.stretches([(0, 10), (70, 80)]) == [[0, 80]])
    #expect(Self.stretches([(0, 10), (71, 80)]) == [[0, 10], [71, 80]])
    // Of two long ones a pause of two hours is a part.
    #expect(Self.stretches([(0, 600), (720, 1400)]) == [[0, 1400]])
    #expect(Self.stretches([(0, 600), (720, 730)]) == [[0, 600], [720, 730]])
  }

  @Test("are of all observers together, in any order") func together() {
    #expect(
      Self.stretches([(9000, 9010), (0, 10), (5, 60), (100, 110)]) == [[0, 110], [9000, 9010]])
    // While one observer recorded there is no pause.
    #expect(Self.stretches([(0, 10), (9000, 9010), (0, 9010)]) == [[0, 9010]])
  }

  @Test("leave the longest pauses out where there is no room for all") func room() {
    let recorded: [(Int64, Int64)] = [(0, 1), (200, 201), (500, 501), (900, 901), (1100, 1101)]
    #expect(Self.stretches(recorded).count == 5)
    #expect(Self.stretches(recorded, most: 3) == [[0, 201], [500, 501], [900, 1101]])
    #expect(Self.stretches(recorded, most: 1) == [[0, 1101]])
  }

  @Test("share a width by their lengths, and each has the least") func shares() {
    func shares(_ lengths: [Int64], _ width: Int, _ least: Int) -> [Int] {
      Stretches.shares(
        lengths.map { Stretches.Span(from: 0, to: $0) }, of: width,
        least: lengths.map { _ in least })
    }
    #expect(shares([30, 30, 40], 100, 0) == [30, 30, 40])
    #expect(shares([1, 1000], 40, 10) == [10, 30])
    #expect(shares([0, 0], 11, 5) == [5, 6])
    #expect(shares([.max, .max, 1], 1_000_000, 10).reduce(0, +) == 1_000_000)
    #expect(shares([7, 7, 7], 10, 1).reduce(0, +) == 10)
  }

  @Test("neither trap nor overlap at the ends of time") func ends() {
    let spans = Stretches([
      Stretches.Span(from: .min + 1, to: .min + 2), Stretches.Span(from: .max - 1, to: .max),
    ]).spans
    #expect(spans.count == 2)
    #expect(Stretches(spans, most: 2).clipped(from: 0, to: .max).count == 1)
  }

  /// A beacon that is heard each second.
  private static func recording(_ name: String, _ seconds: [Range<Int64>]) -> Recording {
    var recording = Recording(name)
    for second in seconds.joined() {
      recording.hear(
        Recording.iBeacon(1), from: Address(1, isRandom: true), at: second * 1000)
    }
    return recording
  }

  private static func observers(_ recordings: [Recording]) throws
    -> [Timeline.Observer]
  {
    var options = Analysis.Options()
    var follow = FollowSettings()
    follow.profiles = [Profiles.site]
    for place in recordings.indices { follow.observerNames[place] = "phone" }
    options.follow = follow
    var analysis = Analysis(recordings.map(\.source), options: options)
    var none = NoSink()
    return try #require(try analysis.run(into: &none).timeline).observers
  }

  /// Seconds after the start.
  private static func seconds(_ from: Timestamp, _ to: Timestamp) -> [Int64] {
    [from, to].map { ($0.nanoseconds - Recording.start * 1_000_000) / 1_000_000_000 }
  }

  @Test("what lies between captures of one observer is not recorded; a pause inside one is")
  func recorded() throws {
    let march = Self.recording("march", [0..<60, 20_000..<20_060])
    let june = Self.recording("june", [8_000_000..<8_000_060])
    let phone = try #require(try Self.observers([march, june]).first)
    #expect(
      phone.recordings.map { Self.seconds($0.from, $0.to) } == [
        [0, 59], [20_000, 20_059], [8_000_000, 8_000_059],
      ])
    #expect(phone.recordings.map(\.continues) == [false, true, false])
    #expect(phone.unrecorded.map { Self.seconds($0.from, $0.to) } == [[20_059, 8_000_000]])
    // Grades of exits go by it as ever.
    #expect(
      phone.deaf.map { Self.seconds($0.from, $0.to) } == [[59, 20_000], [20_059, 8_000_000]])
  }

  @Test("a log that was rotated is one recording, and so are captures that overlap")
  func rotated() throws {
    let logs = [
      Self.recording("log.last", [0..<60]), Self.recording("log", [63..<120]),
      Self.recording("other", [30..<90]),
    ]
    let phone = try #require(try Self.observers(logs).first)
    #expect(phone.recordings.map { Self.seconds($0.from, $0.to) } == [[0, 119]])
    #expect(phone.unrecorded.isEmpty)
  }
}
