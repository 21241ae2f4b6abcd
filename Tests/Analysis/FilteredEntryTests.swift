import CaptureReader
import FrameEncoder
import Regions
import Testing

@testable import Analysis

/// What an entry leaves open behind a scan that left out whom it had told of.
@Suite struct FilteredEntryTests {
  private static let one = Address(1, isRandom: true)
  private static let two = Address(2, isRandom: true)

  /// Told of at 50 s and at `back`; another one each second; the scan filters from the beginning until `until`.
  private static func entry(_ back: Int64, filteredUntil until: Int64, again: Bool = false) throws
    -> EntryDoubt?
  {
    var recording = Recording("gate")
    recording.scan(filtersDuplicates: true, at: 0)
    for second in 1..<(back + 60) {
      if second == until { recording.scan(filtersDuplicates: again, at: second * 1000) }
      if second == 50 || second == back {
        recording.hear(Recording.iBeacon(1), from: one, at: second * 1000 + 100)
      }
      recording.hear(Recording.eddystone, from: two, at: second * 1000 + 500)
    }
    let last = try lastEntry(recording)
    #expect(last.entered.nanoseconds == (Recording.start + back * 1000 + 100) * 1_000_000)
    return last.doubt
  }

  /// Of the iBeacon.
  private static func lastEntry(_ recording: Recording) throws -> TimelineEvent {
    var options = Analysis.Options()
    options.follow = FollowSettings()
    var analysis = Analysis([recording.source], options: options)
    var sink = NoSink()
    let timeline = try #require(try analysis.run(into: &sink).timeline)
    let entries = timeline.events.filter { event in
      event.type == .enter
        && event.region.map { timeline.regions[$0].identifier.hasPrefix("00") } == true
    }
    return try #require(entries.last)
  }

  @Test func withinTheSameScanItMayNeverHaveLeft() throws {
    let doubt = try Self.entry(300, filteredUntil: 1000)
    #expect(doubt?.kind == .mayNeverHaveLeft && doubt?.isOfFilter == true && doubt?.listened == 0)
  }

  @Test func soonBehindItToo() throws {
    let doubt = try Self.entry(150, filteredUntil: 130)
    #expect(doubt?.kind == .mayNeverHaveLeft && doubt?.isOfFilter == true)
    #expect(doubt.map { $0.listened > 20_000_000_000 && $0.listened < 21_000_000_000 } == true)
  }

  /// No pause is as long as P, and together they are longer.
  @Test func pausesTogetherMayBeLongerThanTheExitPeriod() throws {
    var recording = Recording("gate")
    for second in Int64(0)...50 {
      recording.hear(Recording.iBeacon(1), from: Self.one, at: second * 1000)
    }
    for second in [Int64(67), 84, 85, 86] {
      recording.hear(Recording.eddystone, from: Self.two, at: second * 1000)
    }
    recording.hear(Recording.iBeacon(1), from: Self.one, at: 87_000)
    let doubt = try Self.lastEntry(recording).doubt
    #expect(doubt?.kind == .mayNeverHaveLeft && doubt?.isOfFilter == false)
    #expect(doubt.map { $0.listened < 10_000_000_000 } == true, "\(String(describing: doubt))")
  }

  /// The next scan tells of whoever is there, whether it filters or not.
  @Test(arguments: [false, true]) func behindAScanThatDidNotTellOfItItIsProved(_ again: Bool) throws
  {
    #expect(try Self.entry(3000, filteredUntil: 130, again: again) == nil)
  }
}
