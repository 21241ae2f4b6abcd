import Analysis
import Beacons
import CaptureReader
import FrameEncoder
import Testing

/// Beacons that fell silent, and those that may not be accused of it.
@Suite struct SilentBeaconTests {
  /// An hour; a beacon sends every second.
  private static let hour: Int64 = 3600

  private static func address(_ number: UInt16) -> Address {
    Address(0xC000_0000_0000 + UInt64(number))
  }

  /// Who is heard from when to when, in seconds.
  private static func recording(
    _ beacons: [(minor: UInt16, spans: [Range<Int64>])], name: String = "hall"
  ) -> Recording {
    var recording = Recording(name)
    var heard: [(time: Int64, minor: UInt16)] = []
    for (minor, spans) in beacons {
      for span in spans { heard += span.map { ($0 * 1000 + Int64(minor), minor) } }
    }
    for (time, minor) in heard.sorted(by: { $0.time < $1.time }) {
      recording.hear(Recording.iBeacon(minor), from: address(minor), at: time)
    }
    return recording
  }

  private static func silent(
    _ recordings: Recording..., observer: String? = nil
  ) throws -> [(minor: Int, at: Int64)] {
    var sink = NoSink()
    var options = Analysis.Options()
    if let observer {
      var follow = FollowSettings()
      for place in recordings.indices { follow.observerNames[place] = observer }
      options.follow = follow
    }
    var analysis = Analysis(recordings.map(\.source), options: options)
    let result = try analysis.run(into: &sink)
    let beacons = result.statistics.summaries()
    return SilentBeacons(result, beacons).all.map { silent in
      (
        Int(beacons.identity(at: silent.place).byte(19)),
        silent.last.nanoseconds / 1_000_000_000 - Recording.start / 1000
      )
    }
  }

  private static func expect(_ found: [(minor: Int, at: Int64)], _ minors: [Int]) {
    #expect(found.map(\.minor) == minors)
  }

  @Test func aBeaconThatDiesWhileOthersAreHeardIsTold() throws {
    let found = try Self.silent(
      Self.recording([(1, [0..<1200]), (2, [0..<Self.hour]), (3, [0..<Self.hour])]))
    Self.expect(found, [1])
    #expect(found.first?.at == 1199)
  }

  /// Another one, which hears it now and then, heard it a little longer: while the radio paused, or while it
  /// listened, and the beacon may have gone there.
  @Test(arguments: [(1000..<1400, [1]), (1000..<1020, [])] as [(Range<Int64>, [Int])])
  func anotherRadioThatHeardItLongerHidesItOnlyWhereTheRadioListened(
    _ pause: Range<Int64>, _ told: [Int]
  ) throws {
    let heard: [Range<Int64>] = [0..<pause.lowerBound, pause.upperBound..<Self.hour]
    let hall = Self.recording([(1, [0..<1000]), (2, heard), (3, heard)])
    let now = stride(from: Int64(0), to: 1200, by: 60).map { $0..<($0 + 1) }
    let yard = Self.recording([(1, now), (4, [0..<Self.hour]), (5, [0..<Self.hour])], name: "yard")
    Self.expect(try Self.silent(hall, yard), told)
  }

  /// It went on to another radio while the first one paused, and the recording of that one ends.
  @Test func whoWentOnToARadioWhoseRecordingEndsIsNotTold() throws {
    let heard: [Range<Int64>] = [0..<1000, 2400..<Self.hour]
    let hall = Self.recording([(1, [0..<1000]), (2, heard), (3, heard)])
    let yard = Self.recording([(1, [1000..<2300]), (4, [0..<2310]), (5, [0..<2310])], name: "yard")
    Self.expect(try Self.silent(hall, yard), [])
  }

  @Test func theLongestSilenceComesFirst() throws {
    let others = (UInt16(10)..<14).map { (minor: $0, spans: [0..<Self.hour]) }
    let dying: [(minor: UInt16, spans: [Range<Int64>])] = [
      (1, [0..<2000]), (2, [0..<1000]), (3, [0..<1500]),
    ]
    let found = try Self.silent(Self.recording(dying + others))
    Self.expect(found, [2, 3, 1])
  }

  @Test func whoComesBackOrWasAwayBeforeIsNot() throws {
    func silent(_ spans: [Range<Int64>]) throws -> [(minor: Int, at: Int64)] {
      try Self.silent(
        Self.recording([(1, spans), (2, [0..<Self.hour]), (3, [0..<Self.hour])]))
    }
    Self.expect(try silent([0..<1200, 3000..<3600]), [])
    // Silences as long as a tenth of this one were usual.
    Self.expect(try silent([0..<600, 900..<1800, 2100..<2400]), [])
    // A visitor, who came late and left.
    Self.expect(try silent([900..<1400]), [])
  }

  /// One after the other comes into range and goes out of it.
  @Test func nobodyWhoWasPassedOnAWalkIsTold() throws {
    let passed = (UInt16(0)..<6).map { place in
      let start = Int64(place) * 500
      return (minor: place + 1, spans: [start..<start + 1100])
    }
    Self.expect(try Self.silent(Self.recording(passed)), [])
  }

  @Test func nobodyIsToldWhereNobodyElseWasHeardOrTheRecordingIsShort() throws {
    Self.expect(try Self.silent(Self.recording([(1, [0..<1200])])), [])
    Self.expect(try Self.silent(Self.recording([(1, [0..<200]), (2, [0..<500])])), [])
  }

  /// What one radio does not hear any more another one may.
  @Test func whoIsHeardInTheNextFileIsNotSilent() throws {
    let first = Self.recording([(1, [0..<1200]), (2, [0..<Self.hour])], name: "a")
    let second = Self.recording([(1, [3600..<3610]), (2, [3600..<3900])], name: "b")
    Self.expect(try Self.silent(first), [1])
    Self.expect(try Self.silent(first, second), [])
  }

  /// Twenty hours in which nobody recorded are neither listening nor a gap between sightings.
  @Test func aNightBetweenTwoCapturesHidesNobody() throws {
    let (morning, end) = (20 * Self.hour, 21 * Self.hour)
    let others = (UInt16(10)..<14).map { (minor: $0, spans: [0..<Self.hour, morning..<end]) }
    func recorded(_ name: String, _ time: Range<Int64>) -> Recording {
      let all = others + [(1, [0..<Self.hour, morning..<(morning + 1800)]), (3, [0..<Self.hour])]
      return Self.recording(
        all.map { ($0.minor, $0.spans.filter { time.contains($0.lowerBound) }) }, name: name)
    }
    let (first, second) = (recorded("a", 0..<Self.hour), recorded("b", morning..<end))
    let found = try Self.silent(first, second, observer: "hall")
    #expect(found.map(\.minor) == [3, 1])
    #expect(found.map(\.at) == [Self.hour - 1, morning + 1799])
  }

  /// It went on to another radio, whose recording ends while it is there.
  @Test func aRadioThatStoppedHearingItLongBeforeIsNoWitness() throws {
    let north = Self.recording(
      [(1, [0..<600]), (2, [0..<Self.hour]), (3, [0..<Self.hour])], name: "north")
    func hall(until end: Int64) -> Recording {
      Self.recording([(1, [500..<1200]), (4, [0..<end]), (5, [0..<end])], name: "hall")
    }
    Self.expect(try Self.silent(north, hall(until: 1200)), [])
    Self.expect(try Self.silent(north, hall(until: Self.hour)), [1])
  }

  /// The radio that heard it most often scanned no more when it fell silent; the other one went on.
  @Test func theRadioThatListenedOnIsTheWitness() throws {
    func run(_ recordings: [Recording]) throws -> (SilentBeacon, [String]) {
      var sink = NoSink()
      var analysis = Analysis(recordings.map(\.source))
      let result = try analysis.run(into: &sink)
      let beacons = result.statistics.summaries()
      let silent = try #require(
        SilentBeacons(result, beacons).all.first { beacons.identity(at: $0.place).byte(19) == 1 })
      return (silent, result.observers)
    }
    let others: [(minor: UInt16, spans: [Range<Int64>])] = [
      (2, [0..<1000, 1300..<Self.hour]), (3, [0..<1000, 1300..<Self.hour]),
      (4, [0..<1000, 1300..<1600]),
    ]
    let door = Self.recording(others + [(1, [0..<1000])], name: "door")
    let hall = Self.recording(
      [(1, [100..<150, 160..<1100]), (5, [0..<Self.hour]), (7, [0..<Self.hour]), (6, [0..<1500])],
      name: "hall")
    let (both, names) = try run([door, hall])
    #expect(names[both.observer] == "hall")
    #expect(both.pause == nil)
    #expect(both.others == 3)
    // It passed the radio that paused before, and another one that is no witness heard it last.
    let gate = Self.recording([(1, [1000..<1050])], name: "gate")
    let (late, _) = try run([door, gate])
    #expect(late.observer == 0)
    let pause = try #require(late.pause)
    func second(_ time: Timestamp) -> Int64 {
      time.nanoseconds / 1_000_000_000 - Recording.start / 1000
    }
    #expect(second(late.last) == 1049)
    #expect(second(pause.from) == 999)
    #expect(second(pause.to) == 1300)
    #expect(late.others == 3)
  }

  /// Tags that are carried past a radio do not make it one that walks; a walk that ends where it began is one.
  @Test func tagsThatPassHideNobody() throws {
    let tags = (UInt16(20)..<40).map { minor in
      let start = 600 + Int64(minor) * 20
      return (minor: minor, spans: [start..<start + 300])
    }
    let fixed = (UInt16(10)..<14).map { (minor: $0, spans: [0..<Self.hour]) }
    Self.expect(try Self.silent(Self.recording(fixed + tags + [(1, [0..<1200])])), [1])
    let round = (UInt16(0)..<6).map { place in
      let (out, back) = (Int64(place) * 300, Self.hour - Int64(place) * 300)
      return (
        minor: place + 1,
        spans: [max(0, out - 200)..<out + 200, back - 200..<min(Self.hour, back + 200)]
      )
    }
    Self.expect(try Self.silent(Self.recording(round + [(9, [100..<1500])])), [])
  }

  @Test func outsideOfThePartOfTheTimeThatIsToldNothingCounts() throws {
    let recording = Self.recording([(1, [0..<1200]), (2, [0..<Self.hour])])
    var options = Analysis.Options()
    options.limits = TimeLimits(
      from: Recording.start * 1_000_000, to: (Recording.start + 1_300_000) * 1_000_000)
    var analysis = Analysis([recording.source], options: options)
    var sink = NoSink()
    let result = try analysis.run(into: &sink)
    #expect(SilentBeacons(result, result.statistics.summaries()).all.isEmpty)
  }
}
